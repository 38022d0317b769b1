"""What a person released teaches, once it is a habit: that rain leaps from day to day, that
a count falls.

A batch that drifted teaches nothing, and who says that it was right says what the site
does. Once is an event, as when a shop doubles its prices: the next one is noticed as
this one was. What had to be released in one of four refreshes is how the values are.
"""

from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter

from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.sign import NEWS, Sign

_RECENT = 8  # refreshes
_HABIT = 0.25
"""In so large a share of the latest refreshes it was released."""
_FEWEST = 2
"""Refreshes: in a young family, too, once is an event."""

_OF_VALUES = NEWS | {Sign.FACTOR, Sign.NEIGHBOUR}
"""What values may do by themselves, those that leap also by chance; of all else a page
has a witness, whatever a person says of it."""


def with_released(history: Sequence[BatchStats]) -> Sequence[BatchStats]:
    """A history in which the fields that were released time and again count as they were
    read when they were held, and not as they were found once they were known."""
    fields = frozenset().union(*map(attrgetter("released"), history))
    if not fields:
        return history
    habits = frozenset(field for field in fields if _is_habit(field, history))
    return list(_taught(history, habits))


def _is_habit(field: str, history: Sequence[BatchStats]) -> bool:
    """Whether a field had to be released in many of the latest refreshes that speak of
    it."""
    refreshes: dict[str, bool] = {}
    for stats in history:
        if field in stats.released or any(_of([field], stats.rates)):
            was = refreshes.get(stats.refresh, False)
            refreshes[stats.refresh] = was or field in stats.released
    latest = list(refreshes.values())[-_RECENT:]
    return sum(latest) >= max(_FEWEST, _HABIT * len(latest))


def _taught(
    history: Sequence[BatchStats], habits: frozenset[str]
) -> Iterator[BatchStats]:
    """What each reading teaches where some fields are released as a habit."""
    released = {
        (stats.refresh, stats.batch): stats.released & habits
        for stats in history
        if stats.released
    }
    for stats in history:
        fields = released.get((stats.refresh, stats.batch), frozenset())
        named = frozenset(_of(fields, stats.rates))
        if stats.released:
            yield _of_fields(stats, named, fields)
        else:
            left = {
                name: stats.rates[name] for name in stats.rates if name not in named
            }
            yield stats.model_copy(update={"rates": left})


def _of_fields(
    stats: BatchStats, named: Collection[str], fields: Collection[str]
) -> BatchStats:
    """A reading that teaches these rates, and how far the numbers of some fields went."""
    return BatchStats(
        batch=stats.batch,
        version=stats.version,
        refresh=stats.refresh,
        rates={name: stats.rates[name] for name in sorted(named)},
        strides={
            field: stride for field, stride in stats.strides.items() if field in fields
        },
    )


def _of(fields: Collection[str], names: Collection[str]) -> Iterator[str]:
    """The names of rates ("sign:subject") that are about no other field than these; that
    all numbers of a record are other ones is about those that move."""
    for name in names if fields else ():
        sign, _, subject = name.partition(":")
        is_of_one = bool(subject) or sign == Sign.SWEPT
        if sign in _OF_VALUES and is_of_one and set(subject.split()).issubset(fields):
            yield name
