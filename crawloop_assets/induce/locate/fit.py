"""The smallest transform that makes a text the value that is known to be there."""

import re
from collections.abc import Iterator
from decimal import Decimal

from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import numbers, parse_number
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

Pipe = tuple[Step, ...]
_AFFIX = 45
_UNROUNDED = 2  # more decimals than this many too many are no price or weight but the result of a division
_COUNTED = re.compile(r"^(\d{1,4})( [^\W\d_]{2,14}(?: [^\W\d_]{2,14})?)$")
_SIGN = r"[^\d\s.,][^\d\s]*"
_BACKGROUND = r"url\(\s*['\"]?([^'\")]+)"


def item_spec(spec: FieldSpec) -> FieldSpec:
    """The field as if it held a single value."""
    return (
        spec
        if spec.shape is Shape.ONE
        else spec.model_copy(update={"shape": Shape.ONE})
    )


def cost(pipe: Pipe) -> float:
    """How much a transform lowers trust: 1 for none."""
    factor = 1.0
    for step in pipe:
        factor *= _COSTS.get(step.op, 0.8)
        if step.op in _COUNTING and step.args[0] not in (0, -1):
            factor *= 0.7
    return factor


_COUNTING = (Op.NUMBER, Op.DATE)
_COSTS = {
    Op.STRIP_PREFIX: 0.85,
    Op.STRIP_SUFFIX: 0.7,
    Op.SPLIT: 0.98,
    Op.JOIN: 0.95,
    Op.SRCSET: 0.9,
    Op.NUMBER: 0.85,
    Op.ROUND: 0.95,
    Op.DATE: 0.95,
    Op.TEMPLATE: 0.7,
    Op.FIRST: 1.0,
    Op.NTH: 0.6,
    Op.LAST: 0.7,
    Op.REGEX: 0.8,
    Op.CURRENCY: 0.85,
    Op.DEDUPE: 1.0,
    Op.UNHEADED: 1.0,
    Op.UNCOUNTED: 1.0,
}


def fit(text: str, value: Value, spec: FieldSpec, base_url: str) -> Pipe | None:
    """The pipe for one text and one (single) value, or None."""
    for pipe in _proposals(text, value, spec):
        if equal(apply(pipe, [text]), value, spec, base_url):
            return pipe
    return None


def equal(texts: list[str], value: Value, spec: FieldSpec, base_url: str) -> bool:
    """True if the texts read as the value."""
    return same(to_value(texts, spec, base_url), value, spec) if texts else False


def _proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    yield ()
    yield from _BY_KIND.get(spec.kind, _no_proposals)(text, value, spec)


def _no_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    return iter(())


def _text_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    yield from affixes(text, str(value))
    if (
        len(str(value)) <= 5
        and not any(char.isdigit() for char in str(value))
        and any(char.isdigit() for char in text)
    ):
        yield (Step(op=Op.REGEX, args=(_SIGN,)),)
    counted = _COUNTED.match(str(value))
    if counted:
        yield from _count_proposals(text, counted)
    if len(str(value)) == 3 and str(value).isupper():
        yield (Step(op=Op.CURRENCY),)
    if "/" in text:
        yield (Step(op=Op.PART, args=("/", -1)),)


def _count_proposals(text: str, counted: re.Match[str]) -> Iterator[Pipe]:
    for index, number in enumerate(numbers(text)):
        if number.value == Decimal(counted[1]) and index < 4:
            yield (
                Step(op=Op.NUMBER, args=(index, "")),
                Step(op=Op.TEMPLATE, args=("{}" + counted[2],)),
            )


def affixes(text: str, value: str) -> Iterator[Pipe]:
    """What stands before and after a value in a text, as steps that cut it off; at most
    45 characters, whole words."""
    at = text.casefold().find(value.casefold())
    if at < 0 or len(text) - len(value) > _AFFIX or not value:
        return
    before, after = text[:at], text[at + len(value) :]
    if (before and before[-1].isalnum() and value[0].isalnum()) or (
        after and after[0].isalnum() and value[-1].isalnum()
    ):
        return
    if any(char.isdigit() for char in before + after):
        return  # a number beside the value is this page's own
    steps = []
    if before.strip():
        steps.append(Step(op=Op.STRIP_PREFIX, args=(before.lstrip(),)))
    if after.strip():
        steps.append(Step(op=Op.STRIP_SUFFIX, args=(after.rstrip(),)))
    if steps:
        yield tuple(steps)


def _number_proposals(text: str, known: Value, spec: FieldSpec) -> Iterator[Pipe]:
    try:
        wanted = Decimal(str(known))
    except ArithmeticError:
        return
    for decimal in ("", ".", ","):
        found = [number.value for number in numbers(text, decimal)]
        if (
            len(found) > 1 and found[-1] == wanted
        ):  # "3 to 4 servings" beside "12 servings"
            yield (Step(op=Op.NUMBER, args=(-1, decimal)),)
        for index, value in enumerate(found[:6]):
            if value == wanted:
                yield (Step(op=Op.NUMBER, args=(index, decimal)),)
    given = parse_number(text)
    places = rounded(given, wanted) if given is not None else None
    if places is not None:
        yield (Step(op=Op.ROUND, args=(places,)),)


def rounded(exact: Decimal, wanted: Decimal) -> int | None:
    """To how many places a longer number was rounded: as many as still give what is
    known."""
    have = max(0, -int(exact.as_tuple().exponent))
    fits = [
        places
        for places in range(min(have, 9))
        if Decimal(f"{exact:.{places}f}") == wanted
    ]
    return fits[-1] if fits and have - fits[-1] >= _UNROUNDED else None


def _minutes_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    for index, number in enumerate(numbers(text)):
        if number.value == value and index < 4:
            yield (Step(op=Op.NUMBER, args=(index, "")),)


def _date_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    for index, found in enumerate(dates(text, spec.date_order)):
        if found.day.isoformat() == str(value)[:10] and index < 4:
            yield (Step(op=Op.DATE, args=(index,)),)


def _url_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    if " " in text.strip():
        yield (Step(op=Op.SRCSET),)
    if "url(" in text:
        yield (Step(op=Op.REGEX, args=(_BACKGROUND,)),)


def _choice_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    yield from affixes(text, str(value))
    if _speaks_of_choice(text, str(value), spec):
        yield (Step(op=Op.MAP, args=(text, str(value))),)


def _speaks_of_choice(text: str, value: str, spec: FieldSpec) -> bool:
    """True for a short phrase with a word of some choice in it ("only few in stock"
    speaks of InStock).

    A flag stands
    for the choice of its own sign: "false" for OutOfStock.
    """
    if (
        not 0 < len(text) <= 40
        or any(char.isdigit() for char in text)
        or parse_value(text, spec) is not None
    ):
        return False
    if "_" in text:
        return False  # a name for programs, not a phrase
    flag = _FLAGS.get(text.casefold())
    if flag is not None:
        return flag is not bool(_NEGATIVE & set(tokens(value)))
    choices = {
        word for choice in spec.choices for word in tokens(choice) if len(word) > 3
    }
    return bool((choices | _STATES) & set(tokens(text)))


_STATES = frozenset(("available", "unavailable", "sold", "active"))
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
_NEGATIVE = frozenset(
    (
        "out",
        "not",
        "no",
        "un",
        "sold",
        "inactive",
        "closed",
        "unavailable",
        "discontinued",
    )
)


_BY_KIND = {
    FieldKind.TEXT: _text_proposals,
    FieldKind.NUMBER: _number_proposals,
    FieldKind.INTEGER: _number_proposals,
    FieldKind.MINUTES: _minutes_proposals,
    FieldKind.DATE: _date_proposals,
    FieldKind.DATETIME: _date_proposals,
    FieldKind.URL: _url_proposals,
    FieldKind.CHOICE: _choice_proposals,
}


_SEPARATORS = (",", ";", "|", "•", "·", "/", "\n", " and ", "&")


def split_fit(
    text: str, values: list[Value], spec: FieldSpec, base_url: str
) -> Pipe | None:
    """The pipe that cuts one text into the items of a list, or None."""
    for separator in _SEPARATORS:
        if separator in text:
            pipe = (Step(op=Op.SPLIT, args=(separator,)),)
            if equal(apply(pipe, [text]), values, spec, base_url):
                return pipe
    return None


SPLIT: Pipe = (Step(op=Op.SPLIT, args=(",",)),)


def is_tags(values: list[Value], spec: FieldSpec) -> bool:
    """True for a set of texts without commas: pages write those in one text or in many,
    so commas always split."""
    return (
        spec.shape is Shape.SET
        and spec.kind is FieldKind.TEXT
        and not any("," in str(value) for value in values)
    )


def low_entropy(value: Value, spec: FieldSpec) -> bool:
    """True for values that occur by chance: numbers, flags, short texts.

    They need a field word beside them.
    """
    if spec.shape is not Shape.ONE:
        return isinstance(value, list) and len(value) == 1 and len(str(value[0])) < 4
    if spec.kind in (
        FieldKind.NUMBER,
        FieldKind.INTEGER,
        FieldKind.MINUTES,
        FieldKind.BOOLEAN,
    ):
        return True
    return spec.kind is FieldKind.CHOICE or (
        spec.kind is not FieldKind.URL and len(letters(str(value))) < 4
    )
