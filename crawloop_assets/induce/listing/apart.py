"""Rows that are laid out as the records of a list and stand apart from all of them: related
goods below a table, in a table of their own with fewer columns.

Records that are listed by group stand apart, too. But in their rows all readers say what
they say in a known record; in those of another list they contradict each other, or some
are silent, in each row.
"""

from collections.abc import Sequence
from functools import partial

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord
from crawloop_assets.crawler.interpreter import extract_rows, records_of
from crawloop_assets.crawler.program import BoundaryMode, FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.listing.boundary import CandidateBoundary
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.trust import tuned

_MOST = 80
"""Rows that are looked at."""


def strange_rows(program: Program, candidate: CandidateBoundary) -> int:
    """How many rows a program takes for records that stand in another element than all
    known ones and are read otherwise than those, each of them; 0 where few records are
    known, as the others may be in groups of their own."""
    apart = spread_sample(_apart(candidate), _MOST)
    is_known = len(candidate.known) >= tuned("apart.fewest_known")
    rows = extract_rows(program.fields, apart if is_known else ())
    kept = records_of(rows, program.record) if program.record else rows
    are_strange = all(map(partial(_is_strange, program.fields), kept))
    return len(kept) * are_strange


def _is_strange(fields: Sequence[FieldProgram], row: ExtractedRecord) -> bool:
    """Whether readers of a field contradict each other in a row, or fewer of them speak than
    in every known record."""
    return any(map(partial(_is_read_otherwise, row), fields))


def _is_read_otherwise(row: ExtractedRecord, field: FieldProgram) -> bool:
    """The same of one field."""
    vote = row.votes.get(field.spec.name, NO_VOTE)
    return vote.live_readers < field.usual or bool(vote.rivals)


def _apart(candidate: CandidateBoundary) -> list[Scope]:
    """The rows that have no known record beside them; none of JSON, which is no markup."""
    if candidate.boundary.mode is BoundaryMode.JSON:
        return []
    around = frozenset(map(_around, candidate.known.values()))
    return [row for row in candidate.scopes if _around(row) not in around]


def _around(row: Scope) -> int:
    """The element that a row is in."""
    return row.document.parent[row.nodes[0]]
