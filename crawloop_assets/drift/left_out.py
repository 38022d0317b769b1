"""Pages of lists against which nothing speaks but rows with a choice that is news: those are no
records until the model has it, and the others are served as on any other page.

What a status says in words of its own is no sign that anything else is read wrongly.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import filterfalse
from operator import itemgetter

from crawloop_assets.drift.check import Finding
from crawloop_assets.drift.confirm import WaitingRows, rows_waiting
from crawloop_assets.drift.kept import KeptRecord, is_of_row
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.refused import RefusedRow, kept_beside


def beside_left_out(
    pages: Iterable[PageOutcome],
    held: Mapping[str, Sequence[Finding]],
    waiting: Mapping[str, WaitingRows],
    refused: Collection[RefusedRow],
) -> dict[str, dict[int, KeptRecord]]:
    """Url -> the records of such pages by position, but for those that wait, with the known
    values of what is refused."""
    beside, found = kept_beside(refused, ()), {}
    for page in filterfalse(partial(_is_in_doubt, held=held), pages):
        rows = dict(enumerate(map(_as_read, page.values))) | beside.get(page.url, {})
        served = rows.keys() - rows_waiting(waiting, page.url)
        found[page.url] = {at: rows[at] for at in sorted(served)}
    return dict(filter(itemgetter(1), found.items()))


def _is_in_doubt(page: PageOutcome, held: Mapping[str, Sequence[Finding]]) -> bool:
    """Whether anything else speaks against a page, or nothing does."""
    is_of_rows = all(map(partial(is_of_row, page=page), held.get(page.url, ())))
    is_sure = all((page.left_out, is_of_rows, page.old_copy is None))
    return any(page.completed) or not is_sure


def _as_read(values: Record) -> KeptRecord:
    """A record of which all is read now."""
    return KeptRecord(values=values, kept=frozenset())
