"""The one interpreter of programs: program + document -> extraction.

Pure; the same input gives the same bytes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from operator import attrgetter

from crawloop_assets.crawler.absence import shows_none
from crawloop_assets.crawler.evened import evened
from crawloop_assets.crawler.evidence import Heard, kind_of
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.own_part import own_page
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
)
from crawloop_assets.crawler.read import (
    ReaderTexts,
    Scope,
    read,
    select,
    texts_found,
    to_value,
)
from crawloop_assets.crawler.row_runs import runs_from
from crawloop_assets.crawler.surroundings import agreeing, with_surroundings
from crawloop_assets.crawler.vote import Ballot, decide
from crawloop_assets.document.document import Document
from crawloop_assets.document.json_rows import json_rows
from crawloop_assets.document.select import RowSearch
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_Votes = Mapping[str, tuple[Value, FieldVote]]  # by field name

_MOST_RECORDS = 20_000
_MOST_HEARD = 20  # texts of a reader that are compared with those of others
_NEXT_URL = FieldSpec(name="next", kind=FieldKind.URL)
_AGREEMENT = attrgetter("agreement")
_LIVE_READERS = attrgetter("live_readers")


def run(program: Program, document: Document) -> Extraction:
    """Extract all records of a page.

    A page on which nothing is found gives no records.
    """
    extraction, _ = run_placed(program, document)
    return extraction


def run_placed(
    program: Program, document: Document
) -> tuple[Extraction, Sequence[Scope]]:
    """The same, and where each record is on the page."""
    own = own_page(document, program.part)
    if own is None:
        return Extraction(records=()), ()
    page = Scope(own)
    records, places = _page_records(program, page)
    return Extraction(records=records, next_url=_next_url(program, page)), places


def _page_records(
    program: Program, page: Scope
) -> tuple[tuple[ExtractedRecord, ...], Sequence[Scope]]:
    """The records of the page in its order, and where they are; without a boundary it is
    one record."""
    boundary = program.record
    if boundary is None:
        record = extract_record(program.fields, page)
        return ((record,), (page,)) if record.values else ((), ())
    every = scopes(page.document, boundary)
    rows, places = _placed_rows(program.fields, every, boundary.keep_if)
    records = _distinct_records(rows, boundary, program.fields)
    if program.kind is FamilyKind.DETAIL:
        records = records[:1]
    place_of = dict(zip(map(id, rows), places, strict=True))
    placed = [place_of[id(record)] for record in records]
    numbered = (one.model_copy(update={"row": at}) for at, one in enumerate(records))
    return tuple(numbered), placed


def _next_url(program: Program, page: Scope) -> str | None:
    """Where the next page is; a link to the page itself leads nowhere."""
    if program.next is None:
        return None
    url = read(program.next, page, _NEXT_URL)
    if url in (None, page.document.base_url):
        return None
    return str(url)


def extract_record(fields: Sequence[FieldProgram], scope: Scope) -> ExtractedRecord:
    """One record: every field's readers vote.

    A field without a value has a vote, too.
    """
    results = {field.spec.name: vote_on(field, scope) for field in fields}
    return _to_record(results, fields, scope)


def _to_record(
    results: _Votes, fields: Iterable[FieldProgram], scope: Scope
) -> ExtractedRecord:
    """All votes, the values where there is one, and the lists that have no items."""
    values: dict[str, Value] = {}
    votes: dict[str, FieldVote] = {}
    for name, (value, vote) in results.items():
        votes[name] = vote
        if value is not None:
            values[name] = value
    empty = tuple(_empty_lists(results, fields, scope))
    return ExtractedRecord(values=values, votes=votes, empty=empty)


def _empty_lists(
    results: _Votes, fields: Iterable[FieldProgram], scope: Scope
) -> Iterator[str]:
    """Lists of which no reader read anything, and one shows that nothing is there."""
    for field in fields:
        spec = field.spec
        if spec.shape is Shape.ONE or results[spec.name][1].live_readers:
            continue
        if shows_none(field, scope):
            yield spec.name


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
    rows, _ = _placed_rows(fields, places, needed)
    return rows


def _placed_rows(
    fields: Sequence[FieldProgram], places: Sequence[Scope], needed: Collection[str]
) -> tuple[list[ExtractedRecord], list[Scope]]:
    """The rows, and the place of each.

    The needed fields are read first: most places may be no records.
    """
    needed_first = sorted(fields, key=lambda field: field.spec.name not in needed)
    rows, found = [], []
    for place in places:
        results = _read_all_needed(needed_first, place, needed)
        if results is not None:
            in_order = {field.spec.name: results[field.spec.name] for field in fields}
            rows.append(_to_record(in_order, fields, place))
            found.append(place)
    for field in fields:
        _drop_doubtful_cells(rows, field)
    return rows, found


def _read_all_needed(
    fields: Iterable[FieldProgram], place: Scope, needed: Collection[str]
) -> _Votes | None:
    """Value and vote of every field; None as soon as a needed field has no value."""
    results: dict[str, tuple[Value, FieldVote]] = {}
    for field in fields:
        name = field.spec.name
        result = vote_on(field, place)
        if result[0] is None and name in needed:
            return None
        results[name] = result
    return results


def _drop_doubtful_cells(rows: Sequence[ExtractedRecord], field: FieldProgram) -> None:
    """Take the field out of the rows where its value is in doubt."""
    name = field.spec.name
    votes = [row.votes[name] for row in rows]
    best_agreement = max(map(_AGREEMENT, votes), default=0.0)
    most_readers = max(map(_LIVE_READERS, votes), default=0)
    usual_readers = min(field.usual, most_readers)
    for row, vote in zip(rows, votes, strict=True):
        if _is_doubtful(vote, usual_readers, best_agreement):
            row.values.pop(name, None)


def _is_doubtful(vote: FieldVote, usual_readers: int, best_agreement: float) -> bool:
    """Less than half of the usual readers, with half of the best weight at most."""
    if 2 * vote.live_readers >= usual_readers:
        return False
    return 2 * vote.agreement <= best_agreement


def vote_on(field: FieldProgram, scope: Scope) -> tuple[Value, FieldVote]:
    """The value of one field (None if there is none, or too little agreement) and how
    its readers voted."""
    if field.spec.kind is FieldKind.OBJECT and field.fields:
        return _vote_on_object(field, scope)
    readings = _readings(field, scope)
    cast = _ballots(field, readings, scope)
    ballots = evened(cast, scope.document.crossed_out)
    hear = partial(_heard, readings) if ballots is cast else None
    value, vote = decide(ballots, field.spec, hear)
    if vote.agreement < field.min_agree:
        return None, vote
    return value, with_surroundings(vote, field, value, ballots, readings, scope)


def agreeing_readings(
    field: FieldProgram, value: Value, scope: Scope
) -> Sequence[ReaderTexts]:
    """The readers of a field that read a value in a scope, those first that read what
    is shown: more is said around it."""
    readings = _readings(field, scope)
    return agreeing(field.spec, value, _ballots(field, readings, scope), readings)


def _readings(field: FieldProgram, scope: Scope) -> list[ReaderTexts]:
    """What each reader of a field finds."""
    return [texts_found(reader, scope) for reader in field.readers]


def _ballots(
    field: FieldProgram, readings: Iterable[ReaderTexts], scope: Scope
) -> list[Ballot]:
    """What each reader reads; the texts that most of them share are parsed once."""
    base_url = scope.document.base_url
    parsed: dict[tuple[str, ...], Value] = {}
    ballots: list[Ballot] = []
    for reading in readings:
        reader, texts = reading.reader, reading.transformed
        key = tuple(texts)
        if key not in parsed:
            parsed[key] = to_value(texts, field.spec, base_url)
        ballots.append((reader.at, reader.weight, parsed[key]))
    return ballots


def _heard(readings: Iterable[ReaderTexts]) -> list[Heard]:
    """What each reader of a field has before its transforms."""
    return [
        Heard(kind_of(reader), " ".join(texts[:_MOST_HEARD]))
        for reader, texts in readings
    ]


def _vote_on_object(field: FieldProgram, scope: Scope) -> tuple[Value, FieldVote]:
    """Of an object the parts are voted on, each in its nested records."""
    records = _nested_records(field, scope)
    if not records:
        return None, FieldVote(agreement=0.0, live_readers=0, readers=1)
    vote = _joint_vote(records)
    parts = list(map(_with_empty_lists, records))
    return parts[0] if field.spec.shape is Shape.ONE else parts, vote


def _with_empty_lists(record: ExtractedRecord) -> dict[str, Value]:
    """The values of a nested record, which has nobody else to say which of its lists
    are shown to have no items."""
    return {**record.values, **{name: [] for name in record.empty}}


def _nested_records(field: FieldProgram, scope: Scope) -> list[ExtractedRecord]:
    """A listing inside the record, or the record's own scope for a single object."""
    if field.items is None:
        record = extract_record(field.fields, scope)
        return [record] if field.spec.is_record(record.values) else []
    places = inner_scopes(scope, field.items)
    rows = [extract_record(field.fields, place) for place in places]
    return _distinct_records(rows, field.items, field.fields)


def _votes_of_values(record: ExtractedRecord) -> list[FieldVote]:
    """The votes that a value came out of; those on fields that are left empty say
    nothing of how good the record is."""
    return [vote for name, vote in record.votes.items() if name in record.values]


def _joint_vote(records: Iterable[ExtractedRecord]) -> FieldVote:
    """One vote for nested records: the mean agreement and the fewest live readers of
    all values in them."""
    votes = list(chain.from_iterable(map(_votes_of_values, records)))
    agreement = sum(map(_AGREEMENT, votes)) / len(votes)
    live_readers = min(map(_LIVE_READERS, votes))
    return FieldVote(
        agreement=round(agreement, 4),
        live_readers=live_readers,
        readers=max(live_readers, 1),
    )


def scopes(document: Document, boundary: Boundary) -> list[Scope]:
    """The places of the records on a whole page, in document order.

    At most 20,000: a selector that matches everything must not cost the deadline.
    """
    return inner_scopes(Scope(document), boundary)


def inner_scopes(scope: Scope, boundary: Boundary) -> list[Scope]:
    """The records inside a scope, in document order."""
    document = scope.document
    if boundary.mode is BoundaryMode.JSON:
        values = json_rows(document, boundary.at, scope.data)[:_MOST_RECORDS]
        return [Scope(document, scope.nodes, value) for value in values]
    matches = select(scope, boundary.at)[:_MOST_RECORDS]
    if boundary.mode is BoundaryMode.RUN:
        runs = runs_from(document, matches)
        return [Scope(document, run, scope.data) for run in runs]
    numbers = _innermost(document, matches)
    rows = RowSearch(document, numbers) if len(numbers) > 1 else None
    return [Scope(document, (number,), scope.data, rows) for number in numbers]


def _innermost(document: Document, matches: Sequence[int]) -> list[int]:
    """Each match alone, but for those that hold another one: they are wrappers around
    records (a layout table), not records."""
    alone: list[int] = []
    for number, following in pairwise([*matches, len(document.elements)]):
        if following >= document.end[number]:
            alone.append(number)
    return alone


def records_of(
    rows: Sequence[ExtractedRecord], boundary: Boundary
) -> list[ExtractedRecord]:
    """The rows that have the fields that make them records.

    "At least half" is half of what the row with the most of them has.
    """
    counts = [_count_present(row, boundary.half_of) for row in rows]
    most = max(counts, default=0)
    records: list[ExtractedRecord] = []
    for row, count in zip(rows, counts, strict=True):
        has_half = 2 * count >= most
        if has_half and _is_complete(row, boundary):
            records.append(row)
    return records


def _is_complete(row: ExtractedRecord, boundary: Boundary) -> bool:
    """Whether a row has the fields without which it is no record, and any at all."""
    if not row.values:
        return False
    return _count_present(row, boundary.keep_if) == len(boundary.keep_if)


def _count_present(row: ExtractedRecord, names: Iterable[str]) -> int:
    """How many of the named fields have a value."""
    return sum(map(row.values.__contains__, names))


def _distinct_records(
    rows: Sequence[ExtractedRecord],
    boundary: Boundary,
    fields: Iterable[FieldProgram],
) -> list[ExtractedRecord]:
    """The rows that are records, each once if the boundary says so."""
    records = records_of(rows, boundary)
    if not boundary.dedupe:
        return records
    alike = [records]
    for field in fields:
        alike = list(chain.from_iterable(map(partial(_alike, field.spec), alike)))
    again = {id(record) for group in alike for record in group[1:]}
    return [record for record in records if id(record) not in again]


def _alike(
    spec: FieldSpec, records: Iterable[ExtractedRecord]
) -> list[list[ExtractedRecord]]:
    """Those of some records that mean the same in a field as another one of them: of
    most pages one field tells that there are none."""
    groups: defaultdict[str, list[ExtractedRecord]] = defaultdict(list)
    for record in records:
        form = canonical(record.values.get(spec.name), spec)
        groups[repr(form)].append(record)
    return [group for group in groups.values() if len(group) > 1]
