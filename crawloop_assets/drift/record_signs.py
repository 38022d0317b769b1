"""Counts the signs of drift that records show by themselves: in single values, between
the fields of one record, and in what many records share."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from crawloop_assets.drift.forms import net_form
from crawloop_assets.drift.matching import Record, key_of, record_key
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import is_placeholder
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import is_on_page
from crawloop_assets.drift.values import EMPTY, as_number, items_of, value_shape
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.text import letters, tokens

_GARBLED = re.compile(
    r"\ufffd|Ã[\x80-\xbf©¨¼¶¤]|â€|</?[a-z][a-z0-9]*[ >/]|&(?:amp|nbsp|quot|lt|gt|#\d+);",
    re.IGNORECASE,
)
_NUMERIC = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_COMPARED_KINDS = (FieldKind.TEXT, FieldKind.NUMBER, FieldKind.URL)
"""Kinds of fields of which records should have values of their own."""

_LEAST_VALUES = 5
"""Among fewer values none is the commonest."""

_NEARLY_ALL = 0.8
"""Share of its records in which a volatile text has to be the same to be copied."""

_SHORTEST_WORD = 3
_TITLE_CHARS = 200

_FieldPair = tuple[FieldSpec, FieldSpec]


def count_record_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Signs of single values, of fields of one record, and of values over all
    records."""
    key = record_key(schema, family)
    key_counts: Counter[Any] = Counter()
    related = _related_fields(schema)
    for page, outcome in enumerate(outcomes):
        for record in outcome.values:
            for spec in schema.fields:
                _count_value(page, outcome, record, spec, norms, tallies)
            _count_relations(page, record, related, tallies)
            identity = key_of(record, key)
            if identity is not None:
                is_repeated = key_counts[identity] > 0
                tallies.add(
                    Sign.DUPLICATE, "key", page, is_repeated, "a new key", identity
                )
                key_counts[identity] += 1
    for spec in schema.fields:
        if spec.shape is Shape.ONE and spec.kind in _COMPARED_KINDS:
            _count_repeats(outcomes, spec, related, tallies)


def _count_value(
    page: int,
    outcome: PageOutcome,
    record: Record,
    spec: FieldSpec,
    norms: Norms,
    tallies: Tallies,
) -> None:
    field, value = spec.name, record.get(spec.name)
    is_empty = value in EMPTY
    if not spec.required:
        sign = Sign.SCARCE if spec.volatile else Sign.MISSING
        tallies.add(sign, field, page, is_empty, "a value", value)
    if is_empty:
        return
    if spec.kind is FieldKind.TEXT:
        _count_damage(page, field, value, tallies)
    _count_presence(page, outcome, spec, value, norms, tallies)
    if spec.shape is not Shape.ONE:
        return
    if spec.kind is FieldKind.TEXT:
        _count_text(page, outcome, field, str(value), norms, tallies)
    elif spec.kind is FieldKind.NUMBER and not spec.volatile:
        is_whole = _is_whole(str(value))
        tallies.add(Sign.WHOLE, field, page, is_whole, "", value)
        tallies.add(Sign.BROKEN, field, page, not is_whole, "", value)


def _count_damage(page: int, field: str, value: Any, tallies: Tallies) -> None:
    """Placeholders, broken characters and markup in texts."""
    items = items_of(value)
    has_placeholder = any(is_placeholder(item) for item in items)
    tallies.add(Sign.PLACEHOLDER, field, page, has_placeholder, "", value)
    is_garbled = any(_is_garbled(str(item)) for item in items)
    tallies.add(Sign.GARBLED, field, page, is_garbled, "", value)


def _is_garbled(text: str) -> bool:
    if text.isascii() and "<" not in text and "&" not in text:
        return False
    return _GARBLED.search(text) is not None


def _is_whole(number: str) -> bool:
    return "." not in number or not number.split(".")[-1].strip("0")


def _count_presence(
    page: int,
    outcome: PageOutcome,
    spec: FieldSpec,
    value: Any,
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Whether a value is on its page, and if it is an amount whether it is there as net
    of tax."""
    facts = outcome.facts
    if facts is None:
        return
    is_present = is_on_page(value, spec, facts)
    if is_present is None:
        return
    if outcome.version == norms.version:
        tallies.add(
            Sign.UNGROUNDED,
            spec.name,
            page,
            not is_present,
            "a value of the page",
            value,
        )
    if spec.kind is FieldKind.NUMBER and spec.shape is Shape.ONE:
        is_net = facts.holds(net_form(value))
        if is_net is not None:
            tallies.add(Sign.NET, spec.name, page, is_net, "", value)


def _count_text(
    page: int,
    outcome: PageOutcome,
    field: str,
    text: str,
    norms: Norms,
    tallies: Tallies,
) -> None:
    """What a text has in common with title and url of its page, and with texts seen
    before."""
    form = letters(text)
    title = outcome.facts.title if outcome.facts else ""
    if title and form:
        is_off = form not in _title_form(title)
        tallies.add(Sign.OFF_TITLE, field, page, is_off, title[:_TITLE_CHARS], text)
    words = {word for word in tokens(text) if len(word) >= _SHORTEST_WORD}
    if words:
        is_off = not words & _path_words(outcome.url)
        tallies.add(Sign.OFF_URL, field, page, is_off, outcome.url[:_TITLE_CHARS], text)
    known_shapes = norms.known(f"shape:{field}")
    if known_shapes:
        is_new = value_shape(text) not in known_shapes
        tallies.add(Sign.SHAPE, field, page, is_new, "", text)


@lru_cache(maxsize=16)  # asked again for every text field of the page
def _title_form(title: str) -> str:
    return letters(title)


@lru_cache(maxsize=16)
def _path_words(url: str) -> frozenset[str]:
    return frozenset(tokens(unquote(urlsplit(url).path)))


def _related_fields(schema: RecordSchema) -> list[_FieldPair]:
    """Pairs of number fields that share a word ("price", "list_price"): only those may
    have a law between them."""
    specs = [spec for spec in schema.fields if spec.shape is Shape.ONE]
    numbers = [spec for spec in specs if spec.kind in _NUMERIC]
    return [pair for pair in combinations(numbers, 2) if _share_word(*pair)]


def _share_word(first: FieldSpec, second: FieldSpec) -> bool:
    return not set(tokens(first.name)).isdisjoint(tokens(second.name))


def _count_relations(
    page: int, record: Record, related: Iterable[_FieldPair], tallies: Tallies
) -> None:
    """Which of two related numbers is the larger one."""
    for spec, other in related:
        number = as_number(record.get(spec.name))
        other_number = as_number(record.get(other.name))
        if number is None or other_number is None:
            continue
        expected, got = f"{other.name} {other_number:g}", f"{spec.name} {number:g}"
        for sign, relation, is_so in (
            (Sign.ABOVE, "is more than", number > other_number),
            (Sign.ABOVE, "is less than", number < other_number),
            (Sign.EQUAL, "equals", number == other_number),
        ):
            subject = f"{spec.name} {relation} {other.name}"
            tallies.add(sign, subject, page, is_so, expected, got)


class _FieldValue(NamedTuple):
    """A value of a field, the page it is on and its form for comparison."""

    page: int
    form: Any
    value: Any


def _count_repeats(
    outcomes: Sequence[PageOutcome],
    spec: FieldSpec,
    related: Sequence[_FieldPair],
    tallies: Tallies,
) -> None:
    """Values that several records share, and the commonest value."""
    values = _compared_values(outcomes, spec, related)
    if len(values) < _LEAST_VALUES:
        return
    counts = Counter(value.form for value in values)
    commonest, records = counts.most_common(1)[0]
    is_copied = _is_copied(spec, records, len(values))
    own = "a value of its own"
    for page, form, value in values:
        is_copy = is_copied and form == commonest
        tallies.add(Sign.COPIED, spec.name, page, is_copy, own, value)
        if not spec.volatile:
            is_shared = counts[form] > 1
            tallies.add(Sign.SHARED, spec.name, page, is_shared, own, value)


def _is_copied(spec: FieldSpec, records: int, of_all: int) -> bool:
    """Whether it is worth counting that so many records have the commonest value.

    Volatile texts ("in stock") are the same for many records of a healthy batch.
    """
    if records <= 1:
        return False
    if not spec.volatile or spec.kind is FieldKind.NUMBER:
        return True
    return records >= _NEARLY_ALL * of_all


def _compared_values(
    outcomes: Sequence[PageOutcome], spec: FieldSpec, related: Sequence[_FieldPair]
) -> list[_FieldValue]:
    """The values of a field, without reduced prices: in a sale they repeat."""
    values = []
    for page, outcome in enumerate(outcomes):
        for record in outcome.values:
            form = canonical(record.get(spec.name), spec)
            if form is None:
                continue
            if spec.volatile and _is_reduced(record, spec, related):
                continue
            values.append(_FieldValue(page, form, record.get(spec.name)))
    return values


def _is_reduced(record: Record, spec: FieldSpec, related: Iterable[_FieldPair]) -> bool:
    """Whether another field of the record states a higher amount of the same thing."""
    number = as_number(record.get(spec.name))
    if number is None:
        return False
    for first, second in related:
        if spec.name not in (first.name, second.name):
            continue
        other = second if first.name == spec.name else first
        if (as_number(record.get(other.name)) or number) > number:
            return True
    return False
