"""New readers and old ones of a field in one ensemble: who goes first, who is left
out."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import MOST_READERS, Kin, Reader
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.trust import tuned
from crawloop_assets.values.text import compared_form

_LEAST_WEIGHT = 0.001


def joined(first: Sequence[Reader], second: Sequence[Reader]) -> tuple[Reader, ...]:
    """At most MOST_READERS readers, without those of `second` that read what one of
    `first` reads, but for the words for choices which that does not know."""
    places = set(map(_place, first))
    others = (reader for reader in second if _place(reader) not in places)
    readers = (*map(partial(_with_words, others=second), first), *others)
    return readers[:MOST_READERS]


def _place(reader: Reader) -> tuple[str | Step, ...]:
    """Where a reader reads, and for words that stand for choices which part of that."""
    cuts = tuple(filterfalse(_is_word, reader.pipe))
    return reader.at, reader.get, *cuts * (cuts != reader.pipe)


def _is_word(step: Step) -> bool:
    """Whether a step makes a word a choice."""
    return step.op is Op.MAP


def _with_words(reader: Reader, others: Sequence[Reader]) -> Reader:
    """A reader with the words that others of its place know, and that are new to it."""
    again = filter(partial(_is_beside, reader), others)
    words = filter(_is_word, chain.from_iterable(map(attrgetter("pipe"), again)))
    known = set(map(compared_form, map(str, chain.from_iterable(_args(reader)))))
    new = dict.fromkeys(filterfalse(partial(_is_known, known), words))
    return reader.model_copy(update={"pipe": (*reader.pipe, *new)})


def _is_beside(reader: Reader, other: Reader) -> bool:
    """Whether another reader reads in the place of one."""
    return _place(other) == _place(reader)


def _is_known(known: Collection[str], step: Step) -> bool:
    """Whether the word of a step is one of some that are known."""
    return compared_form(str(step.args[0])) in known


def _args(reader: Reader) -> Iterator[tuple[str | int, ...]]:
    """The words of a reader, each with the choice for which it stands."""
    return map(attrgetter("args"), filter(_is_word, reader.pipe))


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
