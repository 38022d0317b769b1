"""Compile a crawler: pages and what is known of them -> a program, with no model."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.contradictions import weigh_contradictions
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.objects import object_field, read_right
from crawloop_assets.induce.detail.structured import (
    main_roots,
    structured_candidates,
    structured_values,
    vocabulary_candidates,
)
from crawloop_assets.induce.detail.trials import KnownValue, Tried, induce
from crawloop_assets.induce.detail.untaught import untaught_field
from crawloop_assets.induce.listing.guess import guess_on
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


class Compiled(BaseModel):
    """A program (None if a required field could not be read) and the evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: Program | None
    scores: ScoreSheet


def compile_program(
    schema: RecordSchema,
    pages: Sequence[Page],
    examples: Sequence[Example],
    kind: FamilyKind = FamilyKind.DETAIL,
) -> Compiled:
    """Compile a program for pages of one layout.

    `examples` say which records stand on which of `pages`; without any, the structured
    data of the pages is the oracle. Deterministic: the same input gives the same bytes.
    """
    documents = [Document(page) for page in pages]
    if kind is FamilyKind.DETAIL or (
        kind is FamilyKind.JSON and _one_record(documents, examples)
    ):
        main = main_roots(documents, schema)
        return compile_detail(
            schema,
            [Index(document, schema.name, main) for document in documents],
            examples,
        )
    return compile_listing(schema, documents, examples, kind)


def _one_record(documents: Sequence[Document], examples: Sequence[Example]) -> bool:
    """A JSON page that is an object and is known to hold one record."""
    return all(len(example.records) == 1 for example in examples) and all(
        isinstance(document.roots.get("body", [None])[0], dict)
        for document in documents
    )


def compile_listing(
    schema: RecordSchema,
    documents: Sequence[Document],
    examples: Sequence[Example],
    kind: FamilyKind,
) -> Compiled:
    """Many records per page."""
    found = (
        induce_on(schema, documents, examples)
        if examples
        else guess_on(schema, documents)
    )
    best = found[0] if found else None
    program = best.program.model_copy(update={"kind": kind}) if best else None
    scores = [_listing_score(spec, program) for spec in schema.fields]
    missing = [score.field for score in scores if score.required and not score.readers]
    reason = (
        f"{best.right:.2f} of known cells right, {best.found} records"
        if best
        else "the records are not found"
    )
    if missing:
        program, reason = None, f"no reader for required {', '.join(missing)}"
    records = sum(len(example.records) for example in examples)
    sheet = ScoreSheet(
        fields=tuple(scores),
        pages=len(documents),
        records=records,
        oracle="examples" if examples else "repetition and the words of the schema",
        passed=program is not None,
        reason=reason,
    )
    return Compiled(program=program, scores=sheet)


def _listing_score(spec: FieldSpec, program: Program | None) -> FieldScore:
    field = program.field(spec.name) if program else None
    readers = field.readers if field else ()
    kins = tuple(dict.fromkeys(reader.kin.value for reader in readers))
    reason = "" if readers else "no reader gives the known values"
    return FieldScore(
        field=spec.name,
        required=spec.required,
        readers=len(readers),
        kins=kins,
        reason=reason,
    )


def compile_detail(
    schema: RecordSchema, indexes: Sequence[Index], examples: Sequence[Example]
) -> Compiled:
    """One record per page."""
    documents = [index.document for index in indexes]
    main = indexes[0].main if indexes else ()
    names = [PageNames(index) for index in indexes]
    rows: dict[int, dict[str, Value]] = {
        each.page: each.records[0] for each in examples if each.records
    }
    if not examples:
        rows = {
            at: structured_values(document, schema, main)
            for at, document in enumerate(documents)
        }
    fields: list[FieldProgram] = []
    scores: list[FieldScore] = []
    for spec in schema.fields:
        known = [
            KnownValue(indexes[page], row.get(spec.name))
            for page, row in sorted(rows.items())
        ]
        if spec.kind is FieldKind.OBJECT:
            nested = object_field(spec, known)
            fields += [nested] if nested.all_readers else []
            scores.append(_nested_score(nested, known))
            continue
        general = [
            each
            for document in documents
            for each in structured_candidates(document, spec, main)
        ]
        tried: Sequence[Tried] = induce(known, spec, general)
        field = field_program(tried, spec, known)
        if not tried and all(each.value is None for each in known):
            taught = [*general, *vocabulary_candidates(spec, main)] if examples else []
            field, tried = untaught_field(
                [names[page] for page in sorted(rows)], len(examples), spec, taught
            )
        if not examples:
            field = weigh_contradictions(field, general, known)
        if field.readers:
            fields.append(field)
        scores.append(_score(field, tried, _held_out(known, spec, general)))
    oracle = "examples" if examples else "structured data"
    return _compiled(fields, scores, len(indexes), len(rows), oracle)


def _compiled(
    fields: list[FieldProgram],
    scores: list[FieldScore],
    pages: int,
    records: int,
    oracle: str,
) -> Compiled:
    missing = [score.field for score in scores if score.required and not score.readers]
    reason = (
        f"no reader for required {', '.join(missing)}"
        if missing
        else f"{len(fields)} of {len(scores)} fields"
    )
    program = (
        Program(kind=FamilyKind.DETAIL, fields=tuple(fields))
        if fields and not missing
        else None
    )
    sheet = ScoreSheet(
        fields=tuple(scores),
        pages=pages,
        records=records,
        oracle=oracle,
        passed=program is not None,
        reason=reason,
    )
    return Compiled(program=program, scores=sheet)


_MOST_HELD_OUT = 3


def _held_out(
    known: Sequence[KnownValue], spec: FieldSpec, general: Sequence[CandidateReader]
) -> float | None:
    """Share of known pages read right by readers made from the other known pages only;
    None with fewer than two."""
    shown = [each for each in known if each.value is not None][:_MOST_HELD_OUT]
    if len(shown) < 2:
        return None
    right = 0
    for at, out in enumerate(shown):
        rest = [*shown[:at], *shown[at + 1 :]]
        field = field_program(induce(rest, spec, general), spec, rest)
        right += same(vote_on(field, Scope(out.document))[0], out.value, spec)
    return round(right / len(shown), 4)


def _nested_score(field: FieldProgram, known: Sequence[KnownValue]) -> FieldScore:
    shown, right = (
        sum(each.value is not None for each in known),
        read_right(field, known),
    )
    return FieldScore(
        field=field.spec.name,
        required=field.spec.required,
        readers=len(field.all_readers),
        kins=tuple(dict.fromkeys(reader.kin.value for reader in field.all_readers)),
        right=right,
        wrong=shown - right,
        reason="" if field.all_readers else "no reader gives the known values",
    )


def _score(
    field: FieldProgram, tried: Sequence[Tried], held_out: float | None
) -> FieldScore:
    top = tried[0] if tried else None
    return FieldScore(
        field=field.spec.name,
        required=field.spec.required,
        readers=len(field.readers),
        kins=tuple(dict.fromkeys(reader.kin.value for reader in field.readers)),
        right=top.right if top else 0,
        wrong=top.wrong if top else 0,
        silent=top.silent if top else 0,
        held_out=held_out,
        reason="" if top else "no reader gives the known values",
    )
