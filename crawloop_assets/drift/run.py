"""All batches of a run judged together: a rate is a family's, the verdict of a page is
the page's.

A batch of 20 pages may be too small to call what it shows drift, and its twin of 60 is
not. So what the batches of a run counted is summed, and assessed once more by the rules
for one batch. Only counts are summed: what a run of any length needs is a number for
each sign of each field, and the first few numbers that are other ones.

What is no drift in a run may have to wait in it: where more prices changed than on any
day, and no batch was large enough to tell, or where some changed by exactly one ratio.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.assessment import (
    Assessment,
    assess_signs,
    least_failing,
)
from crawloop_assets.drift.changes import has_rows
from crawloop_assets.drift.check import (
    CheckExample,
    CheckModel,
    CheckName,
    CheckResult,
    Severity,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.ratio_signs import (
    MOST_MOVED,
    Moved,
    MovedTally,
    count_alike,
)
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Hit, Tallies, Tally

_NO_PRIOR = EventRate(0.5, 1)
_NEARLY_ALL = 0.999
_MOST_EXAMPLES = 5
_COMMON = 0.6
"""Pages that show a sign more frequent than this are not noted, if it may be usual."""

_WAITING = (Sign.REPRICED, Sign.STRIDE)
"""Signs that are no drift, but hold the pages of one record that show them."""

_SIGNS = {sign.value: sign for sign in Sign}
_FAILING = "failing"
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


class RunVerdict(CheckModel):
    """What the run has against one of its batches: the checks that fail, the pages that
    are held, and why the whole batch is if it is.

    `fields` are those that either is held for, "" for whole records: rows that keep the
    known values of all of them need not be. `drifted`: the batch itself shows what is
    drift in the run.
    """

    batch: str
    run_id: str = ""
    checks: tuple[CheckResult, ...]
    held: frozenset[str]
    hold_all: str | None = None
    fields: frozenset[str] = frozenset()
    drifted: bool = False


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
            failing[f"{_FAILING}:{finding.check}"].add(page)
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
        if tally.sign not in _WAITING or not has_rows(pages[page]):
            yield page


def _is_telling(tally: Tally) -> bool:
    """Whether its pages may be held for it."""
    rule = RULES[tally.sign]
    if tally.sign in _WAITING:
        return True
    if rule.assortment or rule.worst is not Severity.ERROR:
        return False
    return rule.prior is not None or tally.bad <= _COMMON * tally.seen


def _urls(positions: Iterable[int], pages: Sequence[PageOutcome]) -> tuple[str, ...]:
    return tuple(pages[page].url for page in sorted(positions))


@dataclass
class SummedTally(Tally):
    """One sign of one subject in all batches of a run: counted, without its hits.

    `squares` is the sum of hits times their share in their batch, so that the share in
    the batch of a typical hit is known.
    """

    total: int = 0
    shown_by: int = 0
    squares: float = 0.0

    @property
    def bad(self) -> int:
        """Units that showed the sign."""
        return self.total

    @property
    def pages(self) -> set[int]:
        """As many as there were pages that showed it."""
        return set(range(self.shown_by))

    @property
    def typical(self) -> float:
        """The share in its batch of a typical hit."""
        return min(self.squares / self.total, _NEARLY_ALL) if self.total else 0.0

    def count(self, bad: float, seen: float, pages: int) -> None:
        """Add one batch."""
        self.total += int(bad)
        self.seen += int(seen)
        self.shown_by += pages
        self.squares += bad * bad / seen if seen else 0.0


@dataclass
class _Sums:
    """What is known of a run once all its batches were looked at; by version where
    signs are about the crawler."""

    pages: int = 0
    batches: int = 0
    versions: set[int | None] = field(default_factory=set)
    tallies: dict[tuple[str, int | None], SummedTally] = field(default_factory=dict)
    failing: Counter[CheckName] = field(default_factory=Counter)
    moved: defaultdict[str, list[Moved]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, evidence: BatchEvidence) -> None:
        """Count one batch."""
        self.pages += evidence.pages
        self.batches += 1
        self.versions.add(evidence.version)
        for name, (bad, seen) in evidence.rates.items():
            key = _key(name, evidence.version)
            if key is None or name.startswith(Sign.EXACTLY):
                continue
            if key not in self.tallies:
                sign, _, subject = name.partition(":")
                self.tallies[key] = SummedTally(Sign(sign), subject)
            self.tallies[key].count(bad, seen, len(evidence.shown.get(name, ())))
        for check in CheckName:
            self.failing[check] += len(evidence.shown.get(f"{_FAILING}:{check}", ()))
        for name, moved in evidence.moved.items():
            known = self.moved[name]
            known += moved[: max(0, MOST_MOVED - len(known))]


def _key(name: str, version: int | None) -> tuple[str, int | None] | None:
    """What a sign is summed under, None for one that is no longer counted."""
    sign = _SIGNS.get(name.partition(":")[0])
    if sign is None:
        return None
    return name, version if RULES[sign].per_version else None


class _RunDrift(NamedTuple):
    """A sign that is drift in the run, and how frequent it is when nothing is wrong
    (`usual`) and in a batch that has it (`typical`); `ratios` has numbers whose ratio is
    that of too many, if it is about those."""

    name: str
    version: int | None
    assessment: Assessment
    usual: float = 0.0
    typical: float = 0.0
    ratios: Sequence[Moved] = ()

    def shown_by(self, evidence: BatchEvidence) -> tuple[str, ...]:
        """The urls of a batch that show it; none of a batch that another version
        read."""
        if self.ratios:
            moved = evidence.moved.get(self.assessment.subject, ())
            return tuple(one.url for one in moved if one.has_ratio_of(self.ratios))
        if _key(self.name, evidence.version) != (self.name, self.version):
            return ()
        return evidence.shown.get(self.name, ())


def judge_run(
    batches: Callable[[], Iterable[BatchEvidence]], history: Sequence[BatchStats]
) -> list[RunVerdict]:
    """What the run as a whole has against single batches, in their order.

    `batches` gives what each counted; it is asked for twice, so that nothing but sums
    need be kept. `history` are the statistics of earlier refreshes. A run of one batch
    is judged by its batch.
    """
    sums = _Sums()
    for evidence in batches():
        sums.add(evidence)
    if sums.batches < 2:
        return []
    drifts = [*_sign_drifts(sums, history), *_exactly_alike(sums, history)]
    failing = list(_failing_drifts(sums))
    if not drifts and not failing:
        return []
    verdicts = (_verdict_of(evidence, drifts, failing) for evidence in batches())
    return [verdict for verdict in verdicts if verdict is not None]


def _sign_drifts(sums: _Sums, history: Sequence[BatchStats]) -> Iterator[_RunDrift]:
    """The signs that are drift in the run; those about the crawler for each version."""
    for version in {None, *sums.versions}:
        norms = Norms(history, version=version)
        tallies, of_version = Tallies(), {}
        for (name, about), tally in sums.tallies.items():
            if about == version and _is_unusual(tally, norms):
                tallies.put(tally)
                of_version[tally.sign, tally.subject] = tally, name
        for found in assess_signs(tallies, sums.pages, norms):
            waits = found.holds and found.sign in _WAITING
            if (found.is_drift or waits) and found.sign is not None:
                tally, name = of_version[found.sign, found.subject]
                usual = _usual(tally, norms)
                yield _RunDrift(name, version, found, usual, tally.typical)


def _exactly_alike(sums: _Sums, history: Sequence[BatchStats]) -> Iterator[_RunDrift]:
    """The fields of which numbers changed by exactly one ratio, more than usual: also
    where each batch has one of them."""
    norms = Norms(history)
    for name, moved in sums.moved.items():
        tallies = Tallies()
        tally = count_alike(name, moved, list(map(Hit, range(len(moved)))))
        tallies.put(tally)
        ratios = [moved[at] for at, others in tally.others.items() if others > 1]
        for found in assess_signs(tallies, sums.pages, norms):
            if found.holds and ratios:
                yield _RunDrift(tally.name, None, found, ratios=ratios)


def _is_unusual(tally: SummedTally, norms: Norms) -> bool:
    """Whether two pages or more show it, and it is more frequent than in history: what
    is not costs no statistics."""
    known, _ = norms.rate(tally.sign, tally.subject, tally.seen)
    return tally.shown_by >= 2 and tally.bad > known.share * tally.seen


def _usual(tally: Tally, norms: Norms) -> float:
    """The share that a healthy batch is believed to have."""
    known, _ = norms.rate(tally.sign, tally.subject, tally.seen)
    prior = RULES[tally.sign].prior or _NO_PRIOR
    return (known.bad + prior.bad) / (known.seen + prior.seen)


def _failing_drifts(sums: _Sums) -> Iterator[Assessment]:
    """The checks that too many pages of the run fail by themselves."""
    for check, pages in sums.failing.items():
        share, least = pages / max(sums.pages, 1), least_failing(check)
        if pages >= 2 and share >= least:
            yield Assessment(
                check=check,
                passed=False,
                severity=Severity.ERROR,
                observed=share,
                threshold=least,
                sentence=f"{pages} of {sums.pages} pages fail by themselves",
            )


def _verdict_of(
    evidence: BatchEvidence, drifts: Sequence[_RunDrift], failing: Sequence[Assessment]
) -> RunVerdict | None:
    """What the run has against a batch, None if the batch shows nothing of it."""
    results: list[CheckResult] = []
    held: set[str] = set()
    fields: set[str] = set()
    hold_all: str | None = None
    for drift in drifts:
        urls = drift.shown_by(evidence)
        if not urls:
            continue
        is_of_it = drift.assessment.is_drift and _shows_drift(
            evidence.rates[drift.name], drift
        )
        results.append(_result(drift.assessment, urls, is_drift=is_of_it))
        fields.add(drift.assessment.subject)
        if is_of_it and drift.assessment.holds_all:
            hold_all = hold_all or drift.assessment.sentence
        if drift.assessment.holds:
            held.update(urls)
    for share in failing:
        urls = evidence.shown.get(f"{_FAILING}:{share.check}", ())
        if urls and len(urls) >= share.threshold * evidence.pages:
            results.append(_result(share, urls, is_drift=True))
    if not results:
        return None
    return RunVerdict(
        batch=evidence.batch,
        run_id=evidence.run_id,
        checks=_one_of_each(results),
        held=frozenset(held),
        hold_all=hold_all,
        fields=frozenset(fields),
        drifted=any(map(attrgetter("is_drift"), results)),
    )


def _one_of_each(results: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
    """Of several results of a check the first that is drift, else the first."""
    found: dict[CheckName, CheckResult] = {}
    for result in sorted(results, key=lambda one: not one.is_drift):
        found.setdefault(result.name, result)
    return tuple(found.values())


def _shows_drift(rate: tuple[float, float], drift: _RunDrift) -> bool:
    """Whether the counts of a batch are likelier in a batch that has the drift than in
    one that has not, and shows a few of what always happens."""
    bad, seen = rate
    usual, typical = drift.usual, drift.typical
    if usual >= typical:
        return False
    clean = log((1 - typical) / (1 - usual))
    return bad * log(typical / usual) + (seen - bad) * clean > 0


def _result(assessment: Assessment, urls: Sequence[str], is_drift: bool) -> CheckResult:
    """The check of a batch that fails because of its run."""
    examples = [
        CheckExample(url=url, field=assessment.subject) for url in urls[:_MOST_EXAMPLES]
    ]
    return CheckResult(
        name=assessment.check,
        passed=False,
        severity=Severity.ERROR if is_drift else Severity.WARN,
        observed=assessment.observed,
        threshold=assessment.threshold,
        sentence=f"in all batches of the run: {assessment.sentence}",
        examples=tuple(examples),
    )
