"""Choices that a redesign says in the words in which they were read before, in another place.

Where a choice may be another one every day, too many have changed since for the others to
tell what words stand for. But the words are known: a place that says one of them on every
page, and nothing else, is the field's, if all such places say alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.detail.choices import places_of_all
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.text_parts import part_cuts
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import compared_form
from crawloop_assets.values.value import Value

_FEWEST = 2
"""Words: one alone says the same of every page."""


def words_again(
    known: Sequence[KnownValue], spec: FieldSpec, old: Sequence[Reader]
) -> list[CandidateReader]:
    """Readers of the places that say the words of `old` readers on all known pages, and the
    known choice on most; none where two such places differ."""
    pages, steps = pages_with_value(known), _words(old)
    if not _are_telling(spec, pages, steps):
        return []
    in_words = partial(_in_words, pages=pages, steps=steps)
    places = places_of_all(pages, old)
    found = list(chain.from_iterable(map(in_words, places)))
    scopes = list(map(Scope, map(attrgetter("document"), pages)))
    said = {tuple(map(partial(read, one, spec=spec), scopes)) for one in found}
    if len(said) != 1 or not _are_most(next(iter(said)), pages, spec):
        return []
    prior = tuned("choices.other_prior")
    return [CandidateReader(reader, prior, 0.0) for reader in found]


def _are_telling(
    spec: FieldSpec, pages: Sequence[KnownValue], steps: Mapping[str, Step]
) -> bool:
    """Whether a choice may be another one every day, and enough pages and words of it are
    known."""
    return all(
        (
            is_choice(spec),
            spec.volatile,
            len(pages) >= tuned("recurrence.fewest_pages"),
            len(steps) >= _FEWEST,
        )
    )


def _words(old: Sequence[Reader]) -> dict[str, Step]:
    """The words that stood for choices, as they are compared, with what made them those."""
    steps = chain.from_iterable(map(attrgetter("pipe"), old))
    mapped = [step for step in steps if step.op is Op.MAP]
    return {compared_form(str(step.args[0])): step for step in reversed(mapped)}


def _in_words(
    place: Reader, pages: Sequence[KnownValue], steps: Mapping[str, Step]
) -> Iterator[Reader]:
    """The reader of a place whose texts, or the same part of each, are those words, on
    different pages different ones."""
    said = [transformed_texts(place, Scope(page.document)) for page in pages]
    whole = chain.from_iterable(texts[:1] for texts in said)
    for cut in dict.fromkeys(chain.from_iterable(map(part_cuts, whole))):
        texts = [next(iter(apply(cut, one)), "") for one in said]
        forms = set(map(compared_form, texts))
        if all((len(forms) >= _FEWEST, forms <= steps.keys())):
            pipe = (*place.pipe, *cut, *steps.values())
            yield place.model_copy(update={"pipe": pipe})
            return


def _are_most(
    said: Sequence[Value | None], pages: Sequence[KnownValue], spec: FieldSpec
) -> bool:
    """Whether most pages say what is known of them."""
    pairs = zip(said, map(attrgetter("value"), pages), strict=True)
    right = sum(same(one, value, spec) for one, value in pairs)
    return right >= tuned("choices.again") * len(pages)
