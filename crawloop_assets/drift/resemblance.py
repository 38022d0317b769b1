"""Whether a page shows the record that is known of it."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import filterfalse, product
from math import inf
from operator import attrgetter, itemgetter
from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.fields import NUMERIC_KINDS, single_fields
from crawloop_assets.drift.still_there import is_still_there
from crawloop_assets.drift.value_lookup import LEAST_LETTERS, is_on_page
from crawloop_assets.drift.values import is_filled
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters

_Records = Sequence[Mapping[str, Any]]
_MOST = 0.75
_FEWEST_VALUES = 2
"""So many known values have to stand on a page from which no record was read."""

_LEAST = 0.25
"""Where no more of them stand there than that, none does: a brand is in a menu, too."""

_FEWEST_ROWS = 3
_FEWEST_DIGITS = 4
"""Shorter numbers are found on any page."""
_FEW_DIGITS = 3
"""Half of all numbers of a list so long are not."""


class Resemblance(StrEnum):
    """What a page shows of what is known of it."""

    KNOWN = "known"
    """A record is the known one, or most of its values stand there."""

    OTHER = "other"
    """Records were read, or known, and none is like another."""

    ABSENT = "absent"
    """Nothing was read, and nothing that is known stands there in any layout: nobody
    could heal from it."""

    SHOWN = "shown"
    """Nothing was read, and what tells the known record from others stands in the
    content: no overlay hides it."""

    STATED = "stated"
    """Nothing was read, and two values that tell the known record stand there, if only in
    the page's JSON."""

    UNKNOWN = "unknown"
    """Nothing is known, or it may be one of many records."""


def resemblance_of(
    known: _Records, read: _Records, facts: PageFacts, schema: RecordSchema
) -> Resemblance:
    """Whether a page shows what is known of it, by what was read and what stands there.

    A record is told by its longest text: a brand, a currency or a price is that of many
    others.
    """
    names = set(filter(None, (longest_text(record, schema) for record in known)))
    fields = {field for field, _ in names}
    shown = {(field, record.get(field)) for field, record in product(fields, read)}
    if not names.isdisjoint(shown):
        return Resemblance.KNOWN
    if not read and _stands_there(known, facts, schema):
        return Resemblance.KNOWN
    if not proofs(read, schema):
        unread = _unread(known, facts, schema)
        if unread is not Resemblance.UNKNOWN:
            return unread
    is_only_one = len(known) == len(names) == 1
    return Resemblance.OTHER if is_only_one else Resemblance.UNKNOWN


def longest_text(
    record: Mapping[str, Any], schema: RecordSchema
) -> tuple[str, Any] | None:
    """The field with the longest text of a record, and that text; None if it has none.

    An address is no text: it is filled in from the page's.
    """
    texts = [
        (spec.name, record[spec.name])
        for spec in single_fields(schema, (FieldKind.TEXT,))
        if is_filled(record.get(spec.name)) and "://" not in str(record[spec.name])
    ]
    return max(texts, key=lambda one: len(str(one[1])), default=None)


def proofs(read: _Records, schema: RecordSchema) -> int:
    """How many records say more than one thing: the heading of any wall may be read as
    the only text of a record. All, where a record can say no more."""
    counts = [_things_said(record, schema) for record in read]
    fewest = min(_FEWEST_VALUES, sum(1 for spec in schema.fields if not _is_url(spec)))
    return sum(count >= fewest for count in counts)


def _things_said(record: Mapping[str, Any], schema: RecordSchema) -> int:
    """How many of the fields of a record are filled, but with addresses."""
    said = (record.get(spec.name) for spec in schema.fields if not _is_url(spec))
    return sum(is_filled(value) and "://" not in str(value) for value in said)


def _is_url(spec: FieldSpec) -> bool:
    """Whether a field holds an address by its kind or its name."""
    return spec.kind is FieldKind.URL or spec.name == "url"


def _unread(known: _Records, facts: PageFacts, schema: RecordSchema) -> Resemblance:
    """What a page shows of what is known of it, though nothing was read."""
    if _is_absent(known, facts, schema):
        return Resemblance.ABSENT
    if len(known) != 1:
        return Resemblance.UNKNOWN
    if _is_one_shown(known[0], facts, schema):
        return Resemblance.SHOWN
    is_stated = _is_stated(known[0], facts, schema)
    is_open = not getattr(facts.wall, "overlays", ())
    return (Resemblance.UNKNOWN, Resemblance.STATED)[is_open and is_stated]


def _is_stated(
    record: Mapping[str, Any], facts: PageFacts, schema: RecordSchema
) -> bool:
    """Whether two values that tell a record stand on a page, or nearly all of its texts that
    stay as they are, which may be short."""
    steady = filterfalse(
        attrgetter("volatile"), single_fields(schema, (FieldKind.TEXT,))
    )
    texts = [
        (spec, record[spec.name]) for spec in steady if is_filled(record.get(spec.name))
    ]
    for values, share in ((_telling_values(record, schema), 0.0), (texts, _MOST)):
        asked = present(is_still_there(value, spec, facts) for spec, value in values)
        if sum(asked) >= max(_FEWEST_VALUES, share * len(asked)):
            return True
    return False


def _is_one_shown(
    record: Mapping[str, Any], facts: PageFacts, schema: RecordSchema
) -> bool:
    """Whether the longest text of a record, and another value that tells it, stand on
    a page, and what is beside its overlays has room for them."""
    shown = dict(_telling_shown(record, facts, schema))
    name, _ = longest_text(record, schema) or ("", None)
    room = facts.wall.bare_chars if facts.wall else inf
    taken = sum(map(len, map(letters, map(str, shown.values()))))
    return name in shown and len(shown) >= _FEWEST_VALUES and taken <= room


def _telling_shown(
    record: Mapping[str, Any], facts: PageFacts, schema: RecordSchema
) -> Iterator[tuple[str, Any]]:
    """The values that tell a record from others and stand on a page, by field."""
    for spec, value in _telling_values(record, schema):
        if is_on_page(value, spec, facts):
            yield spec.name, value


def _telling_values(
    record: Mapping[str, Any], schema: RecordSchema
) -> Iterator[tuple[FieldSpec, Any]]:
    """The values of a record that tell it from others, with their fields."""
    for spec in schema.fields:
        value = record.get(spec.name)
        if is_filled(value) and _tells(value, spec):
            yield spec, value


def _is_absent(known: _Records, facts: PageFacts, schema: RecordSchema) -> bool:
    """Whether a page shows nothing of a record, or of rows, that are known of it."""
    if len(known) == 1:
        return _is_one_absent(known[0], facts, schema)
    return len(known) >= _FEWEST_ROWS and _are_rows_absent(known, facts, schema)


def _is_one_absent(
    record: Mapping[str, Any], facts: PageFacts, schema: RecordSchema
) -> bool:
    """Whether next to none of what tells a record from others stands on a page, and neither
    that nor its longest words, however short, head the page. Where all of it moves another
    day may have come."""
    telling = list(_telling_values(record, schema))
    heads = list(map(letters, (facts.title, *facts.headings)))
    words = dict(filterfalse(_has_digit, record.items()))
    named = filter(None, (*telling, longest_text(words, schema)))
    names = map(letters, map(str, map(itemgetter(1), named)))
    do_move = all(spec.volatile for spec, _ in telling)
    if do_move or any(map(partial(_heads, heads=heads), names)):
        return False
    asked = present(is_still_there(value, spec, facts) for spec, value in telling)
    return len(asked) >= _FEWEST_VALUES and sum(asked) <= _LEAST * len(asked)


def _has_digit(said: tuple[str, Any]) -> bool:
    """Whether the value of a field is written with digits, as a code is."""
    return any(map(str.isdigit, str(said[1])))


def _heads(value: str, heads: Sequence[str]) -> bool:
    """Whether a value is most of a title or a heading."""
    return any(value in head and 2 * len(value) >= len(head) for head in heads)


def _tells(value: Any, spec: FieldSpec) -> bool:
    """Whether a value is so long that it stands on few pages by chance."""
    if spec.kind is FieldKind.TEXT:
        return "://" not in str(value) and len(letters(str(value))) >= LEAST_LETTERS
    return len(letters(str(value))) >= _FEWEST_DIGITS


def _are_rows_absent(known: _Records, facts: PageFacts, schema: RecordSchema) -> bool:
    """Whether none of the rows of a list stands on a page, and nothing there repeats
    half as often as they did."""
    longest = max((length for _, length in facts.groups or ()), default=0)
    if facts.groups is None or 2 * longest >= len(known):
        return False
    specs = {spec.name: spec for spec in schema.fields}
    names = filter(None, (longest_text(record, schema) for record in known))
    answers = [is_on_page(text, specs[name], facts) for name, text in set(names)]
    asked = present(answers)
    is_none_there = len(asked) >= _FEWEST_ROWS and not any(asked)
    return is_none_there and not _are_numbers_there(known, facts, schema)


def _are_numbers_there(known: _Records, facts: PageFacts, schema: RecordSchema) -> bool:
    """Whether half of the numbers of a list stand on a page: its rows may be there with
    their names in longer texts ("A4. North face"). Few pages have so many by chance."""
    numbers = {
        (spec, record[spec.name])
        for spec, record in product(single_fields(schema, NUMERIC_KINDS), known)
        if is_filled(record.get(spec.name))
    }
    telling = [one for one in numbers if len(letters(str(one[1]))) >= _FEW_DIGITS]
    asked = present(is_on_page(value, spec, facts) for spec, value in telling)
    return len(asked) >= _FEWEST_ROWS and 2 * sum(asked) >= len(asked)


def _stands_there(known: _Records, facts: PageFacts, schema: RecordSchema) -> bool:
    """Whether most of the known values stand on the page."""
    answers = [
        is_on_page(record[spec.name], spec, facts)
        for spec, record in product(schema.fields, known)
        if is_filled(record.get(spec.name))
    ]
    asked = present(answers)
    return sum(asked) >= _FEWEST_VALUES and sum(asked) >= _MOST * len(asked)
