"""What one batch tells of its run: counts, and the pages that show what may be drift, or
may have to wait, in all of it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from crawloop_assets.drift.changes import has_rows
from crawloop_assets.drift.check import CheckModel, Severity
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.ratio_signs import Moved, MovedTally
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Tallies, Tally

_COMMON = 0.6
"""Pages that show a sign more frequent than this are not noted, if it may be usual."""

RUN_WAITING = (Sign.REPRICED, Sign.STRIDE, Sign.ROUNDED)
"""Signs that are no drift, but hold the pages of one record that show them."""

FAILING = "failing"
"""Name of what a check has against pages by themselves: `failing:schema`."""


class BatchEvidence(CheckModel):
    """What one batch tells of its run.

    `rates` are as in `BatchStats`, of all judged pages; `shown` maps a sign, or
    `failing:check`, to the urls of the pages that show it; `moved` has by field the
    numbers that are other ones.
    """

    batch: str = ""
    run_id: str = ""
    version: int | None = None
    pages: int = 0
    rates: Mapping[str, tuple[float, float]] = {}
    shown: Mapping[str, tuple[str, ...]] = {}
    moved: Mapping[str, tuple[Moved, ...]] = {}


def batch_evidence(
    tallies: Tallies,
    pages: Sequence[PageOutcome],
    *,
    batch: str,
    version: int | None,
) -> BatchEvidence:
    """What the signs counted on the judged pages of a batch tell of its run."""
    shown: dict[str, tuple[str, ...]] = {}
    moved: dict[str, tuple[Moved, ...]] = {}
    for tally in tallies:
        if isinstance(tally, MovedTally):
            moved[tally.subject] = tuple(tally.moved)
        elif tally.bad and _is_telling(tally):
            shown[tally.name] = _urls(_telling_pages(tally, pages), pages)
    failing: defaultdict[str, set[int]] = defaultdict(set)
    for page, outcome in enumerate(pages):
        for finding in outcome.errors:
            failing[f"{FAILING}:{finding.check}"].add(page)
    for name, positions in failing.items():
        shown[name] = _urls(positions, pages)
    return BatchEvidence(
        batch=batch,
        version=version,
        pages=len(pages),
        rates={tally.name: (tally.bad, tally.seen) for tally in tallies},
        shown=shown,
        moved=moved,
    )


def _telling_pages(tally: Tally, pages: Sequence[PageOutcome]) -> Iterator[int]:
    """The pages that show a sign; of one that only waits those of one record: of a list
    the run would hold all rows for one."""
    for page in tally.pages:
        if tally.sign not in RUN_WAITING or not has_rows(pages[page]):
            yield page


def _is_telling(tally: Tally) -> bool:
    """Whether its pages may be held for it."""
    rule = RULES[tally.sign]
    if tally.sign in RUN_WAITING:
        return True
    if rule.assortment or rule.worst is not Severity.ERROR:
        return False
    return rule.prior is not None or tally.bad <= _COMMON * tally.seen


def _urls(positions: Iterable[int], pages: Sequence[PageOutcome]) -> tuple[str, ...]:
    return tuple(pages[page].url for page in sorted(positions))
