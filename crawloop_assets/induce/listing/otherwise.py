"""What rows say otherwise: choices in other words or by an empty cell, numbers in another
unit."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, starmap
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.listing.borrowed_words import (
    is_borrowed,
    without_other_fields,
)
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.leaves import every_leaf
from crawloop_assets.induce.listing.locations import (
    KnownCell,
    leaf_selectors,
    row_selectors,
)
from crawloop_assets.induce.listing.row_labels import labelled_places
from crawloop_assets.induce.listing.selector_parts import word_bonus
from crawloop_assets.induce.locate.choice_texts import (
    choice_steps,
    is_choice,
    may_have_changed,
)
from crawloop_assets.induce.locate.few_words import few_worded
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.marks import mark_steps
from crawloop_assets.induce.locate.scales import may_change_unit, scale_steps
from crawloop_assets.induce.locate.signs import SIGNS, are_filled_and_empty
from crawloop_assets.induce.locate.stream import texts_and_signs
from crawloop_assets.induce.locate.text_parts import part_cuts
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

_GETS = ("text", "tail")
_CLASSES = "@class"
_Said = Iterable[tuple[list[str], Value]]
_Place = tuple[Reader, float]
"""A place of a row, and how much it is trusted."""


def otherwise_readers(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers of places that have one text for each known choice, and another one for
    every other, or known numbers in one other unit. A key of JSON that is called as the
    field is goes alone."""
    if not samples or (is_choice(spec) and not _are_telling(spec, samples)):
        return
    proved = without_other_fields(spec, _proved(spec, samples), samples)
    places = _called_so(proved) or marked_rows(spec, samples)
    for place, prior in places or _filled(spec, samples):
        trust = prior * tuned("otherwise.trust")
        reader = place.model_copy(update={"weight": round(trust**2, 4)})
        yield judge_reader(spec, reader, samples, others, trust)


def few_worded_readers(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> Iterator[FoundReader]:
    """Readers of the one column of words of all rows, where few rows with known choices
    tell what the words stand for."""
    if not samples or not is_choice(spec):
        return
    first = samples[0].scope
    found = places_of_words(spec, first)
    if spec.kind is FieldKind.BOOLEAN:
        found = iter(without_other_fields(spec, found, samples))
    places = dict(found)
    known = [(scope, value) for scope, value, _ in samples]
    trust = {_key(reader): prior for reader, prior in places.items()}
    borrowed = partial(is_borrowed, spec, samples)
    for reader in few_worded(spec, known, others, places, borrowed):
        prior = trust[_key(reader)] * tuned("otherwise.trust")
        weighed = reader.model_copy(update={"weight": round(prior**2, 4)})
        yield judge_reader(spec, weighed, samples, others, prior)


def _key(reader: Reader) -> tuple[str, ...]:
    """What tells places apart, whatever is made of their texts."""
    return reader.src.value, reader.at, reader.get


def places_of_words(spec: FieldSpec, scope: Scope) -> Iterator[_Place]:
    """The places of a row that may say a choice, classes of its elements among them."""
    yield from row_places(spec, scope)
    if scope.data is None:
        yield (
            Reader(src=Source.CSS, at=".", get=_CLASSES, kin=Kin.CLASS),
            tuned("otherwise.classes"),
        )
        for at, kin, _ in row_selectors(scope, spec):
            if kin is not Kin.PATH:  # which elements a row has, by position they say
                reader = Reader(src=Source.CSS, at=at, get=_CLASSES, kin=kin)
                yield reader, tuned("otherwise.classes")


def _are_telling(spec: FieldSpec, samples: Sequence[KnownCell]) -> bool:
    """Whether so many choices are known that their words can be told, one of them again: a
    yes and a no in several rows, for one row differs in many cells; in JSON, where any key
    may be a flag, each choice."""
    rows = Counter(map(str, map(attrgetter("value"), samples)))
    is_flag = spec.kind is FieldKind.BOOLEAN or samples[0].scope.data is not None
    least = tuned("otherwise.fewest_rows_each") if is_flag else 1
    is_again = len(rows) < len(samples)
    is_enough = len(samples) >= tuned("otherwise.fewest_rows")
    return is_enough and is_again and min(rows.values()) >= least


def _proved(spec: FieldSpec, samples: Sequence[KnownCell]) -> Iterator[_Place]:
    """The places of which all samples agree what they say, with what makes it the known
    values."""
    for place, prior in row_places(spec, samples[0].scope):
        said = [transformed_texts(place, scope) for scope, _, _ in samples]
        steps = next(_cut_steps(spec, said, samples), ())
        if steps:
            yield place.model_copy(update={"pipe": (*place.pipe, *steps)}), prior


def marked_rows(
    spec: FieldSpec, samples: Sequence[KnownCell], fewest_choices: float | None = None
) -> list[_Place]:
    """The whole text of a row of markup, made a flag by words that stand in just those of
    which it is known (see `mark_steps`). None that may change every day: where the site says
    it in other words all rows would say the same."""
    said = [(list(texts_and_signs(scope)), value) for scope, value, _ in samples]
    seen = (spec.kind, spec.volatile, samples[0].scope.data)
    is_plain = seen == (FieldKind.BOOLEAN, False, None)
    steps = mark_steps(said, spec, fewest_choices) if is_plain else ()
    place = Reader(src=Source.CSS, at=".", get="text", kin=Kin.TAG, pipe=steps)
    return [(place, tuned("locations.row"))][: len(steps)]


def _filled(spec: FieldSpec, samples: Sequence[KnownCell]) -> Iterator[_Place]:
    """The cells of a row of markup that have one text where a flag is so, and none where it
    is not, or the other way round. Another text says nothing: it may be another word for no."""
    seen = (spec.kind, spec.volatile, samples[0].scope.data)
    if seen != (FieldKind.BOOLEAN, False, None):
        return
    for at, kin, prior in leaf_selectors(samples[0].scope, spec):
        place = Reader(src=Source.CSS, at=at, get=SIGNS, kin=kin)
        said = ("".join(read_texts(place, one.scope)[:1]) for one in samples)
        flags = map(str, map(attrgetter("value"), samples))
        meant = set(zip(said, flags, strict=True))
        if are_filled_and_empty(meant):
            steps = tuple(starmap(_map_step, sorted(meant)))
            yield place.model_copy(update={"pipe": steps}), prior


def _map_step(text: str, flag: str) -> Step:
    """What makes a text a flag."""
    return Step(op=Op.MAP, args=(text, flag))


def _cut_steps(
    spec: FieldSpec, said: Sequence[list[str]], samples: Sequence[KnownCell]
) -> Iterator[Pipe]:
    """What makes the texts of a place, or one part of each, the known values."""
    values = list(map(attrgetter("value"), samples))
    whole = chain.from_iterable(texts[:1] for texts in said)
    for cut in dict.fromkeys(chain.from_iterable(map(part_cuts, whole))):
        pairs = zip(map(partial(apply, cut), said), values, strict=True)
        steps = _steps(spec, pairs, samples[0].scope)
        if steps:
            yield (*cut, *steps)


def _called_so(places: Iterable[_Place]) -> list[_Place]:
    """Of keys of JSON those that are called as the field is, if any is: two flags may
    agree in a few rows by chance."""
    found = list(places)
    named = list(filter(_is_named, found))
    return named or found


def _is_named(place: _Place) -> bool:
    """Whether a place is a key of JSON that has words of the field."""
    reader, prior = place
    is_more = prior > tuned("otherwise.json")
    return is_more and reader.src is Source.JSON


def _steps(spec: FieldSpec, said: _Said, scope: Scope) -> Pipe:
    """What makes the texts of a place of rows such as this one the known values, if
    anything does."""
    if may_change_unit(spec):
        return scale_steps(said, spec)
    changed = max(may_have_changed(spec), tuned("otherwise.strays"))
    fewest, is_json = tuned("otherwise.fewest_texts"), scope.data is not None
    return choice_steps(said, fewest, changed, may_be_code=is_json)


def row_places(spec: FieldSpec, scope: Scope) -> Iterator[_Place]:
    """The places of a row that may say a field otherwise, if it is a choice or a number."""
    if not any((is_choice(spec), may_change_unit(spec))):
        return iter(())
    return _elements(spec, scope) if scope.data is None else _keys(spec, scope)


def _elements(spec: FieldSpec, scope: Scope) -> Iterator[_Place]:
    """What stands behind the labels of a row of markup, its elements that hold no others,
    and what stands behind those."""
    for reader in labelled_places(scope):
        yield reader, tuned("locations.label")
    for at, kin, prior in leaf_selectors(scope, spec):
        for get in _GETS:
            yield Reader(src=Source.CSS, at=at, get=get, kin=kin), prior


def _keys(spec: FieldSpec, scope: Scope) -> Iterator[_Place]:
    """The keys of a row of JSON; one that has words of the field is trusted more."""
    words, least = words_of(spec), tuned("otherwise.json")
    for at in dict(every_leaf(scope.data)):
        bonus = word_bonus(words, at.rsplit(".", 1)[-1])
        reader = Reader(src=Source.JSON, at=at, get="value", kin=Kin.JSON)
        yield reader, least + bonus
