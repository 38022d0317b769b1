"""The smallest transform that makes a text the value that is known to be there."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import chain, islice

from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.affixes import affixes
from crawloop_assets.induce.locate.cut_otherwise import (
    at_bracket,
    at_colon,
    behind_code,
    beside_code,
)
from crawloop_assets.induce.locate.flags import flag_proposals
from crawloop_assets.induce.locate.labelled_parts import labelled_parts
from crawloop_assets.induce.locate.named_choices import choices_in, named_choices
from crawloop_assets.induce.locate.number_forms import other_forms
from crawloop_assets.induce.locate.number_order import by_order, says_two
from crawloop_assets.induce.locate.regrouped import regrouped
from crawloop_assets.induce.locate.sentence import between_words
from crawloop_assets.induce.locate.town_lines import in_town_line
from crawloop_assets.induce.trust import tuned, tuned_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.spans import spelled_out
from crawloop_assets.values.text import letters, tokens, word_set
from crawloop_assets.values.value import Value

Pipe = tuple[Step, ...]

_IN_BRACKETS: Pipe = (Step(op=Op.REGEX, args=(r"\(([^()]+)\)$",)),)
"""What stands in brackets at the end: "2019" of "Oak House; 2nd edition (2019)"."""

_LONGEST_SIGN = 5
_LONGEST_HEAD = 40  # of a text that goes on behind a colon
_COLON = ": "
_MOST_INDEXES = 4  # how far back among a text's dates a value may be
_SHORT = 4  # letters; shorter texts occur by chance

_COUNTED = re.compile(r"^(\d{1,4})( [^\W\d_]{2,14}(?: [^\W\d_]{2,14})?)$")
_PHRASE = re.compile(r"[^_]{1,40}")
_OUTER_SIGNS = re.compile(r"^\W|\W$")
_SIGN = r"[^\d\s.,][^\d\s]*"
_BACKGROUND = r"url\(\s*['\"]?([^'\")]+)"
_QUOTES = (('href="', '"'), ("'", "'"), ('"', '"'))
_BETWEEN_PARTS = ("·", "|", "•", " / ", " – ", " — ", " - ", ", ", "–", "—")

SPAN = Step(op=Op.SPAN)
SECONDS: Pipe = (Step(op=Op.TEMPLATE, args=("PT{}S",)),)
"""What makes a duration of a number of seconds."""
EPOCH: Pipe = (Step(op=Op.EPOCH),)
_COUNTING = (Op.NUMBER, Op.DATE)

_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
_NEGATIVE = word_set("out not no un sold inactive closed unavailable discontinued")
_STATES = frozenset(("available", "unavailable", "sold", "active"))

_CHANCE_KINDS = frozenset(
    (
        FieldKind.NUMBER,
        FieldKind.INTEGER,
        FieldKind.MINUTES,
        FieldKind.BOOLEAN,
        FieldKind.CHOICE,
    )
)
"""Kinds of few different values: one of them is on most pages by chance."""


def item_spec(spec: FieldSpec) -> FieldSpec:
    """The field as if it held a single value."""
    if spec.shape is Shape.ONE:
        return spec
    return spec.model_copy(update={"shape": Shape.ONE})


def cost(pipe: Pipe) -> float:
    """How much a transform lowers trust: 1 for none."""
    factor = 1.0
    for step in pipe:
        factor *= tuned_of("cost", step.op.value, "cost.other")
        is_counting = step.op in _COUNTING
        if is_counting and step.args[0] not in (0, -1):
            factor *= tuned("fit.position_cost")
    return factor


def fit(text: str, value: Value, spec: FieldSpec, base_url: str) -> Pipe | None:
    """The pipe for one text and one (single) value, or None; of a text one that gives it
    as it is known, if there is one, and not with a comma more."""
    nearly = None
    for pipe in proposals(text, value, spec):
        texts = apply(pipe, [text])
        if not reads_as(texts, value, spec, base_url):
            continue
        if spec.kind is not FieldKind.TEXT or _is_as_known(texts[0], str(value)):
            return pipe
        if nearly is None:
            nearly = pipe
    return nearly


def _is_as_known(text: str, known: str) -> bool:
    """False for a text that begins or ends with a sign which the known one has not."""
    return _OUTER_SIGNS.findall(text.strip()) == _OUTER_SIGNS.findall(known.strip())


def reads_as(texts: list[str], value: Value, spec: FieldSpec, base_url: str) -> bool:
    """True if the transformed texts are read as the value."""
    if not texts:
        return False
    return same(to_value(texts, spec, base_url), value, spec)


def proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """Pipes worth trying: those at labels in the text, none, others."""
    if spec.kind is FieldKind.DATE:
        yield from _span_proposals(text, value)
    by_kind = _BY_KIND.get(spec.kind, _no_proposals)
    for cuts, part in labelled_parts(text):
        yield cuts
        yield from map(cuts.__add__, by_kind(part, value, spec))
    if not says_two(text, spec):
        yield ()
    yield from by_kind(text, value, spec)


def _no_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """Of kinds that are read as they are."""
    return iter(())


# -- texts ----------------------------------------------------------------------------


def _text_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """The form of its line; cuts of what is around it, also of what changes before brackets; a code in other groups;
    the sign beside a number; a count with its unit; the code of a currency; the last part of a path."""
    wanted = str(value)
    yield from in_town_line(text, wanted)
    yield from _parts(text, wanted)
    yield from beside_code(text, wanted)
    if text.endswith(f"({wanted})") and has_digit(wanted):
        yield _IN_BRACKETS
    yield from affixes(text, wanted)
    yield from between_words(text, wanted)
    yield from at_colon(text, wanted)
    yield from at_bracket(text, wanted)
    yield from regrouped(text, wanted)
    if _is_sign(wanted) and _is_beside_number(wanted, text):
        yield (Step(op=Op.REGEX, args=(_SIGN,)),)
    yield from _count_proposals(text, wanted)
    if len(wanted) == 3 and wanted.isupper():
        yield (Step(op=Op.CURRENCY),)
    if "/" in text:
        yield (Step(op=Op.PART, args=("/", -1)),)
    yield from behind_code(text, wanted)


def _parts(text: str, wanted: str) -> Iterator[Pipe]:
    """One of several parts of a text, counted from the nearer end, if what is beside it is no constant."""
    for separator in filter(text.__contains__, _BETWEEN_PARTS):
        parts = list(map(str.strip, text.split(separator)))
        if len(parts) > 2 or has_digit(text):
            for index, cuts in islice(_in_parts(parts, wanted), 1):
                nearer = index - len(parts) if index >= len(parts) / 2 else index
                yield (Step(op=Op.PART, args=(separator, nearer)), *cuts)


def _in_parts(parts: list[str], wanted: str) -> Iterator[tuple[int, Pipe]]:
    """Which parts hold the value, the one with least beside it first, and the steps that
    cut it out."""
    lengths = list(map(len, parts))
    for index in sorted(range(len(parts)), key=lengths.__getitem__):
        for cuts in affixes(parts[index], wanted):
            yield index, cuts


def _is_sign(text: str) -> bool:
    """True for what may stand beside a number, such as "€" or "Rs."."""
    return len(text) <= _LONGEST_SIGN and not has_digit(text)


def _is_beside_number(sign: str, text: str) -> bool:
    """True for a text with a number and the sign before or behind it, not for a name
    that happens to be short."""
    beside = re.escape(sign)
    return re.search(rf"(?<!\w){beside}\s?\d|\d\s?{beside}(?!\w)", text) is not None


def has_digit(text: str) -> bool:
    """True for a text with a digit of any script."""
    return any(map(str.isdigit, text))


def _count_proposals(text: str, wanted: str) -> Iterator[Pipe]:
    """For "4 servings": the number, and the unit put behind it."""
    counted = _COUNTED.match(wanted)
    if counted is None:
        return
    count, unit = counted.groups()
    template = Step(op=Op.TEMPLATE, args=("{}" + unit,))
    for number in by_order(text, Decimal(count)):
        yield (*number, template)


# -- numbers, durations, dates --------------------------------------------------------


def _number_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """One of the numbers of a text, by all that its points may mean, or rounded."""
    try:
        wanted = Decimal(str(value))
    except ArithmeticError:
        return
    for decimal in ("", ".", ","):
        yield from by_order(text, wanted, decimal)
    yield from other_forms(text, wanted)


def _minutes_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """A plain number that is the minutes: "Total 65"; one that is their seconds."""
    if text.isdecimal():
        yield SECONDS
    yield from by_order(text, value)


def _date_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """The moment that a number is; one of the days of a text, by its position; also the
    last one."""
    if counted_moment(text):
        yield EPOCH
    days = [
        date.day.isoformat() for date in dates(text, spec.date_order, spec.language)
    ]
    for index in _indexes(days, str(value)[:10], _MOST_INDEXES):
        yield (Step(op=Op.DATE, args=(index,)),)
    if len(days) > 1 and days[-1] == str(value)[:10]:
        yield (Step(op=Op.DATE, args=(-1,)),)


def _span_proposals(text: str, value: Value) -> Iterator[Pipe]:
    """One of the days of a text with a span of them: read as it is, the last is the
    only one."""
    spelled = spelled_out(text)
    if spelled != text:
        days = [str(date.day) for date in dates(spelled)]
        for index in _indexes(days, str(value), _MOST_INDEXES):
            yield (SPAN, Step(op=Op.DATE, args=(index,)))


def _indexes(values: Iterable[object], wanted: object, most: int) -> Iterator[int]:
    """Which of the first `most` values are the wanted one."""
    for index, value in enumerate(islice(values, most)):
        if value == wanted:
            yield index


# -- addresses, choices ---------------------------------------------------------------


def _url_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """The address without what asks for it, the best picture of several sizes, the one that a style names, what
    stands between the quotes of a script or of markup in a text, the last in quotes of several."""
    if "?" in text:
        yield (Step(op=Op.PART, args=("?", 0)),)
    if " " in text.strip():
        yield (Step(op=Op.SRCSET),)
    if "url(" in text:
        yield (Step(op=Op.REGEX, args=(_BACKGROUND,)),)
    for start, stop in _QUOTES:
        if stop in text.partition(start)[2]:
            yield (Step(op=Op.BETWEEN, args=(start, stop)),)
    if text.count('"') > 2:
        yield (Step(op=Op.PART, args=('"', -2)),)


def _choice_proposals(text: str, value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """The one choice that heads a text or its first words or stands among numbers, a cut, this site's phrase."""
    own = named_choices(spec)
    if choices_in(headed_by(text, str(value)), spec) == [value]:
        yield (Step(op=Op.BEFORE, args=(_COLON,)), *own)
    is_one = choices_in(text, spec) == [value]
    if is_one and text.casefold().startswith(f"{value} ".casefold()):
        yield own
    yield from _parts(text, str(value))
    yield from affixes(text, str(value))
    if is_one and has_digit(text):
        yield own
    if _speaks_of_choice(text, str(value), spec):
        yield (Step(op=Op.MAP, args=(text, str(value))),)


def headed_by(text: str, value: str) -> str:
    """What stands before the colon of a text, if that has a value and a few words more: "Fire
    hazard: the cable is too thin"; else ""."""
    head, colon, _ = text[:_LONGEST_HEAD].partition(_COLON)
    return head if colon and value.casefold() in head.casefold() else ""


def _speaks_of_choice(text: str, value: str, spec: FieldSpec) -> bool:
    """True for a short phrase with a word of some choice in it ("only few in stock"
    speaks of InStock).

    A flag stands for the choice of its own sign: "false" for OutOfStock.
    """
    if not _is_phrase(text) or parse_value(text, spec) is not None:
        return False
    flag = _FLAGS.get(text.casefold())
    if flag is not None:
        is_positive = _NEGATIVE.isdisjoint(tokens(value))
        return flag == is_positive
    return not _choice_words(spec).isdisjoint(tokens(text))


def _is_phrase(text: str) -> bool:
    """True for a short text without numbers that is no name for programs."""
    if not _PHRASE.fullmatch(text):
        return False
    return not has_digit(text)


def _choice_words(spec: FieldSpec) -> set[str]:
    """Words of all choices that mean something, and of what is like them."""
    words = chain.from_iterable(map(tokens, spec.choices))
    telling = set(_STATES)
    for word in words:
        if len(word) >= _SHORT:
            telling.add(word)
    return telling


_BY_KIND = {
    FieldKind.BOOLEAN: flag_proposals,
    FieldKind.TEXT: _text_proposals,
    FieldKind.NUMBER: _number_proposals,
    FieldKind.INTEGER: _number_proposals,
    FieldKind.MINUTES: _minutes_proposals,
    FieldKind.DATE: _date_proposals,
    FieldKind.DATETIME: _date_proposals,
    FieldKind.URL: _url_proposals,
    FieldKind.CHOICE: _choice_proposals,
}


# -- what kind of value it is ---------------------------------------------------------


def low_entropy(value: Value, spec: FieldSpec) -> bool:
    """True for values that occur by chance: numbers, flags, short texts.

    They need a field word beside them.
    """
    if spec.shape is not Shape.ONE:
        return _is_one_short_item(value)
    if spec.kind in _CHANCE_KINDS:
        return True
    if spec.kind is FieldKind.URL:
        return False
    return len(letters(str(value))) < _SHORT


def _is_one_short_item(value: Value) -> bool:
    """True for a list of a single item that is on most pages by chance."""
    if not isinstance(value, list) or len(value) != 1:
        return False
    return len(str(value[0])) < _SHORT
