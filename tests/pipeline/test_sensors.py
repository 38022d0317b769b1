"""The heal sensor on an instance with red batches that nobody crawled."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.errors import CommitsLost
from crawloop_assets.heal import past
from crawloop_assets.heal.wave import HealRecord
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.dagster_private import (
    latest_target,
    open_backfills,
    partitioned_check,
)
from crawloop_assets.pipeline.names import DRIFT_GATE, AssetNames, RunMode
from crawloop_assets.pipeline.sensors import contiguous, range_requests
from crawloop_assets.project import Project
from crawloop_assets.store import (
    AuditKind,
    BatchCommit,
    FoundUrl,
    NewCrawler,
    ServedBy,
    Store,
)
from tests.store.conftest import family, served
from tests.world import PRODUCT, lay_out

BATCHES = [f"{number:06d}" for number in range(1, 6)]


@dataclass
class House:
    """A project and an instance with batches, none of them crawled."""

    project: Project
    instance: dg.DagsterInstance

    @property
    def names(self) -> AssetNames:
        return AssetNames(self.project.family(PRODUCT))

    @property
    def store(self) -> Store:
        return Store(self.project.var, self.project.published)

    def judge(self, *red: str, tags: dict[str, str] | None = None) -> str:
        """A run that judges all batches as the pipeline does; its id."""
        names = self.names

        @dg.multi_asset(
            specs=[
                dg.AssetSpec(
                    names.records, partitions_def=names.partitions, skippable=True
                )
            ],
            check_specs=[
                partitioned_check(DRIFT_GATE, names.records, names.partitions, "toy")
            ],
            partitions_def=names.partitions,
            can_subset=True,
            backfill_policy=dg.BackfillPolicy.single_run(),
        )
        def crawl(context: dg.AssetExecutionContext) -> Iterator[Any]:
            for batch in context.partition_keys:
                yield dg.AssetMaterialization(names.records, partition=batch)
                yield dg.AssetCheckEvaluation(
                    asset_key=names.records,
                    check_name=DRIFT_GATE,
                    partition=batch,
                    passed=batch not in red,
                    blocking=False,
                    target_materialization_data=latest_target(
                        context.instance, names.records, batch
                    ),
                )

        job = dg.define_asset_job("toy", executor_def=dg.in_process_executor)
        definitions = dg.Definitions(assets=[crawl], jobs=[job])
        result = definitions.resolve_job_def("toy").execute_in_process(
            instance=self.instance,
            tags=names.tags(batches=(BATCHES[0], BATCHES[-1])) | (tags or {}),
        )
        assert result.success
        return result.run_id

    def tick(self) -> tuple[list[dg.RunRequest], str]:
        """What one tick asks for, and what it says."""
        definitions = build_definitions(self.project)
        context = dg.build_sensor_context(
            instance=self.instance,
            repository_def=definitions.get_repository_def(),
            resources={"store": (definitions.resources or {})["store"]},
            sensor_name="heal_on_drift",
        )
        found: Any = definitions.resolve_sensor_def("heal_on_drift").evaluate_tick(
            context
        )
        return list(found.run_requests), found.skip_message or found.cursor or ""

    def run(self, mode: RunMode, wave: str, status: dg.DagsterRunStatus) -> str:
        tags = self.names.tags(mode, wave=wave)
        return create_run_for_test(self.instance, tags=tags, status=status).run_id


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    project = lay_out(tmp_path / "project")
    monkeypatch.setenv("CRAWLOOP_HOME", str(project.root))
    with dg.DagsterInstance.ephemeral() as instance:
        made = House(project, instance)
        instance.add_dynamic_partitions(made.names.partition_set, BATCHES)
        yield made


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model may serve what no version reads."""
    monkeypatch.setenv("CRAWLOOP_MODEL", "ollama/small")


def test_green_batches_ask_for_nothing(house: House) -> None:
    assert house.tick() == ([], "no batch is red")
    house.judge()
    assert house.tick() == ([], "no batch is red")
    assert open_backfills(house.instance, house.names.tags()) == []


def test_what_a_fallback_left_red_starts_no_second_wave(house: House) -> None:
    house.store.audit(AuditKind.HEAL_STARTED, PRODUCT, detail={"wave": "w1"})
    house.judge("000002", tags=house.names.tags(RunMode.FALLBACK, wave="w1"))
    requests, note = house.tick()
    assert requests == [] and "1 batch(es) wait for the cool-down" in note
    assert open_backfills(house.instance, house.names.tags()) == []


def test_what_was_proved_gone_waits_for_the_next_refresh(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = HealRecord(proved_gone=frozenset({"stock", "maker"}))
    monkeypatch.setattr(past, "heal_record", lambda *_: gone)
    house.judge("000002")
    requests, note = house.tick()
    assert requests == [] and "the next refresh: maker, stock" in note


def test_red_batches_are_made_again_by_a_version_promoted_since(house: House) -> None:
    house.judge("000001", "000002", "000004")
    version = house.store.add_crawler(NewCrawler(family=PRODUCT, body="one"))
    house.store.promote(PRODUCT, version, "a test")
    requests, note = house.tick()
    assert "making 3 batch(es) again by the new version" in note
    ranges = [
        (
            request.tags["dagster/asset_partition_range_start"],
            request.tags["dagster/asset_partition_range_end"],
        )
        for request in requests
    ]
    assert ranges == [("000001", "000002"), ("000004", "000004")]
    assert {request.job_name for request in requests} == {"replay_shop__product"}
    again, _ = house.tick()
    assert [one.run_key for one in again] == [one.run_key for one in requests]


def test_what_stays_red_under_a_promotion_of_the_future_is_not_made_again_for_ever(
    house: House,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        ahead = datetime.now(UTC) + timedelta(hours=2)
        patch.setattr("crawloop_assets.store.crawlers.now", lambda: ahead)
        version = house.store.add_crawler(NewCrawler(family=PRODUCT, body="one"))
        house.store.promote(PRODUCT, version, "a test")
    house.judge("000001")
    (replay,), _ = house.tick()
    assert replay.job_name == "replay_shop__product"
    house.judge("000001", tags=dict(replay.tags))
    (wave,), _ = house.tick()
    assert wave.job_name == "regenerate_shop__product"


def test_a_red_batch_whose_run_was_deleted_is_left_alone(house: House) -> None:
    run = house.judge("000003")
    house.instance.run_storage.delete_run(run)
    requests, _ = house.tick()
    assert requests == []
    assert house.store.audits(PRODUCT, AuditKind.WAVE_STARTED) == []


def test_batches_of_a_withdrawn_version_are_read_again_once(house: House) -> None:
    store = house.store
    for body in ("one", "two"):
        number = store.add_crawler(NewCrawler(family=PRODUCT, body=body))
        store.promote(PRODUCT, number, "a test")
    detail = {"version": 2, "batches": ["000001", "000002", "000005"]}
    store.audit(AuditKind.CRAWLER_WITHDRAWN, PRODUCT, None, detail)
    requests, _ = house.tick()
    assert [request.run_key for request in requests] == [
        "replay:withdrawn-v2:000001",
        "replay:withdrawn-v2:000005",
    ]
    assert {request.job_name for request in requests} == {"replay_shop__product"}
    house.run(RunMode.REPLAY, "withdrawn-v2", dg.DagsterRunStatus.SUCCESS)
    assert house.tick() == ([], "no batch is red")


def test_what_a_model_served_is_read_once_by_a_version_that_came_later(
    house: House,
) -> None:
    store, of = house.store, house.names.family
    store.add_urls(of, [FoundUrl("http://x.test/1")])
    page = served("http://x.test/1", by=ServedBy.MODEL, version=None)
    for active in (1, 2):
        number = store.add_crawler(NewCrawler(family=PRODUCT, body=str(active)))
        store.promote(PRODUCT, number, "a test")
        if active == 1:
            store.commit_batch(
                BatchCommit(
                    family=of, batch="000001", run_id="r", served=[page], active=1
                )
            )
            assert house.tick() == ([], "no batch is red")
    (request,), _ = house.tick()
    assert request.run_key == "replay:unread-v2:000001"
    house.run(RunMode.REPLAY, "unread-v2", dg.DagsterRunStatus.SUCCESS)
    assert house.tick() == ([], "no batch is red")


def test_a_range_is_one_run_with_its_first_and_last_batch() -> None:
    names = AssetNames(family("shop/item"))
    wanted = ["000001", "000002", "000004"]
    first, second = range_requests(names, BATCHES, wanted, RunMode.REPLAY, "k", "w")
    assert (first.run_key, second.run_key) == ("k:000001", "k:000004")
    assert first.job_name == "replay_shop__item"
    assert first.tags == names.tags(
        RunMode.REPLAY, wave="w", batches=("000001", "000002")
    )


@given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_ranges_cover_exactly_what_is_wanted_and_never_touch(
    known: set[int], wanted: set[int]
) -> None:
    order = [f"{number:06d}" for number in sorted(known)]
    chosen = {f"{number:06d}" for number in wanted}
    ranges = list(contiguous(order, sorted(chosen)))
    covered = [
        order[order.index(first) : order.index(last) + 1] for first, last in ranges
    ]
    assert [batch for part in covered for batch in part] == [
        batch for batch in order if batch in chosen
    ]
    for part, after in pairwise(covered):
        assert order.index(after[0]) > order.index(part[-1]) + 1


@pytest.mark.parametrize("has_model", [False, True])
def test_of_two_daemons_one_asks_for_a_wave(
    house: House, monkeypatch: pytest.MonkeyPatch, has_model: bool
) -> None:
    monkeypatch.setenv("CRAWLOOP_MODEL", "ollama/small" if has_model else "")
    house.judge("000002")
    reading, writing = os.pipe()
    other = os.fork()
    if other == 0:
        # Its instance is a copy: neither daemon has seen what the other asks for.
        found, _ = house.tick()
        os.write(writing, b"1" * len(found))
        signal.pause()
    try:
        assert os.read(reading, 10) == b"1"
        requests, note = house.tick()
        assert requests == [] and "another daemon asks for" in note
        assert open_backfills(house.instance, house.names.tags()) == []
        assert len(house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == 1
    finally:
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)
    requests, _ = house.tick()
    assert [request.job_name for request in requests] == ["regenerate_shop__product"]
    assert len(open_backfills(house.instance, house.names.tags())) == has_model


A_DAEMON = """
import json, sys
from pathlib import Path
import dagster as dg
from crawloop_assets.desk.telling import tell
from crawloop_assets.project import Project
from tests.pipeline.test_sensors import House

home = Path(sys.argv[1])
with dg.DagsterInstance.local_temp(str(home / "instance")) as instance:
    house, told = House(Project.at(home), instance), []
    print(flush=True)
    input()
    runs, _ = house.tick()
    tell(house.project, house.store, lambda _to, title, _text: told.append(title))
    print(json.dumps([[one.job_name for one in runs], told]), flush=True)
"""


@pytest.mark.usefixtures("model")
def test_of_two_daemons_at_once_one_regenerates_and_one_alert_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lay_out(tmp_path)
    (tmp_path / "notify.yaml").write_text(
        "receivers: {desk: {url_env: DESK, kinds: [drift]}}"
    )
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setenv("DESK", "json://127.0.0.1:9/")
    (tmp_path / "instance").mkdir()
    with dg.DagsterInstance.local_temp(str(tmp_path / "instance")) as instance:
        house = House(project, instance)
        instance.add_dynamic_partitions(house.names.partition_set, BATCHES)
        # What happened before the first look is nobody's news.
        assert house.store.messages.begun()
        house.judge(*BATCHES)
        daemons = [
            subprocess.Popen(
                [sys.executable, "-c", A_DAEMON, str(tmp_path)],
                stdin=-1,
                stdout=-1,
                text=True,
                cwd=Path(__file__).parents[2],
            )
            for _ in range(2)
        ]
        for daemon in daemons:
            assert daemon.stdout is not None and daemon.stdout.readline() == "\n"
        for daemon in daemons:
            assert daemon.stdin is not None
            daemon.stdin.write("\n")
            daemon.stdin.flush()
        said = [json.loads(daemon.communicate()[0]) for daemon in daemons]
        runs, told = zip(*said, strict=True)
        assert sorted(map(len, runs)) == [0, 1] and sorted(map(len, told)) == [0, 1]
        assert len(house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == 1
        assert len(open_backfills(instance, house.names.tags())) == 1


def test_nothing_is_asked_for_on_a_store_that_has_lost_something(house: House) -> None:
    house.judge("000002")
    house.store.audit(AuditKind.HEAL_STARTED, PRODUCT, detail={"wave": "w1"})
    for file in house.project.var.glob("store-*"):
        file.unlink()
    with pytest.raises(CommitsLost, match="crawloop restore"):
        house.tick()
    assert open_backfills(house.instance, house.names.tags()) == []
