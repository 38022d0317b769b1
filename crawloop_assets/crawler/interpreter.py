"""The one interpreter of programs: program + document -> extraction.

Pure; the same input gives the same bytes.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
)
from crawloop_assets.crawler.read import Scope, read, select, texts_of, to_value
from crawloop_assets.crawler.vote import Ballot, decide
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_MOST_RECORDS = 20_000
_URL = FieldSpec(name="next", kind=FieldKind.URL)


def run(program: Program, document: Document) -> Extraction:
    """Extract all records of a page.

    A page on which nothing is found gives no records.
    """
    whole = Scope(document)
    if program.record is None:
        record = extract_record(program.fields, whole)
        return Extraction(
            records=(record,) if record.values else (),
            next_url=_next_url(program, whole),
        )
    rows = extract_rows(
        program.fields, scopes(document, program.record), program.record.keep_if
    )
    kept = _kept(rows, program.record, program.fields)
    records = tuple(row.model_copy(update={"row": at}) for at, row in enumerate(kept))
    if program.kind is FamilyKind.DETAIL:
        records = records[:1]
    return Extraction(records=records, next_url=_next_url(program, whole))


def _next_url(program: Program, scope: Scope) -> str | None:
    value = read(program.next, scope, _URL) if program.next else None
    return (
        value if isinstance(value, str) and value != scope.document.base_url else None
    )


def extract_record(fields: Iterable[FieldProgram], scope: Scope) -> ExtractedRecord:
    """One record: every field's readers vote."""
    return _record({field.spec.name: vote_on(field, scope) for field in fields})


def _record(read: Mapping[str, tuple[Value, FieldVote]]) -> ExtractedRecord:
    values = {name: value for name, (value, _) in read.items() if value is not None}
    return ExtractedRecord(
        values=values, votes={name: vote for name, (_, vote) in read.items()}
    )


def _rows(
    fields: Sequence[FieldProgram], places: Sequence[Scope], needed: Collection[str]
) -> list[ExtractedRecord]:
    """The records of all places that have the needed fields.

    Those are read first: most places may be no records.
    """
    sought = sorted(fields, key=lambda field: field.spec.name not in needed)
    rows = []
    for place in places:
        read: dict[str, tuple[Value, FieldVote]] = {}
        for field in sought:
            read[field.spec.name] = vote_on(field, place)
            if read[field.spec.name][0] is None and field.spec.name in needed:
                break
        else:
            rows.append(
                _record({field.spec.name: read[field.spec.name] for field in fields})
            )
    return rows


def extract_rows(
    fields: Sequence[FieldProgram],
    places: Sequence[Scope],
    needed: Collection[str] = (),
) -> list[ExtractedRecord]:
    """The rows of a page.

    What few readers see in a row and many in another is not there: half as many as
    usual, or where a page has broken readers in all rows, half of those that are left.
    The few that carry most of the weight are believed: where a cell is missing, readers
    by position slip and those by name do not. Places without the fields `needed` give
    no row.
    """
    rows = _rows(fields, places, needed)
    for field in fields:
        name = field.spec.name
        most = max((row.votes[name].live_readers for row in rows), default=0)
        surest = max((row.votes[name].agreement for row in rows), default=0.0)
        for row in rows:
            vote = row.votes[name]
            few = 2 * vote.live_readers < min(field.usual, most)
            if name in row.values and few and 2 * vote.agreement <= surest:
                del row.values[name]
    return rows


def vote_on(field: FieldProgram, scope: Scope) -> tuple[Value, FieldVote]:
    """The value of one field (None if there is none, or too little agreement) and how
    its readers voted."""
    if field.spec.kind is FieldKind.OBJECT and field.fields:
        return _objects(field, scope)
    known: dict[tuple[str, ...], Value] = {}  # most readers find the same text
    ballots: list[Ballot] = []
    for reader in field.readers:
        texts = texts_of(reader, scope)
        key = tuple(texts)
        if key not in known:
            known[key] = to_value(texts, field.spec, scope.document.base_url)
        ballots.append((reader.at, reader.weight, known[key]))
    value, vote = decide(ballots, field.spec)
    return (None if vote.agreement < field.min_agree else value), vote


def _objects(field: FieldProgram, scope: Scope) -> tuple[Value, FieldVote]:
    """Nested records: a listing inside the record, or the record's own scope for a
    single object."""
    places = inner_scopes(scope, field.items) if field.items else [scope]
    rows = [extract_record(field.fields, place) for place in places]
    kept = (
        _kept(rows, field.items, field.fields)
        if field.items
        else [row for row in rows if row.values]
    )
    if not kept:
        return None, FieldVote(agreement=0.0, live_readers=0, readers=1)
    shares = [
        vote.agreement
        for row in kept
        for name, vote in row.votes.items()
        if name in row.values
    ]
    live = min(
        (
            vote.live_readers
            for row in kept
            for name, vote in row.votes.items()
            if name in row.values
        ),
        default=0,
    )
    vote = FieldVote(
        agreement=round(sum(shares) / len(shares), 4),
        live_readers=live,
        readers=max(live, 1),
    )
    values = [row.values for row in kept]
    return (values[0] if field.spec.shape is Shape.ONE else values), vote


def scopes(document: Document, boundary: Boundary) -> list[Scope]:
    """The records of a whole page."""
    return inner_scopes(Scope(document), boundary)


def inner_scopes(scope: Scope, boundary: Boundary) -> list[Scope]:
    """The records inside a scope, in document order."""
    document = scope.document
    if boundary.mode is BoundaryMode.JSON:
        nodes = document.json_nodes(boundary.at, scope.data)
        return [Scope(document, scope.nodes, node) for node in nodes[:_MOST_RECORDS]]
    starts = (
        select(scope, boundary.at) if not scope.whole else css(document, boundary.at)
    )
    starts = starts[:_MOST_RECORDS]
    if boundary.mode is BoundaryMode.NODES and starts:
        # An element that holds another match is a wrapper around records (a layout table), not a record.
        lowest = [
            at
            for at, after in zip(
                starts, [*starts[1:], len(document.elements)], strict=True
            )
            if after >= document.end[at]
        ]
        return [Scope(document, (number,), scope.data) for number in lowest]
    return [Scope(document, run, scope.data) for run in _runs(document, starts)]


def _runs(document: Document, starts: list[int]) -> list[tuple[int, ...]]:
    """Each start with the sibling elements up to the next start."""
    first = set(starts)
    runs: list[tuple[int, ...]] = []
    for start in starts:
        nodes = [start]
        for sibling in document.elements[start].itersiblings():
            number = document.number.get(sibling)
            if number is None:
                continue
            if number in first:
                break
            nodes.append(number)
        runs.append(tuple(nodes))
    return runs


def records_of(
    rows: Sequence[ExtractedRecord], boundary: Boundary
) -> list[ExtractedRecord]:
    """The rows that have the fields that make them records."""
    held = [sum(name in row.values for name in boundary.half_of) for row in rows]
    most = max(held, default=0)
    return [
        row
        for row, count in zip(rows, held, strict=True)
        if row.values
        and 2 * count >= most
        and all(name in row.values for name in boundary.keep_if)
    ]


def _kept(
    rows: list[ExtractedRecord], boundary: Boundary, fields: Iterable[FieldProgram]
) -> list[ExtractedRecord]:
    specs = {field.spec.name: field.spec for field in fields}
    seen: set[str] = set()
    kept: list[ExtractedRecord] = []
    for row in records_of(rows, boundary):
        form = json.dumps(
            [
                [name, repr(canonical(row.values.get(name), spec))]
                for name, spec in specs.items()
            ]
        )
        if boundary.dedupe and form in seen:
            continue
        seen.add(form)
        kept.append(row)
    return kept
