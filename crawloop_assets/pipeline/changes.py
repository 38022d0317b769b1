"""What has changed since a sensor looked last, so that it asks about nothing else.

All of it is in the memory of one process: where that begins anew, everything is looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import dagster as dg

from crawloop_assets.pipeline.busy import ACTIVE, is_of
from crawloop_assets.pipeline.dagster_private import (
    FailedBatch,
    count_backfills,
    failed_batches,
    newest_event,
    runs_after,
)
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.resources import StoreResource

Glance: TypeAlias = tuple[int, int, tuple[int, int], str]
"""The newest event, how many runs have not ended, how many backfills there are and have
not ended, and the state of the store."""


def glance(instance: dg.DagsterInstance, store: StoreResource) -> Glance:
    """All that a decision about families rests on, the clock apart, in figures that are
    cheap to have: while they stay the same, so does all the rest."""
    return (
        newest_event(instance),
        instance.get_runs_count(dg.RunsFilter(statuses=list(ACTIVE))),
        count_backfills(instance),
        store.state(),
    )


@dataclass
class RedFamilies:
    """The failed batches of many families.

    A batch turns red in a run only. So a family is asked about if it was red, or if a run
    said something of it since: of a run that is not known to be of some family that may
    be any.
    """

    known: Sequence[AssetNames]
    _red: set[str] = field(default_factory=set)
    _event: int | None = None

    def look(self, instance: dg.DagsterInstance) -> dict[str, list[FailedBatch]]:
        """Family -> its failed batches by name; only families that have some."""
        event = newest_event(instance)
        touched = set(self._touched(instance)) | self._red
        found = {
            names.family.family: failed_batches(instance, names.gate)
            for names in self.known
            if names.family.family in touched
        }
        red = {family: failed for family, failed in found.items() if failed}
        self._red, self._event = set(red), event
        return red

    def _touched(self, instance: dg.DagsterInstance) -> Iterator[str]:
        """The families that something was said of since the last look."""
        all_of_them = [names.family.family for names in self.known]
        if self._event is None:
            yield from all_of_them
            return
        for run_id in runs_after(instance, self._event):
            run = instance.get_run_by_id(run_id)
            mine = [
                names.family.family for names in self.known if run and is_of(run, names)
            ]
            yield from mine or all_of_them
