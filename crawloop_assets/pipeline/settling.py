"""When the batches of a run become final, and how Dagster is told of those that all
batches together speak against."""

from collections.abc import Iterator

import dagster as dg

from crawloop_assets.pipeline.dagster_private import (
    is_open_backfill,
    unit_batches,
    unit_of,
)
from crawloop_assets.pipeline.events import settled_events
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.store import Store


def settle_dead(
    context: dg.AssetExecutionContext, names: AssetNames, store: Store
) -> Iterator[dg.AssetCheckEvaluation]:
    """What earlier runs of the family left pending because they were killed: judged
    before anything else is read."""
    own, instance = unit_of(context.run), context.instance
    for unit in store.pending.units(names.family.family):
        is_alive = store.pending.is_running(unit)
        if unit != own and not is_alive and not is_open_backfill(instance, unit):
            yield from _settle(context, names, store, unit)


def settle_run(
    context: dg.AssetExecutionContext, names: AssetNames, store: Store
) -> Iterator[dg.AssetCheckEvaluation]:
    """The end of a run; one of a backfill waits until all batches of that were made."""
    unit = unit_of(context.run)
    wanted = set(unit_batches(context.instance, unit, names.records))
    if wanted <= set(store.pending.batches(names.family.family, unit)):
        yield from _settle(context, names, store, unit)


def _settle(
    context: dg.AssetExecutionContext, names: AssetNames, store: Store, unit: str
) -> Iterator[dg.AssetCheckEvaluation]:
    """Judge the pending batches of a unit together, and tell what that changed."""
    for settled in store.pending.settle(names.family, unit):
        context.log.info(
            f"batch {settled.batch}, judged with all of {unit}: "
            f"{settled.held} more pages held"
        )
        yield from settled_events(context.instance, names, settled)
