"""Checks of a batch: is what was read of these pages what this family's pages give?

Every check answers for every batch with a number, a threshold, a plain sentence and up
to five examples. Only `error` results are drift. Pages that show a failed sign are
held; an error about values whose pages cannot all be told apart holds the whole batch.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.drift.check import (
    CheckExample,
    CheckModel,
    CheckName,
    CheckResult,
    Finding,
    Severity,
    show,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.observe import count_pages, count_records, count_votes
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.paired import count_pairs
from crawloop_assets.drift.rates import ALPHA_ERROR, Rate, binomial_lower, chance, limit
from crawloop_assets.drift.signs import RULES, Sign
from crawloop_assets.drift.spread import Shift, shifts
from crawloop_assets.drift.stats import stats_of
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.schema import RecordSchema

_COMMON = 0.6
_CHRONIC = 0.25
_FAILING = 0.05
_SPLIT = 0.3
_DECLARED = 1e-3
_UNLIKE = 0.10
_NO_PRIOR = Rate(0.5, 1)
_LEAST_UNITS = 20
_JUDGED = (Verdict.OK, Verdict.DRIFT)
_EXPECTED = (Verdict.GONE, Verdict.NOT_ALLOWED)


class BatchJudgement(CheckModel):
    """The nine results, the pages held (url -> why), the reason to hold the whole batch
    if there is one, and what the batch teaches.

    `drifted`: a check found drift, or half of the pages are held for what was read of
    them. On few pages no check may be sure enough to call it drift, but a batch that
    publishes little needs healing, and teaches nothing.
    """

    checks: tuple[CheckResult, ...]
    held: dict[str, tuple[Finding, ...]]
    hold_all: str | None
    stats: BatchStats
    drifted: bool = False


class Judged(NamedTuple):
    """One thing a check looked at.

    `weight` orders them: the worst is what the check reports.
    """

    check: CheckName
    passed: bool
    severity: Severity
    observed: float
    threshold: float
    sentence: str
    hits: tuple[Hit, ...] = ()
    subject: str = ""
    weight: float = 0.0
    holds: bool = False
    holds_all: bool = False


def judge_batch(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    history: Sequence[BatchStats] = (),
    *,
    batch: str = "",
) -> BatchJudgement:
    """Judge all pages of a batch together.

    `history` are the statistics of earlier batches of the family, oldest first, `batch`
    the key of this one (so that its own past weighs more than the family's). Pages
    whose verdict is neither ok nor drift are only counted.
    """
    versions = Counter(
        outcome.version for outcome in outcomes if outcome.version is not None
    )
    version = max(versions, key=lambda key: (versions[key], key)) if versions else None
    norms = Norms(history, batch, version)
    foreign = _foreign(outcomes, norms)
    pages = [
        _settled(outcome, norms)
        for at, outcome in enumerate(outcomes)
        if outcome.verdict in _JUDGED and at not in foreign
    ]
    tallies = Tallies()
    count_pages(family, pages, norms, tallies)
    count_votes(schema, family, pages, norms, tallies)
    count_records(schema, family, pages, norms, tallies)
    count_pairs(schema, family, pages, norms, tallies)
    stats = stats_of(schema, outcomes, pages, tallies, batch=batch, version=version)
    judged = [
        *_pages(outcomes, foreign, norms),
        *_hard(pages, norms),
        *_declared(family, pages),
        *(
            _sign(tally, len(pages), norms)
            for tally in tallies
            if not _came_and_went(tally, tallies, norms)
        ),
        *(_moved(shift) for shift in shifts(schema, stats, norms)),
    ]
    checks = tuple(
        _result(
            name,
            [item for item in judged if item.check is name],
            outcomes if name is CheckName.PAGES else pages,
            norms,
        )
        for name in CheckName
    )
    held = _held(pages, judged)
    drifted = any(check.is_drift for check in checks) or len(held) * 2 >= len(pages) > 0
    for at in foreign:
        outcome = outcomes[at]
        message = f"the text is in {outcome.facts.spoken if outcome.facts else '?'!r}, unlike the family's pages"
        finding = Finding(
            check=CheckName.PAGES, severity=Severity.WARN, message=message
        )
        held[outcome.url] = (*held.get(outcome.url, ()), finding)
    reasons = [
        item.sentence
        for item in judged
        if item.holds_all and not item.passed and item.severity is Severity.ERROR
    ]
    return BatchJudgement(
        checks=checks,
        held=held,
        hold_all=reasons[0] if reasons else None,
        stats=stats.model_copy(update={"drifted": drifted}),
        drifted=drifted,
    )


def _settled(outcome: PageOutcome, norms: Norms) -> PageOutcome:
    """With a finding if the crawler gave nothing, without complaints that its readers
    always give rise to."""
    findings = tuple(
        finding for finding in outcome.findings if not _is_chronic(finding, norms)
    )
    if (
        outcome.extraction is None
        and not outcome.values
        and not any(finding.severity is Severity.ERROR for finding in findings)
    ):
        message = "the crawler gave no answer for this page"
        findings = (
            *findings,
            Finding(check=CheckName.SCHEMA, severity=Severity.ERROR, message=message),
        )
    return (
        outcome
        if findings == outcome.findings
        else outcome.model_copy(update={"findings": findings})
    )


def _is_chronic(finding: Finding, norms: Norms) -> bool:
    if finding.check is not CheckName.VOTES:
        return False
    known, _ = norms.rate(Sign.DISAGREE, finding.field, 0)
    return known.seen >= _LEAST_UNITS and known.share > _CHRONIC


def _foreign(outcomes: Sequence[PageOutcome], norms: Norms) -> set[int]:
    """Pages in another language than (nearly) the whole family is in: another page
    kind, not drift."""
    usual = norms.usual("spoken")
    return {
        at
        for at, outcome in enumerate(outcomes)
        if usual
        and outcome.verdict in _JUDGED
        and outcome.facts
        and outcome.facts.spoken not in ("", usual)
    }


def _pages(
    outcomes: Sequence[PageOutcome], foreign: set[int], norms: Norms
) -> Iterator[Judged]:
    """Page kinds.

    A warning for a person: neither healing nor a model can do anything about them.
    """
    asked = [
        (at, outcome)
        for at, outcome in enumerate(outcomes)
        if outcome.verdict not in _EXPECTED
    ]
    if not asked:
        return
    kinds = Counter(
        outcome.verdict.value for at, outcome in asked if outcome.verdict not in _JUDGED
    )
    if foreign:
        kinds[Verdict.WRONG_LANGUAGE.value] += len(foreign)
    share, count = sum(kinds.values()) / len(asked), sum(kinds.values())
    passed = not (count == len(asked) or (count >= 2 and share >= _UNLIKE))
    listed = (
        ", ".join(f"{number} {kind}" for kind, number in kinds.most_common()) or "none"
    )
    sentence = f"{count} of {len(asked)} pages are not the wanted page ({listed})"
    hits = tuple(
        Hit(at, "ok", outcome.verdict)
        for at, outcome in asked
        if outcome.verdict not in _JUDGED
    )
    yield Judged(
        CheckName.PAGES,
        passed,
        Severity.WARN,
        share,
        _UNLIKE,
        sentence,
        hits,
        weight=share,
    )


def _hard(pages: Sequence[PageOutcome], norms: Norms) -> Iterator[Judged]:
    """Pages that fail by themselves: invalid records, missing required fields, wrong
    count, crawler faults, votes."""
    for check in CheckName:
        failing = [
            Hit(at, finding.expected, finding.got or finding.message)
            for at, outcome in enumerate(pages)
            for finding in outcome.findings
            if finding.check is check and finding.severity is Severity.ERROR
        ]
        bad = len({hit.page for hit in failing})
        if not pages or (bad == 0 and check not in (CheckName.SCHEMA, CheckName.COUNT)):
            continue
        share = bad / len(pages)
        least = _SPLIT if check in (CheckName.VOTES, CheckName.COVERAGE) else _FAILING
        is_drift = bad == len(pages) or (bad >= 2 and share >= least)
        severity = Severity.ERROR if is_drift else Severity.WARN
        message = next(
            (f.message for page in pages for f in page.findings if f.check is check), ""
        )
        sentence = f"{bad} of {len(pages)} pages fail by themselves" + (
            f", for example: {message}" if bad else ""
        )
        hits = tuple(failing)
        yield Judged(
            check, bad == 0, severity, share, least, sentence, hits, weight=1 + share
        )


def _declared(family: Family, pages: Sequence[PageOutcome]) -> Iterator[Judged]:
    """Coverage the family file asks for, over all records read; few records are allowed
    for by the binomial tail."""
    read = [
        (at, one.values)
        for at, page in enumerate(pages)
        if page.extraction
        for one in page.extraction.records
    ]
    for name, least in family.drift.coverage.items() if read else ():
        empty = tuple(
            Hit(at, "a value", "nothing")
            for at, values in read
            if values.get(name) in EMPTY
        )
        filled = len(read) - len(empty)
        share = filled / len(read)
        passed = share >= least or binomial_lower(filled, len(read), least) > _DECLARED
        sentence = (
            f"{name} is filled in {filled} of {len(read)} records, {least:.0%} declared"
        )
        yield Judged(
            CheckName.COVERAGE, passed, Severity.ERROR, 1 - share, 1 - least, sentence, empty, name,
            weight=0.0 if passed else 2.0, holds_all=True,
        )  # fmt: skip


def _sign(tally: Tally, pages: int, norms: Norms) -> Judged:
    """One sign against history."""
    rule = RULES[tally.sign]
    known, may_be_drift = norms.rate(tally.sign, tally.subject, tally.seen)
    enough = rule.prior is not None or known.seen >= _LEAST_UNITS
    says = rule.says.format(subject=tally.subject)
    share = tally.bad / tally.seen
    if not enough:
        sentence = f"not enough history to judge whether {says} too often ({tally.bad} of {tally.seen} now)"
        return Judged(rule.check, True, rule.worst, share, 1.0, sentence, weight=-1.0)
    prior = rule.prior or _NO_PRIOR
    p = chance(tally.bad, tally.seen, known, prior) if known.share <= _COMMON else 1.0
    allowed = (
        limit(tally.seen, known, prior, rule.alpha) if known.share <= _COMMON else 1.0
    )
    passed = p > rule.alpha or share < min(2 * known.share, (1 + known.share) / 2)
    alone = pages > 1 and len(tally.pages) < 2
    is_error = (
        p <= ALPHA_ERROR and may_be_drift and not alone and rule.worst is Severity.ERROR
    )
    severity = Severity.ERROR if is_error else Severity.WARN
    note = (
        f"up to {min(allowed, 1.0):.0%} is no alarm"
        if passed
        else f"chance of a false alarm {p:.0e}"
    )
    sentence = (
        f"{says}: {tally.bad} of {tally.seen}, usually {known.share:.1%} ({note})"
    )
    return Judged(
        rule.check, passed, severity, share, min(allowed, 1.0), sentence, tuple(tally.hits), tally.subject,
        weight=0.0 if passed else 1 - p + (severity is Severity.ERROR),
        holds=rule.holds and not passed, holds_all=rule.holds_all,
    )  # fmt: skip


def _came_and_went(tally: Tally, tallies: Tallies, norms: Norms) -> bool:
    """A volatile field is gone from known records, but it was missing as often before:
    a sale is over."""
    if tally.sign is not Sign.VANISHED:
        return False
    now, before = (
        tallies.get(Sign.SCARCE, tally.subject),
        norms.most(Sign.SCARCE, tally.subject),
    )
    return now is None or before is None or now.rate.share <= before + 0.02


def _moved(shift: Shift) -> Judged:
    what = "the size" if shift.kind == "numbers" else "the length"
    past = "before" if shift.own else "in the family's other batches"
    sentence = f"{what} of {shift.field} is off by a factor {shift.factor:.1f} from {past} (z {shift.z:.1f})"
    severity = Severity.ERROR if shift.own else Severity.WARN
    return Judged(
        CheckName.DISTRIBUTION, not shift.failed, severity, shift.factor, shift.limit, sentence, subject=shift.field,
        weight=shift.failed * (1 + shift.own), holds_all=True,
    )  # fmt: skip


def _result(
    name: CheckName,
    judged: Sequence[Judged],
    pages: Sequence[PageOutcome],
    norms: Norms,
) -> CheckResult:
    """The worst of what a check looked at."""
    failed = [item for item in judged if not item.passed]
    if failed:
        worst = max(
            failed, key=lambda item: (item.severity is Severity.ERROR, item.weight)
        )
        others = sorted({item.subject for item in failed} - {worst.subject, ""})
        more = f"; also {', '.join(others[:6])}" if others else ""
        return CheckResult(
            name=name, passed=False, severity=worst.severity, observed=worst.observed, threshold=worst.threshold,
            sentence=worst.sentence + more, examples=_examples(worst, pages)
        )  # fmt: skip
    able = [item for item in judged if item.weight >= 0]
    severity = Severity.ERROR if name.blocking else Severity.WARN
    if able:
        closest = max(able, key=lambda item: item.observed - item.threshold)
        sentence = (
            f"{closest.sentence}"
            if closest.observed
            else f"nothing unusual in {len(pages)} pages"
        )
        return CheckResult(
            name=name, passed=True, severity=severity, observed=closest.observed, threshold=closest.threshold,
            sentence=sentence
        )  # fmt: skip
    sentence = f"not enough history ({norms.batches} batches, {norms.pages} pages before this one)"
    return CheckResult(name=name, passed=True, severity=severity, sentence=sentence)


def _examples(item: Judged, pages: Sequence[PageOutcome]) -> tuple[CheckExample, ...]:
    """One example per page, five at most."""
    first: dict[int, Hit] = {}
    for hit in item.hits:
        first.setdefault(hit.page, hit)
    return tuple(
        CheckExample(
            url=pages[hit.page].url,
            field=item.subject,
            expected=show(hit.expected),
            got=show(hit.got),
            page_sha256=pages[hit.page].page_sha256,
        )
        for hit in list(first.values())[:5]
    )


def _held(
    pages: Sequence[PageOutcome], judged: Iterable[Judged]
) -> dict[str, tuple[Finding, ...]]:
    """Pages whose records must not be published, and why."""
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for outcome in pages:
        found[outcome.url] += [
            finding
            for finding in outcome.findings
            if finding.severity is Severity.ERROR
        ]
    for item in judged:
        for hit in item.hits if item.holds and not item.passed else ():
            found[pages[hit.page].url].append(
                Finding(
                    check=item.check, severity=item.severity, field=item.subject, message=item.sentence,
                    expected=show(hit.expected), got=show(hit.got),
                )
            )  # fmt: skip
    return {
        url: tuple(dict.fromkeys(findings))
        for url, findings in found.items()
        if findings
    }
