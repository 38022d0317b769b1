"""Why a url is fetched or not, when next, and by which rule.

Pure: everything known is handed in.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from crawloop_assets.family import Discover, Family
from crawloop_assets.frontier.urls import UrlScope, host, normalize, trap, wanted
from crawloop_assets.page import Verdict
from crawloop_assets.store.models import AccessOutcome, FrontierUrl, Skip, UrlState


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

    def rank(name: str) -> tuple[int, str]:
        entry = entries[name]
        return (2 if entry is None else entry.state is UrlState.REFUSED, name)

    return min(entries, key=rank, default="")


def why(
    url: str, families: Sequence[Family], known: UrlFacts, now: datetime
) -> list[UrlExplanation]:
    """The answer, the rule that decides first."""
    family = known.family
    answers = [UrlExplanation("fetched", _verdict(url, families, family, known, now))]
    if family:
        answers.append(
            UrlExplanation("family", f"{family.family} ({_pattern(family.discover)})")
        )
    if known.entry:
        answers += _of_entry(known.entry, now)
    answers += [
        UrlExplanation(
            "attempt",
            " ".join(
                filter(
                    None, (_moment(one.created_at), one.rung, one.outcome, one.reason)
                )
            ),
        )
        for one in known.attempts
    ]
    answers += [
        UrlExplanation(
            "discovery", f"{skip.family}, {_moment(skip.seen_at)}: {skip.rule}"
        )
        for skip in known.skips
    ]
    return answers


def _verdict(
    url: str,
    families: Sequence[Family],
    family: Family | None,
    known: UrlFacts,
    now: datetime,
) -> str:
    entry = known.entry
    if known.refused:
        return f"no: {known.refused}"
    if family is None:
        return f"no: {_nobodys(url, families)}"
    if entry is None:
        rule = next(
            (skip.rule for skip in known.skips if skip.family == family.family),
            trap(url),
        )
        return f"no: {rule or 'discovery has not come across it; it links to it from no page or sitemap it reads'}"
    match entry.state:
        case UrlState.ALIAS:
            return f"no: it is another name of {entry.alias_of}"
        case UrlState.GONE:
            return "no: the site said that it is gone (404, 410); it is asked again when discovery finds it again"
        case UrlState.REFUSED:
            return "no: its page is laid out like those of another family that claims it, and left to that one"
    return (
        "yes, now: it is due"
        if _due(entry, now)
        else f"yes, next at {_moment(entry.next_due)}"
    )


def _due(entry: FrontierUrl, now: datetime) -> bool:
    return entry.next_due is None or entry.next_due <= now


def _nobodys(url: str, families: Sequence[Family]) -> str:
    """Which rule of which family keeps it out."""
    reasons = [f"{family.family}: {_outside(url, family)}" for family in families]
    return f"it is a page of no family ({'; '.join(reasons) or 'there are none'})"


def _outside(url: str, family: Family) -> str:
    own = normalize(url, family.discover)
    scope = UrlScope.of(family)
    if not own:
        return "it is no web address"
    if host(own) not in scope.hosts:
        return f"its host is not one of {', '.join(sorted(scope.hosts))}"
    if not family.discover.include:
        return "it is not one of the seeds, and there is no include pattern"
    anything = Discover(seeds=family.discover.seeds, include=family.discover.include)
    return (
        "an exclude pattern matches"
        if wanted(own, anything)
        else "no include pattern matches"
    )


def _pattern(discover: Discover) -> str:
    if not discover.include:
        return "one of its seeds"
    without = f", not {' or '.join(discover.exclude)}" if discover.exclude else ""
    return f"path matches {' or '.join(discover.include)}{without}"


def _of_entry(entry: FrontierUrl, now: datetime) -> list[UrlExplanation]:
    found = (
        f"found on {entry.found_on}" if entry.found_on else "a seed or from a sitemap"
    )
    answers = [
        UrlExplanation("known", f"{found}, depth {entry.depth}, batch {entry.batch}")
    ]
    if entry.fetched_at is None:
        return [*answers, UrlExplanation("last fetch", "never")]
    status = f" {entry.status}" if entry.status else ""
    verdict = entry.verdict or Verdict.OK
    answers.append(
        UrlExplanation(
            "last fetch", f"{_moment(entry.fetched_at)}: {verdict.value}{status}"
        )
    )
    if entry.page_sha256:
        answers.append(
            UrlExplanation(
                "stored page",
                f"{entry.page_sha256[:16]} of {_moment(entry.page_fetched_at)}",
            )
        )
    if entry.errors:
        answers.append(
            UrlExplanation(
                "errors",
                f"{entry.errors} in a row; the interval stays, the next try backs off",
            )
        )
    if entry.interval_s:
        due = "due" if _due(entry, now) else _moment(entry.next_due)
        answers.append(
            UrlExplanation(
                "schedule",
                f"{due}; every {_span(entry.interval_s)}, adapting to how often it changes",
            )
        )
    return answers


def _moment(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}" if at else ""


def _span(seconds: float) -> str:
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            count = seconds / size
            return f"{count:.3g} {unit}{'' if count == 1 else 's'}"
    return f"{seconds:.3g} seconds"
