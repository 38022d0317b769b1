"""The course of a soak of the product: what happens when, and what is looked at then."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter

import dagster as dg
from sqlalchemy.exc import SQLAlchemyError

from bench.product_soak import audit
from bench.product_soak.clock import STEP_S
from bench.product_soak.footprint import LOOK_EVERY_S, Footprint
from bench.product_soak.ground import Town, wait, write_family
from bench.product_soak.machines import Machines
from bench.product_soak.roles import kill_process, roles_of
from crawloop_assets.demo.site.changes import Only, ShopPart
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.demo.witness import Witness
from crawloop_assets.errors import CrawloopError
from crawloop_assets.family import Family
from crawloop_assets.pipeline.drive import Drive

KILL_EVERY_S = 30.0
_REFRESH_EVERY_S = 13.0
"""For each family: two cores carry no more of them."""
_TELL_EVERY_S = 5.0
_PATIENCE_S = 360.0
_PATIENCE_OF_EACH_S = 20.0
_BROKEN = "shop_api"
_TYPO = "family: shop/api\nschema: [schemas.api_product\n"
_ROUND_S = 1.0


@dataclass
class Outcome:
    """What was done, and what is wrong in the end, by what it is about."""

    footprint: Footprint
    did: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        """Whether nothing is."""
        return not any(self.wrong.values())

    def lines(self) -> Iterator[str]:
        """The table."""
        for name, count in self.did.items():
            yield f"{name:44} {count:10,}"
        yield from self.footprint.lines()
        yield "-" * 55
        for name, found in self.wrong.items():
            yield f"{name:44} {len(found):10,}"
        for name, found in self.wrong.items():
            yield from (f"  ! {name}: {one}" for one in found[:10])


@dataclass
class ProductSoak:
    """One soak: a town, the shop it lives from, and somebody who knows the truth."""

    town: Town
    shop: Shop
    instance: dg.DagsterInstance
    seconds: float
    seed: int
    machines: Machines | None = None

    def __post_init__(self) -> None:
        self.outcome = Outcome(Footprint(self.town.project.root.parent))
        self.chance = random.Random(self.seed)
        self.families: Sequence[Family] = self.town.project.load_families()
        self.witness = Witness(self.shop, self.town.project.published, self.families)
        self.drive = Drive(self.town.url, self.instance)
        self._began = self._told = self._refreshed = self._looked = time.monotonic()

    def run(self) -> Outcome:
        """All of it."""
        self.witness.note()
        self.town.keep_running()
        self._begin()
        self._fire()
        self._end()
        return self.outcome

    # --- the beginning

    def _begin(self) -> None:
        """Find the urls, make the first crawlers, crawl once; nobody is killed yet."""
        self._ask_all(self.drive.discover, "discovery is asked for")
        self._until(self._is_idle, "discovered")
        self._ask_all(self.drive.refresh, "a crawl is asked for")
        self._until(self._is_idle, "crawled")

    def _ask_all(self, ask: Callable[[Family], str], what: str) -> None:
        """Ask it of every family, once; the webserver may still be starting."""
        for family in self.families:
            self._until(partial(self._is_asked, ask, family), what, must=False)

    def _is_asked(self, ask: Callable[[Family], str], family: Family) -> bool:
        """Whether the webserver took it."""
        try:
            ask(family)
        except (CrawloopError, OSError):
            return False
        return True

    # --- the fire

    def _events(self) -> list[tuple[float, str, Callable[[], None]]]:
        """What happens, at which share of the time."""
        chance, clock = self.chance.uniform, self.town.clock
        only = Only(parts=frozenset({ShopPart.PRODUCT}))
        mended = self._file_of_broken()
        return [
            (
                chance(0.05, 0.1),
                "the product pages are redesigned",
                partial(self._redesign, "B", only),
            ),
            (
                chance(0.15, 0.2),
                "the clock is set two hours on",
                partial(clock.set, STEP_S),
            ),
            (chance(0.25, 0.3), "a family file is broken", partial(self._save, _TYPO)),
            (chance(0.35, 0.4), "the clock is right again", partial(clock.set, 0)),
            (
                chance(0.42, 0.45),
                "the family file is mended",
                partial(self._save, mended),
            ),
            (chance(0.5, 0.55), "prices move", self._move_prices),
            (
                chance(0.58, 0.62),
                "the clock is set two hours back",
                partial(clock.set, -STEP_S),
            ),
            (
                chance(0.7, 0.75),
                "all of the shop is redesigned",
                partial(self._redesign, "C", Only()),
            ),
            (chance(0.8, 0.85), "the clock is right again", partial(clock.set, 0)),
        ]

    def _fire(self) -> None:
        """Kill a process every half minute, while things happen."""
        began = killed = time.monotonic()
        events = self._events()
        while (now := wait(_ROUND_S)) < began + self.seconds:
            self.town.keep_running()
            while events and now >= began + events[0][0] * self.seconds:
                _, what, act = events.pop(0)
                act()
                self.outcome.did[what] += 1
                self._tell(what)
            if now - killed > KILL_EVERY_S:
                self._kill()
                killed = now
            self._refresh_now_and_then(now)
            self._look_now_and_then(now)
            self._tell_now_and_then("under fire")

    def _kill(self) -> None:
        """One of the processes there are, of a role by chance, or a server."""
        roles = roles_of(self.town.working())
        acts: dict[str, Callable[[], None]] = {
            role: partial(kill_process, self.chance.choice(found))
            for role, found in roles.items()
        }
        if self.machines is not None:
            acts["broker"] = self.machines.kill_broker
            acts["Postgres"] = self.machines.crash_postgres
        role = self.chance.choice(sorted(acts))
        acts[role]()
        self.outcome.did[f"killed: {role}"] += 1
        self._tell(f"a {role} is killed")

    def _refresh_now_and_then(self, now: float) -> None:
        if now - self._refreshed < _REFRESH_EVERY_S * len(self.families):
            return
        self._refreshed = now
        for family in self.families:
            try:
                if self.drive.idle(family):
                    self.drive.refresh(family)
                    self.outcome.did["refreshes asked for"] += 1
            except (CrawloopError, OSError) as error:
                self._tell(f"{family.family} is not refreshed: {str(error)[:100]}")

    def _look_now_and_then(self, now: float) -> None:
        """What the product takes of the machine, while nothing is down."""
        if now - self._looked < LOOK_EVERY_S:
            return
        self._looked = now
        with suppress(SQLAlchemyError):
            runs = self.instance.get_runs_count()
            self.outcome.footprint.look(self.town.working(), runs)

    def _redesign(self, layout: str, only: Only) -> None:
        self.shop.redesign(layout, only)
        self.witness.note()

    def _move_prices(self) -> None:
        self.shop.change_prices(0.05)
        self.witness.note()

    def _file_of_broken(self) -> str:
        file = self.town.project.families / f"{_BROKEN}.yaml"
        return file.read_text(encoding="utf-8")

    def _save(self, text: str) -> None:
        write_family(self.town.project, _BROKEN, text)

    # --- the end

    def _end(self) -> None:
        """Wait until nothing is going on, crawl once more, and look."""
        self._until(self._is_idle, "what was going on ends", must=False)
        self._ask_all(self.drive.refresh, "the last crawl is asked for")
        self._until(self._is_quiet, "everything is green and idle", must=False)
        instance, project = self.instance, self.town.project
        self.outcome.wrong = {
            "waves not carried out once": list(audit.waves_not_once(instance)),
            "asked for twice": list(audit.asked_twice(instance)),
            "stuck": list(audit.stuck(instance)),
            "red": list(audit.red_batches(instance, self.families)),
            "said to be red": list(audit.said_to_be_red(project, self.families)),
            "rows that are wrong or missing": list(audit.wrong_rows(self.witness)),
            "rows that are there twice": list(audit.rows_twice(project, self.families)),
            "memory that grows": list(self.outcome.footprint.grown()),
        }
        did, runs = self.outcome.did, list(instance.get_runs())
        did["waves"] = sum(
            "crawloop/wave" in one.tags for one in instance.get_backfills()
        )
        did["runs"] = len(runs)
        did["runs that were killed or failed"] = sum(
            map(attrgetter("is_failure_or_canceled"), runs)
        )
        did["processes started"] = self.town.started
        did["rows held against the shop"] = audit.rows_left(project, self.families)

    def _is_so(self, done: Callable[[], bool]) -> bool:
        """Whether it is done; not while nobody can say, as a server was killed."""
        with suppress(CrawloopError, OSError, SQLAlchemyError):
            return done()
        return False

    def _is_idle(self) -> bool:
        return all(map(self.drive.idle, self.families))

    def _is_quiet(self) -> bool:
        return self._is_idle() and not any(
            audit.red_batches(self.instance, self.families)
        )

    def _until(self, done: Callable[[], bool], what: str, *, must: bool = True) -> None:
        """Wait for it, and keep everything running meanwhile."""
        patience = _PATIENCE_S + _PATIENCE_OF_EACH_S * len(self.families)
        end = time.monotonic() + patience
        while not self._is_so(done):
            self.town.keep_running()
            self._tell_now_and_then(f"until {what}")
            if wait(_ROUND_S) > end:
                if must:
                    raise SystemExit(f"gave up waiting until {what}")
                self._tell(f"gave up waiting until {what}")
                return

    def _tell_now_and_then(self, what: str) -> None:
        if time.monotonic() - self._told > _TELL_EVERY_S:
            self._tell(what)

    def _tell(self, what: str) -> None:
        self._told = time.monotonic()
        runs = Counter(
            map(attrgetter("status.value"), self.instance.get_runs(limit=200))
        )
        counts = ", ".join(
            f"{count} {status}" for status, count in sorted(runs.items())
        )
        print(f"{self._told - self._began:5.0f} s: {what}; {counts}", flush=True)
