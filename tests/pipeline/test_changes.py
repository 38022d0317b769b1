"""A sensor that has nothing to do finds out at once, and misses nothing."""

from typing import Any

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.changes import Glance, RedFamilies, glance
from crawloop_assets.pipeline.dagster_private import count_backfills, runs_after
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import AuditKind
from tests.pipeline.test_busy import ui_backfill
from tests.pipeline.test_sensors import House, house
from tests.store.conftest import family

__all__ = ["house"]

OTHER = AssetNames(family("shop/other"))


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
    assert count_backfills(house.instance) == (1, 1)
    run = create_run_for_test(house.instance, status=dg.DagsterRunStatus.STARTED)
    happened("a run is under way")
    house.instance.report_run_failed(run)
    happened("it failed")


def test_only_families_that_something_was_said_of_are_asked_about(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    red = RedFamilies([house.names, OTHER])
    asked: list[dg.AssetCheckKey] = []
    storage: Any = house.instance.event_log_storage
    whole = storage.get_asset_check_partition_info

    def counted(keys: Any, *given: Any, **more: Any) -> Any:
        asked.extend(keys)
        return whole(keys, *given, **more)

    monkeypatch.setattr(storage, "get_asset_check_partition_info", counted)
    assert red.look(house.instance) == {}
    assert asked == [house.names.gate, OTHER.gate], "all of them once"
    asked.clear()
    assert red.look(house.instance) == {} and asked == []
    house.judge("000002", tags=house.names.tags(RunMode.REFRESH))
    found = red.look(house.instance)
    assert [one.batch for one in found[house.names.family.family]] == ["000002"]
    assert asked == [house.names.gate], "the run was of one family"
    asked.clear()
    assert red.look(house.instance) == found, "red stays red"
    assert asked == [house.names.gate]
    house.judge()
    assert red.look(house.instance) == {}


def test_of_a_run_that_nobody_knows_any_family_may_be_red(house: House) -> None:
    red = RedFamilies([house.names])
    assert red.look(house.instance) == {}
    before, *_ = seen(house)
    made = dg.AssetMaterialization(house.names.records, partition="000001")
    house.instance.report_runless_asset_event(made)
    (said_by,) = runs_after(house.instance, before)
    assert house.instance.get_run_by_id(said_by) is None
    assert set(red._touched(house.instance)) == {house.names.family.family}


def test_an_idle_tick_opens_no_store_and_asks_no_family(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    definitions = build_definitions(house.project)
    sensor = definitions.resolve_sensor_def("heal_on_drift")

    def tick() -> Any:
        context = dg.build_sensor_context(
            instance=house.instance,
            repository_def=definitions.get_repository_def(),
            resources={"store": StoreResource()},
        )
        return sensor.evaluate_tick(context)

    for _ in range(2):  # the first one makes the store
        assert tick().skip_message == "no batch is red"
    with monkeypatch.context() as patch:
        patch.setattr(StoreResource, "open", lambda _: pytest.fail("it was opened"))
        assert tick().skip_message == "no batch is red"
    house.judge("000002")
    (request,) = tick().run_requests
    assert request.job_name == "regenerate_shop__product"
    assert tick().skip_message != "no batch is red", "what waits is looked at each time"
