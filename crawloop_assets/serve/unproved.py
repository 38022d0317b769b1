"""What an older version reads of a field that the newest one was proved to miss.

The newest was proved on a layout where known values of the field stood, and what was
read contradicted them. An older version reads something there, too. Of a page of which
nothing is known it is believed only if it reads known values of the field in the same
batch, as it does where a site still shows the older layout.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from crawloop_assets.drift.matching import pair_records
from crawloop_assets.drift.values import filled_fields, is_filled
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same

if TYPE_CHECKING:
    from crawloop_assets.serve.reading import Reading


def without_unproved(
    tried: Sequence[Sequence["Reading"]],
    missed: Iterable[FieldSpec],
    key: Sequence[FieldSpec],
) -> list[Sequence["Reading"]]:
    """What the versions made of each page, that of the newest first, without the
    readings of others that have an unproved value of a field that the newest has
    `missed`; `key` tells the records of a page apart."""
    doubtful = list(missed)
    every = list(chain.from_iterable(tried))
    proved = {
        spec.name: {one.version for one in every if _reads_known(one, spec, key)}
        for spec in doubtful
    }

    def is_believed(reading: "Reading") -> bool:
        read = frozenset[str]().union(*map(filled_fields, reading.values))
        return all(
            reading.version in versions
            for name, versions in proved.items()
            if name in read
        )

    return [_believed(readings, is_believed) for readings in tried]


def _believed(
    readings: Sequence["Reading"], is_believed: Callable[["Reading"], bool]
) -> Sequence["Reading"]:
    """The readings of one page that may be chosen: all where anything is known of it,
    or where the newest version does not read it."""
    first, *older = readings
    if first.previous or not first.good:
        return readings
    return [first, *filter(is_believed, older)]


def _reads_known(reading: "Reading", spec: FieldSpec, key: Sequence[FieldSpec]) -> bool:
    """Whether a known value of a field is read again on a page."""
    pairs = pair_records(reading.previous, reading.values, key)
    known = [pair for pair in pairs if is_filled(pair[0].get(spec.name))]
    return any(same(old[spec.name], new.get(spec.name), spec) for old, new in known)
