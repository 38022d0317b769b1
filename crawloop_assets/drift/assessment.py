"""What a check looks at in a batch, one by one: each sign, each declared share, each
shift, each kind of failing page is assessed by itself."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.doubt import DoubtfulValue
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.rates import (
    ALPHA_ERROR,
    EventRate,
    binomial_lower,
    limit,
)
from crawloop_assets.drift.rule import Rule
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.spread import Shift
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.page import LEFT_FOR_LATER, Verdict

JUDGED_VERDICTS = (Verdict.OK, Verdict.DRIFT)
"""Verdicts of pages whose records are judged."""

_EXPECTED_VERDICTS = (Verdict.GONE, Verdict.NOT_ALLOWED, *LEFT_FOR_LATER)

LEAST_UNITS = 20
"""From so many units of history a sign without a prior is judged."""

_COMMON = 0.6
"""A sign that is more frequent than this tells nothing."""

_FAILING_SHARE = 0.05
_LEAST_FAILING = {
    CheckName.VOTES: 0.3,
    CheckName.CONTRADICTION: 0.3,
    CheckName.COVERAGE: 0.3,
}
"""Share of failing pages from which on it is drift, where it is not the usual one."""

_ALWAYS_REPORTED = (CheckName.SCHEMA, CheckName.COUNT)
_UNWANTED_SHARE = 0.10
_DECLARED_CHANCE = 1e-3
"""Chance of a healthy batch below which a declared share does not hold."""

_BACK_TO_USUAL = 0.02
_NO_PRIOR = EventRate(0.5, 1)


class Assessment(NamedTuple):
    """One thing a check looked at.

    `weight` orders them: the worst is what the check reports; one that could not be
    judged has a negative one. If it failed, the pages of `hits` are held if `holds`,
    and the whole batch if `holds_all`. `sign` is what was counted, if it was a sign.
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
    sign: Sign | None = None

    @property
    def is_drift(self) -> bool:
        """Whether it failed, and not as a mere suspicion."""
        if self.passed:
            return False
        return self.severity is Severity.ERROR


def assess_verdicts(
    outcomes: Sequence[PageOutcome], foreign: Collection[int]
) -> Iterator[Assessment]:
    """How many pages are not the wanted page; `foreign` are the positions of those in
    another language.

    A warning for a person: neither healing nor a model can do anything about them.
    """
    pages, unwanted = _unwanted_pages(outcomes)
    if not pages:
        return
    kinds = Counter(outcomes[hit.page].verdict.value for hit in unwanted)
    if foreign:
        kinds[Verdict.WRONG_LANGUAGE.value] += len(foreign)
    count = kinds.total()
    share = count / pages
    are_many = count >= 2 and share >= _UNWANTED_SHARE
    listed = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    yield Assessment(
        check=CheckName.PAGES,
        passed=count != pages and not are_many,
        severity=Severity.WARN,
        observed=share,
        threshold=_UNWANTED_SHARE,
        sentence=f"{count} of {pages} pages are not the wanted page ({listed or 'none'})",
        hits=tuple(unwanted),
        weight=share,
    )


def _unwanted_pages(outcomes: Sequence[PageOutcome]) -> tuple[int, list[Hit]]:
    """How many pages might have been the wanted page, and those that are not."""
    pages = 0
    unwanted: list[Hit] = []
    for page, outcome in enumerate(outcomes):
        if outcome.verdict in _EXPECTED_VERDICTS:
            continue
        pages += 1
        if outcome.verdict not in JUDGED_VERDICTS:
            unwanted.append(Hit(page, "ok", outcome.verdict))
    return pages, unwanted


def assess_failing_pages(pages: Sequence[PageOutcome]) -> Iterator[Assessment]:
    """Pages that fail by themselves: invalid records, missing required fields, wrong
    count, crawler faults, votes.

    It is drift if all pages fail, or two and a share that depends on the check.
    """
    if not pages:
        return
    hits = _errors_by_check(pages)
    for check in CheckName:
        if check in hits:
            yield _failing(check, pages, hits[check])
        elif check in _ALWAYS_REPORTED:
            yield _failing(check, pages, ())


def _errors_by_check(pages: Sequence[PageOutcome]) -> dict[CheckName, list[Hit]]:
    """What holds pages by itself, by the check it belongs to."""
    hits: defaultdict[CheckName, list[Hit]] = defaultdict(list)
    for page, outcome in enumerate(pages):
        for finding in outcome.errors:
            got = finding.got or finding.message
            hits[finding.check].append(Hit(page, finding.expected, got))
    return hits


def _failing(
    check: CheckName, pages: Sequence[PageOutcome], hits: Sequence[Hit]
) -> Assessment:
    """How many pages a check fails on by themselves.

    Whole pages weigh more than any sign that is not drift.
    """
    failing = len(set(map(attrgetter("page"), hits)))
    share = failing / len(pages)
    least = least_failing(check)
    severity, sentence = (
        Severity.WARN,
        f"{failing} of {len(pages)} pages fail by themselves",
    )
    if failing == len(pages) or (failing >= 2 and share >= least):
        severity = Severity.ERROR
    if failing:
        sentence += f", for example: {_first_message(check, pages)}"
    return Assessment(
        check=check,
        passed=failing == 0,
        severity=severity,
        observed=share,
        threshold=least,
        sentence=sentence,
        hits=tuple(hits),
        subject=_only_field(check, pages),
        weight=1 + share,
    )


def _only_field(check: CheckName, pages: Sequence[PageOutcome]) -> str:
    """The field that all errors of a check are about; "" for several, and where one is
    about the page."""
    errors = chain.from_iterable(map(attrgetter("errors"), pages))
    fields = {error.field for error in errors if error.check is check}
    return fields.pop() if len(fields) == 1 else ""


def least_failing(check: CheckName) -> float:
    """The share of pages that fail by themselves from which on it is drift."""
    return _LEAST_FAILING.get(check, _FAILING_SHARE)


def _first_message(check: CheckName, pages: Sequence[PageOutcome]) -> str:
    """The first finding of a check, also if it only warns."""
    for outcome in pages:
        for finding in outcome.findings:
            if finding.check is check:
                return finding.message
    return ""


def assess_declared_coverage(
    family: Family, pages: Sequence[PageOutcome]
) -> Iterator[Assessment]:
    """Coverage the family file asks for (`drift.coverage`), over all records read.

    Of few records a share below the declared one may be chance; it passes unless the
    binomial tail says that is improbable.
    """
    seen = sum(len(outcome.read_records) for outcome in pages)
    if not seen:
        return
    for field, least in family.drift.coverage.items():
        yield _declared(field, least, list(_pages_without(field, pages)), seen)


def _pages_without(field: str, pages: Sequence[PageOutcome]) -> Iterator[int]:
    """The position of the page of each record in which a field is not filled."""
    for page, outcome in enumerate(pages):
        for record in outcome.read_records:
            if record.values.get(field) in EMPTY:
                yield page


def _declared(
    field: str, least: float, empty: Sequence[int], records: int
) -> Assessment:
    """Whether a field is filled in a declared share of so many records; `empty` are the
    pages of those in which it is not."""
    filled = records - len(empty)
    share = filled / records
    is_likely = binomial_lower(filled, records, least) > _DECLARED_CHANCE
    passed = share >= least or is_likely
    weight = 0.0 if passed else 2.0
    return Assessment(
        check=CheckName.COVERAGE,
        passed=passed,
        severity=Severity.ERROR,
        observed=1 - share,
        threshold=1 - least,
        sentence=f"{field} is filled in {filled} of {records} records, {least:.0%} declared",
        hits=tuple(Hit(page, "a value", "nothing") for page in empty),
        subject=field,
        weight=weight,
        holds_all=True,
    )


def assess_signs(
    tallies: Tallies, page_count: int, norms: Norms
) -> Iterator[Assessment]:
    """Each sign against history, in a batch of so many pages.

    VANISHED is left out where the field was missing as often before; one number that
    changed makes no pair.
    """
    for tally in filter(attrgetter("seen"), tallies):
        if tally.sign is Sign.VANISHED and _is_back_to_usual(tally, tallies, norms):
            continue
        yield _assess_sign(tally, page_count, norms)


def _assess_sign(tally: Tally, page_count: int, norms: Norms) -> Assessment:
    """A sign against its rate in the history, if enough of that is known."""
    rule = RULES[tally.sign]
    known, may_be_drift = norms.rate(tally.sign, tally.subject, tally.seen)
    if rule.prior is None and known.seen < LEAST_UNITS:
        return _unjudged(tally, rule)
    # One page of several is never enough to call it drift.
    if page_count > 1 and len(tally.pages) < 2:
        may_be_drift = False
    return _judged(tally, rule, known, may_be_drift)


def _is_back_to_usual(tally: Tally, tallies: Tallies, norms: Norms) -> bool:
    """Whether a volatile field that is gone from known records was missing as often before,
    but for chance: a sale is over, and others begin."""
    scarce = tallies.get(Sign.SCARCE, tally.subject)
    before = norms.most(Sign.SCARCE, tally.subject)
    if scarce is None or before is None:
        return True
    usual = max(before + _BACK_TO_USUAL, scarce.rate.most_by_chance(before))
    return scarce.rate.share <= usual


def _unjudged(tally: Tally, rule: Rule) -> Assessment:
    """A sign of which too little history is known."""
    event = rule.says.format(subject=tally.subject)
    counts = f"{tally.bad} of {tally.seen} now"
    return Assessment(
        check=rule.check,
        passed=True,
        severity=rule.worst,
        observed=tally.bad / tally.seen,
        threshold=1.0,
        sentence=f"not enough history to judge whether {event} too often ({counts})",
        weight=-1.0,
    )


def _judged(
    tally: Tally, rule: Rule, known: EventRate, may_be_drift: bool
) -> Assessment:
    """A sign against its known rate.

    It fails if the chance of a false alarm is small enough, and it is twice as frequent
    as usual (or half of those that do not usually show it do). A failed sign weighs the
    more the less probable it is, and drift more than any suspicion.
    """
    share = tally.bad / tally.seen
    probability, allowed = _false_alarm(tally, rule, known)
    is_close = share < min(2 * known.share, (1 + known.share) / 2)
    passed = probability > rule.alpha or is_close
    severity, weight = Severity.WARN, 1 - probability
    if may_be_drift and probability <= ALPHA_ERROR and rule.worst is Severity.ERROR:
        severity, weight = Severity.ERROR, 2 - probability
    note = f"chance of a false alarm {probability:.0e}"
    if passed:
        note, weight = f"up to {allowed:.0%} is no alarm", 0.0
    event = rule.says.format(subject=tally.subject)
    counts = f"{tally.bad} of {tally.seen}, usually {known.share:.1%}"
    return Assessment(
        check=rule.check,
        passed=passed,
        severity=severity,
        observed=share,
        threshold=allowed,
        sentence=f"{event}: {counts} ({note})",
        hits=tuple(tally.hits),
        subject=tally.subject,
        weight=weight,
        holds=rule.holds and not passed,
        holds_all=rule.holds_all,
        sign=tally.sign,
    )


def _false_alarm(tally: Tally, rule: Rule, known: EventRate) -> tuple[float, float]:
    """The chance that a healthy batch shows the sign as often, and the share up to
    which that is no alarm."""
    if known.share > _COMMON:
        return 1.0, 1.0
    prior = rule.prior or _NO_PRIOR
    allowed = limit(tally.seen, known, prior, rule.alpha)
    return tally.chance(known, prior), min(allowed, 1.0)


def assess_doubts(
    found: Sequence[DoubtfulValue], page_count: int
) -> Iterator[Assessment]:
    """Doubtful values, against which several signs speak together: their pages are held.

    A suspicion however many they are: what is drift is counted sign by sign.
    """
    subjects = sorted(set(map(attrgetter("subject"), found)))
    for subject in subjects:
        of_subject = [doubt for doubt in found if doubt.subject == subject]
        pages = len(set(map(attrgetter("page"), of_subject)))
        example = of_subject[0].sentence
        yield Assessment(
            check=CheckName.CONTRADICTION,
            passed=False,
            severity=Severity.WARN,
            observed=pages / page_count,
            threshold=0.0,
            sentence=f"{subject} is doubtful on {pages} of {page_count} pages: {example}",
            hits=tuple(doubt.against[0].hit for doubt in of_subject),
            subject=subject,
            holds=True,
        )


def assess_shift(shift: Shift) -> Assessment:
    """A field whose values are larger or smaller than before.

    It is drift if the batch's own past says so, else a suspicion.
    """
    measure = "the size" if shift.kind == "numbers" else "the length"
    severity, past = Severity.WARN, "in the family's other batches"
    if shift.own:
        severity, past = Severity.ERROR, "before"
    factor = f"off by a factor {shift.factor:.1f} from {past} (z {shift.z:.1f})"
    return Assessment(
        check=CheckName.DISTRIBUTION,
        passed=not shift.failed,
        severity=severity,
        observed=shift.factor,
        threshold=shift.limit,
        sentence=f"{measure} of {shift.field} is {factor}",
        subject=shift.field,
        weight=shift.failed * (1 + shift.own),
        holds_all=True,
    )
