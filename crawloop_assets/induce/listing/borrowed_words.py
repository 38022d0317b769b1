"""Choices and flags in words that are the value of another field: "Licence A2" is so in
just those rows that are negotiable by chance, where few rows are known."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import filterfalse

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import read_texts
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
    own = list(filterfalse(partial(_is_borrowed, samples), found))
    return own if spec.kind is FieldKind.BOOLEAN else own or found


def not_borrowed(
    spec: FieldSpec, places: Iterable[_Place], samples: Sequence[KnownCell]
) -> Iterator[_Place]:
    """The places but for those that say another field in each known row, and no choice of
    this one: of few rows any two fields agree."""
    is_borrowed = partial(_is_borrowed, samples)
    own = partial(_says_choice, spec, samples)
    return (one for one in places if not is_borrowed(one) or own(one))


def _says_choice(spec: FieldSpec, samples: Sequence[KnownCell], place: _Place) -> bool:
    """Whether the text of a place has the known choice of each row in it."""
    said = ((_text(place[0], one), str(one.value)) for one in samples)
    return all(own_choice(text, spec.choices) == value for text, value in said)


def _is_borrowed(samples: Sequence[KnownCell], place: _Place) -> bool:
    """Whether the text of a place has the value of another field in each known row."""
    return all(map(partial(_says_another, place[0]), samples))


def _says_another(reader: Reader, known: KnownCell) -> bool:
    """Whether the text of a place has the words of the value of another field of its row."""
    said = f" {' '.join(tokens(_text(reader, known)))} "
    values = map(tokens, texts_among(known.beside))
    return any(f" {' '.join(words)} " in said for words in filter(None, values))


def _text(reader: Reader, known: KnownCell) -> str:
    """The first text of a place, or none."""
    return "".join(read_texts(reader, known.scope)[:1])
