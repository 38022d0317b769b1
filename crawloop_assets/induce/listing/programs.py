"""The program that a record boundary gives: readers for each field, and the fields that
tell records from other places."""

from collections.abc import Iterator, Mapping, Sequence

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
)
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import CandidateBoundary
from crawloop_assets.induce.listing.inherited import LEAST_RIGHT, inherited_readers
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_MOST_OTHERS = 12
"""Records that are not known on which readers are judged."""
_ALWAYS = 0.98
"""Share of the known records that have a field which every record has."""
_MOSTLY_FILLED = 0.9
_TELLING_KINDS = (FieldKind.URL, FieldKind.DATE, FieldKind.DATETIME)


def program_from(
    schema: RecordSchema,
    document: Document,
    records: Sequence[RecordValues],
    candidate: CandidateBoundary,
    onward: Reader | None = None,
) -> Program | None:
    """The program a boundary gives: readers for every field whose known values it
    reaches.

    None if there are none. `onward` reads the next page.
    """
    if not candidate.known:
        return None
    others = _other_scopes(candidate)
    fields: list[FieldProgram] = []
    direct: dict[str, FoundReader] = {}
    for spec in schema.fields:
        samples = _samples(spec, records, candidate)
        found = field_readers(spec, samples, others) if samples else []
        if _is_reliable(found):
            direct[spec.name] = found[0]
        elif samples:
            inherited = inherited_readers(spec, document, samples, others)
            found = _better(found, inherited)
        if found:
            fields.append(_field_program(spec, found, samples))
    if not fields:
        return None
    always = [name for name, reader in direct.items() if reader.right >= _ALWAYS]
    boundary = candidate.boundary.model_copy(
        update={"keep_if": _keep_if(schema, direct), "half_of": tuple(always)}
    )
    kind = FamilyKind.JSON if document.is_json else FamilyKind.LISTING
    return Program(kind=kind, record=boundary, next=onward, fields=tuple(fields))


def _other_scopes(candidate: CandidateBoundary) -> Sequence[Scope]:
    """Some of the records that are not known."""
    known = {scope.nodes for scope in candidate.known.values()}
    unknown = [scope for scope in candidate.scopes if scope.nodes not in known]
    return spread_sample(unknown, _MOST_OTHERS)[:_MOST_OTHERS]


def _samples(
    spec: FieldSpec, records: Sequence[RecordValues], candidate: CandidateBoundary
) -> list[KnownCell]:
    """The known values of a field, in the records the boundary reaches."""
    samples: list[KnownCell] = []
    for index, scope in candidate.known.items():
        if spec.name in records[index]:
            samples.append(KnownCell(scope, records[index][spec.name]))
    return samples


def _is_reliable(found: Sequence[FoundReader]) -> bool:
    return bool(found) and found[0].right >= LEAST_RIGHT


def _better(
    found: list[FoundReader], inherited: list[FoundReader]
) -> list[FoundReader]:
    """The readers whose first one scores better."""
    if not inherited:
        return found
    is_better = not found or inherited[0].score > found[0].score
    return inherited if is_better else found


def _field_program(
    spec: FieldSpec, found: Sequence[FoundReader], samples: Sequence[KnownCell]
) -> FieldProgram:
    """The field with how many of its readers speak in every known record that has
    it."""
    readers = tuple(candidate.reader for candidate in found)
    field = FieldProgram(spec=spec, readers=readers)
    live = [vote_on(field, scope)[1].live_readers for scope, _ in samples]
    usual = min(filter(None, live), default=0)
    return field.model_copy(update={"usual": usual})


def _keep_if(
    schema: RecordSchema, direct: Mapping[str, FoundReader]
) -> tuple[str, ...]:
    """Fields every record has: required ones, links, dates and the first text, as far
    as they are in the record, every known one has them, and cutting them out of a text
    does not lose others."""
    always = [spec for spec in schema.fields if _is_always_read(spec, direct)]
    chosen = [spec.name for spec in always if spec.required]
    chosen += _telling_names([spec for spec in always if _is_plain(spec, direct)])
    names = chosen or [spec.name for spec in always[:1]]
    return tuple(dict.fromkeys(names))


def _is_always_read(spec: FieldSpec, direct: Mapping[str, FoundReader]) -> bool:
    return spec.name in direct and direct[spec.name].right >= _ALWAYS


def _is_plain(spec: FieldSpec, direct: Mapping[str, FoundReader]) -> bool:
    """Whether a field's best reader needs no cut, or loses few records by it."""
    found = direct[spec.name]
    return not found.reader.pipe or found.fill >= _MOSTLY_FILLED


def _telling_names(specs: Sequence[FieldSpec]) -> Iterator[str]:
    """Links and dates, then the first single text."""
    for spec in specs:
        if spec.kind in _TELLING_KINDS:
            yield spec.name
    for spec in specs:
        if spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE:
            yield spec.name
            return
