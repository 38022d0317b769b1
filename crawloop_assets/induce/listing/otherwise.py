"""What rows say otherwise: choices in other words, numbers in another unit."""

from collections.abc import Iterable, Iterator, Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.leaves import leaves
from crawloop_assets.induce.listing.locations import KnownCell, leaf_selectors
from crawloop_assets.induce.locate.choice_texts import choice_steps, is_choice
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.scales import may_change_unit, scale_steps
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value

_Said = Iterable[tuple[list[str], Value]]
_Place = tuple[Reader, float]
"""A place of a row, and how much it is trusted."""


def otherwise_readers(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers of places that have one text for each known choice, and another one for
    every other, or known numbers in one other unit."""
    if not samples or (
        is_choice(spec) and len(samples) < tuned("otherwise.fewest_rows")
    ):
        return
    for place, prior in _places(spec, samples[0].scope):
        said = ((read_texts(place, scope), value) for scope, value in samples)
        steps = _steps(spec, said)
        if steps:
            trust = prior * tuned("otherwise.trust")
            update = {"pipe": steps, "weight": round(trust**2, 4)}
            reader = place.model_copy(update=update)
            yield judge_reader(spec, reader, samples, others, trust)


def _steps(spec: FieldSpec, said: _Said) -> Pipe:
    """What makes the texts of a place the known values, if anything does."""
    if may_change_unit(spec):
        return scale_steps(said, spec)
    return choice_steps(said, tuned("otherwise.fewest_texts"))


def _places(spec: FieldSpec, scope: Scope) -> Iterator[_Place]:
    """The places of a row that may say a field otherwise: of JSON only a number, for its
    words are those of a program."""
    if scope.data is not None and may_change_unit(spec):
        for at, _ in leaves(scope.data):
            reader = Reader(src=Source.JSON, at=at, get="value", kin=Kin.JSON)
            yield reader, tuned("otherwise.json")
    elif scope.data is None and (is_choice(spec) or may_change_unit(spec)):
        for at, kin, prior in leaf_selectors(scope, spec):
            yield Reader(src=Source.CSS, at=at, get="text", kin=kin), prior
