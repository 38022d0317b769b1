"""Numbers that a candidate reads just as they were known, of a field of which most move
from refresh to refresh: what it reads may be yesterday's, as "previous close" is."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from operator import attrgetter, methodcaller

from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.schema import RecordSchema

_UNMOVED = "no {} moved, and before most always did"
_FORMER = "a lower {} stands beside the one that is read, and often the known one"
_FEW = 0.1  # of those that rest: rows that are gone, a sale that began
_MOST_BATCHES = 20
_FEWEST = 8  # known values: so many do not all rest by chance


def unmoved(
    schema: RecordSchema, history: Sequence[BatchStats], proof: ScoreSheet
) -> Iterator[str]:
    """The fields whose known values are nearly all read as they were, though most always
    moved, or beside which another place may say what they are now."""
    moving = frozenset(always_moving(schema, history))
    former = frozenset(_former(proof))
    for name in map(attrgetter("field"), proof.fields):
        if name in former or name in moving.intersection(_resting(proof)):
            yield name


def _former(proof: ScoreSheet) -> Iterator[str]:
    """The fields beside which another place may say what they are now."""
    return map(attrgetter("field"), filter(attrgetter("former"), proof.fields))


def _resting(proof: ScoreSheet) -> Iterator[str]:
    """The fields whose known values are nearly all read as they were."""
    for score in proof.fields:
        other = score.changed + score.wrong
        if score.right >= _FEWEST and other <= _FEW * score.right:
            yield score.field


def say_unmoved(names: Collection[str], proof: ScoreSheet) -> str:
    """Why yesterday's value of some fields may be read, "" for none."""
    former = sorted(set(names).intersection(_former(proof)))
    rested = sorted(set(names).difference(former))
    said = [_UNMOVED.format(", ".join(rested))][: len(rested)]
    said += [_FORMER.format(", ".join(former))][: len(former)]
    return "; ".join(said)


def always_moving(schema: RecordSchema, history: Sequence[BatchStats]) -> Iterator[str]:
    """The numbers that may change every day and of which most known values are other ones in
    each refresh: a known one that stands on its page speaks against nobody."""
    # What a batch says that the site may have done, it says to nobody but itself.
    batches = sorted({stats.batch for stats in history})[:_MOST_BATCHES]
    norms = list(map(partial(Norms, history), batches))
    for spec in filter(attrgetter("volatile"), schema.fields):
        if any(map(methodcaller("moves", spec.name), norms)):
            yield spec.name
