"""How much of a batch is older than the last refresh, and why: a row that no refresh
renews is no error of any page, and would otherwise stand there for ever unnoticed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckExample, CheckName, CheckResult, Severity
from crawloop_assets.serve.commit import is_served
from crawloop_assets.serve.reading import Reading

_MOST_EXAMPLES = 5
_NOT_FETCHED = "not fetched"
_WAITS = "waits until the site says so again"
_OVERLOOKED = "stands on its page, and no record is read there"


def with_staleness(
    judgement: BatchJudgement, readings: Sequence[Reading], stale: Mapping[str, int]
) -> BatchJudgement:
    """The judgement with what is to be said of rows that were stale before this
    refresh: `stale` is how many of them each url has."""
    causes = _causes(judgement, readings, stale)
    stale = {
        url: min(rows, _waiting(judgement, url) or rows) for url, rows in stale.items()
    }
    result = _staleness(causes, stale, sum(len(one.values) for one in readings))
    return judgement.model_copy(update={"checks": (*judgement.checks, result)})


def _causes(
    judgement: BatchJudgement, readings: Sequence[Reading], stale: Mapping[str, int]
) -> dict[str, str]:
    """Why the rows of each url are not renewed now; urls whose rows are, are left
    out."""
    by_url = {reading.url: reading for reading in readings}
    causes = {}
    for url in sorted(stale):
        reading = by_url.get(url)
        if reading is None:
            causes[url] = _NOT_FETCHED
        elif not is_served(reading, judgement):
            causes[url] = _cause(reading, judgement)
        elif url in judgement.waiting:
            causes[url] = _WAITS if _waiting(judgement, url) else _OVERLOOKED
    return causes


def _waiting(judgement: BatchJudgement, url: str) -> int:
    """How many rows of a page that is published wait."""
    if url in judgement.held or url not in judgement.waiting:
        return 0
    return len(judgement.waiting[url].rows)


def _cause(reading: Reading, judgement: BatchJudgement) -> str:
    """What keeps a page that was fetched from being published."""
    findings = (*judgement.held.get(reading.url, ()), *reading.findings)
    for finding in findings:
        return f"held by {finding.check.value}"
    if reading.good:
        return "held with its batch"
    return reading.verdict.value


def _staleness(
    causes: Mapping[str, str], stale: Mapping[str, int], records: int
) -> CheckResult:
    """The check: it fails if any row is that old, which is a person's business."""
    counts: Counter[str] = Counter()
    for url, cause in causes.items():
        counts[cause] += stale[url]
    old = counts.total()
    why = ", ".join(f"{number} {cause}" for cause, number in counts.most_common())
    sentence = "no row is older than the last refresh"
    if old:
        verb = "row is" if old == 1 else "rows are"
        sentence = f"{old} {verb} older than the last refresh: {why}"
    return CheckResult(
        name=CheckName.STALE,
        passed=not old,
        severity=Severity.WARN,
        observed=old / max(old + records, 1),
        sentence=sentence,
        examples=tuple(
            CheckExample(url=url, expected="a new row", got=cause)
            for url, cause in islice(causes.items(), _MOST_EXAMPLES)
        ),
    )
