"""What there is to tell people: found in the store, each under a name that is the same
for whoever looks, so that it is told once.

One heal wave is told at its start and at its end, however many batches and runs it has.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from crawloop_assets.desk.inbox import (
    InboxItem,
    InboxStep,
    WaitingKind,
    inbox_items,
    row_in_words,
)
from crawloop_assets.desk.receivers import NewsKind
from crawloop_assets.drift.check import CheckExample
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.project import BrokenFamily
from crawloop_assets.store import AuditEvent, AuditKind, ShadowRow, Store

_LOOK_BACK = timedelta(days=3)
_SETTLING = timedelta(minutes=2)
"""A wave that ends in a question asks it within that."""
_STALE_FOR = timedelta(days=1)
_BLOCKED_FOR = timedelta(hours=1)
_LEAST_BLOCKED = 3
_BEST_ROWS = 2
_EVENTS = 500
_ASKED = (WaitingKind.QUESTION, WaitingKind.REVIEW, WaitingKind.BROKEN)


@dataclass(frozen=True)
class NewsItem:
    """One thing to tell: the most telling rows, and what to do about it; `wave` is the
    heal wave that it is about, if it is about one."""

    name: str
    kind: NewsKind
    family: str
    says: str
    rows: tuple[ShadowRow, ...] = ()
    steps: tuple[InboxStep, ...] = ()
    wave: str = ""

    @property
    def title(self) -> str:
        """One line."""
        return f"{_TITLES[self.kind]}: {self.family or 'the project'}"

    @property
    def shown_rows(self) -> tuple[str, ...]:
        """The rows, a line each."""
        return tuple(map(row_in_words, self.rows))


@dataclass(frozen=True)
class NewsDesk:
    """What is looked at: the store and the families of a project, now; nothing that
    happened before `since` is news."""

    store: Store
    families: Sequence[Family]
    broken: Sequence[BrokenFamily]
    since: datetime
    now: datetime

    def notices(self) -> Iterator[NewsItem]:
        """Everything there is to tell, told or not."""
        names = set(map(attrgetter("family"), self.families))
        recent = max(self.since, self.now - _LOOK_BACK)
        for event in self.store.audits(limit=_EVENTS):
            tell = _OF_EVENTS.get(event.kind)
            if tell and event.family in names and event.created_at >= recent:
                yield from tell(self, event)
        yield from self._waiting()
        yield from self._budgets()
        yield from self._stale()
        yield from self._blocked()

    def drifted(self, event: AuditEvent) -> Iterator[NewsItem]:
        """A heal wave has begun."""
        family, batches = event.family or "", event.detail["batches"]
        found = self.store.messages.examples(family, sorted(set(batches.values())))
        sentences = list(dict.fromkeys(says for says, _ in found))
        examples = [one for _, some in found for one in some]
        yield NewsItem(
            f"drift:{event.detail['wave']}",
            NewsKind.DRIFT,
            family,
            f"{len(batches)} batch(es) are red; the last good rows stay, a heal has begun. {'; '.join(sentences[:2])}",
            tuple(_best_rows(examples)),
            (InboxStep(by_hand="crawloop status"),),
            event.detail["wave"],
        )

    def healed(self, event: AuditEvent) -> Iterator[NewsItem]:
        """A wave has made a version, and all batches are green."""
        family, wave = event.family or "", event.detail.get("wave")
        is_promoted = event.detail.get("outcome") == RegenerationOutcome.PROMOTED
        if wave and is_promoted and not self.store.past.red(family):
            number = event.detail["version"]
            yield NewsItem(
                f"healed:{wave}",
                NewsKind.HEALED,
                family,
                f"v{number} reads the pages, and every batch is green again.",
                steps=(InboxStep("rollback", {"family": family}),),
                wave=wave,
            )

    def refused(self, event: AuditEvent) -> Iterator[NewsItem]:
        """A wave has made nothing, and asked nothing."""
        family, wave = event.family or "", event.detail.get("wave")
        is_settled = self.now - event.created_at > _SETTLING
        if wave and is_settled and not self.store.questions.waiting(family):
            yield NewsItem(
                f"refused:{wave}",
                NewsKind.REFUSED,
                family,
                f"The heal made nothing: {event.detail['reason']}. The last good rows stay, stale.",
                steps=(InboxStep("heal", {"family": family, "dry_run": True}),),
                wave=wave,
            )

    def schema_changed(self, event: AuditEvent) -> Iterator[NewsItem]:
        """The columns of a family are others: who reads its rows has to know."""
        family, at = event.family or "", event.created_at
        if not event.detail.get("is_new"):
            parts = {"added or wider": "columns", "removed": "removed"}
            said = [
                f"{word}: {', '.join(event.detail.get(name, ())) or 'none'}"
                for word, name in parts.items()
            ]
            yield NewsItem(
                f"schema:{family}:{at:%Y%m%dT%H%M%S%f}",
                NewsKind.SCHEMA,
                family,
                f"The columns of {event.detail['table']} are others; {'; '.join(said)}.",
                steps=(InboxStep(by_hand=f"crawloop contract {family}"),),
            )

    def contract_broken(self, event: AuditEvent) -> Iterator[NewsItem]:
        """The rows of a family no longer keep what it promises to who reads them."""
        family, at = event.family or "", event.created_at
        yield NewsItem(
            f"contract:{family}:{at:%Y%m%dT%H%M%S%f}",
            NewsKind.CONTRACT,
            family,
            " ".join(event.detail["broken"]),
            steps=(InboxStep(by_hand=f"crawloop contract {family}"),),
        )

    def _waiting(self) -> Iterator[NewsItem]:
        """What waits for a person since then; what is held is told with its drift."""
        for item in inbox_items(self.store, self.families, self.broken):
            is_news = item.since is None or item.since >= self.since
            if item.kind in _ASKED and is_news:
                yield _of_item(item, self._last_wave(item.family))

    def _last_wave(self, family: str) -> str:
        """The last wave of a family, "" if it had none."""
        return next(map(attrgetter("id"), self.store.waves.known(family)[-1:]), "")

    def _budgets(self) -> Iterator[NewsItem]:
        """Families that have spent what they may in a day."""
        midnight = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        for family in self.families:
            most = family.heal.budget_usd
            if most and self.store.spent(family.family, midnight).usd >= most:
                yield NewsItem(
                    f"budget:{family.family}:{midnight:%Y-%m-%d}",
                    NewsKind.BUDGET,
                    family.family,
                    f"The budget of ${most:.2f} for models is used up until midnight UTC.",
                )

    def _stale(self) -> Iterator[NewsItem]:
        """Families with rows that could not be read again for a day."""
        for one in self.store.families.overviews(self.families):
            since = one.stale_since
            if since is not None and self.now - since > _STALE_FOR:
                yield NewsItem(
                    f"stale:{one.family}:{since:%Y%m%dT%H%M%S}",
                    NewsKind.STALE,
                    one.family,
                    f"{one.stale} of {one.rows} rows are stale, the oldest since {since:%Y-%m-%d %H:%M} UTC.",
                    steps=(InboxStep("retry", {"family": one.family}),),
                )

    def _blocked(self) -> Iterator[NewsItem]:
        """Sites that let nothing through."""
        recent = max(self.since, self.now - _BLOCKED_FOR)
        for site in self.store.messages.blocked(recent, _LEAST_BLOCKED):
            host = site.domain.partition(":")[0]
            yield NewsItem(
                f"blocked:{site.domain}:{self.now:%Y-%m-%d}",
                NewsKind.BLOCKED,
                "",
                f"{site.domain} blocks since {site.since:%H:%M} UTC ({site.times} times: {site.reason})",
                steps=(
                    InboxStep(by_hand="crawloop access status"),
                    InboxStep("pause", {"host": host}),
                ),
            )


def _of_item(item: InboxItem, wave: str) -> NewsItem:
    """Something that waits, as it is told."""
    return NewsItem(
        f"{item.id}:{item.since:%Y%m%dT%H%M%S}" if item.since else item.id,
        NewsKind.NEEDS_PERSON,
        item.family,
        item.says,
        item.rows,
        item.steps,
        wave,
    )


def _best_rows(examples: Sequence[CheckExample]) -> Iterator[ShadowRow]:
    """The most telling examples: those that say both what was expected and what came,
    of different fields first."""
    telling = sorted(examples, key=lambda one: not (one.expected and one.got))
    first = {one.field: one for one in reversed(telling)}
    chosen = sorted(telling, key=lambda one: first[one.field] is not one)
    for one in chosen[:_BEST_ROWS]:
        yield ShadowRow(
            url=one.url, field=one.field, before=one.expected, after=one.got
        )


def utc_now() -> datetime:
    """The moment at which is looked."""
    return datetime.now(UTC)


_TITLES = {
    NewsKind.DRIFT: "drift",
    NewsKind.HEALED: "healed",
    NewsKind.REFUSED: "not healed",
    NewsKind.NEEDS_PERSON: "needs you",
    NewsKind.BUDGET: "budget used up",
    NewsKind.BLOCKED: "blocked",
    NewsKind.STALE: "stale",
    NewsKind.STORE: "trouble with the store",
    NewsKind.SCHEMA: "other columns",
    NewsKind.CONTRACT: "contract broken",
}
_OF_EVENTS: dict[AuditKind, Callable[[NewsDesk, AuditEvent], Iterator[NewsItem]]] = {
    AuditKind.WAVE_STARTED: NewsDesk.drifted,
    AuditKind.HEAL_FINISHED: NewsDesk.healed,
    AuditKind.HEAL_FAILED: NewsDesk.refused,
    AuditKind.SCHEMA_CHANGED: NewsDesk.schema_changed,
    AuditKind.CONTRACT_BROKEN: NewsDesk.contract_broken,
}
