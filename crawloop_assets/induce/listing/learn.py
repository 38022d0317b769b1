"""Listing programs: record boundaries, field readers relative to a record, the link to
the next page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import (
    extract_record,
    extract_rows,
    records_of,
    run,
    vote_on,
)
from crawloop_assets.crawler.program import (
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import (
    CandidateBoundary,
    KnownRecord,
    boundaries,
)
from crawloop_assets.induce.listing.json_arrays import json_boundaries
from crawloop_assets.induce.listing.locations import (
    KnownCell,
    Location,
    element_predicates,
    nearest_before,
    tag_of,
)
from crawloop_assets.induce.listing.next_link import next_reader
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.induce.listing.readers import (
    FoundReader,
    field_readers,
    judge_spot,
)
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

ENOUGH = 0.6
_MOST_CANDIDATES = 6
_MOST_RECORDS = 24
_OTHERS = 12
_LOOKED_AT = 80
_INHERITED = 30
_MOST_PAGES = 3
_MOST_PROVED = 3
_ALWAYS = 0.98


@dataclass(frozen=True)
class Scored:
    """A listing program and how it did on the pages it was made from.

    `right` is the share (0..1) of known cells it reads right, `fill` the share of
    fields filled over all its records, `found` how many records it finds, `odd` how
    many of them are made otherwise than the known ones, `waste` how many places it
    looks at that are none.
    """

    program: Program
    right: float
    fill: float
    found: int
    odd: int = 0
    waste: int = 0

    @property
    def score(self) -> float:
        """Right cells first; then how complete the other records are."""
        return round(self.right + 0.25 * self.fill, 4)

    @property
    def worth(self) -> float:
        """How many records it finds; what is made otherwise may be another list of the
        page, read wrong."""
        return self.found - 1.25 * self.odd


def induce_listing(
    schema: RecordSchema, pages: Sequence[Page], examples: Sequence[Example]
) -> list[Scored]:
    """Listing programs for pages with known records, best first; empty if the records
    are not found on them.

    An example need not name all records of its page. Values that are not on the page
    only cost their cells.
    """
    return induce_on(schema, [Document(page) for page in pages], examples)


def induce_on(
    schema: RecordSchema, documents: Sequence[Document], examples: Sequence[Example]
) -> list[Scored]:
    """Like `induce_listing`, on parsed pages."""
    known = [
        (documents[example.page], example.records[:_MOST_RECORDS])
        for example in examples
        if example.records
    ]
    if not known:
        return []
    main = max(range(len(known)), key=lambda at: (len(known[at][1]), -at))
    document, records = known[main]
    scored = []
    candidates = boundaries(schema, Occurrences(document), records)[:_MOST_CANDIDATES]
    onward = next_reader(
        document, [other for at, (other, _) in enumerate(known) if at != main]
    )
    for candidate in [*json_boundaries(schema, document, records), *candidates]:
        program = program_from(schema, document, records, candidate, onward)
        if program is not None:
            scored.append(score_program(program, candidate, records))
    ranked = sorted((one for one in scored if one.right > 0), key=_rank)
    others = [item for at, item in enumerate(known) if at != main][:_MOST_PAGES]
    return (
        sorted((_score_also(one, others) for one in ranked[:_MOST_PROVED]), key=_rank)
        if others
        else ranked
    )


def _rank(one: Scored) -> tuple[float | int | str, ...]:
    text = one.program.to_json()
    runs = (
        one.program.record is not None and one.program.record.mode is BoundaryMode.RUN
    )
    backed = sum(len(field.readers) > 1 for field in one.program.fields)
    return -one.score, runs, -one.worth, -backed, one.waste, len(text), text


def _score_also(
    one: Scored, known: Sequence[tuple[Document, Sequence[KnownRecord]]]
) -> Scored:
    """The score with what the program does on other pages whose records are known."""
    shares = [one.right]
    for document, records in known:
        rows = [record.values for record in run(one.program, document).records]
        cells = sum(len(record) for record in records)
        right = sum(
            max((_right(one.program, record, row) for row in rows), default=0)
            for record in records
        )
        shares.append(right / cells if cells else 0.0)
    return replace(one, right=round(sum(shares) / len(shares), 6))


def _right(program: Program, record: KnownRecord, row: KnownRecord) -> int:
    return sum(
        _same(program, name, value, row.get(name)) for name, value in record.items()
    )


def program_from(
    schema: RecordSchema,
    document: Document,
    records: Sequence[KnownRecord],
    candidate: CandidateBoundary,
    onward: Reader | None = None,
) -> Program | None:
    """The program a boundary gives: readers for every field whose known values it
    reaches.

    None if there are none.     `onward` reads the next page.
    """
    if not candidate.known:
        return None
    taken = {scope.nodes for scope in candidate.known.values()}
    free = [scope for scope in candidate.scopes if scope.nodes not in taken]
    others = free[:: max(1, len(free) // _OTHERS)][:_OTHERS]
    fields: list[FieldProgram] = []
    direct: dict[str, FoundReader] = {}
    for spec in schema.fields:
        samples = [
            KnownCell(scope, records[at][spec.name])
            for at, scope in candidate.known.items()
            if spec.name in records[at]
        ]
        if not samples:
            continue
        found = field_readers(spec, samples, others)
        if found and found[0].right >= ENOUGH:
            direct[spec.name] = found[0]
        else:
            inherited = inherited_readers(spec, document, samples, others)
            if inherited and (not found or inherited[0].score > found[0].score):
                found = inherited
        if found:
            fields.append(_read_by(spec, found, samples))
    if not fields:
        return None
    held = tuple(name for name, found in direct.items() if found.right >= _ALWAYS)
    boundary = candidate.boundary.model_copy(
        update={"keep_if": _keep_if(schema, direct), "half_of": held}
    )
    kind = FamilyKind.JSON if document.is_json else FamilyKind.LISTING
    return Program(kind=kind, record=boundary, next=onward, fields=tuple(fields))


def _read_by(
    spec: FieldSpec, found: Sequence[FoundReader], samples: Sequence[KnownCell]
) -> FieldProgram:
    """The field with how many of its readers speak in every known record that has
    it."""
    field = FieldProgram(spec=spec, readers=tuple(one.reader for one in found))
    live = [vote_on(field, scope)[1].live_readers for scope, _ in samples]
    return field.model_copy(
        update={"usual": min((count for count in live if count), default=0)}
    )


def _keep_if(
    schema: RecordSchema, direct: Mapping[str, FoundReader]
) -> tuple[str, ...]:
    """Fields every record has: required ones, links, dates and the first text, as far
    as they stand in the record, every known one has them, and cutting them out of a
    text does not lose others."""
    sure = [
        spec
        for spec in schema.fields
        if spec.name in direct and direct[spec.name].right >= _ALWAYS
    ]
    named = [spec.name for spec in sure if spec.required]
    plain = [
        spec
        for spec in sure
        if not direct[spec.name].reader.pipe or direct[spec.name].fill >= 0.9
    ]
    typed = [
        spec.name
        for spec in plain
        if spec.kind in (FieldKind.URL, FieldKind.DATE, FieldKind.DATETIME)
    ]
    texts = [
        spec.name
        for spec in plain
        if spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE
    ][:1]
    return tuple(dict.fromkeys([*named, *typed, *texts])) or tuple(
        spec.name for spec in sure[:1]
    )


def inherited_readers(
    spec: FieldSpec,
    document: Document,
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
) -> list[FoundReader]:
    """Readers for a value that stands in a header above the records it holds for."""
    ground = Occurrences(document)
    words = words_of(spec)
    proposals: dict[str, tuple[Kin, float]] = {}
    for scope, value in samples[:4]:
        places = sorted(
            {place.holder(document) for place in ground.places(spec, value)}
        )
        number = nearest_before(places, scope.nodes[0])
        chain = [] if number is None else [number, *document.ancestors(number)][:3]
        for depth, node in enumerate(chain):
            if (
                node <= scope.nodes[0] < document.end[node]
                or len(document.text(node)) > 300
            ):
                break
            tag = tag_of(document, node)
            proposals.setdefault(tag, (Kin.TAG, 0.4 - 0.05 * depth))
            for predicate, kin, prior in element_predicates(document, node, words):
                proposals.setdefault(f"{tag}{predicate}", (kin, prior - 0.05 * depth))
    found: list[FoundReader] = []
    for selector, (kin, prior) in sorted(proposals.items())[:_INHERITED]:
        spot = Location(Source.INHERIT, selector, "text", None, kin, prior)
        found += judge_spot(spec, spot, samples, others)
    good = [one for one in found if one.right >= ENOUGH]
    return sorted(good, key=lambda one: (-one.score, -one.prior, str(one.reader)))[:2]


def score_program(
    program: Program, candidate: CandidateBoundary, records: Sequence[KnownRecord]
) -> Scored:
    """Judge a program on its known records, and by a sample of the others how complete
    those are."""
    cells = sum(len(record) for record in records)
    right = 0
    for at, scope in candidate.known.items():
        values = extract_record(program.fields, scope).values
        right += _right(program, records[at], values)
    sample = candidate.scopes[:: max(1, len(candidate.scopes) // _LOOKED_AT)]
    rows = extract_rows(program.fields, sample)
    kept = rows if program.record is None else records_of(rows, program.record)
    filled = (
        sum(len(row.values) for row in kept) / (len(kept) * len(program.fields))
        if kept
        else 0.0
    )
    found = round(len(candidate.scopes) * len(kept) / len(rows)) if rows else 0
    share = right / cells if cells else 0.0
    odd, waste = max(0, found - candidate.alike), len(candidate.scopes) - found
    return Scored(program, share, round(filled, 4), found, odd, waste)


def _same(program: Program, name: str, known: Value, got: Value) -> bool:
    field = program.field(name)
    return (
        field is not None
        and got is not None
        and canonical(known, field.spec) == canonical(got, field.spec)
    )
