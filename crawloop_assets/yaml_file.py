"""Strict loading of YAML files: every error names file, line and field."""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from crawloop_assets.closest import keys_at, meant
from crawloop_assets.errors import ConfigError

Model = TypeVar("Model", bound=BaseModel)
Key = tuple[str | int, ...]
"""Where a value is in a YAML file: keys and indexes."""

_FastLoader: Any = getattr(yaml, "CSafeLoader", None)
"""The one in C where PyYAML was built with it: a tenth of the work."""
_A_LIST = "should be a list: [a, b], or a line with a dash for each"
_KEYS = "should be keys with values, as in `key: value`"
_TRUTH = "should be true or false"
_WHOLE = "should be a whole number"
_NUMBER = "should be a number"
_IN_PLAIN_WORDS = {
    "extra_forbidden": "unknown key",
    "missing": "is required",
    **dict.fromkeys(
        ("tuple_type", "list_type", "frozen_set_type", "set_type"), _A_LIST
    ),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type"), _KEYS),
    **dict.fromkeys(("bool_type", "bool_parsing"), _TRUTH),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    "string_type": "should be text, in quotes if it looks like a number or a date",
}
"""What pydantic says in the words of Python, by its kind of problem."""
_MOST_LEVELS = 100
"""That the loader in C is trusted with: it counts none, and ends the process."""
_MOST_BYTES = 1_000_000
_MOST_VALUES = 100_000
"""With what aliases stand for counted each time: a few lines of them can mean billions."""
_NO_VALUE = (ValueError, OverflowError, LookupError, AttributeError)
"""What PyYAML raises at a text that has the form of a date, say, and is none."""
_NOTHING = "looks like a date, a number or the like, and is none"
_AS_TEXT = "correct it, or put it in quotes if it is text"
_KEPT_TEXTS = 1_000
"""Of which what they say is kept: a process asks for the families again and again, and parsing is most of the work."""


def wrong_at(file: Path, key: Key, problem: str, hint: str = "") -> ConfigError:
    """An error that names file, line and field."""
    field = ".".join(map(str, key))
    return ConfigError(
        problem, file=file, line=_line(file, key), field=field, hint=hint
    )


def load_yaml(file: Path, model: type[Model]) -> Model:
    """A YAML file as a model.

    Raises ConfigError, with the line and the field of the first thing that is wrong.
    """
    data = _read_yaml(file)
    try:
        return model.model_validate({} if data is None else data)
    except ValidationError as error:
        # A misspelt key is the cause, that the right one is missing the consequence.
        first = min(error.errors(), key=_is_consequence)
        place = tuple(first["loc"])
        problem = _plain(first["type"], first["msg"])
        hint = _hint(model, first["type"], place)
        raise wrong_at(file, place, problem, hint) from error


def _read_yaml(file: Path) -> Any:
    """What the file says; None if it is empty.

    Raises ConfigError where it is no text or no YAML, with the line if that is known.
    """
    try:
        return _loaded(file)
    except RecursionError as error:
        raise ConfigError("is nested too deeply", file=file) from error
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", file=file) from error
    except UnicodeDecodeError as error:
        raise ConfigError("is not UTF-8", file=file) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "is not YAML"
        line = None if mark is None else mark.line + 1
        raise ConfigError(f"not YAML: {problem}", file=file, line=line) from error


def _loaded(file: Path) -> Any:
    """The same, with the errors of Python and of YAML."""
    if file.stat().st_size > _MOST_BYTES:
        raise ConfigError(f"has more than {_MOST_BYTES:,} bytes", file=file)
    return deepcopy(_parsed(file, file.read_text(encoding="utf-8")))


@lru_cache(_KEPT_TEXTS)
def _parsed(file: Path, text: str) -> Any:
    """What a file says with that text; whoever changes it takes a copy."""
    loader = _loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        if _values_in(node, {}) > _MOST_VALUES:
            raise ConfigError(f"means more than {_MOST_VALUES:,} values", file=file)
        placed = [_Placed((), node, node), *_placed(node)]
        _refuse_twice(file, placed)
        return _constructed(file, loader, placed)
    finally:
        loader.dispose()


class _Placed(NamedTuple):
    """A value of a file, where it is, and what names it there: its key, or itself."""

    key: Key
    name: yaml.Node
    value: yaml.Node

    def wrong(self, file: Path, problem: str, hint: str) -> ConfigError:
        """What is wrong with it."""
        return ConfigError(
            problem,
            file=file,
            line=self.name.start_mark.line + 1,
            field=".".join(map(str, self.key)),
            hint=hint,
        )


def _placed(node: yaml.Node, key: Key = ()) -> Iterator[_Placed]:
    """Every value below a node, in their order; of one that stands for many there are as many."""
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            inner = (*key, str(name.value))
            yield _Placed(inner, name, value)
            yield from _placed(value, inner)
    elif isinstance(node, yaml.SequenceNode):
        for at, item in enumerate(node.value):
            yield _Placed((*key, at), item, item)
            yield from _placed(item, (*key, at))


def _refuse_twice(file: Path, placed: Sequence[_Placed]) -> None:
    """ConfigError for a key that is there twice: YAML would keep the last one without a
    word, and nobody knows which was meant."""
    seen: dict[Key, _Placed] = {}
    for one in placed:
        before = seen.setdefault(one.key, one)
        if before is not one:
            line = before.name.start_mark.line + 1
            hint = f"it is in line {line} already: leave one of the two out"
            raise one.wrong(file, "is there twice", hint)


def _constructed(file: Path, loader: Any, placed: Sequence[_Placed]) -> Any:
    """What the whole file means.

    ConfigError at the first value that looks like a date or a number, and is none.
    """
    try:
        return loader.construct_document(placed[0].value)
    except _NO_VALUE:
        for one in placed:
            if isinstance(one.value, yaml.ScalarNode) and not _is_value(one.value):
                raise one.wrong(file, _NOTHING, _AS_TEXT) from None
        raise


def _is_value(node: yaml.ScalarNode) -> bool:
    """Whether it is one of the kind that it looks like."""
    try:
        yaml.SafeLoader("").construct_object(node)
    except _NO_VALUE:
        return False
    return True


def _loader(text: str) -> Any:
    """What loads it fastest; of a text that is wrong, what says best what is."""
    return (_FastLoader if _is_plain(text) else yaml.SafeLoader)(text)


def _is_plain(text: str) -> bool:
    """Whether it is YAML, of few levels."""
    level = 0
    try:
        for event in yaml.parse(text, Loader=_FastLoader) if _FastLoader else ():
            level += isinstance(event, yaml.CollectionStartEvent)
            level -= isinstance(event, yaml.CollectionEndEvent)
            if level > _MOST_LEVELS:
                return False
    except yaml.YAMLError:
        return False
    return _FastLoader is not None


def _values_in(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node means, with aliases written out; `known` are the counts so
    far, by node."""
    if id(node) not in known:
        known[id(node)] = _MOST_VALUES + 1  # of what holds itself there is no end
        inner = (_values_in(one, known) for one in _inner_nodes(node))
        known[id(node)] = 1 + sum(inner)
    return known[id(node)]


def _inner_nodes(node: yaml.Node) -> Iterator[yaml.Node]:
    """The keys, values or items of a node."""
    if isinstance(node, yaml.MappingNode):
        yield from chain.from_iterable(node.value)
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _is_consequence(problem: ErrorDetails) -> bool:
    """Whether another problem of the same file may be what led to it."""
    return problem["type"] != "extra_forbidden"


def _hint(model: type[BaseModel], kind: str, place: Key) -> str:
    """Which key was meant by one that nobody knows; "" for any other problem."""
    if kind != "extra_forbidden":
        return ""
    return meant(str(place[-1]), keys_at(model, place[:-1]))


def _plain(kind: str, message: str) -> str:
    """A problem that pydantic found, in the words of a configuration file."""
    plain = _IN_PLAIN_WORDS.get(kind, message.removeprefix("Value error, "))
    return re.sub(r"^Input should", "should", plain)


def _line(file: Path, key: Key) -> int | None:
    """The line of the deepest part of `key` that is in the file, from 1."""
    node = yaml.compose(file.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    if node is None:
        return None
    line: int = node.start_mark.line + 1
    for part in key:
        inner = _inner_node(node, part)
        if inner is None:
            return line
        line, node = inner
    return line


def _inner_node(node: yaml.Node, part: str | int) -> tuple[int, yaml.Node] | None:
    """The line (from 1) and the value of a key or an index; None if there is none."""
    if isinstance(node, yaml.MappingNode):
        return _entry(node, str(part))
    if not isinstance(node, yaml.SequenceNode) or not isinstance(part, int):
        return None
    if part >= len(node.value):
        return None
    item = node.value[part]
    return item.start_mark.line + 1, item


def _entry(node: yaml.MappingNode, name: str) -> tuple[int, yaml.Node] | None:
    """The line of a key and its value."""
    for key, value in node.value:
        if key.value == name:
            return key.start_mark.line + 1, value
    return None
