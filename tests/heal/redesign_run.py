"""A family of the shop with its real store, served day after day, healed as the sensor would and asked about as the
product asks: the runs of Dagster without Dagster."""

import asyncio
import shutil
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.heal.asking import regenerate_or_ask
from crawloop_assets.heal.past import asked_about, heal_record
from crawloop_assets.heal.probation import is_due
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.wave import RedBatch, plan
from crawloop_assets.page import Verdict
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.visit import Visit, stored_visits
from crawloop_assets.store import AuditKind, FoundUrl, Store
from tests.heal.clock import Clock
from tests.heal.redesign_judge import Judge
from tests.heal.redesign_person import Person
from tests.heal.redesign_site import QUIET_DAYS, LivedSite
from tests.here import Here

BATCH = "000001"
EXAMPLES = 4
_LOOKS = (timedelta(), timedelta(hours=7))
"""When in a day the sensor finds that the cool-down is over."""
_MOST_ROUNDS = 12


@dataclass
class DayEnd:
    """How a day ended: whether the family is red, and the rows that say what is true, of all there are."""

    is_red: bool
    right: int
    rows: int
    checks: tuple[str, ...] = ()


@dataclass
class Life:
    """A family of a LivedSite from its first day on; `ended` is what regenerations came to, `judge` knows what was
    published untrue."""

    site: Any
    folder: Path
    clock: Clock = field(default_factory=Clock)
    runs: int = 0
    waves: int = 0
    red: dict[str, RedBatch] = field(default_factory=dict)
    ended: list[Regeneration] = field(default_factory=list)
    days: list[DayEnd] = field(default_factory=list)
    proofs: set[tuple[int, int]] = field(default_factory=set)
    checks: tuple[str, ...] = ()
    examples: int = EXAMPLES

    def __post_init__(self) -> None:
        self.judge = Judge(self.site)
        self.person = Person(self.site)

    @cached_property
    def store(self) -> Store:
        """The family's own store."""
        return Store(self.folder / "var", self.folder / "crawloop.duckdb", wait_s=10)

    @property
    def family(self) -> Family:
        """The site's."""
        site: LivedSite = self.site
        return site.family

    # -- runs -------------------------------------------------------------------------

    def begin(self) -> Regeneration:
        """Declare the family with a few examples, and live through some quiet days."""
        made = self.declare()
        self.rest()
        return made

    def rest(self) -> None:
        """The quiet days."""
        for _ in range(QUIET_DAYS):
            self.live()

    def declare(self) -> Regeneration:
        """The first version, from a few examples."""
        with self.clock.running():
            pages, truth = self.site.pages(self.clock.now), self.site.truth()
            self.store.add_urls(self.family, [FoundUrl(page.url) for page in pages])
            known = pages[: 2 if self.site.is_list else self.examples]
            examples = tuple(
                Example(page=at, records=tuple(truth[page.url]))
                for at, page in enumerate(known)
            )
            regenerator = Regenerator(self.family, self.store, self._pool(), "run-0")
            return regenerator.first(HealSample(tuple(pages), examples))

    def live(self, rise: Any = 1) -> None:
        """One day: a refresh, the looks of the sensor, in the evening those of the person, a night."""
        start = self.clock.now
        with self.clock.running():
            self._refresh()
            for pause in _LOOKS:
                self.clock.go_on(pause)
                if self.red or not pause:
                    self._heal()
            if self.person.decides(self.store, self._pool(), self._run_id()):
                self.clock.go_on(timedelta(minutes=1))
                self._heal()
            self._count()
        self.clock.now = start + timedelta(days=1)
        self.site.night(rise)
        self.site.day += 1

    def _pool(self) -> Any:
        return Here()

    def _run_id(self) -> str:
        self.runs += 1
        self.clock.go_on(timedelta(minutes=1))
        return f"run-{self.runs}"

    def _refresh(self) -> None:
        pages, store = self.site.pages(self.clock.now), self.store
        for page in pages:
            store.bodies.put(page.body)
        urls = {url.url: url for url in store.frontier(self.family.family)}
        visits = [Visit(urls[page.url], page, Verdict.OK) for page in pages]
        self._serve(visits, is_refresh=True)

    def _replay(self, wave: str | None = None) -> None:
        store = self.store
        urls = store.urls(self.family.family, BATCH)
        self._serve(stored_visits(urls, store), wave=wave)

    def _serve(
        self, visits: list[Visit], wave: str | None = None, *, is_refresh: bool = False
    ) -> None:
        """A run over the only batch, as the asset does it."""
        store, run_id, started = self.store, self._run_id(), self.clock.now
        server = BatchServer(
            self.family,
            store,
            self._pool(),
            run_id,
            wave=wave,
            refresh=run_id if is_refresh else "",
            unit=run_id,
        )
        served = asyncio.run(server.serve(BATCH, visits))
        server.settle()
        settled = store.pending.settle(self.family, run_id)
        is_red = served.judgement.drifted or any(each.drifted for each in settled)
        self.red.pop(BATCH, None)
        if is_red:
            self.red[BATCH] = RedBatch(BATCH, self.runs, wave is not None, started)
        self.checks = tuple(
            f"{check.name}: {check.sentence}"
            for check in served.judgement.checks
            if not check.passed
        )
        self.judge.note(served, store)

    def _heal(self) -> None:
        """What the sensor does until it has nothing left to do."""
        for _ in range(_MOST_ROUNDS):
            if not self.red:
                why = "the family is green again"
                self.store.questions.withdraw(self.family.family, why)
                self.store.reviews.withdraw(self.family.family, why)
                if self._proved_again():
                    continue
                return
            family, cooldown = self.family, self.family.heal.cooldown
            past = heal_record(self.store, family, cooldown)
            past = replace(past, asked=asked_about(self.store, family))
            decided = plan(
                family.family,
                list(self.red.values()),
                past,
                cooldown,
                self.clock.now,
            )
            if decided.wave is not None:
                self._wave(decided.wave.id)
            elif decided.replay:
                self._replay()
            else:
                return

    def _wave(self, wave: str) -> None:
        self.waves += 1
        self.store.audit(
            AuditKind.WAVE_STARTED, self.family.family, None, {"wave": wave}
        )
        self._regenerate(wave)
        self._replay(wave)

    def _regenerate(self, wave: str | None) -> Regeneration:
        fetcher: Any = None
        made = regenerate_or_ask(
            self.family,
            self.store,
            self._pool(),
            fetcher,
            run_id=self._run_id(),
            wave=wave,
        )
        self.ended.append(made)
        self.clock.go_on(timedelta(minutes=1))
        return made

    def _proved_again(self) -> bool:
        """Whether a version on probation was tried once more."""
        active = self.store.active(self.family.family)
        if active is None or not active.probation:
            return False
        read = len(self.store.read_by(self.family, active.version))
        if not is_due(active, read) or (active.version, read) in self.proofs:
            return False
        self.proofs.add((active.version, read))
        if self._regenerate(None).outcome is RegenerationOutcome.WITHDRAWN:
            self._replay()
        return True

    def _count(self) -> None:
        right, total = self.judge.rows(self.store)
        self.days.append(DayEnd(bool(self.red), right, total, self.checks))

    @property
    def questions(self) -> int:
        """What a person was asked."""
        asked = self.store.questions.all(self.family.family)
        return len(asked) + sum(
            made.outcome is RegenerationOutcome.AWAITING_REVIEW for made in self.ended
        )

    def copied(self, folder: Path) -> "Life":
        """The same life once more, in another folder."""
        shutil.copytree(self.folder, folder)
        self.__dict__.pop("store", None)
        copy = deepcopy(self)
        copy.folder = folder
        return copy
