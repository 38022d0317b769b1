"""New readers and old ones of a field in one ensemble: who goes first, who is left
out."""

from collections.abc import Sequence
from operator import attrgetter

from crawloop_assets.crawler.program import MOST_READERS, Kin, Reader
from crawloop_assets.induce.trust import tuned

_LEAST_WEIGHT = 0.001


def joined(first: Sequence[Reader], second: Sequence[Reader]) -> tuple[Reader, ...]:
    """At most MOST_READERS readers, without those of `second` that read what one of
    `first` reads."""
    places = {(reader.at, reader.get) for reader in first}
    readers = list(first)
    for reader in second:
        if (reader.at, reader.get) not in places:
            readers.append(reader)
    return tuple(readers[:MOST_READERS])


def revalued(old: Sequence[Reader], new: Sequence[Reader]) -> tuple[Reader, ...]:
    """Old readers, each with the weight that it has among new ones if that is more: one that
    stood behind others may be the one that is right again."""
    weights = {_unweighed(one): one.weight for one in new}
    gains = (weights.get(_unweighed(one), 0.0) for one in old)
    pairs = zip(old, gains, strict=True)
    return tuple(
        one.model_copy(update={"weight": max(one.weight, gain)}) for one, gain in pairs
    )


def _unweighed(reader: Reader) -> Reader:
    """What a reader reads, whatever it weighs."""
    return reader.model_copy(update={"weight": 1.0})


def all_of(first: Sequence[Reader], second: Sequence[Reader]) -> tuple[Reader, ...]:
    """The readers of both, each once."""
    return tuple(dict.fromkeys((*first, *second)))


def joined_behind(
    first: Sequence[Reader], second: Sequence[Reader]
) -> tuple[Reader, ...]:
    """The readers of `first`, then those of `second` with a weight that only counts
    where those before them are silent."""
    if not first:
        return tuple(second)
    least = min(map(attrgetter("weight"), first))
    weight = max(_LEAST_WEIGHT, round(tuned("merging.behind") * least, 4))
    low = [reader.model_copy(update={"weight": weight}) for reader in second]
    return joined(first, low)


def of_other_kin(
    fresh: Sequence[Reader], living: Sequence[Reader]
) -> tuple[Reader, ...]:
    """The first reader of each kin that no living reader is of: those of one kin are
    one witness."""
    seen: set[Kin] = set(map(attrgetter("kin"), living))
    chosen = []
    for reader in fresh:
        if reader.kin not in seen:
            seen.add(reader.kin)
            chosen.append(reader)
    return tuple(chosen)
