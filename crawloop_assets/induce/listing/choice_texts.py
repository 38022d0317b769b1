"""Choices that rows have in other words."""

from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.locations import KnownCell, leaf_selectors
from crawloop_assets.induce.locate.choice_texts import choice_steps, is_choice
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec


def worded_choices(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers of places that have one text for each known choice, and another one for
    every other."""
    is_enough = len(samples) >= tuned("choice_texts.fewest_rows")
    if not is_choice(spec) or not is_enough or samples[0].scope.data is not None:
        return
    for at, kin, prior in leaf_selectors(samples[0].scope, spec):
        place = Reader(src=Source.CSS, at=at, get="text", kin=kin)
        said = ((read_texts(place, scope), value) for scope, value in samples)
        steps = choice_steps(said, tuned("choice_texts.fewest_texts"))
        if steps:
            trust = prior * tuned("choice_texts.trust")
            update = {"pipe": steps, "weight": round(trust**2, 4)}
            reader = place.model_copy(update=update)
            yield judge_reader(spec, reader, samples, others, trust)
