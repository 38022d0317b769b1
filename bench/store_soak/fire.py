"""The course of a soak: rounds of fire, each with its weather, and after each everything
compared, cut, harmed and restored."""

import random
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import cycle
from multiprocessing.process import BaseProcess
from pathlib import Path

from bench.store_soak import harms, result
from bench.store_soak.compare import compare
from bench.store_soak.faults import INJECTED, injected
from bench.store_soak.ground import Ground, finish, kill
from bench.store_soak.journal import Journal, Told
from bench.store_soak.oracle import Oracle
from bench.store_soak.result import Result
from bench.store_soak.watch import seen, watch
from bench.store_soak.writer import Plan, write

_SMALL_FILE = 400_000
_CUTS_AT_ONCE = 5
_FIRST_S = 2.0
_MOST_WAIT_S = 1.5
_COMMIT_S = 0.25
"""What a commit takes, or a little more."""
_TOLD_EVERY_S = 5.0
_SETTLED_S = 5.0
"""Writers run so long unpublished before logs are cut."""


class Weather(StrEnum):
    """What else happens while writers are killed."""

    CALM = "calm"
    FAULTS = "faults"
    FULL = "full disk"


@dataclass(frozen=True)
class Course:
    """How long and how hard; `round_s` is the fire between two comparisons."""

    seconds: float
    seed: int = 0
    writers: int = 3
    readers: int = 2
    round_s: float = 14.0
    sabotage: str = ""


class Soak:
    """One soak on its ground."""

    def __init__(self, ground: Ground, course: Course):
        self.ground, self.course = ground, course
        self.result, self.oracle = Result(), Oracle()
        self._chance = random.Random(course.seed)
        self._end = time.monotonic() + course.seconds
        self._harms = cycle(harms.HARMS)
        self._tenths = cycle(harms.TENTHS)
        self._older = ground.notes / "older"
        self._epoch = 0
        self._told_at = 0.0

    def run(self) -> Result:
        """Round after round, until the time is over."""
        ground = self.ground
        while not self.oracle.rows:
            self._fire(Weather.CALM, _FIRST_S)
            self._settle()
        self._publish_and_compare("first rows")
        readers = [
            ground.begin(watch, ground.published, ground.notes / f"reader-{one}.json")
            for one in range(self.course.readers)
        ]
        try:
            for number, weather in enumerate(cycle(Weather)):
                self._round(number, weather)
                if time.monotonic() >= self._end:
                    break
            self._sabotage()
        finally:
            for reader in readers:
                kill(reader)
        self._count()
        return self.result

    def _round(self, number: int, weather: Weather) -> None:
        harms.older_copy(self.ground.home, self._older)
        left = self._end - time.monotonic()
        self._fire(weather, max(1.0, min(self.course.round_s, left)))
        self._settle_and_compare(f"round {number} ({weather}, shape {self._epoch})")
        if self._end - time.monotonic() > self.course.round_s:
            self._cut_logs() if number % 2 else self._harm(next(self._harms))
        self._epoch += 1
        self.result.did["schema changes"] += 1

    # --- fire

    def _plan(self, worker: int) -> Plan:
        ground = self.ground
        return Plan(
            home=ground.home, notes=ground.notes, worker=worker, epoch=self._epoch
        )

    def _begin(self, worker: int, weather: Weather) -> BaseProcess:
        plan = self._plan(worker)
        if weather is Weather.FAULTS:
            plan.faults = self._chance.randrange(10**9)
        if weather is Weather.FULL and not self.ground.has_disk:
            plan.most_bytes = _SMALL_FILE
        return self.ground.begin(write, plan)

    def _fire(self, weather: Weather, seconds: float) -> None:
        """Kill a random writer now and then, and begin it again; in the end all."""
        end = time.monotonic() + seconds
        running = [self._begin(one, weather) for one in range(self.course.writers)]
        while time.monotonic() < end:
            with self._sky(weather):
                time.sleep(self._chance.uniform(0.2, 1.2))
                worker = self._chance.randrange(len(running))
                self._wait_for_commit(worker)
                self.result.did["kills"] += kill(running[worker])
            running[worker] = self._begin(worker, weather)
            self._tell_now_and_then(f"{weather}, shape {self._epoch}")
        for process in running:
            self.result.did["kills"] += kill(process)

    def _wait_for_commit(self, worker: int) -> None:
        """Until the writer has begun its next commit and is somewhere in it: that is
        where a kill hurts."""
        journal = Journal(self.ground.notes, worker).file
        before, end = _size(journal), time.monotonic() + _MOST_WAIT_S
        while _size(journal) == before and time.monotonic() < end:
            time.sleep(0.005)
        time.sleep(self._chance.uniform(0, _COMMIT_S))

    @contextmanager
    def _sky(self, weather: Weather) -> Iterator[None]:
        is_full = weather is Weather.FULL and self._chance.random() < 0.7
        self.result.did["full disks"] += is_full
        left = self._chance.choice((0, 8, 40, 200)) * 1024
        with self.ground.full(left) if is_full else nullcontext():
            yield

    # --- what is left

    def _settle_and_compare(self, what: str) -> None:
        self._settle()
        self._publish_and_compare(what)

    def _settle(self) -> None:
        """Repeat what is open, as the next process does."""
        workers = range(self.course.writers)
        for worker in workers:
            plan = self._plan(worker).model_copy(update=_SETTLE)
            finish(self.ground.begin(write, plan))
            open_now = Journal(self.ground.notes, worker).is_open()
            self._break(result.NOT_SETTLED, open_now, f"writer {worker}")
        self.oracle.learn(self.ground.notes, workers)

    def _publish_and_compare(self, what: str) -> None:
        answer = self.ground.answer(harms.publish_answer, self.ground.home)
        self._break(result.NOT_SETTLED, answer != harms.PUBLISHED, answer)
        before = replace(self.result.findings)
        self.result.findings += compare(self.ground.published, self.oracle)
        found = self.result.findings
        self._tell(
            f"{what}: {len(self.oracle.ledger):,} commits, {found.compared - before.compared:,} rows compared, "
            f"{found.bad - before.bad} wrong"
        )

    def _tell_now_and_then(self, sentence: str) -> None:
        if time.monotonic() - self._told_at > _TOLD_EVERY_S:
            self._tell(sentence)

    def _tell(self, sentence: str) -> None:
        left = max(0.0, self._end - time.monotonic())
        kills, self._told_at = self.result.did["kills"], time.monotonic()
        print(f"{left:5.0f} s left, {kills} kills; {sentence}", flush=True)

    def _break(self, promise: str, is_broken: bool, how: str) -> None:
        if is_broken:
            self.result.broken[promise] += 1
            self.result.said.append(f"{promise}: {how}")

    # --- harm

    def _harm(self, kind: str) -> None:
        """Harm the store itself; nothing is published over it, and restore brings every
        row back."""
        home, published = self.ground.home, self.ground.published
        if kind == "log deleted" and not harms.log_of_store(home).exists():
            return
        before = harms.digest(published)
        harms.HARMS[kind](home, self._older)
        answer = self.ground.answer(harms.publish_answer, home)
        is_less = harms.digest(published) != before
        self._break(result.PUBLISHED_A_LOSS, is_less, f"{kind}: {answer}")
        refused = answer != harms.PUBLISHED
        self._break(result.PUBLISHED_A_LOSS, not refused, f"{kind}: not refused")
        done = self.ground.crawloop("restore", "--yes")
        self._break(
            result.NOT_RESTORED,
            done.returncode != 0,
            f"{kind}: {done.stdout}{done.stderr}",
        )
        self.result.did[f"store harmed: {kind}"] += 1
        self._forget_asides()
        self._publish_and_compare(f"{kind}, refused, restored")

    def _forget_asides(self) -> None:
        for aside in (self.ground.home / "var").glob("aside-*"):
            shutil.rmtree(aside)

    def _cut_logs(self) -> None:
        """Cut the log of copies of the store, with commits in it that are not published:
        all that was acknowledged is there, or nothing is published; then restore brings
        back what was."""
        published_then = self.oracle_then()
        quiet = [
            self.ground.begin(
                write, self._plan(one).model_copy(update={"publish": False})
            )
            for one in range(self.course.writers)
        ]
        time.sleep(_SETTLED_S)
        for process in quiet:
            kill(process)
        self._settle()
        for _ in range(_CUTS_AT_ONCE):
            self._cut(next(self._tenths), published_then)
        self._publish_and_compare(f"{_CUTS_AT_ONCE} copies with their log cut")

    def oracle_then(self) -> Oracle:
        """The oracle of what is published now."""
        then = Oracle()
        then.learn(self.ground.notes, range(self.course.writers))
        return then

    def _cut(self, tenths: int, published_then: Oracle) -> None:
        copy = self.ground.home.with_name("copy")
        shutil.copytree(self.ground.home, copy)
        published = copy / self.ground.published.name
        try:
            if not harms.log_of_store(copy).exists():
                return
            before = harms.digest(published)
            harms.cut_log(copy, tenths)
            answer = self.ground.answer(harms.publish_answer, copy)
            self.result.did[f"log cut at {tenths} tenths"] += 1
            if answer == harms.PUBLISHED:
                self.result.findings += compare(published, self.oracle)
                return
            is_less = harms.digest(published) != before
            self._break(result.PUBLISHED_A_LOSS, is_less, f"log cut: {answer}")
            answer = self.ground.answer(harms.restore_answer, copy)
            self._break(result.NOT_RESTORED, answer != harms.PUBLISHED, answer)
            self.result.findings += compare(published, published_then)
        finally:
            shutil.rmtree(copy)

    # --- the end

    def _sabotage(self) -> None:
        """Harm that only the oracle can see, to see that it does."""
        kind = self.course.sabotage
        if kind == harms.LESS:
            copy = self.ground.published.with_name("older.duckdb")
            shutil.copy(self.ground.published, copy)
            self._fire(Weather.CALM, 3.0)
            self._settle_and_compare("before the sabotage")
            time.sleep(2.0)
            copy.replace(self.ground.published)
            time.sleep(3.0)
        elif kind:
            harms.sabotage(self.ground.home, kind)
            self._publish_and_compare(f"sabotage: {kind}")

    def _count(self) -> None:
        """What writers and readers noted."""
        result_, ground = self.result, self.ground
        journals = [Journal(ground.notes, one) for one in range(self.course.writers)]
        for journal in journals:
            counts = journal.counts()
            result_.did["commits acknowledged"] += (
                counts[Told.KEPT] + counts[Told.REPLAYED]
            )
            result_.did["of them repeated after a kill"] += counts[Told.REPLAYED]
            result_.did["commits told to have failed"] += counts[Told.FAILED]
            kept = journal.kept_though_failed()
            result_.broken[result.KEPT_THOUGH_FAILED] += len(kept)
        for kind in INJECTED:
            result_.did[f"errors injected: {kind}"] = injected(ground.notes, kind)
        for sight in seen(ground.notes):
            result_.did["reads"] += sight.reads
            result_.did["reads done again, file replaced"] += sight.replaced
            result_.did["rows recomputed by readers"] += sight.rows
            for promise, count in zip(
                _OF_READERS,
                (sight.less, sight.failed, sight.torn, sight.wrong),
                strict=True,
            ):
                result_.broken[promise] += count
            result_.said += sight.said
        result_.said += ground.errors()


_SETTLE = {"settle": True, "publish": False}
_OF_READERS = (
    result.LESS_PUBLISHED,
    result.FAILED_READS,
    result.TORN_READS,
    result.WRONG_READS,
)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
