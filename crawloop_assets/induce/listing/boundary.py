"""Record boundaries of a listing: from a few known records to selectors that match
every record of the page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import Boundary, BoundaryMode
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.known_records import (
    LocatedRecord,
    RecordValues,
    locate,
)
from crawloop_assets.induce.listing.looks import Look
from crawloop_assets.induce.listing.occurrences import Occurrence, Occurrences
from crawloop_assets.induce.listing.out_of_step import are_out_of_step
from crawloop_assets.induce.listing.record_elements import (
    RecordNodes,
    cells_held,
    cells_inside,
    is_one_of_several,
    record_levels,
    run_starts,
)
from crawloop_assets.induce.listing.record_selectors import (
    RecordSelector,
    inner_heads,
    record_heads,
    record_selectors,
)
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import RecordSchema

_MOST_RUNS = 2
_MOST_SELECTORS = 3
_MATCHES_LOOKED_AT = 300


@dataclass(frozen=True)
class CandidateBoundary:
    """A boundary, the scope it gives each known record it reaches, how many known cells
    those scopes hold, and how many of all its matches look like known records."""

    boundary: Boundary
    known: Mapping[int, Scope]
    scopes: tuple[Scope, ...]
    covered: int
    alike: int
    prior: float


class _Selected(NamedTuple):
    """A selector, where it ranks (least first), and how many of its matches look like
    known records."""

    rank: tuple[float, ...]
    selector: RecordSelector
    alike: int


def boundaries(
    schema: RecordSchema, occurrences: Occurrences, records: Sequence[RecordValues]
) -> list[CandidateBoundary]:
    """Candidate boundaries for the known records of one page, most promising first."""
    located = locate(schema, occurrences, records)
    if not located:
        return []
    document = occurrences.document
    levels = record_levels(document, located)
    found: list[CandidateBoundary] = []
    inside = 0
    for nodes in levels:
        if len(located) > 1 or is_one_of_several(document, *nodes.values()):
            inside = max(inside, cells_inside(document, nodes, located))
        found += _candidates(document, BoundaryMode.NODES, nodes, located)
    found += _runs(document, located, inside)
    # Of those that find the same records, the first is kept.
    distinct = {_found_by(candidate): candidate for candidate in reversed(found)}
    return sorted(_without_frames(list(distinct.values())), key=_promise)


def _without_frames(found: Sequence[CandidateBoundary]) -> list[CandidateBoundary]:
    """Boundaries but those of whole lists: where one record alone is known, what is around
    all rows holds it as well as its own row does."""
    return [one for one in found if not _is_frame(one, found)]


def _is_frame(one: CandidateBoundary, found: Sequence[CandidateBoundary]) -> bool:
    """Whether a boundary is around the rows of another one."""
    return any(map(partial(_frames, one), found))


def _frames(frame: CandidateBoundary, row: CandidateBoundary) -> bool:
    """Whether the scope of the one known record has several rows in it of a boundary that
    holds most of the record, its own row among them: the rest may stand in a heading."""
    least = tuned("boundary.own_cells") * frame.covered
    if len(frame.known) != 1 or row.covered < least:
        return False
    (around,) = frame.known.values()
    is_within = partial(_is_in, around)
    return any(map(is_within, row.known.values())) and (
        sum(map(is_within, row.scopes)) > 1
    )


def _is_in(scope: Scope, other: Scope) -> bool:
    """Whether a scope begins inside another one."""
    last = scope.nodes[-1]
    return scope.nodes[0] < other.nodes[0] < scope.document.end[last]


def _found_by(candidate: CandidateBoundary) -> tuple[BoundaryMode, tuple[int, ...]]:
    """What a boundary finds, whatever its selector: the first element of each record, and
    whether a record is that element only or goes on behind it."""
    starts = tuple(scope.nodes[0] for scope in candidate.scopes)
    return candidate.boundary.mode, starts


def candidates_for(document: Document, nodes: RecordNodes) -> list[CandidateBoundary]:
    """Boundaries for records whose elements are known, by record."""
    located = [LocatedRecord(record, {}, node) for record, node in nodes.items()]
    return _candidates(document, BoundaryMode.NODES, nodes, located)


def _promise(candidate: CandidateBoundary) -> tuple[float, ...]:
    """Sorts the most promising first."""
    return (
        -candidate.covered,
        -len(candidate.known),
        -candidate.alike,
        -candidate.prior,
        len(candidate.boundary.at),
    )


def _runs(
    document: Document, located: Sequence[LocatedRecord], inside: int
) -> Iterator[CandidateBoundary]:
    """Boundaries of records that spread over siblings, where those hold more of the
    known cells than the `inside` of single elements."""
    quick: list[tuple[RecordNodes, CandidateBoundary]] = []
    for nodes in run_starts(document, located):
        candidates = filter(_is_in_step, _quick_runs(document, nodes, located))
        quick += [(nodes, one) for one in candidates if one.covered > inside]
    rows = list(map(itemgetter(1), quick))
    tight = [run for run in quick if not _is_frame(run[1], rows)]
    tight.sort(key=lambda run: _promise(run[1]))
    for nodes, candidate in tight[:_MOST_RUNS]:
        yield candidate
        found = _candidates(document, BoundaryMode.RUN, nodes, located)
        yield from filter(_is_in_step, found)


def _is_in_step(run: CandidateBoundary) -> bool:
    """Whether runs begin where records do, as far as one record alone does not say it."""
    return len(run.known) > 1 or not are_out_of_step(run.scopes)


def _quick_runs(
    document: Document, nodes: RecordNodes, located: Sequence[LocatedRecord]
) -> Iterator[CandidateBoundary]:
    """Run candidates from the plainest selectors."""
    wanted = sorted(set(nodes.values()))
    for head in [*record_heads(document, wanted), *inner_heads(document, wanted)]:
        candidate = _candidate(document, BoundaryMode.RUN, nodes, located, head)
        if len(candidate.known) >= tuned("boundary.least_hit") * len(nodes):
            yield candidate


def _candidates(
    document: Document,
    mode: BoundaryMode,
    nodes: RecordNodes,
    located: Sequence[LocatedRecord],
) -> list[CandidateBoundary]:
    """Boundaries that reach the known record elements, best first: many alike, few
    others, short."""
    found = sorted(_selected(document, mode, sorted(set(nodes.values()))))
    candidates = []
    for _, selector, alike in found[:_MOST_SELECTORS]:
        candidate = _candidate(document, mode, nodes, located, selector)
        candidates.append(replace(candidate, alike=alike))
    return candidates


def _selected(
    document: Document, mode: BoundaryMode, wanted: Sequence[int]
) -> Iterator[_Selected]:
    """Selectors that match most of the wanted elements, one for the same matches."""
    look = Look.of(document, wanted)
    selectors = list(record_selectors(document, wanted))
    if mode is BoundaryMode.RUN:
        selectors += inner_heads(document, wanted)
    seen: set[tuple[int, ...]] = set()
    for selector in selectors:
        places = scopes(document, Boundary(mode=mode, at=selector.at))
        matched = tuple(scope.nodes[0] for scope in places)
        hit = len(set(matched) & set(wanted)) / len(wanted)
        if hit < tuned("boundary.least_hit") or matched in seen:
            continue
        seen.add(matched)
        share = _share_alike(document, look, matched)
        yield _ranked(selector, hit, share, len(matched))


def _ranked(
    selector: RecordSelector, hit: float, share: float, matches: int
) -> _Selected:
    """A selector with its rank, lower is better: first the share of the wanted elements
    that it matches, then what its matches are worth, of which a `share` looks alike."""
    alike = round(share * matches)
    worth = alike - tuned("boundary.stranger_cost") * (matches - alike)
    rank = (
        -round(hit, 3),
        -round(worth),
        -round(share, 2),
        -selector.prior,
        len(selector.at),
    )
    return _Selected(rank, selector, alike)


def _share_alike(document: Document, look: Look, matched: Sequence[int]) -> float:
    """Share of the matches, 0..1, that look like known records."""
    looked = spread_sample(matched, _MATCHES_LOOKED_AT)
    return sum(look.fits(document, number) for number in looked) / len(looked)


def _candidate(
    document: Document,
    mode: BoundaryMode,
    nodes: RecordNodes,
    located: Sequence[LocatedRecord],
    selector: RecordSelector,
) -> CandidateBoundary:
    """The boundary that a selector gives, and how it does on the known records: a scope
    that two of them share costs it twice what a known cell brings."""
    boundary = Boundary(mode=mode, at=selector.at)
    places = tuple(scopes(document, boundary))
    by_start = {scope.nodes[0]: scope for scope in places}
    known: dict[int, Scope] = {}
    for record, node in nodes.items():
        if node in by_start:
            known[record] = by_start[node]
    covered = _covered(known, located) - 2 * _shared(known, located)
    return CandidateBoundary(
        boundary, known, places, covered, len(places), selector.prior
    )


def _covered(known: Mapping[int, Scope], located: Sequence[LocatedRecord]) -> int:
    """How many known cells are inside their record's scope."""
    return cells_held(known, located, _holds)


def _shared(known: Mapping[int, Scope], located: Sequence[LocatedRecord]) -> int:
    """How many scopes hold another known record too: the boundary takes too much."""
    count = 0
    for record, scope in known.items():
        count += any(_holds_other(scope, record, other) for other in located)
    return count


def _holds_other(scope: Scope, record: int, other: LocatedRecord) -> bool:
    """Whether the scope of a record holds the anchor of another."""
    if other.record == record:
        return False
    return _holds(scope, Occurrence(other.anchor))


def _holds(scope: Scope, place: Occurrence) -> bool:
    """Whether a value is inside a scope, or in the text right after its last
    element."""
    document = scope.document
    first, last = scope.nodes[0], scope.nodes[-1]
    if place.is_in_attribute:
        return first <= place.number < document.end[last]
    stop = document.last_piece[last]
    while stop < len(document.pieces) and document.pieces[stop].owner in (last, -1):
        stop += 1
    return document.first_piece[first] <= place.first and place.last < stop
