"""All families of a project at a glance, in words: for a terminal, a table of Dagster's
and a program."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import compress
from typing import Any

from crawloop_assets.page import Verdict
from crawloop_assets.project import BrokenFamily
from crawloop_assets.store.overview import COST_OF, FamilyOverview, FamilyState
from crawloop_assets.store.prune import KeptPages

COLUMNS = (
    "family",
    "state",
    "batches",
    "rows",
    "held",
    "decisions",
    "last fetch",
    "next due",
    "crawler",
    f"cost of {COST_OF.days} days",
)
_MOST_BATCHES = 3
_CLOCKS_DIFFER = timedelta(seconds=5)
"""What machines that share a store may differ by."""
_EMPTY = "an empty answer"
"""What is fetched and says nothing is in no ledger of fetching."""
_LEAVES = (
    "if that lasts while others are read, their rows leave (`drift: {gone_after: …}`)"
)
_INSTEAD: Mapping[str, str] = {
    Verdict.LOGIN: "want a login; `login` of their site in domains.yaml gives one (crawloop access status)",
    Verdict.CONSENT: "show a form of consent; `request: {cookies: …}` can answer it, or the rung `browser`",
    Verdict.CHALLENGE: "ask whether a person is there; a higher rung of `access: {ladder: …}` may get them",
    Verdict.MAINTENANCE: "say that their site is being worked on, or nothing but an error; they are asked for again",
    Verdict.NEEDS_RENDER: "are filled by a script; `access: {render: true}` reads them with a browser",
    Verdict.WRONG_LANGUAGE: "are in another language than the family's; `drift: {language: …}` says which is meant",
    Verdict.HOME_REDIRECT: f"lead to the front page; {_LEAVES}",
    Verdict.NOT_FOUND: "answer 404 while fewer, or none, show a page; if their addresses are others now, "
    "`discover` finds those, else their rows leave (`drift: {gone_after: …}`)",
    Verdict.SOFT_404: f"say that they are gone; {_LEAVES}",
    Verdict.TOO_LARGE: "have more bytes than are parsed",
}
"""What pages show that are not the wanted ones, and what to do."""


@dataclass(frozen=True)
class FamilyStatus:
    """A family that runs, or one whose file is wrong."""

    overview: FamilyOverview
    trouble: str = ""

    @property
    def state(self) -> FamilyState:
        """The one word for it."""
        return FamilyState.BROKEN if self.trouble else self.overview.state

    @property
    def needs_somebody(self) -> bool:
        """Whether it stays as it is until somebody does something, or is healing."""
        return self.state not in (FamilyState.GREEN, FamilyState.NEW)

    def cells(self, moment: datetime) -> tuple[str, ...]:
        """One line of the table, `COLUMNS` in words, as of a moment."""
        one = self.overview
        return (
            one.family,
            self.state.value,
            _part(one.batches, red=len(one.red)),
            _part(one.rows, stale=one.stale, leaving=one.leaving),
            str(one.held),
            str(one.questions + one.waiting),
            _ago(one.fetched_at, moment),
            _until(one.next_due, moment),
            _version(one),
            f"${one.usd:.2f}" if one.calls else "$0",
        )

    def says(self, moment: datetime) -> Iterator[str]:
        """What is wrong and what to do, a sentence each; nothing of what is right."""
        if self.trouble:
            yield self.trouble
        yield from compress(*zip(*_sentences(self.overview, moment), strict=True))

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs; moments in ISO form."""
        values = asdict(self.overview) | {
            "state": self.state.value,
            "trouble": self.trouble,
        }
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in values.items()
        }


def statuses(
    known: Sequence[FamilyOverview], broken: Sequence[BrokenFamily]
) -> list[FamilyStatus]:
    """All families of a project, those that need somebody first."""
    found = list(map(FamilyStatus, known))
    found += [FamilyStatus(FamilyOverview(one.name), str(one.error)) for one in broken]
    order = list(FamilyState)
    return sorted(found, key=lambda one: (order.index(one.state), one.overview.family))


def pages_in_words(kept: KeptPages, moment: datetime) -> str:
    """What is kept of pages, and when the old ones were forgotten last."""
    size = f"{kept.size / 1e6:,.1f} MB before they are compressed"
    last = _ago(kept.pruned_at, moment)
    return f"kept pages: {kept.documents:,} ({size}); old ones forgotten: {last} (crawloop prune)"


def _part(whole: int, **parts: int) -> str:
    """How many there are, and how many of them are something."""
    said = (f"{part} {word}" for word, part in parts.items() if part)
    return ", ".join((str(whole), *said))


def _version(one: FamilyOverview) -> str:
    """The version that reads its pages."""
    if one.version is None:
        return "none yet"
    known = {"on probation": one.on_probation, "pinned": one.pinned == one.version}
    words = ", ".join(word for word, is_so in known.items() if is_so)
    return f"v{one.version} ({words})" if words else f"v{one.version}"


def _sentences(one: FamilyOverview, moment: datetime) -> Iterator[tuple[str, object]]:
    """Each sentence that may be said of a family, and what has to be so for that."""
    name = one.family
    red = f"{name} is red since {_ago(one.red_since, moment)}: {_batches(one)}"
    began = f"{name}: a heal began {_ago(one.wave_at, moment)} and has not ended"
    put_off = (
        f"{name}: its question is put off until {one.ignored_until:%Y-%m-%d %H:%M}"
        if one.ignored_until
        else ""
    )
    why = one.unfetched_why or _EMPTY
    unfetched = f"{name}: {_many(one.unfetched, 'page')} could not be fetched, the last of them: {why}"
    stale = f"{name}: {_many(one.stale, 'row')} stale, the oldest since {_ago(one.stale_since, moment)}"
    yield f"{name}: no run can publish anything; {one.refused_why}", one.refused_why
    yield (
        f"{name} waits for your decision: crawloop inbox {name}",
        one.questions + one.waiting,
    )
    yield red, one.red
    yield f"{began}; what it cannot do, it asks", one.is_healing
    yield f"{put_off}: crawloop question list", put_off
    yield f"{name}: no url was found; {one.unfound_why}", one.unfound_why
    yield (
        f"{name}: its pages were asked for, and no row is published",
        one.state is FamilyState.UNREAD,
    )
    yield unfetched, one.unfetched
    for verdict, pages in one.unwanted.items():
        yield f"{name}: {pages} page(s) {_INSTEAD.get(verdict, verdict)}", pages
    yield stale, one.stale
    yield (
        f"{name}: {_many(one.suspect, 'row')} in doubt: crawloop suspects {name}",
        one.suspect,
    )
    held = f"{name}: {_many(one.held, 'page')} held back: crawloop inbox {name}"
    yield held, one.held


def _many(count: int, thing: str) -> str:
    """So many things."""
    return f"{count} {thing}{'s' * (count != 1)}"


def _batches(one: FamilyOverview) -> str:
    """The first red batches, each with what is wrong."""
    first = [f"batch {batch} ({why})" for batch, why in one.red.items()][:_MOST_BATCHES]
    more = len(one.red) - len(first)
    return "; ".join(first) + (f"; and {more} more" if more else "")


def _ago(then: datetime | None, moment: datetime) -> str:
    """How long ago something was; a moment that has not come yet by this clock was noted
    by another one, or before it was set."""
    if then is None:
        return "never"
    if then > moment + _CLOCKS_DIFFER:
        return f"{_span(moment, then)} ahead of this clock"
    return f"{_span(then, moment)} ago"


def _until(then: datetime | None, moment: datetime) -> str:
    """How long it is until something comes."""
    if then is None:
        return "never"
    return f"in {_span(moment, then)}" if then > moment else "now"


def _span(begin: datetime, end: datetime) -> str:
    """A time in its largest unit."""
    seconds = max(0, int((end - begin).total_seconds()))
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"
