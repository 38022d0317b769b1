"""Why a url is fetched or not, when next, and by which rule.

Pure: everything known is handed in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from crawloop_assets.family import Discover, Family
from crawloop_assets.frontier.owners import outside
from crawloop_assets.frontier.urls import UrlScope, host, normalize, trap, wanted
from crawloop_assets.page import Verdict
from crawloop_assets.store.models import (
    AccessOutcome,
    FrontierUrl,
    Skip,
)
from crawloop_assets.store.states import UrlState

_SET_BACK = timedelta(hours=1)
_NOT_MET = (
    "discovery has not come across it; it links to it from no page or sitemap it reads"
)
_REFUSALS = {
    UrlState.ALIAS: "it is another name of {alias_of}",
    UrlState.GONE: (
        "the site said that it is gone, by its status or for days without one; it is asked"
        " again when discovery finds it again"
    ),
    UrlState.LEFT_OUT: (
        "the `discover` of its family left it out when urls were looked for last, and no"
        " row was read of it"
    ),
    UrlState.REFUSED: (
        "its page is laid out like those of another family that claims it, and left to"
        " that one"
    ),
}
_UNITS_S = (("day", 86_400), ("hour", 3_600), ("minute", 60))


@dataclass(frozen=True)
class UrlFacts:
    """What the product knows of a url: its owner and the frontier entry there, attempts
    (newest first) and discovery's refusals.

    `refused` is the rule of the allowlist or of robots.txt that forbids it now, "" if
    none does.
    """

    family: Family | None = None
    refused: str = ""
    entry: FrontierUrl | None = None
    attempts: Sequence[AccessOutcome] = ()
    skips: Sequence[Skip] = ()


@dataclass(frozen=True)
class UrlExplanation:
    """One line of the answer: what it is about, and what is so."""

    about: str
    says: str


def settle(entries: Mapping[str, FrontierUrl | None]) -> str:
    """Which of several families that claim a url equally it is: by name the first that
    asks for it, else the first that knows it, else the first.

    "" if there is none.
    """
    return min(entries, key=lambda name: (_rank(entries[name]), name), default="")


def _rank(entry: FrontierUrl | None) -> int:
    """How far a family is from asking for a url; unknown to it is furthest."""
    if entry is None:
        return 2
    return int(entry.state is UrlState.REFUSED)


def why(
    url: str, families: Sequence[Family], known: UrlFacts, now: datetime
) -> list[UrlExplanation]:
    """The answer, the rule that decides first."""
    answers = [UrlExplanation("fetched", _verdict(url, families, known, now))]
    if known.family:
        answers.append(_of_family(url, known.family))
    if known.entry:
        answers += _of_entry(known.entry, now)
    answers += map(_of_attempt, known.attempts)
    answers += map(_of_skip, known.skips)
    return answers


def _of_family(url: str, family: Family) -> UrlExplanation:
    """Which family a url belongs to, and by which pattern; which of them leaves it out by
    now."""
    rule = _pattern(family.discover)
    if outside(family, [url]):
        rule = f"found before, now {_outside(url, family)}"
    return UrlExplanation(about="family", says=f"{family.family} ({rule})")


def _of_attempt(attempt: AccessOutcome) -> UrlExplanation:
    """What one attempt at fetching it came to."""
    moment = _moment(attempt.created_at)
    words = (moment, attempt.rung, attempt.outcome, attempt.reason)
    return UrlExplanation(about="attempt", says=" ".join(filter(None, words)))


def _of_skip(skip: Skip) -> UrlExplanation:
    """Why one discovery did not take it."""
    return UrlExplanation(
        about="discovery",
        says=f"{skip.family}, {_moment(skip.seen_at)}: {skip.rule}",
    )


def _verdict(
    url: str, families: Sequence[Family], known: UrlFacts, now: datetime
) -> str:
    """Whether and when the url is fetched; if not, by which rule."""
    entry = known.entry
    if known.refused:
        return f"no: {known.refused}"
    if known.family is None:
        return f"no: {_nobodys(url, families)}"
    if entry is None:
        return f"no: {_rule_of_discovery(url, known.family, known.skips)}"
    if entry.state in _REFUSALS:
        refusal = _REFUSALS[entry.state].format(alias_of=entry.alias_of)
        return f"no: {refusal}"
    if _is_due(entry, now):
        return "yes, now: it is due"
    return f"yes, next at {_moment(entry.next_due)}"


def _rule_of_discovery(url: str, family: Family, skips: Sequence[Skip]) -> str:
    """The rule by which discovery refused a url for a family, or would; else that it
    has not met it."""
    rules = [skip.rule for skip in skips if skip.family == family.family]
    rules += [trap(url), _NOT_MET]
    return next(filter(None, rules))


def _is_due(entry: FrontierUrl, now: datetime) -> bool:
    """True for a url that is to be fetched now; one without a time always is, and one
    that was fetched by a clock which has been set back since."""
    if entry.next_due is None or entry.next_due <= now:
        return True
    return entry.fetched_at is not None and entry.fetched_at > now + _SET_BACK


def _nobodys(url: str, families: Sequence[Family]) -> str:
    """Which rule of which family keeps it out."""
    reasons = []
    for family in families:
        reasons.append(f"{family.family}: {_outside(url, family)}")
    listed = "; ".join(reasons) or "there are none"
    return f"it is a page of no family ({listed})"


def _outside(url: str, family: Family) -> str:
    """Why a url is no page of a family."""
    own_url = normalize(url, family.discover)
    hosts = UrlScope.of(family).hosts
    if not own_url:
        return "it is no web address"
    if host(own_url) not in hosts:
        return f"its host is not one of {', '.join(sorted(hosts))}"
    return _left_out(own_url, family.discover)


def _left_out(url: str, discover: Discover) -> str:
    """Which patterns leave a url of the family's own hosts out. Those that include are
    tried without those that exclude: what they let in, the others have turned away."""
    if not discover.include:
        return "it is not one of the seeds, and there is no include pattern"
    if wanted(url, Discover(seeds=discover.seeds, include=discover.include)):
        return "an exclude pattern matches"
    return "no include pattern matches"


def _pattern(discover: Discover) -> str:
    """The patterns by which urls are a family's, in words."""
    if not discover.include:
        return "one of its seeds"
    pattern = f"path matches {' or '.join(discover.include)}"
    if discover.exclude:
        pattern += f", not {' or '.join(discover.exclude)}"
    return pattern


def _of_entry(entry: FrontierUrl, now: datetime) -> list[UrlExplanation]:
    """What the frontier knows of a url."""
    answers = [UrlExplanation("known", _origin(entry))]
    if entry.fetched_at is None:
        answers.append(UrlExplanation("last fetch", "never"))
        return answers
    answers.append(UrlExplanation("last fetch", _last_fetch(entry)))
    answers.extend(_of_fetched(entry, now))
    return answers


def _of_fetched(entry: FrontierUrl, now: datetime) -> Iterator[UrlExplanation]:
    """What there is to tell of a url that was fetched before, and nothing of what it does
    not have: no page that was kept, no errors, or no interval yet."""
    if entry.page_sha256:
        stored = f"{entry.page_sha256[:16]} of {_moment(entry.page_fetched_at)}"
        yield UrlExplanation("stored page", stored)
    if entry.errors:
        errors = f"{entry.errors} in a row; the interval stays, the next try backs off"
        yield UrlExplanation("errors", errors)
    if entry.interval_s:
        schedule = _schedule(entry, entry.interval_s, now)
        yield UrlExplanation("schedule", schedule)


def _origin(entry: FrontierUrl) -> str:
    """How the url came to be known."""
    origin = "a seed or from a sitemap"
    if entry.found_on:
        origin = f"found on {entry.found_on}"
    return f"{origin}, depth {entry.depth}, batch {entry.batch}"


def _schedule(entry: FrontierUrl, interval_s: float, now: datetime) -> str:
    """When the url is due, and how often."""
    due = "due" if _is_due(entry, now) else _moment(entry.next_due)
    span = _span(interval_s)
    return f"{due}; every {span}, adapting to how often it changes"


def _last_fetch(entry: FrontierUrl) -> str:
    """When it was fetched last, and what came of it."""
    verdict = entry.verdict or Verdict.OK
    says = f"{_moment(entry.fetched_at)}: {verdict.value}"
    return f"{says} {entry.status}" if entry.status else says


def _moment(moment: datetime | None) -> str:
    """A moment to the second, "" if it is not known."""
    if moment is None:
        return ""
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _span(seconds: float) -> str:
    """Seconds in the largest unit that they fill."""
    for unit, size_s in _UNITS_S:
        if seconds >= size_s:
            count = seconds / size_s
            plural = "" if count == 1 else "s"
            return f"{count:.3g} {unit}{plural}"
    return f"{seconds:.3g} seconds"
