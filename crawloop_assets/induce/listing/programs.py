"""The program that a record boundary gives: readers for each field, and the fields that
tell records from other places."""

import math
from collections.abc import Container, Mapping, Sequence
from itertools import islice
from operator import attrgetter

from crawloop_assets.crawler.program import (
    Boundary,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
)
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import CandidateBoundary
from crawloop_assets.induce.listing.inherited import inherited_readers
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.phantoms import PlacedRow, usual_readers
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.number_words import are_worded
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_MOST_OTHERS = 12
"""Records that are not known on which readers are judged."""
_TELLING_KINDS = (FieldKind.URL, FieldKind.DATE, FieldKind.DATETIME)


def program_from(
    schema: RecordSchema,
    document: Document,
    records: Sequence[RecordValues],
    candidate: CandidateBoundary,
    onward: Reader | None = None,
    elsewhere: Sequence[RecordValues] = (),
) -> Program | None:
    """The program a boundary gives: readers for every field whose known values it
    reaches.

    None if there are none. `onward` reads the next page; known records of other pages,
    `elsewhere`, tell with how little a record is one.
    """
    if not candidate.known:
        return None
    others, beside = _other_scopes(candidate), _rows_beside(candidate)
    fields: list[FieldProgram] = []
    direct: dict[str, FoundReader] = {}
    open_fields: set[str] = set()
    for spec in schema.fields:
        samples = _samples(spec, records, candidate)
        if not samples:
            continue
        lacking = _lacking(spec, records, candidate)
        found = field_readers(spec, samples, others, lacking, beside)
        if _is_reliable(found):
            direct[spec.name] = found[0]
        else:
            inherited = inherited_readers(spec, document, samples, others, lacking)
            found = max(found, inherited, key=_best_score)
        if found:
            fields.append(_field_program(spec, found, samples))
            if _may_be_silent(spec) or are_worded(fields[-1], beside):
                open_fields.add(spec.name)
    if not fields:
        return None
    kind = FamilyKind.JSON if document.is_json else FamilyKind.LISTING
    known = [*map(records.__getitem__, candidate.known), *elsewhere]
    boundary = _telling_boundary(schema, candidate.boundary, direct, known, open_fields)
    return Program(kind=kind, record=boundary, next=onward, fields=tuple(fields))


def _other_scopes(candidate: CandidateBoundary) -> Sequence[Scope]:
    """Some of the records of markup that are not known."""
    known = set(map(attrgetter("nodes"), candidate.known.values()))
    unknown = [scope for scope in candidate.scopes if scope.nodes not in known]
    return spread_sample(unknown, _MOST_OTHERS)[:_MOST_OTHERS]


def _rows_beside(candidate: CandidateBoundary) -> Sequence[Scope]:
    """Some of the records that are not known, also of JSON: what words of a choice there
    are. They do not say how a text is to be cut: that was measured, and cut names wrong."""
    known = set(map(_place, candidate.known.values()))
    unknown = [scope for scope in candidate.scopes if _place(scope) not in known]
    return spread_sample(unknown, _MOST_OTHERS)[:_MOST_OTHERS]


def _place(scope: Scope) -> tuple[tuple[int, ...], int]:
    """What tells records of a page apart: all of a JSON body have its one element."""
    return scope.nodes, id(scope.data)


def _samples(
    spec: FieldSpec, records: Sequence[RecordValues], candidate: CandidateBoundary
) -> list[KnownCell]:
    """The known values of a field, in the records the boundary reaches."""
    samples: list[KnownCell] = []
    for index, scope in candidate.known.items():
        if spec.name in (record := records[index]):
            samples.append(KnownCell.of(spec, scope, record[spec.name], record))
    return samples


def _lacking(
    spec: FieldSpec, records: Sequence[RecordValues], candidate: CandidateBoundary
) -> list[PlacedRow]:
    """The known records without a field."""
    rows = [PlacedRow(scope, records[at]) for at, scope in candidate.known.items()]
    return [row for row in rows if spec.name not in row.known]


def _may_be_silent(spec: FieldSpec) -> bool:
    """Whether a record may be one where nothing is read of a field that all have: a choice
    has words that no known record has, and a list may be empty."""
    return is_choice(spec) or spec.shape is not Shape.ONE


def _is_reliable(found: Sequence[FoundReader]) -> bool:
    """True if the best reader is right often enough to be relied on."""
    return bool(found) and found[0].right >= tuned("inherited.least_right")


def _best_score(found: Sequence[FoundReader]) -> float:
    """The score of the best reader, least of all without one."""
    return found[0].score if found else -math.inf


def _field_program(
    spec: FieldSpec, found: Sequence[FoundReader], samples: Sequence[KnownCell]
) -> FieldProgram:
    """The field with how many of its readers speak in every known record that has
    it."""
    readers = tuple(map(attrgetter("reader"), found))
    field = FieldProgram(spec=spec, readers=readers)
    return field.model_copy(update={"usual": usual_readers(field, samples)})


def _telling_boundary(
    schema: RecordSchema,
    boundary: Boundary,
    direct: Mapping[str, FoundReader],
    known: Sequence[RecordValues],
    open_fields: Container[str],
) -> Boundary:
    """The boundary with the fields that tell records from other places: of those that
    are read wherever they are known; where a known record has fewer than half of them,
    of those that all known records have. A record may say `open_fields` in words that no
    known one has."""
    always = {
        name: reader
        for name, reader in direct.items()
        if reader.right >= tuned("programs.always")
    } or direct  # known rows that moved on are read otherwise
    fewest = min(len(always.keys() & record.keys()) for record in known)
    half_of = tuple(always)
    if 2 * fewest < len(always):
        core = set(always).intersection(*known)
        half_of = tuple(filter(core.__contains__, always)) or half_of
    return boundary.model_copy(
        update={
            "keep_if": _keep_if(schema, always, open_fields),
            "half_of": half_of,
        }
    )


def _keep_if(
    schema: RecordSchema,
    always: Mapping[str, FoundReader],
    open_fields: Container[str],
) -> tuple[str, ...]:
    """Fields every record has: the required ones, but the open ones where others are:
    their words may be known of no record. Where none is required, links, dates and the first
    text, as far as cutting them out of a text does not lose other records; else the first
    field."""
    read = [spec for spec in schema.fields if spec.name in always]
    plain = [spec for spec in read if _is_plain(always[spec.name])]
    required = list(filter(attrgetter("required"), read))
    required = [one for one in required if one.name not in open_fields] or required
    telling = filter(_is_link_or_date, plain)
    first_text = islice(filter(_is_single_text, plain), 1)
    chosen = required or [*telling, *first_text] or read[:1]
    return tuple(dict.fromkeys(map(attrgetter("name"), chosen)))


def _is_plain(found: FoundReader) -> bool:
    """Whether a reader needs no cut, or loses few records by it."""
    return not found.reader.pipe or found.fill >= tuned("programs.mostly_filled")


def _is_link_or_date(spec: FieldSpec) -> bool:
    """True for a field of a kind that a text rarely has by accident."""
    return spec.kind in _TELLING_KINDS


def _is_single_text(spec: FieldSpec) -> bool:
    """True for a field of one text."""
    return (spec.kind, spec.shape) == (FieldKind.TEXT, Shape.ONE)
