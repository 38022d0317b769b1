"""With the five beside it whose names begin alike the only file that touches Dagster API
that is not public or in preview; each has a contract test in tests/pipeline.

Why it is needed: `AssetCheckResult` has no partition, and in a range run the framework
cannot fill it in, so checks are emitted by hand with the materialization they judge;
the sensor asks the event log which batches failed; a heal wave is a backfill whose id
is chosen by us, because that id is unique in the storage.
"""

import os
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice, pairwise
from typing import Any

import dagster as dg
from dagster._core.definitions.asset_checks.asset_check_evaluation import (
    AssetCheckEvaluationTargetMaterializationData as MaterializationTarget,
)
from dagster._core.definitions.assets.job.asset_job import IMPLICIT_ASSET_JOB_NAME
from dagster._core.definitions.unresolved_asset_job_definition import (
    UnresolvedAssetJobDefinition as AssetJob,
)
from dagster._core.errors import DagsterUserCodeProcessError
from dagster._core.execution.backfill import (
    BulkActionsFilter,
    BulkActionStatus,
    PartitionBackfill,
)
from dagster._core.launcher import CheckRunHealthResult, WorkerStatus
from dagster._core.storage.asset_check_execution_record import (
    AssetCheckExecutionRecordStatus,
)
from dagster._core.storage.tags import BACKFILL_ID_TAG, SENSOR_NAME_TAG
from dagster._utils.error import SerializableErrorInfo  # type: ignore[attr-defined]
from dagster._utils.schedules import cron_string_iterator
from sqlalchemy import text

from crawloop_assets.pipeline.alive import process_alive, works_on_runs

__all__ = [
    "AssetJob",
    "FailedBatch",
    "LocalRunLauncher",
    "MaterializationTarget",
    "PartitionBackfill",
    "PlainFailure",
    "add_backfill",
    "all_open_backfills",
    "backfill_batches",
    "count_backfills",
    "end_backfill",
    "ever_failed",
    "failed_batches",
    "free_orphan",
    "is_open_backfill",
    "last_event",
    "latest_target",
    "longest_pause",
    "makes_everything",
    "newest_event",
    "open_backfills",
    "partitioned_check",
    "runs_after",
    "taken_up",
    "unit_batches",
    "unit_of",
    "wave_backfills",
]

# A server that is being replaced may have just sent a process on its way.
_START_GRACE_S = 20.0
_WAVE_TAG = "crawloop/wave"
_BROKER_TAG = "dagster-celery/task_id"
_OPEN_BACKFILL = (
    BulkActionStatus.REQUESTED,
    BulkActionStatus.CANCELING,
    BulkActionStatus.FAILING,
)


class PlainFailure(DagsterUserCodeProcessError, dg.Failure):
    """A failed step, not tried again, of which the UI shows one sentence and no traceback."""

    def __init__(
        self, says: str, metadata: Mapping[str, dg.MetadataValue] | None = None
    ):
        dg.Failure.__init__(self, says, metadata=metadata, allow_retries=False)
        shown = SerializableErrorInfo(message=says, stack=[], cls_name="Failure")
        self.user_code_process_error_infos = [shown]


@dataclass(frozen=True)
class FailedBatch:
    """A batch whose latest evaluation of a check failed.

    `event` is the storage id of that evaluation.
    """

    batch: str
    event: int
    run_id: str


@contextmanager
def _preview_allowed() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category=dg.PreviewWarning)
        yield


def partitioned_check(
    name: str,
    asset: dg.AssetKey,
    partitions: dg.PartitionsDefinition[str],
    description: str,
    *,
    blocking: bool = False,
) -> dg.AssetCheckSpec:
    """A check with one status per batch.

    `blocking`: downstream assets may wait for it, batch by batch, with
    `AutomationCondition.all_deps_blocking_checks_passed()`; its evaluations are emitted
    as non-blocking, since drift never fails a run.
    """
    with _preview_allowed():
        return dg.AssetCheckSpec(
            name,
            asset=asset,
            partitions_def=partitions,
            blocking=blocking,
            description=description,
        )


def longest_pause(cron: str, ticks: int = 8) -> timedelta:
    """The longest time between neighbours among the next ticks of a cron."""
    times = list(islice(cron_string_iterator(time.time(), cron, "UTC"), ticks))
    return max(after - before for before, after in pairwise(times))


def latest_target(
    instance: dg.DagsterInstance, asset: dg.AssetKey, batch: str
) -> MaterializationTarget:
    """The newest materialization of a batch: a check that does not name it counts as
    stale in the UI."""
    records = instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=asset, asset_partitions=[batch]), limit=1
    ).records
    record = records[0]
    return MaterializationTarget(
        storage_id=record.storage_id,
        run_id=record.event_log_entry.run_id,
        timestamp=record.timestamp,
    )


def failed_batches(
    instance: dg.DagsterInstance, check: dg.AssetCheckKey
) -> list[FailedBatch]:
    """The batches whose latest evaluation of `check` failed, by name."""
    infos = instance.event_log_storage.get_asset_check_partition_info([check])
    failed = [
        FailedBatch(
            info.partition_key,
            info.latest_check_event_storage_id,
            info.latest_planned_run_id,
        )
        for info in infos
        if info.partition_key is not None
        and info.latest_execution_status == AssetCheckExecutionRecordStatus.FAILED
        and info.latest_check_event_storage_id is not None
    ]
    return sorted(failed, key=lambda batch: batch.batch)


def add_backfill(
    context: dg.SensorEvaluationContext,
    *,
    backfill_id: str,
    asset: dg.AssetKey,
    batches: Sequence[str],
    tags: dict[str, str],
    title: str,
) -> bool:
    """Request an asset backfill under an id of our own (<= 32 characters, unique in the
    storage). Without its sensor's name the UI would say that a person launched it.

    False if a backfill of that id exists already, whoever made it.
    """
    instance = context.instance
    if instance.get_backfill(backfill_id) is not None:
        return False
    assert context.repository_def is not None
    instance.add_backfill(
        PartitionBackfill.from_asset_partitions(
            backfill_id=backfill_id,
            asset_graph=context.repository_def.asset_graph,
            partition_names=list(batches),
            asset_selection=[asset],
            backfill_timestamp=time.time(),
            tags={**tags, SENSOR_NAME_TAG: context.sensor_name},
            dynamic_partitions_store=instance,
            all_partitions=False,
            title=title,
            description=None,
            run_config=None,
        )
    )
    return True


def wave_backfills(
    instance: dg.DagsterInstance, tags: dict[str, str]
) -> list[PartitionBackfill]:
    """Those with these tags that carry a wave, of the newest 100 backfills."""
    return [
        backfill
        for backfill in instance.get_backfills(limit=100)
        if _WAVE_TAG in backfill.tags
        and all(backfill.tags.get(key) == value for key, value in tags.items())
    ]


def open_backfills(
    instance: dg.DagsterInstance, tags: dict[str, str]
) -> list[PartitionBackfill]:
    """Backfills with these tags that have not ended."""
    return [
        backfill
        for backfill in all_open_backfills(instance)
        if tags.items() <= backfill.tags.items()
    ]


def all_open_backfills(instance: dg.DagsterInstance) -> list[PartitionBackfill]:
    """Backfills that have not ended, whatever they make and whoever launched them."""
    not_ended = BulkActionsFilter(statuses=list(_OPEN_BACKFILL))
    return list(instance.get_backfills(filters=not_ended))


def count_backfills(instance: dg.DagsterInstance) -> tuple[int, int]:
    """How many backfills there are, and how many of them have not ended."""
    not_ended = BulkActionsFilter(statuses=list(_OPEN_BACKFILL))
    return instance.get_backfills_count(), instance.get_backfills_count(not_ended)


def makes_everything(run: dg.DagsterRun) -> bool:
    """Whether a run without a selection is of the job that holds all assets."""
    return run.job_name.startswith(IMPLICIT_ASSET_JOB_NAME)


def backfill_batches(backfill: PartitionBackfill, asset: dg.AssetKey) -> list[str]:
    """The batches a backfill was requested for."""
    assert backfill.asset_backfill_data is not None
    subset = backfill.asset_backfill_data.target_subset.partitions_subsets_by_asset_key[
        asset
    ]
    return sorted(subset.get_partition_keys())


def unit_of(run: dg.DagsterRun) -> str:
    """What a run is judged together with: the backfill that it belongs to, else it is
    judged for itself."""
    return run.tags.get(BACKFILL_ID_TAG) or run.run_id


def is_open_backfill(instance: dg.DagsterInstance, unit: str) -> bool:
    """Whether a unit is a backfill that has not ended."""
    backfill = instance.get_backfill(unit)
    return backfill is not None and backfill.status in _OPEN_BACKFILL


def unit_batches(
    instance: dg.DagsterInstance, unit: str, asset: dg.AssetKey
) -> list[str]:
    """The batches of a backfill that are still to come or were made; none for a run,
    which ends by itself."""
    backfill = instance.get_backfill(unit)
    if backfill is None or backfill.asset_backfill_data is None:
        return []
    made = backfill.asset_backfill_data.target_subset.partitions_subsets_by_asset_key
    return backfill_batches(backfill, asset) if asset in made else []


def end_backfill(instance: dg.DagsterInstance, backfill: PartitionBackfill) -> None:
    """Say that a backfill ended well: whoever runs it without a daemon has to."""
    ended = backfill.with_status(BulkActionStatus.COMPLETED_SUCCESS)  # type: ignore[no-untyped-call]
    instance.update_backfill(ended.with_end_timestamp(time.time()))


class LocalRunLauncher(dg.DefaultRunLauncher):
    """Dagster's launcher, which can also tell that a run's process is gone.

    Without it a run whose process was killed counts as running for ever, and what waits
    for it with it. Run monitoring fails such a run, and it is retried once.
    """

    @property
    def supports_check_run_worker_health(self) -> bool:
        """Yes."""
        return True

    def check_run_worker_health(self, run: dg.DagsterRun) -> CheckRunHealthResult:
        """FAILED only if the process that took up the run is known to be gone."""
        taken = taken_up(self._instance, run.run_id)
        if taken is None or process_alive(*taken) or works_on_runs(taken[0]):
            return CheckRunHealthResult(WorkerStatus.RUNNING)
        return CheckRunHealthResult(WorkerStatus.FAILED, f"process {taken[0]} is gone")


def taken_up(instance: dg.DagsterInstance, run_id: str) -> tuple[int, float] | None:
    """The process that took up a run and when (seconds since 1970), None if none has."""
    entries = instance.all_logs(run_id, of_type=dg.DagsterEventType.ENGINE_EVENT)
    for entry in reversed(entries):
        event = entry.dagster_event
        if event is None or not (event.message or "").startswith(
            "Started process for run"
        ):
            continue
        pid = int(str(event.engine_event_data.metadata["pid"].value))
        return pid, entry.timestamp
    return None


def free_orphan(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Fail a run that is starting and whose process, or who was to start it, is gone.

    Runs are started by the server that asks here: one that is younger than the launch
    never heard of it. Should the run begin after all, Dagster does not let it: it has
    ended, and is retried. A run that a broker keeps waits for no server.
    """
    launched = instance.get_run_stats(run.run_id).launch_time or 0.0
    if launched + _START_GRACE_S > time.time() or _is_alive(instance, run, launched):
        return False
    instance.report_run_failed(run, "The process that was to start this run is gone.")
    return True


def _is_alive(instance: dg.DagsterInstance, run: dg.DagsterRun, since: float) -> bool:
    """Whether the process that has a run, or was to begin it, still runs."""
    taken = taken_up(instance, run.run_id)
    if _BROKER_TAG not in run.tags:
        return process_alive(*(taken or (os.getpid(), since)))
    health = instance.run_launcher.check_run_worker_health(run)
    return taken is None or health.status is WorkerStatus.RUNNING


def last_event(instance: dg.DagsterInstance, run_id: str) -> int:
    """The storage id of the newest event of a run, 0 if there is none."""
    records = instance.get_records_for_run(run_id, limit=1, ascending=False).records
    return records[0].storage_id if records else 0


def newest_event(instance: dg.DagsterInstance) -> int:
    """The storage id of the newest event of all that are kept across runs: of assets,
    of checks, and of what becomes of runs; 0 if there is none."""
    return instance.event_log_storage.get_maximum_record_id() or 0


def runs_after(instance: dg.DagsterInstance, event: int) -> list[str]:
    """The runs with such an event after that one; "" or unknown for what no run said."""
    storage: Any = instance.event_log_storage
    asked = text("SELECT DISTINCT run_id FROM event_logs WHERE id > :event")
    with storage.index_connection() as connection:
        rows = connection.execute(asked, {"event": event}).fetchall()
    return [run_id for (run_id,) in rows]


def ever_failed(instance: dg.DagsterInstance, check: str) -> set[dg.AssetKey]:
    """The assets of which a check of that name failed at some time, of all there are."""
    storage: Any = instance.event_log_storage
    asked = text(
        "SELECT DISTINCT asset_key FROM asset_check_executions "
        "WHERE check_name = :check AND execution_status = :status"
    )
    failed = AssetCheckExecutionRecordStatus.FAILED.value
    with storage.index_connection() as connection:
        rows = connection.execute(asked, {"check": check, "status": failed}).fetchall()
    return set(filter(None, (dg.AssetKey.from_db_string(key) for (key,) in rows)))
