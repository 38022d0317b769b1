"""Contract tests: what we rely on in Dagster beyond its public API. When one fails after an upgrade, start here."""

import inspect
from collections.abc import Iterator
from datetime import timedelta

import dagster as dg
import pytest
from dagster._core.definitions.partitions.context import partition_loading_context

from crawloop_assets.pipeline.dagster_private import (
    PlainFailure,
    add_backfill,
    backfill_batches,
    end_backfill,
    failed_batches,
    is_open_backfill,
    latest_target,
    longest_pause,
    open_backfills,
    partitioned_check,
    unit_batches,
    unit_of,
    wave_backfills,
)

KEY = dg.AssetKey(["toy", "records"])
GATE = dg.AssetCheckKey(KEY, "drift")
REPORT = dg.AssetKey("report")
PARTITIONS = dg.DynamicPartitionsDefinition(name="toy_batches")
BATCHES = ["000001", "000002", "000003", "000004"]


def toy(red: set[str]) -> dg.Definitions:
    """An asset whose check is red on `red`, emitted by hand as the pipeline does it."""

    @dg.multi_asset(
        name="toy",
        specs=[dg.AssetSpec(KEY, partitions_def=PARTITIONS, skippable=True)],
        check_specs=[
            partitioned_check("drift", KEY, PARTITIONS, "toy", blocking=True),
            partitioned_check("votes", KEY, PARTITIONS, "toy"),
        ],
        partitions_def=PARTITIONS,
        can_subset=True,
        backfill_policy=dg.BackfillPolicy.multi_run(50),
    )
    def crawl(
        context: dg.AssetExecutionContext,
    ) -> Iterator[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
        for batch in context.partition_keys:
            yield dg.AssetMaterialization(KEY, partition=batch)
            yield dg.AssetCheckEvaluation(
                asset_key=KEY,
                check_name="drift",
                partition=batch,
                passed=batch not in red,
                blocking=False,
                target_materialization_data=latest_target(context.instance, KEY, batch),
            )
            yield dg.AssetCheckEvaluation(
                asset_key=KEY,
                check_name="votes",
                partition=batch,
                passed=False,
                severity=dg.AssetCheckSeverity.WARN,
                blocking=False,
                target_materialization_data=latest_target(context.instance, KEY, batch),
            )

    job = dg.define_asset_job(
        "toy_job", selection=[KEY], executor_def=dg.in_process_executor
    )

    @dg.asset(
        key=REPORT,
        deps=[KEY],
        partitions_def=PARTITIONS,
        automation_condition=dg.AutomationCondition.eager()
        & dg.AutomationCondition.all_deps_blocking_checks_passed(),
    )
    def report() -> None: ...

    return dg.Definitions(assets=[crawl, report], jobs=[job])


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as ephemeral:
        ephemeral.add_dynamic_partitions("toy_batches", BATCHES)
        yield ephemeral


def run(
    red: set[str], instance: dg.DagsterInstance, first: str, last: str | None = None
) -> None:
    tags = (
        {
            "dagster/asset_partition_range_start": first,
            "dagster/asset_partition_range_end": last,
        }
        if last
        else {"dagster/partition": first}
    )
    result = (
        toy(red)
        .resolve_job_def("toy_job")
        .execute_in_process(instance=instance, tags=tags)
    )
    assert result.success


def shown(instance: dg.DagsterInstance) -> dict[str, set[str]]:
    """What the UI's partitionStatuses shows, empty ones left out."""
    with partition_loading_context(dynamic_partitions_store=instance):
        state = instance.event_log_storage.get_asset_check_state([(GATE, PARTITIONS)])[
            GATE
        ]
        return {
            status.value.lower(): set(subset.subset_value.get_partition_keys())
            for status, subset in state.subsets.items()
            if not subset.is_empty
        }


@pytest.mark.parametrize(
    "ranges",
    [
        [(batch, None) for batch in BATCHES],
        [(batch, batch) for batch in BATCHES],
        [(BATCHES[0], BATCHES[-1])],
    ],
    ids=["single", "ranges of one", "one range"],
)
def test_red_exactly_where_drifted(
    instance: dg.DagsterInstance, ranges: list[tuple[str, str | None]]
) -> None:
    for first, last in ranges:
        run({"000002", "000004"}, instance, first, last)
    assert shown(instance) == {
        "failed": {"000002", "000004"},
        "succeeded": {"000001", "000003"},
    }
    assert [one.batch for one in failed_batches(instance, GATE)] == ["000002", "000004"]


def test_green_again_after_a_better_run(instance: dg.DagsterInstance) -> None:
    run({"000002"}, instance, BATCHES[0], BATCHES[-1])
    run(set(), instance, "000002", "000002")
    assert failed_batches(instance, GATE) == []
    assert shown(instance) == {"succeeded": set(BATCHES)}


def test_a_failed_batch_names_its_run_and_event(instance: dg.DagsterInstance) -> None:
    run({"000001"}, instance, "000001", "000002")
    (first,) = failed_batches(instance, GATE)
    run({"000001"}, instance, "000001", "000001")
    (second,) = failed_batches(instance, GATE)
    assert second.event > first.event
    assert second.run_id != first.run_id
    assert instance.get_run_by_id(second.run_id) is not None


def sensor_context(instance: dg.DagsterInstance) -> dg.SensorEvaluationContext:
    return dg.build_sensor_context(
        instance=instance,
        repository_def=toy(set()).get_repository_def(),
        sensor_name="heal_toy",
    )


def test_a_backfill_id_is_accepted_once(instance: dg.DagsterInstance) -> None:
    tags = {"crawloop/family": "toy", "crawloop/wave": "heal0123456789abcdef0123"}

    def add() -> bool:
        return add_backfill(
            sensor_context(instance),
            backfill_id="heal0123456789abcdef0123",
            asset=KEY,
            batches=["000001", "000003"],
            tags=tags,
            title="Heal toy",
        )

    assert add() is True
    assert add() is False
    assert len(open_backfills(instance, {"crawloop/family": "toy"})) == 1
    assert [
        one.tags["crawloop/wave"]
        for one in wave_backfills(instance, {"crawloop/family": "toy"})
    ] == ["heal0123456789abcdef0123"]
    assert open_backfills(instance, {"crawloop/family": "other"}) == []
    (backfill,) = open_backfills(instance, tags)
    # The UI asks for this tag, and says "manually launched" of what has none.
    assert backfill.tags == {**tags, "dagster/sensor_name": "heal_toy"}
    assert backfill_batches(backfill, KEY) == ["000001", "000003"]
    end_backfill(instance, backfill)
    assert open_backfills(instance, tags) == []


def test_a_run_is_judged_with_its_backfill_until_that_ended(
    instance: dg.DagsterInstance,
) -> None:
    add_backfill(
        sensor_context(instance),
        backfill_id="backfill1",
        asset=KEY,
        batches=["000001", "000003"],
        tags={},
        title="From the UI",
    )
    job = toy(set()).resolve_job_def("toy_job")
    tags = {"dagster/backfill": "backfill1"}
    started = dg.DagsterRunStatus.STARTED
    part = instance.create_run_for_job(job, tags=tags, status=started)
    alone = instance.create_run_for_job(job, status=started)
    assert (unit_of(part), unit_of(alone)) == ("backfill1", alone.run_id)
    assert unit_batches(instance, "backfill1", KEY) == ["000001", "000003"]
    assert unit_batches(instance, "backfill1", REPORT) == []
    assert unit_batches(instance, alone.run_id, KEY) == []
    assert is_open_backfill(instance, "backfill1")
    assert not is_open_backfill(instance, alone.run_id)
    (backfill,) = open_backfills(instance, {})
    end_backfill(instance, backfill)
    assert not is_open_backfill(instance, "backfill1")


def test_asset_check_results_still_have_no_partition() -> None:
    # The day they have one, the evaluations by hand can go.
    assert "partition" not in inspect.signature(dg.AssetCheckResult.__new__).parameters


def test_a_downstream_asset_waits_for_the_gate_of_its_batch_and_not_for_warnings(
    instance: dg.DagsterInstance,
) -> None:
    first = dg.evaluate_automation_conditions(toy(set()), instance)
    assert first.total_requested == 0
    run({"000002", "000004"}, instance, BATCHES[0], BATCHES[-1])
    red = dg.evaluate_automation_conditions(toy(set()), instance, cursor=first.cursor)
    assert red.get_requested_partitions(REPORT) == {"000001", "000003"}
    run({"000004"}, instance, "000002", "000004")
    healed = dg.evaluate_automation_conditions(toy(set()), instance, cursor=red.cursor)
    assert "000002" in (healed.get_requested_partitions(REPORT) or set())
    assert "000004" not in (healed.get_requested_partitions(REPORT) or set())


def test_the_longest_pause_of_a_cron() -> None:
    assert longest_pause("0 5 * * *") == timedelta(days=1)
    assert longest_pause("30 * * * *") == timedelta(hours=1)
    assert longest_pause("0 5 * * 1-5", ticks=10) == timedelta(days=3)


def test_what_a_person_has_to_put_right_has_no_traceback() -> None:
    @dg.op
    def fails() -> None:
        raise PlainFailure("choose a batch", {"where": dg.MetadataValue.text("here")})

    @dg.job
    def told() -> None:
        fails()

    result = told.execute_in_process(raise_on_error=False)
    failure = result.failure_data_for_node("fails")
    assert failure is not None and failure.error is not None
    assert (failure.error.message, failure.error.stack) == ("choose a batch", [])
    assert failure.user_failure_data is not None
    assert failure.user_failure_data.description == "choose a batch"
    assert failure.user_failure_data.metadata["where"].value == "here"
