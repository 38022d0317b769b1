"""What of a family is going on, whoever started it.

Runs and backfills that this package asks for carry the family as a tag. Those that are
launched from the Dagster UI, or by a condition of Dagster's, carry nothing of ours:
they belong to the families whose assets they make.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from operator import attrgetter

import dagster as dg

from crawloop_assets.pipeline.dagster_private import (
    PartitionBackfill,
    all_open_backfills,
    count_backfills,
    makes_everything,
)
from crawloop_assets.pipeline.names import AssetNames

ACTIVE = (
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
)
_WILL_RETRY, _RETRIED_AS = "dagster/will_retry", "dagster/auto_retry_run_id"
_UNTIL_RETRIED = timedelta(minutes=2)
"""Dagster's daemon begins it within seconds; after that nobody waits for it."""


@dataclass(frozen=True)
class Activity:
    """What has not ended of all families: asked of the instance when it is first looked
    at, and once."""

    instance: dg.DagsterInstance

    @cached_property
    def _runs(self) -> Sequence[dg.DagsterRun]:
        """The runs under way, and those that are about to be tried again."""
        active = self.instance.get_runs(dg.RunsFilter(statuses=list(ACTIVE)))
        return [*active, *_about_to_be_retried(self.instance)]

    @cached_property
    def _backfills(self) -> Sequence[PartitionBackfill]:
        """The backfills that have not ended."""
        return all_open_backfills(self.instance)

    def looks_for_urls(self, names: AssetNames) -> bool:
        """Whether the urls of a family are looked for by themselves right now."""
        job = f"discover_{names.family.slug}"
        return job in map(attrgetter("job_name"), self._runs)

    def of(self, names: AssetNames) -> str:
        """What of a family has not ended, in plain words; empty if everything has."""
        runs = sum(is_of(run, names) for run in self._runs)
        if runs:
            return f"{runs} run(s)"
        for backfill in self._backfills:
            made = backfill.asset_selection or ()
            if _has_tags(backfill.tags, names) or not names.assets.isdisjoint(made):
                return f"backfill {backfill.backfill_id}"
        return ""


def _about_to_be_retried(instance: dg.DagsterInstance) -> list[dg.DagsterRun]:
    """Runs whose process was killed and that Dagster begins again in a moment: what
    they were to do would else be asked for a second time."""
    lately = datetime.now(UTC) - _UNTIL_RETRIED
    failed = dg.RunsFilter(
        statuses=[dg.DagsterRunStatus.FAILURE],
        tags={_WILL_RETRY: "true"},
        updated_after=lately,
    )
    return [run for run in instance.get_runs(failed) if _RETRIED_AS not in run.tags]


def busy_with(instance: dg.DagsterInstance, names: AssetNames) -> str:
    """What of one family has not ended right now, in plain words; empty if everything
    has."""
    return Activity(instance).of(names)


def is_busy(instance: dg.DagsterInstance) -> bool:
    """Whether anything of any family, or of none, has not ended."""
    runs = instance.get_runs_count(dg.RunsFilter(statuses=list(ACTIVE)))
    return bool(runs or count_backfills(instance)[1])


def is_of(run: dg.DagsterRun, names: AssetNames) -> bool:
    """Whether a run belongs to the family: by its tags, else by what it makes."""
    if _has_tags(run.tags, names):
        return True
    if run.asset_selection is None:
        return makes_everything(run)
    return not names.assets.isdisjoint(run.asset_selection)


def _has_tags(tags: Mapping[str, str], names: AssetNames) -> bool:
    """Whether a run or backfill is of a family."""
    return names.tags().items() <= tags.items()
