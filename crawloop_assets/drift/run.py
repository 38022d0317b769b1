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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import filterfalse, islice
from math import log
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.assessment import (
    Assessment,
    assess_signs,
    least_failing,
)
from crawloop_assets.drift.batch_evidence import (
    FAILING,
    RUN_WAITING,
    BatchEvidence,
)
from crawloop_assets.drift.check import (
    CheckExample,
    CheckModel,
    CheckName,
    CheckResult,
    Severity,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.ratio_signs import (
    MOST_MOVED,
    Moved,
    are_many,
    count_alike,
    count_exchanged,
    count_lent,
)
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.values.present import present

_NO_PRIOR = EventRate(0.5, 1)
_NEARLY_ALL = 0.999
_MOST_EXAMPLES = 5
_SIGNS = {sign.value: sign for sign in Sign}


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
    sales: defaultdict[str, list[Moved]] = field(
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
            self.failing[check] += len(evidence.shown.get(f"{FAILING}:{check}", ()))
        for name, moved in evidence.moved.items():
            # So many sales on one day leave room for what is none.
            for known, those in ((self.moved, filterfalse), (self.sales, filter)):
                left = MOST_MOVED - len(known[name])
                known[name] += islice(those(attrgetter("is_sale"), moved), left)

    def repriced(self, subject: str) -> int:
        """How many numbers of a field are other ones."""
        none = SummedTally(Sign.REPRICED, subject)
        return self.tallies.get((none.name, None), none).bad


def _key(name: str, version: int | None) -> tuple[str, int | None] | None:
    """What a sign is summed under, None for one that is no longer counted."""
    sign = _SIGNS.get(name.partition(":")[0])
    if sign is None:
        return None
    return name, version if RULES[sign].per_version else None


def _is_any(one: Moved) -> bool:
    """What misled some numbers may have misled all that are more than a sale."""
    return not one.is_sale_only


def _is_none(_: Moved) -> bool:
    """The batches know themselves which pages show it."""
    return False


class _RunDrift(NamedTuple):
    """A sign that is drift in the run, and how frequent it is when nothing is wrong
    (`usual`) and in a batch that has it (`typical`); `is_of` tells of a number that
    changed whether it is one of those, where that is known of the run only."""

    name: str
    version: int | None
    assessment: Assessment
    usual: float = 0.0
    typical: float = 0.0
    is_of: Callable[[Moved], bool] = _is_none

    def shown_by(self, evidence: BatchEvidence) -> tuple[str, ...]:
        """The urls of a batch that show it; none of a batch that another version
        read."""
        if _key(self.name, evidence.version) != (self.name, self.version):
            return ()
        own = evidence.shown.get(self.name, ())
        moved = filter(self.is_of, evidence.moved.get(self.assessment.subject, ()))
        return tuple(dict.fromkeys((*own, *map(attrgetter("url"), moved))))


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
    drifts = [*_sign_drifts(sums, history), *_moved_together(sums, history)]
    failing = list(_failing_drifts(sums))
    if not drifts and not failing:
        return []
    verdicts = (_verdict_of(evidence, drifts, failing) for evidence in batches())
    return present(verdicts)


def _sign_drifts(sums: _Sums, history: Sequence[BatchStats]) -> Iterator[_RunDrift]:
    """The signs that are drift in the run; those about the crawler for each version."""
    for version in {None, *sums.versions}:
        yield from _sign_drifts_of(version, sums, Norms(history, version=version))


def _sign_drifts_of(
    version: int | None, sums: _Sums, norms: Norms
) -> Iterator[_RunDrift]:
    """The signs that are drift in what one version read in the run; of None, those that
    are about no version."""
    tallies, of_version = Tallies(), {}
    for (name, about), tally in sums.tallies.items():
        if about == version and _is_unusual(tally, norms):
            tallies.put(tally)
            of_version[tally.sign, tally.subject] = tally, name
    for found in assess_signs(tallies, sums.pages, norms):
        waits = found.holds and found.sign in RUN_WAITING
        if (found.is_drift or waits) and found.sign is not None:
            tally, name = of_version[found.sign, found.subject]
            usual = _usual(tally, norms)
            of_all = waits and are_many(tally.bad, sums.repriced(found.subject))
            is_of = _is_any if of_all else _is_none
            yield _RunDrift(name, version, found, usual, tally.typical, is_of)


def _moved_together(sums: _Sums, history: Sequence[BatchStats]) -> Iterator[_RunDrift]:
    """The fields of which numbers changed by exactly one ratio, more than usual, or were
    exchanged: also where each batch has one of them."""
    norms = Norms(history)
    for name, news in sums.moved.items():
        moved = [*news, *sums.sales[name]]
        tallies, of_sign = Tallies(), dict[Sign | None, list[Moved]]()
        for tally in (count_exchanged(name, moved), count_lent(name, moved)):
            tallies.put(tally)
            of_sign[tally.sign] = [moved[hit.page] for hit in tally.hits]
        alike = count_alike(name, news, list(map(Hit, range(len(news)))))
        tallies.put(alike)
        ratios = [news[at] for at, others in alike.others.items() if others > 1]
        for found in assess_signs(tallies, sums.pages, norms):
            if found.holds and found.sign in of_sign:
                is_of: Callable[[Moved], bool] = of_sign[found.sign].__contains__
                yield _RunDrift(f"{found.sign}:{name}", None, found, is_of=is_of)
            elif found.holds and ratios:
                are_all = are_many(len(ratios), len(news))
                is_of = _is_any if are_all else partial(_has_ratio_of, ratios)
                yield _RunDrift(alike.name, None, found, is_of=is_of)


def _has_ratio_of(others: Sequence[Moved], one: Moved) -> bool:
    """Whether a number changed by the ratio of one of some others."""
    return one.has_ratio_of(others)


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
        urls = evidence.shown.get(f"{FAILING}:{share.check}", ())
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
