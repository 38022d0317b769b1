"""What has changed since a sensor looked last, so that it asks about nothing else.

All of it is in the memory of one process: where that begins anew, everything is looked at.
None of it is trusted for long: whatever was overlooked, for whatever reason, is found by the
look at everything that comes after minutes.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import dagster as dg

from crawloop_assets.pipeline.busy import ACTIVE, is_of
from crawloop_assets.pipeline.dagster_private import (
    FailedBatch,
    count_backfills,
    ever_failed,
    failed_batches,
    newest_event,
    runs_after,
)
from crawloop_assets.pipeline.names import DRIFT_GATE, AssetNames
from crawloop_assets.resources import StoreResource

_SETTLE_S = 30.0
"""By then all is written that belongs to an event: Dagster gives it a number first, and notes
what it means for a check after that."""
_WHOLE_S = 300.0
"""Between two looks at everything."""
_SHARE = 1 / 100
"""Of the time, at most, that those take: a project may have many families and a long past."""


class Glance(NamedTuple):
    """All that a decision about families rests on, the clock apart, in figures that are
    cheap to have: while they stay the same, so does all the rest.

    The newest event, how many runs have not ended, how many backfills there are and how
    many of them have not ended, and the state of the store.
    """

    event: int
    runs: int
    backfills: tuple[int, int]
    store: str

    @property
    def is_idle(self) -> bool:
        """Whether nothing is going on that would end by itself."""
        return not self.runs and not self.backfills[1]


def glance(instance: dg.DagsterInstance, store: StoreResource) -> Glance:
    """What is there to see right now."""
    return Glance(
        newest_event(instance),
        instance.get_runs_count(dg.RunsFilter(statuses=list(ACTIVE))),
        count_backfills(instance),
        store.state(),
    )


@dataclass
class LookAway:
    """When a sensor may do without a look.

    Only while it sees what it saw for some time with nothing going on and nothing to do, not
    even to wait for, and for some minutes at most: then it looks again.
    """

    _seen: Glance | None = None
    _since: float = 0.0
    _looked: float = 0.0

    def covers(self, seen: Glance) -> bool:
        """Whether what is seen now needs no look."""
        settled = self._looked - self._since >= _SETTLE_S
        is_recent = time.monotonic() - self._looked < _WHOLE_S
        return seen == self._seen and settled and is_recent

    def note(self, seen: Glance, *, nothing: bool) -> None:
        """What was seen before a look, and whether that found `nothing` to do or to wait
        for."""
        self._looked = time.monotonic()
        if not nothing or not seen.is_idle:
            self._seen = None
        elif seen != self._seen:
            self._seen, self._since = seen, self._looked


@dataclass
class RedFamilies:
    """The failed batches of many families.

    A batch turns red in a run only. So a family is asked about if it was red, or if a run
    said something of it lately; where it is not known of which family a run was, and from
    time to time, all are asked about that ever were red.
    """

    known: Sequence[AssetNames]
    _red: set[str] = field(default_factory=set)
    _events: deque[tuple[float, int]] = field(default_factory=deque)
    _whole_at: float = 0.0

    def look(self, instance: dg.DagsterInstance) -> dict[str, list[FailedBatch]]:
        """Family -> its failed batches by name; only families that have some."""
        begin, event = time.monotonic(), newest_event(instance)
        is_whole = begin >= self._whole_at or event < self._events[-1][1]
        touched = set(self._ever_red(instance) if is_whole else self._touched(instance))
        found = {
            names.family.family: failed_batches(instance, names.gate)
            for names in self.known
            if names.family.family in touched | self._red
        }
        red = {family: failed for family, failed in found.items() if failed}
        if is_whole:
            took = time.monotonic() - begin
            self._whole_at = begin + max(_WHOLE_S, took / _SHARE)
            self._events.clear()
        self._red = set(red)
        self._remember(begin, event)
        return red

    def _remember(self, moment: float, event: int) -> None:
        """How far events went at a moment: the first that is kept has settled, or is the
        first of all."""
        self._events.append((moment, event))
        while len(self._events) > 1 and self._events[1][0] <= moment - _SETTLE_S:
            self._events.popleft()

    def _ever_red(self, instance: dg.DagsterInstance) -> Iterator[str]:
        """The families of which a batch was red at some time."""
        failed = ever_failed(instance, DRIFT_GATE)
        for names in self.known:
            if names.records in failed:
                yield names.family.family

    def _touched(self, instance: dg.DagsterInstance) -> Iterator[str]:
        """The families that something was said of since the last look, or shortly before
        it."""
        _, settled = self._events[0]
        for run_id in runs_after(instance, settled):
            run = instance.get_run_by_id(run_id)
            mine = [
                names.family.family for names in self.known if run and is_of(run, names)
            ]
            yield from mine or self._ever_red(instance)
