"""Runs on three workers behind a broker: a redesign heals by one wave, though two of the workers are killed; a broker that
stands still and a worker that is cut off from Postgres lose and double nothing."""

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import dagster as dg
import pytest
from redis import Redis

from crawloop_assets.pipeline.dagster_private import taken_up
from crawloop_assets.pipeline.dagster_workers import signs_of_workers
from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import free_port
from crawloop_assets.store import AuditKind
from crawloop_assets.store.places import STORE_URL
from crawloop_assets.store.published import published_rows
from tests.broker import running_broker
from tests.cuttable import CuttableWay
from tests.e2e.dagster_ui import Ui
from tests.e2e.services import (
    DEPLOY,
    PATIENCE_S,
    answers,
    begun,
    end,
    never_crawled,
    services,
)
from tests.postgres import down
from tests.world import KITCHEN, World

pytestmark = [pytest.mark.e2e, pytest.mark.long]

WORKERS = 3
CUT_S = 30
IN_PROGRESS = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])
DONE = dg.DagsterEventType.ASSET_MATERIALIZATION


@pytest.fixture
def story(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A shop that was never crawled. Dead runs are looked for more often than in production."""
    config = (DEPLOY / "dagster-workers.yaml").read_text()
    often = config.replace("poll_interval_seconds: 15", "poll_interval_seconds: 2")
    with running_broker(tmp_path_factory.mktemp("broker")) as broker:
        monkeypatch.setenv("CRAWLOOP_BROKER_URL", broker)
        with never_crawled(tmp_path_factory, often, monkeypatch) as made:
            yield made


class Workers:
    """Three workers, and who of them has a run."""

    def __init__(self, story: World, alive: list[subprocess.Popen[bytes]]):
        self._story, self.alive = story, alive

    def of(self, run_id: str) -> subprocess.Popen[bytes] | None:
        """The worker that has taken up a run."""
        taken = taken_up(self._story.instance, run_id)
        if taken is None or not signs_of_workers().is_alive(run_id):
            return None
        session = os.getsid(taken[0])
        return next(worker for worker in self.alive if worker.pid == session)

    def kill(self, worker: subprocess.Popen[bytes] | None) -> None:
        """It alone: what it has started ends with it."""
        assert worker
        worker.send_signal(signal.SIGKILL)
        worker.wait(20)
        self.alive.remove(worker)


@contextmanager
def cut_off_worker(story: World, folder: Path) -> Iterator[CuttableWay]:
    """A worker alone, and its way to Postgres."""
    url = os.environ["DAGSTER_POSTGRES_URL"]
    there = dict(parse_qsl(urlsplit(url).query))["host"]
    way = CuttableWay(folder, Path(there))
    own = url.replace(f"host={there}", f"host={folder}")
    worker = begun("worker", story, 0, DAGSTER_POSTGRES_URL=own)
    try:
        yield way
    finally:
        way.mend()
        end(worker)
        way.close()


@contextmanager
def still() -> Iterator[None]:
    """The broker stands still, as a machine does that swaps."""
    with Redis.from_url(os.environ["CRAWLOOP_BROKER_URL"]) as asked:
        number = asked.info()["process_id"]
    os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(number, signal.SIGCONT)


@contextmanager
def workers(story: World) -> Iterator[Workers]:
    """They end with the block, as compose ends them."""
    with ExitStack() as stack:
        alive = [begun("worker", story, 0) for _ in range(WORKERS)]
        made = Workers(story, alive)
        stack.callback(lambda: list(map(end, made.alive)))
        yield made


def batches_made(story: World, run_id: str) -> int:
    """How many a run has made so far."""
    return len(story.instance.all_logs(run_id, of_type=DONE))


def runs_of(story: World, mode: str) -> list[dg.DagsterRun]:
    """The runs of the family in a mode, newest first."""
    tags = {"crawloop/mode": mode}
    return list(story.instance.get_runs(dg.RunsFilter(tags=tags)))


def test_a_redesign_is_healed_by_one_wave_on_three_workers_of_which_two_are_killed(
    story: World,
) -> None:
    family, port = story.family, free_port()
    drive = Drive(f"http://127.0.0.1:{port}", story.instance)
    ui = Ui(drive, story.names)
    with services(story, port), workers(story) as pool:
        drive.until(lambda: answers(drive), "the UI", PATIENCE_S)
        drive.wait([drive.discover(family)], PATIENCE_S)
        drive.wait([drive.refresh(family)], PATIENCE_S)
        assert ui.shown() == {"succeeded": story.batches}
        witness = story.witness()
        story.shop.redesign("B", KITCHEN)
        crawl = drive.refresh(family)
        drive.until(lambda: batches_made(story, crawl) > 0, "a batch", PATIENCE_S)
        pool.kill(pool.of(crawl))
        assert batches_made(story, crawl) < len(story.batches), "in the middle"

        def healing() -> subprocess.Popen[bytes] | None:
            (newest, *_) = [*runs_of(story, "regenerate"), None]
            return newest and pool.of(newest.run_id)

        drive.until(lambda: healing() is not None, "a regeneration", PATIENCE_S)
        pool.kill(healing())
        drive.until(
            lambda: not drive.red(family) and drive.idle(family), "green", PATIENCE_S
        )
        assert ui.shown() == {"succeeded": story.batches}
        (wave,) = ui.waves()
        assert sorted(wave["partitionNames"]) == story.batches_of("kitchen")
        statuses = [run.status for run in runs_of(story, "regenerate")]
        assert statuses == [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE]
        assert list(witness.faults(complete=False)) == []
        assert len(pool.alive) == WORKERS - 2


@pytest.fixture
def shared(story: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """The same with the store in Dagster's Postgres."""
    url = os.environ["DAGSTER_POSTGRES_URL"].replace("+psycopg2", "", 1)
    monkeypatch.setenv(STORE_URL, url)
    return story


def told(drive: Drive, ask: Callable[[], Any]) -> Any:
    """What the UI says, asked again until it can."""
    found: list[Any] = []

    def is_told() -> bool:
        with suppress(OSError):
            found.append(ask())
        return bool(found)

    drive.until(is_told, "the UI", PATIENCE_S)
    return found[0]


def test_with_the_store_in_a_postgres_that_crashes_nothing_is_lost_or_doubled(
    shared: World,
) -> None:
    story = shared
    family, port = story.family, free_port()
    drive = Drive(f"http://127.0.0.1:{port}", story.instance)
    ui = Ui(drive, story.names)
    folder = Path(dict(parse_qsl(urlsplit(os.environ[STORE_URL]).query))["host"])
    with services(story, port), workers(story) as pool:
        drive.until(lambda: answers(drive), "the UI", PATIENCE_S)
        drive.wait([drive.discover(family)], PATIENCE_S)
        drive.wait([drive.refresh(family)], PATIENCE_S)
        assert ui.shown() == {"succeeded": story.batches}
        witness = story.witness()
        story.shop.redesign("B", KITCHEN)
        crawl = drive.refresh(family)
        drive.until(lambda: batches_made(story, crawl) > 0, "a batch", PATIENCE_S)
        pool.kill(pool.of(crawl))
        drive.until(lambda: bool(ui.waves()), "a wave", PATIENCE_S)

        def working() -> list[subprocess.Popen[bytes]]:
            under_way = story.instance.get_runs(IN_PROGRESS)
            return list(filter(None, (pool.of(run.run_id) for run in under_way)))

        drive.until(lambda: bool(working()), "a run of the wave", PATIENCE_S)
        with down(folder):
            time.sleep(CUT_S)
        drive.until(lambda: bool(working()), "its retry", PATIENCE_S)
        pool.kill(working()[0])
        drive.until(
            lambda: not drive.red(family) and drive.idle(family),
            "green",
            3 * PATIENCE_S,
        )
        # Each connection that the webserver had kept fails once.
        assert told(drive, ui.shown) == {"succeeded": story.batches}
        (wave,) = told(drive, ui.waves)
        assert sorted(wave["partitionNames"]) == story.batches_of("kitchen")
        started = story.store.audits(family.family, AuditKind.WAVE_STARTED)
        assert len(started) == 1
        assert list(witness.faults(complete=False)) == []
        assert lost_or_doubled(story) == set()
        assert not list(story.project.var.glob("store-*")), "no store in files"
        assert len(pool.alive) == WORKERS - 2


def lost_or_doubled(story: World) -> set[str]:
    """The urls of the frontier that have not one published row each."""
    rows = published_rows(story.project.published, "product", ["_url"])
    urls = Counter(str(row["_url"]) for row in rows)
    known = [one.url for one in story.store.frontier(story.family.family)]
    return {url for url in {*urls, *known} if urls[url] != 1 or url not in known}


def test_a_broker_that_stands_still_and_a_worker_cut_off_lose_and_double_nothing(
    story: World, tmp_path: Path
) -> None:
    family, port = story.family, free_port()
    drive = Drive(f"http://127.0.0.1:{port}", story.instance)
    ui = Ui(drive, story.names)
    with services(story, port):
        with cut_off_worker(story, tmp_path) as way:
            drive.until(lambda: answers(drive), "the UI", PATIENCE_S)
            drive.wait([drive.discover(family)], PATIENCE_S)
            crawl = drive.refresh(family)
            drive.until(lambda: batches_made(story, crawl) > 0, "a batch", PATIENCE_S)
            assert way.cut() > 0
            assert batches_made(story, crawl) < len(story.batches), "in the middle"
            time.sleep(CUT_S)
            way.mend()
            drive.until(lambda: drive.idle(family), "the crawl", PATIENCE_S)
        with workers(story):
            # The run is failed, and retried, by whoever looks for dead runs.
            green = {"succeeded": story.batches}
            drive.until(lambda: ui.shown() == green, "its retry", PATIENCE_S)
            drive.until(lambda: drive.idle(family), "its end", PATIENCE_S)
            witness = story.witness()
            assert list(witness.faults(complete=False)) == []
            assert lost_or_doubled(story) == set()
            before = drive.refresh(family)
            drive.until(lambda: batches_made(story, before) > 0, "a batch", PATIENCE_S)
            with still():
                beside = drive.discover(family)
                time.sleep(CUT_S)
            drive.wait([before, beside], PATIENCE_S)
            drive.wait([drive.refresh(family)], PATIENCE_S)
            assert list(witness.faults(complete=False)) == []
            assert lost_or_doubled(story) == set()
            assert ui.waves() == [], "nothing was taken for a redesign"
