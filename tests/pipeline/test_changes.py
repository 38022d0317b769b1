"""A sensor that has nothing to do finds out at once, and misses nothing."""

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.heal.wave import HealRecord
from crawloop_assets.pipeline import changes
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.changes import Glance, LookAway, RedFamilies, glance
from crawloop_assets.pipeline.dagster_private import ever_failed, runs_after
from crawloop_assets.pipeline.names import DRIFT_GATE, AssetNames, RunMode
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import AuditKind
from tests.pipeline.test_busy import ui_backfill
from tests.pipeline.test_sensors import BATCHES, House, house
from tests.store.conftest import family

__all__ = ["house"]

OTHER = AssetNames(family("shop/other"))
FAMILY = "shop/product"


@dataclass
class Clock:
    """Stands still until told."""

    now: float = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("time.monotonic", lambda: made.now)
    return made


@dataclass
class Asked:
    """The families whose checks were asked for."""

    keys: list[dg.AssetCheckKey]

    def since(self) -> list[dg.AssetCheckKey]:
        """Those since this was called last."""
        keys, self.keys[:] = list(self.keys), []
        return keys


@pytest.fixture
def asked(house: House, monkeypatch: pytest.MonkeyPatch) -> Asked:
    made = Asked([])
    storage: Any = house.instance.event_log_storage
    whole = storage.get_asset_check_partition_info

    def counted(keys: Any, *given: Any, **more: Any) -> Any:
        made.keys.extend(keys)
        return whole(keys, *given, **more)

    monkeypatch.setattr(storage, "get_asset_check_partition_info", counted)
    return made


def seen(house: House) -> Glance:
    return glance(house.instance, StoreResource())


def test_it_stays_the_same_while_nothing_happens(house: House) -> None:
    house.judge()
    first = seen(house)
    assert seen(house) == first


def test_whatever_happens_changes_it(house: House) -> None:
    all_seen = [seen(house)]

    def happened(what: str) -> None:
        all_seen.append(seen(house))
        assert len(set(all_seen)) == len(all_seen), what

    house.judge("000002")
    happened("batches were judged")
    house.store.audit(AuditKind.CRAWLER_WITHDRAWN, house.names.family.family, None, {})
    happened("the store was written")
    ui_backfill(house)
    happened("a backfill was asked for")
    assert all_seen[-1].backfills == (1, 1)
    run = create_run_for_test(house.instance, status=dg.DagsterRunStatus.STARTED)
    happened("a run is under way")
    house.instance.report_run_failed(run)
    happened("it failed")


def test_only_families_that_something_was_said_of_are_asked_about(
    house: House, clock: Clock, asked: Asked
) -> None:
    red = RedFamilies([house.names, OTHER])
    assert red.look(house.instance) == {}
    assert asked.since() == [], "no batch was red ever"
    house.judge("000002", tags=house.names.tags(RunMode.REFRESH))
    found = red.look(house.instance)
    assert [one.batch for one in found[house.names.family.family]] == ["000002"]
    assert asked.since() == [house.names.gate], "the run was of one family"
    clock.now += changes._SETTLE_S
    assert red.look(house.instance) == found
    clock.now += changes._SETTLE_S
    asked.since()
    assert red.look(house.instance) == found, "red stays red"
    assert asked.since() == [house.names.gate]
    house.judge()
    assert red.look(house.instance) == {}


def test_what_was_said_long_ago_is_not_asked_about_again(
    house: House, clock: Clock, asked: Asked
) -> None:
    red = RedFamilies([house.names, OTHER])
    red.look(house.instance)
    house.judge()
    for _ in range(2):
        red.look(house.instance)
        assert asked.since() == [house.names.gate], "not all of it may be written"
        clock.now += changes._SETTLE_S
    for _ in range(3):
        red.look(house.instance)
        clock.now += 1
    assert asked.since() == []


def test_of_a_run_that_nobody_knows_any_family_may_be_red(house: House) -> None:
    house.judge("000001")
    house.judge()
    red = RedFamilies([house.names, OTHER])
    assert red.look(house.instance) == {}
    before = seen(house).event
    made = dg.AssetMaterialization(house.names.records, partition="000001")
    house.instance.report_runless_asset_event(made)
    (said_by,) = runs_after(house.instance, before)
    assert house.instance.get_run_by_id(said_by) is None
    assert set(red._touched(house.instance)) == {house.names.family.family}


def test_the_assets_that_were_red_at_some_time_are_known(house: House) -> None:
    house.judge()
    assert ever_failed(house.instance, DRIFT_GATE) == set()
    house.judge("000003")
    house.judge()
    assert ever_failed(house.instance, DRIFT_GATE) == {house.names.records}
    assert ever_failed(house.instance, "another") == set()


@dataclass
class Sensor:
    """`heal_on_drift` of one process: its ticks remember."""

    house: House
    made: dg.Definitions

    def tick(self) -> str:
        """What it asks for or says."""
        context = dg.build_sensor_context(
            instance=self.house.instance,
            repository_def=self.made.get_repository_def(),
            resources={"store": StoreResource()},
            sensor_name="heal_on_drift",
        )
        found: Any = self.made.resolve_sensor_def("heal_on_drift").evaluate_tick(
            context
        )
        jobs = [request.job_name for request in found.run_requests or ()]
        return ", ".join(jobs) or found.skip_message


@pytest.fixture
def sensor(house: House, clock: Clock) -> Sensor:
    return Sensor(house, build_definitions(house.project))


def rested(sensor: Sensor, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has come to rest: the next tick opens no store."""
    for _ in range(3):
        assert sensor.tick() == "no batch is red"
        clock.now += changes._SETTLE_S
    with monkeypatch.context() as patch:
        patch.setattr(StoreResource, "open", lambda _: pytest.fail("it was opened"))
        assert sensor.tick() == "no batch is red"


def test_an_idle_tick_opens_no_store_and_asks_no_family(
    sensor: Sensor, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    rested(sensor, clock, monkeypatch)
    sensor.house.judge("000002")
    assert sensor.tick() == "regenerate_shop__product"
    assert sensor.tick() != "no batch is red", "what waits is looked at each time"


def held_back(house: House, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """From now on a check has its number at once, and its verdict when this is played:
    so they are written, one after the other."""
    storage: Any = house.instance.event_log_storage
    whole, late = storage.store_asset_check_event, []

    def later(event: Any, number: Any) -> None:
        late.append(lambda: whole(event, number))

    monkeypatch.setattr(storage, "store_asset_check_event", later)
    return late


def test_a_verdict_that_is_written_after_its_event_is_seen(
    sensor: Sensor, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sensor.house
    house.judge()
    rested(sensor, clock, monkeypatch)
    with monkeypatch.context() as patch:
        late = held_back(house, patch)
        house.judge("000002")
    assert sensor.tick() == "no batch is red"
    assert sensor.tick() == "no batch is red"
    for write in late:
        write()
    clock.now += changes._SETTLE_S - 1
    assert sensor.tick() == "regenerate_shop__product"


def test_one_that_is_written_much_later_is_seen_in_the_end(
    sensor: Sensor, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that wrote it was stopped for some minutes."""
    house = sensor.house
    house.judge()
    with monkeypatch.context() as patch:
        late = held_back(house, patch)
        house.judge("000002")
    rested(sensor, clock, monkeypatch)
    for write in late:
        write()
    assert sensor.tick() == "no batch is red"
    clock.now += changes._WHOLE_S
    assert sensor.tick() == "regenerate_shop__product"


def test_events_that_are_counted_anew_hide_nothing(house: House, clock: Clock) -> None:
    """SQLite gives the number of a deleted event once more."""
    red = RedFamilies([house.names])
    for _ in range(3):
        house.judge()
        red.look(house.instance)
        clock.now += changes._SETTLE_S
    house.instance.wipe()
    house.instance.add_dynamic_partitions(house.names.partition_set, BATCHES)
    house.judge("000002")
    assert [one.batch for one in red.look(house.instance)[FAMILY]] == ["000002"]


def test_while_something_runs_it_does_not_rest(
    sensor: Sensor, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run whose process is gone ends without a word of its own."""
    run = create_run_for_test(sensor.house.instance, status=dg.DagsterRunStatus.STARTED)
    opened = []
    whole = StoreResource.open
    monkeypatch.setattr(
        StoreResource, "open", lambda self: opened.append(1) or whole(self)
    )
    for _ in range(5):
        assert sensor.tick() == "no batch is red"
        clock.now += changes._SETTLE_S
    assert len(opened) == 5
    sensor.house.instance.run_storage.delete_run(run.run_id)
    rested(sensor, clock, monkeypatch)


def test_what_waits_for_a_moment_is_looked_at_until_that_comes(
    sensor: Sensor, clock: Clock
) -> None:
    """The end of a cool-down is no event."""
    house = sensor.house
    house.store.audit(AuditKind.HEAL_STARTED, FAMILY, detail={"wave": "w1"})
    house.judge("000002", tags=house.names.tags(RunMode.FALLBACK, wave="w1"))
    for _ in range(4):
        assert "wait for the cool-down" in sensor.tick()
        clock.now += changes._SETTLE_S
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crawloop_assets.heal.past.heal_record", uncooled)
        assert sensor.tick() == "regenerate_shop__product"


def uncooled(store: Any, family: str, cooldown: Any) -> HealRecord:
    """The past of a family once its cool-down is over."""
    return HealRecord()


def test_a_tick_that_failed_is_made_again(
    sensor: Sensor, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = sensor.house
    rested(sensor, clock, monkeypatch)
    house.judge("000002")
    for broken in (
        "heal.past.heal_record",
        "heal.past.asked_about",
        "pipeline.sensors.unlaunched_waves",
        "pipeline.sensors.begin",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(f"crawloop_assets.{broken}", None)
            with pytest.raises(Exception, match="not callable"):
                sensor.tick()
    assert sensor.tick() == "regenerate_shop__product"


def test_the_look_at_everything_takes_a_small_share_of_the_time(
    house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = RedFamilies([house.names])
    looked: list[float] = []

    def slow(instance: Any, check: str) -> set[Any]:
        looked.append(clock.now)
        clock.now += 20
        return set()

    monkeypatch.setattr(changes, "ever_failed", slow)
    for _ in range(100):
        red.look(house.instance)
        clock.now += 100
    assert len(looked) == 5, "each 2000 s of the 10,000"


@given(
    st.lists(
        st.tuples(st.floats(0, 200), st.integers(0, 3), st.booleans(), st.booleans())
    )
)
def test_it_rests_only_on_what_it_saw_settled_and_idle(
    steps: list[tuple[float, int, bool, bool]],
) -> None:
    """Whatever is seen and found, a look is left out only where the last look is recent,
    found nothing with nothing going on, and saw the same for long enough."""
    rest, now = LookAway(), 0.0
    looks: list[tuple[float, Glance, bool]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.monotonic", lambda: now)
        for passed, event, is_idle, nothing in steps:
            now += passed
            seen = Glance(event, 0 if is_idle else 1, (0, 0), "")
            if not rest.covers(seen):
                rest.note(seen, nothing=nothing)
                looks.append((now, seen, nothing))
                continue
            alike = [when for when, *_ in _latest(looks, (seen, True))]
            assert is_idle and now - alike[0] < changes._WHOLE_S
            assert alike[0] - alike[-1] >= changes._SETTLE_S


def _latest(
    looks: list[tuple[float, Glance, bool]], what: tuple[Glance, bool]
) -> list[tuple[float, Glance, bool]]:
    """The latest looks that all saw and found this, the last one first."""
    return list(takewhile(lambda look: look[1:] == what, reversed(looks)))
