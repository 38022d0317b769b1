"""The steps of a heal wave, as the sensor asks for them."""

import dagster as dg
import pytest

from crawloop_assets.pipeline.dagster_private import (
    backfill_batches,
    end_backfill,
    open_backfills,
)
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.store import AuditKind
from tests.pipeline.test_sensors import PRODUCT, House, house, model

__all__ = ["house", "model"]  # the fixtures


@pytest.mark.usefixtures("model")
def test_red_batches_start_one_wave_that_says_which_run_judged_them(
    house: House,
) -> None:
    run = house.judge("000002", "000004")
    (request,), note = house.tick()
    (backfill,) = open_backfills(house.instance, house.names.tags())
    wave = backfill.backfill_id
    assert f"wave {wave} for 2 batch(es)" in note
    assert backfill_batches(backfill, house.names.records) == ["000002", "000004"]
    assert backfill.tags == {
        **house.names.tags(RunMode.FALLBACK, wave=wave),
        "dagster/sensor_name": "heal_on_drift",
    }
    assert request.job_name == "regenerate_shop__product"
    assert request.run_key == f"regenerate:{wave}"
    assert (
        request.tags.items() >= house.names.tags(RunMode.REGENERATE, wave=wave).items()
    )
    (event,) = house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)
    assert event.detail == {
        "wave": wave,
        "batches": {"000002": run, "000004": run},
    }


@pytest.mark.usefixtures("model")
def test_a_wave_without_its_regeneration_is_finished_and_then_waited_for(
    house: House,
) -> None:
    house.judge("000002")
    (first,), _ = house.tick()
    (again,), note = house.tick()
    assert again.run_key == first.run_key and "interrupted" in note
    assert len(house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == 1
    (backfill,) = open_backfills(house.instance, house.names.tags())
    run = house.run(
        RunMode.REGENERATE, backfill.backfill_id, dg.DagsterRunStatus.STARTED
    )
    requests, note = house.tick()
    assert requests == [] and "1 red, waiting for 1 run(s)" in note
    house.instance.report_run_failed(house.instance.get_run_by_id(run))  # type: ignore[arg-type]
    requests, note = house.tick()
    assert requests == []
    assert f"waiting for backfill {backfill.backfill_id}" in note
    end_backfill(house.instance, backfill)
    _, note = house.tick()
    assert "waiting for" not in note


def test_without_a_model_a_wave_reads_its_batches_when_its_regeneration_is_over(
    house: House,
) -> None:
    run = house.judge("000002", "000004")
    (request,), note = house.tick()
    wave = request.tags["crawloop/wave"]
    assert f"wave {wave} for 2 batch(es)" in note
    assert open_backfills(house.instance, house.names.tags()) == []
    (event,) = house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)
    assert event.detail["batches"] == {"000002": run, "000004": run}
    (again,), note = house.tick()
    assert again.run_key == request.run_key and "interrupted" in note
    house.run(RunMode.REGENERATE, wave, dg.DagsterRunStatus.FAILURE)
    requests, note = house.tick()
    assert requests == [] and f"making 2 batch(es) of wave {wave} again" in note
    (backfill,) = open_backfills(house.instance, house.names.tags())
    assert backfill.backfill_id == wave
    made = backfill_batches(backfill, house.names.records)
    assert made == ["000002", "000004"]
    tags = house.names.tags(RunMode.FALLBACK, wave=wave)
    assert backfill.tags == {
        **tags,
        "crawloop/since": "never",
        "dagster/sensor_name": "heal_on_drift",
    }
    _, note = house.tick()
    assert f"waiting for backfill {wave}" in note
    assert len(house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == 1
    house.store.audit(AuditKind.HEAL_STARTED, PRODUCT, detail={"wave": wave})
    house.judge("000002", tags=tags)
    end_backfill(house.instance, backfill)
    requests, note = house.tick()
    assert requests == [] and "1 batch(es) wait for the cool-down" in note


def test_what_a_refresh_has_judged_since_is_in_no_open_wave(house: House) -> None:
    house.judge("000002")
    (request,), _ = house.tick()
    wave = request.tags["crawloop/wave"]
    house.run(RunMode.REGENERATE, wave, dg.DagsterRunStatus.FAILURE)
    house.judge("000002", "000004")
    (other,), _ = house.tick()
    assert other.tags["crawloop/wave"] != wave
    assert open_backfills(house.instance, house.names.tags()) == []


def test_a_wave_whose_backfill_was_cancelled_is_not_asked_for_again(
    house: House,
) -> None:
    house.judge("000002")
    (request,), _ = house.tick()
    wave = request.tags["crawloop/wave"]
    house.run(RunMode.REGENERATE, wave, dg.DagsterRunStatus.FAILURE)
    house.tick()
    (backfill,) = open_backfills(house.instance, house.names.tags())
    end_backfill(house.instance, backfill)
    (again,), _ = house.tick()
    assert again.run_key == request.run_key, "Dagster launches nothing twice"
    assert len(house.store.audits(PRODUCT, AuditKind.WAVE_STARTED)) == 1
    assert open_backfills(house.instance, house.names.tags()) == []


def test_where_a_model_may_serve_the_backfill_begins_at_once_and_after_a_kill(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.judge("000002")
    (request,), _ = house.tick()  # killed before it launched that; then a key was set
    monkeypatch.setenv("CRAWLOOP_MODEL", "ollama/small")
    (again,), note = house.tick()
    assert again.run_key == request.run_key and "interrupted" in note
    (backfill,) = open_backfills(house.instance, house.names.tags())
    assert backfill.backfill_id == request.tags["crawloop/wave"]
