"""Counts the signs of drift that records show by themselves: in single values, between
the fields of one record, and in what many records share."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from crawloop_assets.drift.fields import NUMERIC_KINDS, single_fields
from crawloop_assets.drift.matching import Record, key_of, record_key
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.placeholder import is_placeholder
from crawloop_assets.drift.shown_twice import ValidRecord, records_once
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.value_lookup import is_on_page
from crawloop_assets.drift.values import EMPTY, as_items, as_number, value_shape
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.text import letters, tokens

_GARBLED = re.compile(
    r"\ufffd|Ã[\x80-\xbf©¨¼¶¤]|â€|</?[a-z][a-z0-9]*[ >/]|&(?:amp|nbsp|quot|lt|gt|#\d+);",
    re.IGNORECASE,
)
_COMPARED_KINDS = (FieldKind.TEXT, FieldKind.NUMBER, FieldKind.URL)
"""Kinds of fields of which records should have values of their own."""

_LEAST_VALUES = 5
"""Among fewer values none is the commonest."""

_NEARLY_ALL = 0.8
"""Share of its records in which a volatile text has to be the same to be copied."""

_SHORTEST_WORD = 3
_TITLE_CHARS = 200

RECORD_KEY = "key"
"""What is counted of records as a whole: whether their key was there before."""

_FieldPair = tuple[FieldSpec, FieldSpec]


def count_record_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count the signs of single values, of the fields of one record, and of values over
    all records of the batch.

    MISSING, SCARCE, PLACEHOLDER, GARBLED, UNGROUNDED, OFF_TITLE, OFF_URL, SHAPE,
    WHOLE and BROKEN of values; ABOVE, EQUAL and DUPLICATE of records; COPIED and SHARED
    of fields.
    """
    key = record_key(schema, family)
    known_keys: set[Hashable] = set()
    related = _related_fields(schema)
    records = list(records_once(schema, family, outcomes))
    for page, outcome, record in records:
        for spec in schema.fields:
            _count_value(page, outcome, record, spec, norms, tallies)
        _count_relations(page, record, related, tallies)
        identity = key_of(record, key)
        if identity is not None:
            tallies.add(
                Sign.DUPLICATE,
                RECORD_KEY,
                page,
                has_sign=identity in known_keys,
                expected="a new key",
                got=identity,
            )
            known_keys.add(identity)
    for spec in single_fields(schema, _COMPARED_KINDS):
        _count_repeats(records, spec, related, tallies)


def _count_value(
    page: int,
    outcome: PageOutcome,
    record: Record,
    spec: FieldSpec,
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Whether a field is filled, and if so the signs of its value."""
    field, value = spec.name, record.get(spec.name)
    is_empty = value in EMPTY
    if not spec.required:
        sign = Sign.SCARCE if spec.volatile else Sign.MISSING
        tallies.add(sign, field, page, has_sign=is_empty, expected="a value", got=value)
    if is_empty:
        return
    is_text, is_single = spec.kind is FieldKind.TEXT, spec.shape is Shape.ONE
    if is_text:
        _count_damage(page, field, value, tallies)
    _count_presence(page, outcome, spec, value, norms, tallies)
    if not is_single:
        return
    if is_text:
        _count_text(page, outcome, field, str(value), norms, tallies)
    elif spec.kind is FieldKind.NUMBER:
        _count_number(page, spec, value, tallies)


def _count_number(page: int, spec: FieldSpec, value: Any, tallies: Tallies) -> None:
    """Whether a number has decimals, where that does not change from day to day."""
    if spec.volatile:
        return
    is_whole = _is_whole(str(value))
    tallies.add(Sign.WHOLE, spec.name, page, has_sign=is_whole, got=value)
    tallies.add(Sign.BROKEN, spec.name, page, has_sign=not is_whole, got=value)


def _count_damage(page: int, field: str, value: Any, tallies: Tallies) -> None:
    """Placeholders, broken characters and markup in texts."""
    items = as_items(value)
    tallies.add(
        Sign.PLACEHOLDER,
        field,
        page,
        has_sign=any(map(is_placeholder, items)),
        got=value,
    )
    tallies.add(
        Sign.GARBLED,
        field,
        page,
        has_sign=any(map(_is_garbled, map(str, items))),
        got=value,
    )


def _is_garbled(text: str) -> bool:
    """Whether a text has characters of a wrong encoding, or markup."""
    # Nearly all texts are plain, and need no search.
    if text.isascii() and "<" not in text and "&" not in text:
        return False
    return _GARBLED.search(text) is not None


def _is_whole(number: str) -> bool:
    """Whether a number has no decimals but zeros: "12", "12.00"."""
    _, mark, decimals = number.rpartition(".")
    return not mark or not decimals.strip("0")


def _count_presence(
    page: int,
    outcome: PageOutcome,
    spec: FieldSpec,
    value: Any,
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Whether a value is on its page."""
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
            has_sign=not is_present,
            expected="a value of the page",
            got=value,
        )


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
        tallies.add(
            Sign.OFF_TITLE,
            field,
            page,
            has_sign=is_off,
            expected=title[:_TITLE_CHARS],
            got=text,
        )
    words = {word for word in tokens(text) if len(word) >= _SHORTEST_WORD}
    if words:
        tallies.add(
            Sign.OFF_URL,
            field,
            page,
            has_sign=not words & _path_words(outcome.url),
            expected=outcome.url[:_TITLE_CHARS],
            got=text,
        )
    known_shapes = norms.known(f"shape:{field}")
    if known_shapes:
        tallies.add(
            Sign.SHAPE,
            field,
            page,
            has_sign=value_shape(text) not in known_shapes,
            got=text,
        )


@lru_cache(maxsize=16)  # asked again for every text field of the page
def _title_form(title: str) -> str:
    """The letters of a title."""
    return letters(title)


@lru_cache(maxsize=16)
def _path_words(url: str) -> frozenset[str]:
    """The words of a url's path."""
    return frozenset(tokens(unquote(urlsplit(url).path)))


def _related_fields(schema: RecordSchema) -> list[_FieldPair]:
    """Pairs of number fields that share a word ("price", "list_price"): only those may
    have a law between them."""
    numbers = single_fields(schema, NUMERIC_KINDS)
    words = {spec.name: set(tokens(spec.name)) for spec in numbers}
    related = []
    for first, second in combinations(numbers, 2):
        if words[first.name] & words[second.name]:
            related.append((first, second))
    return related


def _count_relations(
    page: int, record: Record, related: Iterable[_FieldPair], tallies: Tallies
) -> None:
    """Which of two related numbers is the larger one."""
    for spec, other in related:
        number = as_number(record.get(spec.name))
        if number is None:
            continue
        other_number = as_number(record.get(other.name))
        if other_number is None:
            continue
        expected, got = f"{other.name} {other_number:g}", f"{spec.name} {number:g}"
        relations = (
            (Sign.ABOVE, "is more than", number > other_number),
            (Sign.ABOVE, "is less than", number < other_number),
            (Sign.EQUAL, "equals", number == other_number),
        )
        for sign, relation, is_so in relations:
            subject = f"{spec.name} {relation} {other.name}"
            tallies.add(sign, subject, page, has_sign=is_so, expected=expected, got=got)


class _FieldValue(NamedTuple):
    """A value of a field, the page it is on and its form for comparison."""

    page: int
    form: Any
    value: Any


def _count_repeats(
    records: Sequence[ValidRecord],
    spec: FieldSpec,
    related: Sequence[_FieldPair],
    tallies: Tallies,
) -> None:
    """Values that several records share, and the commonest value."""
    values = _compared_values(records, spec, related)
    if len(values) < _LEAST_VALUES:
        return
    counts = Counter(map(attrgetter("form"), values))
    commonest, times = counts.most_common(1)[0]
    is_copied = _is_copied(spec, times, len(values))
    own = "a value of its own"
    for page, form, value in values:
        tallies.add(
            Sign.COPIED,
            spec.name,
            page,
            has_sign=is_copied and form == commonest,
            expected=own,
            got=value,
        )
        if not spec.volatile:
            tallies.add(
                Sign.SHARED,
                spec.name,
                page,
                has_sign=counts[form] > 1,
                expected=own,
                got=value,
            )


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
    records: Iterable[ValidRecord], spec: FieldSpec, related: Sequence[_FieldPair]
) -> list[_FieldValue]:
    """The values of a field, without reduced prices: in a sale they repeat."""
    values = []
    others = _other_fields(spec, related)
    for page, _, record in records:
        value = record.get(spec.name)
        form = canonical(value, spec)
        if form is None:
            continue
        if spec.volatile and _is_reduced(record, value, others):
            continue
        values.append(_FieldValue(page, form, value))
    return values


def _other_fields(spec: FieldSpec, related: Iterable[_FieldPair]) -> list[str]:
    """The names of the fields that are related to one."""
    names = []
    for first, second in related:
        if first.name == spec.name:
            names.append(second.name)
        elif second.name == spec.name:
            names.append(first.name)
    return names


def _is_reduced(record: Record, value: Any, others: Iterable[str]) -> bool:
    """Whether another field of the record states a higher amount of the same thing."""
    number = as_number(value)
    if number is None:
        return False
    for other in others:
        stated = as_number(record.get(other)) or number
        if stated > number:
            return True
    return False
