"""What of a family is going on, whoever started it.

Runs and backfills that this package asks for carry the family as a tag. Those that are
launched from the Dagster UI, or by a condition of Dagster's, carry nothing of ours:
they belong to the families whose assets they make.
"""

from collections.abc import Mapping

import dagster as dg

from crawloop_assets.pipeline.dagster_private import (
    all_open_backfills,
    makes_everything,
)
from crawloop_assets.pipeline.names import AssetNames

_ACTIVE = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def busy_with(instance: dg.DagsterInstance, names: AssetNames) -> str:
    """What of the family has not ended, in plain words; empty if everything has."""
    assets = names.assets
    active = instance.get_runs(dg.RunsFilter(statuses=_ACTIVE))
    runs = sum(is_of(run, names) for run in active)
    if runs:
        return f"{runs} run(s)"
    for backfill in all_open_backfills(instance):
        made = backfill.asset_selection or ()
        if _has_tags(backfill.tags, names) or not assets.isdisjoint(made):
            return f"backfill {backfill.backfill_id}"
    return ""


def is_of(run: dg.DagsterRun, names: AssetNames) -> bool:
    """Whether a run belongs to the family: by its tags, else by what it makes."""
    if _has_tags(run.tags, names):
        return True
    if run.asset_selection is None:
        return makes_everything(run)
    return not names.assets.isdisjoint(run.asset_selection)


def _has_tags(tags: Mapping[str, str], names: AssetNames) -> bool:
    return names.tags().items() <= tags.items()
