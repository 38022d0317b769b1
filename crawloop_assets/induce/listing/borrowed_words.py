"""Choices and flags in words that are the value of another field: "Licence A2" is so in
just those rows that are negotiable by chance, where few rows are known."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import compress
from operator import attrgetter, not_

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import transformed_texts
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.few_words import own_choice
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import texts_among

_Place = tuple[Reader, float]


def without_other_fields(
    spec: FieldSpec, places: Iterable[_Place], samples: Sequence[KnownCell]
) -> list[_Place]:
    """The places that do not say another field in each known row. A choice may be said so
    where nothing else says it: "Flat" is a category and a kind; a flag is none."""
    found = list(places)
    uncut = [(one.model_copy(update={"pipe": ()}), prior) for one, prior in found]
    borrowed = list(map(partial(_is_borrowed, samples), uncut))
    own = list(compress(found, map(not_, borrowed)))
    return own if spec.kind is FieldKind.BOOLEAN else own or found


def is_borrowed(spec: FieldSpec, samples: Sequence[KnownCell], reader: Reader) -> bool:
    """Whether the words that a reader takes for choices are those of another field in each known
    row, and no choice of this one: of few rows any two fields agree."""
    cuts = tuple(step for step in reader.pipe if step.op is not Op.MAP)
    place = reader.model_copy(update={"pipe": cuts})
    said = ("".join(transformed_texts(place, one.scope)[:1]) for one in samples)
    own = map(partial(own_choice, choices=spec.choices), said)
    values = map(str, map(attrgetter("value"), samples))
    return list(own) != list(values) and _is_borrowed(samples, (place, 0.0))


def _is_borrowed(samples: Sequence[KnownCell], place: _Place) -> bool:
    """Whether the text of a place has the value of another field in each known row."""
    return all(map(partial(_says_another, place[0]), samples))


def _says_another(reader: Reader, known: KnownCell) -> bool:
    """Whether the text of a place has the words of the value of another field of its row."""
    texts = transformed_texts(reader, known.scope)[:1]
    said = f" {' '.join(tokens(' '.join(texts)))} "
    values = map(tokens, texts_among(known.beside))
    return any(f" {' '.join(words)} " in said for words in filter(None, values))
