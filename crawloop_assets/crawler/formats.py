"""The formats in which programs are stored: what was written in any of them is read for
ever.

A program says the oldest format in which its JSON means what it means: one that none
of the newer words touch keeps its bytes. It is named by its oldest words, for ever.
"""

from collections.abc import Callable, Mapping
from typing import Any

from crawloop_assets.errors import ConfigError

FORMAT = 5
"""The newest format, in whose words programs are held in memory.

It changes when the same JSON would mean something else, or could not be read.
"""
_FIRST, _SECOND, _THIRD, _FOURTH = 1, 2, 3, 4
_Json = dict[str, Any]

# Format 2 has general words for what format 1 had for recipes; format 3 has three steps more,
# and reads what stands above a row of JSON; format 4 has three steps more,
# and reads the signs of an element and the address of a page; format 5 leaves out other
# records that a page shows, and texts with a day or a time, and reads the own heading of a row.
_STEPS_OF_1: Mapping[str, _Json] = {
    "sum_minutes": {"op": "sum", "args": ["minutes"]},
    "unheaded": {"op": "without", "args": ["headings"]},
    "uncounted": {"op": "without", "args": ["counts"]},
}
_GETS_OF_1 = {
    "steps": "items",
    "steps+names": "items+names",
    "steps+sections": "items+headings",
}
_OPS_SINCE = {
    **{step["op"]: _SECOND for step in _STEPS_OF_1.values()},
    "scale": _THIRD,
    "epoch": _THIRD,
    "unit": _THIRD,
    "span": _FOURTH,
    "count": _FOURTH,
    "has": _FOURTH,
}
"""The steps that the first format did not have, and the format they came with."""
_WITHOUT_MOMENTS: _Json = {"op": "without", "args": ["moments"]}
"""A kind of leaving out that came with format 5."""
_OF_GROUP = "group"
"""A source that came with it: the heading of the record's own group."""
_FROM_ABOVE = '$[".."]'
"""How a reader of a row of JSON begins that reads what stands above the row, as no older format
did."""
_GETS_SINCE_4 = frozenset(("signs", "address"))
"""What no older format read of an element."""
_NEW_GETS = frozenset(_GETS_OF_1.values())
_NEW_OF_LABELS = frozenset(("parts", "row", "@src", "@href"))
"""What format 1 could not read beside a label."""


def upgraded(data: _Json) -> _Json:
    """A program's JSON in the words of today's format; without a number it is in them
    already.

    Raises ConfigError for a newer format.
    """
    number = data.get("program", FORMAT)
    if type(number) is not int:
        return data
    if number > FORMAT:
        raise ConfigError(
            f"a program of format {number}, and only formats up to {FORMAT} are known",
            field="program",
            hint="It was made by a newer version of the product: upgrade.",
        )
    while number in UPGRADES:
        data = UPGRADES[number](data)
        number = data["program"]
    return data


def format_of(data: object) -> int:
    """The oldest format that has all the words of a program's JSON."""
    if isinstance(data, list):
        return max(map(format_of, data), default=_FIRST)
    if not isinstance(data, dict):
        return _FIRST
    of_part = (_FIRST, FORMAT)["part" in data]
    return max(of_part, _format_of_word(data), format_of(list(data.values())))


def _format_of_word(data: _Json) -> int:
    """The oldest format that has the one word a step or a reader says."""
    is_new_of_label = (
        data.get("src") == "label" and _word(data, "get") in _NEW_OF_LABELS
    )
    if is_new_of_label or _is_of_json(data, _NEW_GETS):
        return _SECOND
    if _word(data, "at").startswith(_FROM_ABOVE):
        return _THIRD
    if data == _WITHOUT_MOMENTS or data.get("src") == _OF_GROUP:
        return FORMAT
    if _word(data, "get") in _GETS_SINCE_4:
        return _FOURTH
    return _OPS_SINCE.get(_word(data, "op"), _FIRST)


def _is_of_json(reader: _Json, gets: frozenset[str]) -> bool:
    """Whether some JSON is a reader of JSON with one of these `get`s: those of labels
    have names of their own."""
    return reader.get("src") == "json" and _word(reader, "get") in gets


def _word(data: _Json, key: str) -> str:
    """What stands there if it is a text: what is none is told where it is validated."""
    said = data.get(key)
    return said if isinstance(said, str) else ""


def _from_first(data: _Json) -> _Json:
    """Format 1 in the words of format 2."""
    return {**_reworded(data), "program": _SECOND}


def _from_second(data: _Json) -> _Json:
    """Format 2, of which every word means the same in format 3."""
    return {**data, "program": _THIRD}


def _from_third(data: _Json) -> _Json:
    """Format 3, of which every word means the same in format 4."""
    return {**data, "program": _FOURTH}


def _from_fourth(data: _Json) -> _Json:
    """Format 4, of which every word means the same in format 5."""
    return {**data, "program": FORMAT}


def in_oldest_words(data: _Json) -> _Json:
    """A program's JSON in the words of the first format, as far as that had some for
    what it says: what its name is made of."""
    oldest: _Json = _reworded(data, _to_first)
    return {**oldest, "program": format_of(oldest)}


def _reworded(data: Any, of: Callable[[_Json], _Json] | None = None) -> Any:
    """Some JSON of a program with each step and each reader of JSON in other words: by
    default those of format 2 for those of format 1."""
    if isinstance(data, list):
        return [_reworded(part, of) for part in data]
    if not isinstance(data, dict):
        return data
    return (of or _to_second)({key: _reworded(part, of) for key, part in data.items()})


def _to_second(data: _Json) -> _Json:
    """A step or a reader of format 1 in the words of format 2."""
    if _is_of_json(data, frozenset(_GETS_OF_1)):
        return {**data, "get": _GETS_OF_1[data["get"]]}
    return _STEPS_OF_1.get(_word(data, "op"), data)


def _to_first(data: _Json) -> _Json:
    """A step or a reader of format 2 in the words of format 1, if that had some."""
    if _is_of_json(data, _NEW_GETS):
        old = next(one for one, new in _GETS_OF_1.items() if new == data["get"])
        return {**data, "get": old}
    for op, step in _STEPS_OF_1.items():
        if step == data:
            return {"op": op}
    return data


UPGRADES: dict[int, Callable[[_Json], _Json]] = {
    _FIRST: _from_first,
    _SECOND: _from_second,
    _THIRD: _from_third,
    _FOURTH: _from_fourth,
}
"""Format -> what brings a program's JSON from it to the next.

An entry is never taken out: stored programs are read for ever.
"""
