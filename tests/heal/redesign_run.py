"""A family of the shop with its real store, served day after day and healed as the sensor would: the runs of Dagster
without Dagster."""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.heal.job import regenerate_family
from crawloop_assets.heal.past import heal_record
from crawloop_assets.heal.probation import is_due
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.wave import RedBatch, plan
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.commit import published
from crawloop_assets.serve.visit import Visit, stored_visits
from crawloop_assets.store import AuditKind, FoundUrl, Store
from crawloop_assets.values.equality import canonical
from tests.heal.clock import Clock
from tests.heal.redesign_kinds import FIRST, LISTS, Shown
from tests.heal.redesign_pages import (
    Design,
    address,
    api_answer,
    detail_page,
)
from tests.heal.redesign_rows import rows_page
from tests.heal.redesign_shop import BASE, ShelfWare, Truth, Ware, Wares
from tests.here import Here

BATCH = "000001"
QUIET_DAYS = 4
ROWS = 6
"""Rows of a page."""
_EXAMPLES = 4
_LOOKS = (timedelta(), timedelta(hours=7))
"""When in a day the sensor finds that the cool-down is over."""
_MOST_ROUNDS = 12
_QUESTIONS = frozenset({"review_asked", "needs_person"})


@dataclass
class DayEnd:
    """How a day ended: whether the family is red, and the rows that say what is true, of all there are."""

    is_red: bool
    right: int
    rows: int
    checks: tuple[str, ...] = ()


@dataclass
class Life:
    """A family from its first day on.

    `wrong` are the rows that were ever published untrue, with the day; `ended` what regenerations came to.
    """

    shown: Shown
    is_linked: bool
    folder: Path
    wares: Wares
    clock: Clock = field(default_factory=Clock)
    design: Any = None
    day: int = -QUIET_DAYS
    runs: int = 0
    waves: int = 0
    red: dict[str, RedBatch] = field(default_factory=dict)
    ended: list[Regeneration] = field(default_factory=list)
    wrong: dict[tuple[int, str, str], tuple[Any, Any]] = field(default_factory=dict)
    days: list[DayEnd] = field(default_factory=list)
    proofs: set[tuple[int, int]] = field(default_factory=set)
    checks: tuple[str, ...] = ()

    @cached_property
    def store(self) -> Store:
        """The family's own store."""
        return Store(self.folder / "var", self.folder / "crawloop.duckdb", wait_s=10)

    @property
    def is_list(self) -> bool:
        """Whether a page holds many wares."""
        return self.shown in LISTS

    @property
    def model(self) -> type[BaseModel]:
        """The user's record."""
        return ShelfWare if self.is_list else Ware

    @cached_property
    def family(self) -> Family:
        """The family as an operator would declare it."""
        kinds = {Shown.JSON: FamilyKind.JSON}
        kinds |= dict.fromkeys(LISTS, FamilyKind.LISTING)
        return Family.model_validate(
            {
                "family": f"wares/{self.shown.value}",
                "schema": f"tests.heal.redesign_shop:{self.model.__name__}",
                "key": ["url" if self.is_list else "sku"],
                "kind": kinds.get(self.shown, FamilyKind.DETAIL),
                "discover": {"seeds": [f"{BASE}/"]},
            }
        )

    # -- pages and truth --------------------------------------------------------------

    def pages(self) -> list[Page]:
        """What the site answers today."""
        return [self._page(at, wares) for at, wares in enumerate(self._of_pages())]

    def _of_pages(self) -> list[list[Truth]]:
        today = self.wares.today
        if not self.is_list:
            return [[ware] for ware in today]
        return [today[at : at + ROWS] for at in range(0, len(today), ROWS)]

    def _url(self, at: int) -> str:
        if self.is_list:
            return f"{BASE}/all?page={at + 1}"
        return address(self.wares.today[at], self.shown is Shown.JSON)

    def _design(self, at: int) -> Design:
        first = FIRST[self.shown]
        if self.is_linked:
            first = Design(**{**first.__dict__, "linked": True})
        if self.design is None or self.day < 0:
            return first
        made: Design = self.design(first, self.day, at)
        return made

    def _page(self, at: int, wares: Sequence[Truth]) -> Page:
        design, others = self._design(at), self._others(at)
        if self.is_list:
            body = rows_page(wares, design, "All wares")
        elif self.shown is Shown.JSON:
            body = api_answer(wares[0], design, others)
        else:
            body = detail_page(wares[0], design, others)
        content = "application/json" if self.shown is Shown.JSON else "text/html"
        return Page(
            url=self._url(at),
            body=body.encode(),
            headers={"content-type": content},
            fetched_at=self.clock.now,
        )

    def _others(self, at: int) -> list[Truth]:
        today = self.wares.today
        return [today[(at + step) % len(today)] for step in (3, 5, 7)]

    def truth(self) -> dict[str, list[dict[str, Any]]]:
        """Url -> the true records of its page today."""
        schema = self.family.schema_spec()
        names = {spec.name for spec in schema.fields}
        return {
            self._url(at): [
                to_values(
                    {name: value for name, value in ware.items() if name in names},
                    schema,
                )
                for ware in wares
            ]
            for at, wares in enumerate(self._of_pages())
        }

    # -- runs -------------------------------------------------------------------------

    def begin(self) -> Regeneration:
        """Declare the family with a few examples, and live through some quiet days."""
        with self.clock.running():
            pages, truth = self.pages(), self.truth()
            self.store.add_urls(self.family, [FoundUrl(page.url) for page in pages])
            known = pages[: _EXAMPLES if not self.is_list else 2]
            examples = tuple(
                Example(page=at, records=tuple(truth[page.url]))
                for at, page in enumerate(known)
            )
            regenerator = Regenerator(self.family, self.store, self._pool(), "run-0")
            made = regenerator.first(HealSample(tuple(pages), examples))
        for _ in range(QUIET_DAYS):
            self.live()
        return made

    def live(self, rise: Any = 1) -> None:
        """One day: a refresh, the looks of the sensor, a night."""
        start = self.clock.now
        with self.clock.running():
            self._refresh()
            for pause in _LOOKS:
                self.clock.go_on(pause)
                if self.red or not pause:
                    self._heal()
            self._count()
        self.clock.now = start + timedelta(days=1)
        self.wares.night(rise)
        self.day += 1

    def _pool(self) -> Any:
        return Here()

    def _run_id(self) -> str:
        self.runs += 1
        self.clock.go_on(timedelta(minutes=1))
        return f"run-{self.runs}"

    def _refresh(self) -> None:
        pages, store = self.pages(), self.store
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
        self._note_wrong(served)

    def _heal(self) -> None:
        """What the sensor does until it has nothing left to do."""
        for _ in range(_MOST_ROUNDS):
            if not self.red:
                if self._proved_again():
                    continue
                return
            family, cooldown = self.family, self.family.heal.cooldown
            past = heal_record(self.store, family.family, cooldown)
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
        self._replay(wave)
        self._regenerate(wave)

    def _regenerate(self, wave: str | None) -> Regeneration:
        fetcher: Any = None
        made = regenerate_family(
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

    # -- what came of it --------------------------------------------------------------

    def _note_wrong(self, served: ServedBatch) -> None:
        """Rows that a run has published and that are not true today."""
        truth = self.truth()
        known = self.store.known(self.family)
        for reading in served.readings:
            if not published(reading, served.judgement) or reading.skipped:
                continue
            if known.get(reading.url) != [dict(row) for row in reading.values]:
                continue  # put back when the run was judged as a whole
            for row in reading.values:
                self._note_row(row, truth[reading.url])

    def _note_row(
        self, row: Mapping[str, Any], true: Sequence[Mapping[str, Any]]
    ) -> None:
        key = self.family.key[0]
        own = next((each for each in true if each[key] == row.get(key)), None)
        name = str(row.get(key))
        if own is None:
            self.wrong[self.day, name, "record"] = (row, None)
            return
        for spec in self.family.schema_spec().fields:
            value = row.get(spec.name)
            if value in (None, []) or (spec.name == "url" and not self.is_list):
                continue
            if canonical(value, spec) != canonical(own.get(spec.name), spec):
                self.wrong[self.day, name, spec.name] = (value, own.get(spec.name))

    def _count(self) -> None:
        truth, known = self.truth(), self.store.known(self.family)
        right = total = 0
        for at, (url, true) in enumerate(truth.items()):
            design, rows = self._design(at), known.get(url, [])
            key = self.family.key[0]
            by_key = {row.get(key): row for row in rows}
            for record in true:
                total += 1
                right += self._is_right(by_key.get(record[key]), record, design)
        self.days.append(DayEnd(bool(self.red), right, total, self.checks))

    def _is_right(
        self, row: Mapping[str, Any] | None, true: Mapping[str, Any], design: Design
    ) -> bool:
        """Whether a row says all that its page shows, as it is today."""
        if row is None:
            return False
        for spec in self.family.schema_spec().fields:
            if spec.name == "url" and not self.is_list:
                continue
            is_hidden = spec.name in design.gone or spec.name in design.nulls
            if is_hidden and row.get(spec.name) is None:
                continue
            if canonical(row.get(spec.name), spec) != canonical(
                true.get(spec.name), spec
            ):
                return False
        return True

    @property
    def questions(self) -> int:
        """What a person was asked."""
        asked = sum(
            event.kind.value in _QUESTIONS
            for event in self.store.audits(self.family.family, limit=500)
        )
        return asked + sum(
            made.outcome is RegenerationOutcome.AWAITING_REVIEW for made in self.ended
        )

    def copied(self, folder: Path) -> "Life":
        """The same life once more, in another folder."""
        shutil.copytree(self.folder, folder)
        self.__dict__.pop("store", None)
        copy = deepcopy(self)
        copy.folder = folder
        return copy
