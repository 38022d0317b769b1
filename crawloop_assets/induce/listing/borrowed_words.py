"""Choices and flags in words that are the value of another field: "Licence A2" is so in
just those rows that are negotiable by chance, where few rows are known."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import filterfalse

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import read_texts
from crawloop_assets.induce.listing.locations import KnownCell
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


def _is_borrowed(samples: Sequence[KnownCell], place: _Place) -> bool:
    """Whether the text of a place has the value of another field in each known row."""
    reader = place[0].model_copy(update={"pipe": ()})
    return all(map(partial(_says_another, reader), samples))


def _says_another(reader: Reader, known: KnownCell) -> bool:
    """Whether the text of a place has the words of the value of another field of its row."""
    said = f" {' '.join(tokens(' '.join(read_texts(reader, known.scope)[:1])))} "
    values = map(tokens, texts_among(known.beside))
    return any(f" {' '.join(words)} " in said for words in filter(None, values))
