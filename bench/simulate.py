"""Limits, frontier and waves at many hosts, with the product's own classes and a clock
of its own: `python -m bench.simulate [--hosts 100000] [--processes 2] [--seed 1]`.

Nothing is asked of any network. The frontier is a real store; the limiter's files are
real; what sleeps wakes at once, at the moment it asked for. It says, and ends with 1 unless
so, that no host was asked faster or by more at once than it allows, that every host was
asked for every url, and that every redesign had one wave.
"""

import argparse
import asyncio
import json
import random
import resource
import selectors
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from crawloop_assets.access import limiter as limits
from crawloop_assets.access.limiter import Limiter, Pace
from crawloop_assets.errors import Transient
from crawloop_assets.family import Discover, Family
from crawloop_assets.heal.wave import HealRecord, RedBatch, plan
from crawloop_assets.store import FoundUrl, Store

_PACES = [Pace(1, 0.5), Pace(2, 1.0), Pace(1, 5.0), Pace(4, 0.1), Pace(1, 20.0)]
_ANSWER_S = 0.3
# An event loop tells moments apart that are a nanosecond from each other: a float does only near the beginning.
_BEGINNING_S = 1_000.0
_HEAL_S, _TICK_S = 40.0, 5.0
_COOLDOWN = timedelta(hours=6)
_PATIENCE_S = 3_600.0
_BATCHES = 10  # of a family of the waves


class Clock(selectors.DefaultSelector):
    """Where everybody sleeps, it leaps to the moment at which the first one wakes."""

    def __init__(self) -> None:
        super().__init__()
        self.now = _BEGINNING_S

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        """What the event loop does between two of its steps."""
        self.now += timeout or 0.0
        return super().select(0)

    def time(self) -> float:
        """Seconds; they pass only while everybody sleeps."""
        return self.now

    @contextmanager
    def running(self) -> Iterator[asyncio.AbstractEventLoop]:
        """An event loop by this clock, and the limiter as well."""
        loop = asyncio.SelectorEventLoop(self)
        loop.time = self.time  # type: ignore[method-assign]
        ours = SimpleNamespace(time=self.time, monotonic=self.time, sleep=time.sleep)
        with patch.object(limits, "time", ours):
            yield loop
        loop.close()


@dataclass
class Host:
    """A host, what it allows, and what it saw."""

    name: str
    pace: Pace
    urls: int
    last_at: float = 0.0
    under_way: int = 0
    served: int = 0
    too_soon: int = 0
    too_many: int = 0

    def begin(self, now: float) -> None:
        """A request arrives."""
        self.too_soon += now - self.last_at < self.pace.interval_s * 0.999
        self.last_at, self.under_way = now, self.under_way + 1
        self.too_many += self.under_way > self.pace.concurrency

    def end(self) -> None:
        """It was answered."""
        self.under_way -= 1
        self.served += 1


@dataclass(frozen=True)
class Plot:
    """How much is simulated."""

    hosts: int
    processes: int
    seed: int
    urls: int = 3
    batch: int = 500


@dataclass
class Findings:
    """What was measured, and what must not be."""

    figures: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def cpu(self, what: str) -> Iterator[None]:
        """CPU seconds of a part of it."""
        began = time.process_time()
        yield
        self.figures[what] = round(time.process_time() - began, 3)


def family_of(size: int) -> Family:
    """A family with batches of so many urls."""
    return Family(
        family="shop/product",
        schema="schemas.product:Product",
        discover=Discover(seeds=["http://h0.test/"], include=["/"]),
        batch_size=size,
    )


def crawl(plot: Plot, folder: Path) -> Findings:
    """The frontier is filled and crawled by some processes at once."""
    found, chance = Findings(), random.Random(plot.seed)
    hosts = {
        f"h{number}.test": Host(f"h{number}.test", chance.choice(_PACES), plot.urls)
        for number in range(plot.hosts)
    }
    urls = [f"http://{name}/{page}" for name in hosts for page in range(plot.urls)]
    chance.shuffle(urls)
    family = family_of(plot.batch)
    store = Store(folder / "var", folder / "crawloop.duckdb")
    with found.cpu("frontier: all urls added, s"):
        store.add_urls(family, list(map(FoundUrl, urls)))
    with found.cpu("frontier: what is due, s"):
        due = store.due(family.family)
    with found.cpu("frontier: one batch read, s"):
        store.urls(family.family, next(iter(due)))
    batches = sorted(due)
    clock = Clock()
    with found.cpu("limiter: all urls, s"), clock.running() as loop:
        began = clock.time()
        given_back = loop.run_until_complete(
            _crawled(
                plot,
                clock,
                hosts,
                [_names(store, family, one) for one in batches],
                folder,
            )
        )
        found.figures["simulated seconds"] = round(clock.time() - began, 1)
    found.figures["urls"] = len(urls)
    found.figures["batches"] = len(batches)
    found.wrong["requests sooner than allowed"] = sum(
        one.too_soon for one in hosts.values()
    )
    found.wrong["requests at once beyond what is allowed"] = sum(
        one.too_many for one in hosts.values()
    )
    found.wrong["urls given back"] = given_back
    found.wrong["hosts without every url"] = sum(
        one.served < one.urls for one in hosts.values()
    )
    found.figures["memory at most, MB"] = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    )
    return found


def _names(store: Store, family: Family, batch: str) -> list[str]:
    """The host of each url of a batch."""
    return [one.url.split("/")[2] for one in store.urls(family.family, batch)]


async def _crawled(
    plot: Plot,
    clock: Clock,
    hosts: dict[str, Host],
    batches: Sequence[Sequence[str]],
    folder: Path,
) -> int:
    """How many urls were given back, by processes that share a folder and take every
    nth batch."""
    chance = random.Random(plot.seed)

    async def page(limiter: Limiter, host: Host) -> int:
        try:
            async with limiter.turn(host.name, host.pace) as turn:
                host.begin(clock.time())
                turn.sent()
                await asyncio.sleep(chance.expovariate(1 / _ANSWER_S))
                host.end()
        except Transient:
            return 1
        return 0

    async def process(number: int) -> int:
        limiter, back = Limiter(folder / "limits"), 0
        for batch in batches[number :: plot.processes]:
            back += sum(
                await asyncio.gather(*(page(limiter, hosts[name]) for name in batch))
            )
        limiter.close()
        return back

    return sum(await asyncio.gather(*map(process, range(plot.processes))))


@dataclass
class Site:
    """A family whose site is redesigned once, and what its sensor can see."""

    name: str
    red: list[RedBatch] = field(default_factory=list)
    past: HealRecord = field(default_factory=HealRecord)
    healed_at: float = 0.0


class Instance:
    """What the sensors ask for: a wave is carried out once, however often it is said,
    and its site is green some time later."""

    def __init__(self, chance: random.Random):
        self.now, self._chance = 0.0, chance
        self.waves: set[str] = set()

    def tick(self, site: Site) -> None:
        """Killed before it asked, the sensor has asked for nothing; killed after it, it
        asks again: it remembers nothing of its own."""
        if 0 < site.healed_at <= self.now:
            moment = _at(self.now)
            site.past = HealRecord(promoted_at=moment, attempts=(moment,))
            site.red, site.healed_at = [], 0.0
        is_killed = self._chance.random() < 0.3
        if not site.red or is_killed:
            return
        wave = plan(site.name, site.red, site.past, _COOLDOWN, _at(self.now)).wave
        if wave is not None and wave.id not in self.waves:
            self.waves.add(wave.id)
            site.healed_at = self.now + _HEAL_S


def waves(plot: Plot) -> Findings:
    """One family for each hundred hosts, of which one in five is redesigned, and sensors
    that are killed at every third tick."""
    found, chance = Findings(), random.Random(plot.seed)
    sites = [Site(f"shop/{number}") for number in range(max(plot.hosts // 100, 5))]
    redesigned = chance.sample(sites, len(sites) // 5)
    for site in redesigned:
        some = chance.sample(range(_BATCHES), chance.randint(1, _BATCHES))
        site.red = [RedBatch(f"{one:06d}", one, False, _at(0)) for one in some]
    instance = Instance(chance)
    with found.cpu("waves: all ticks, s"):
        while any(map(attrgetter("red"), sites)) and instance.now < _PATIENCE_S:
            for site in sites:
                instance.tick(site)
            instance.now += _TICK_S
    found.figures |= {"families": len(sites), "redesigns": len(redesigned)}
    twice = len(instance.waves) - len(redesigned)
    found.wrong["waves beyond one for each redesign"] = twice
    found.wrong["families left red"] = sum(map(bool, map(attrgetter("red"), sites)))
    return found


def _at(seconds: float) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def main(arguments: Sequence[str]) -> int:
    """Prints what was found; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description="Many hosts, by a clock of its own.")
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    plot = Plot(**vars(parser.parse_args(arguments)))
    with tempfile.TemporaryDirectory() as folder:
        parts = [crawl(plot, Path(folder)), waves(plot)]
    for part in parts:
        print(json.dumps(part.figures | part.wrong, indent=1))
    return int(any(any(part.wrong.values()) for part in parts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
