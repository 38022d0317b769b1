"""Where on a page known records are."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.occurrences import Occurrence, Occurrences
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

RecordValues = Mapping[str, Value]
"""Known values of one record by field."""

_Places = Mapping[str, list[Occurrence]]

_MOST_ANCHORS = 40
"""Occurrences of an anchor value that are compared."""
_FARTHEST = 200
"""Elements; a value farther away than this says nothing more."""
_MANY_PLACES = 20
_TYPED = (FieldKind.DATE, FieldKind.DATETIME, FieldKind.NUMBER, FieldKind.INTEGER)


class LocatedRecord(NamedTuple):
    """A known record (by its index) on the page: the places of its fields, and the
    element its anchor value hangs on."""

    record: int
    places: _Places
    anchor: int


def locate(
    schema: RecordSchema, occurrences: Occurrences, records: Sequence[RecordValues]
) -> list[LocatedRecord]:
    """The known records that are on the page, each at the place where most of its
    values are close together."""
    places = [_places(schema, occurrences, record) for record in records]
    anchor = _anchor_field(schema, records, places)
    if anchor is None:
        return []
    located: list[LocatedRecord] = []
    used: set[int] = set()
    for index, fields in enumerate(places):
        element = _anchor_element(occurrences.document, fields, anchor, used)
        if element is not None:
            used.add(element)
            located.append(LocatedRecord(index, fields, element))
    return located


def _places(
    schema: RecordSchema, occurrences: Occurrences, record: RecordValues
) -> _Places:
    """Where the values of a record occur, by field."""
    places: dict[str, list[Occurrence]] = {}
    for spec in schema.fields:
        if spec.name in record:
            places[spec.name] = occurrences.places(spec, record[spec.name])
    return places


def _anchor_field(
    schema: RecordSchema,
    records: Sequence[RecordValues],
    places: Sequence[_Places],
) -> str | None:
    """The field that tells records apart best: found for most, different in each, at
    few places."""
    ranks: dict[str, tuple[float, float, float]] = {}
    for spec in schema.fields:
        found = list(filter(None, (fields.get(spec.name) for fields in places)))
        if found:
            distinct = _distinct(records, spec.name)
            share = min(len(found), distinct) / len(records)
            ranks[spec.name] = _rank(spec, share, _mean_places(found))
    return max(ranks, key=ranks.__getitem__, default=None)


def _rank(spec: FieldSpec, share: float, spread: float) -> tuple[float, float, float]:
    """How well a field tells records apart, higher is better: first the share of them
    it does so for, less for kinds whose values are told by chance; then at how few
    places of a page, on average, its values stand."""
    penalty = tuned("known_records.typed_penalty") * (spec.kind in _TYPED)
    return share - penalty, -min(spread, tuned("known_records.some_places")), -spread


def _distinct(records: Sequence[RecordValues], name: str) -> int:
    """How many different values the records have of a field."""
    values = (str(record[name]) for record in records if name in record)
    return len(set(values))


def _mean_places(found: Sequence[Sequence[Occurrence]]) -> float:
    """At how many places a value is on average, many counted as twenty."""
    counts = [min(len(places), _MANY_PLACES) for places in found]
    return sum(counts) / len(counts)


def _anchor_element(
    document: Document, fields: _Places, anchor: str, used: set[int]
) -> int | None:
    """The element of the anchor occurrence with the other fields' occurrences nearest
    to it."""
    others = [places for name, places in fields.items() if name != anchor]
    anchors = fields.get(anchor, [])[:_MOST_ANCHORS]
    free = [place for place in anchors if place.holder(document) not in used]
    if not free:
        return None
    nearest = min(free, key=lambda place: _farness(place, others))
    return nearest.holder(document)


def _farness(place: Occurrence, others: Sequence[Sequence[Occurrence]]) -> int:
    """Elements between an occurrence and those of all other values."""
    return sum(_distance(place, places) for places in others)


def _distance(place: Occurrence, others: Sequence[Occurrence]) -> int:
    """Elements between an occurrence and the nearest of others; 0 without any."""
    distances = [abs(other.number - place.number) for other in others]
    return min(min(distances, default=0), _FARTHEST)
