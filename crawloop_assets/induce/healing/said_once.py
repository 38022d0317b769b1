"""Known durations that pages say in one place, with their unit.

A small number is on most pages by chance, and so is no witness. "40 min" as a text of its
own is hardly, where no other place of the page says it and no other field of the record
had it: there the page says what was known of it, whatever it writes before it.
"""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.candidates import are_one_place
from crawloop_assets.induce.detail.singles import is_duration
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    induce,
    pages_with_value,
)
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import letters

_DURATIONS = tuple(
    FieldSpec(name=name, kind=FieldKind.MINUTES)
    for name in ("prep_time", "cook_time", "total_time", "duration")
)


def said_once(
    known: Sequence[KnownValue], spec: FieldSpec, *, proved: bool
) -> list[Tried]:
    """Readers of a duration that each page says once of which it is known; empty where
    one does not.

    Where the name of another duration leads to the place, that one stands there, if no
    reader has `proved` it. What stands beside the value, or is written on it, lasts
    longer than a position.
    """
    pages = pages_with_value(known)
    is_lasting = spec.kind is FieldKind.MINUTES and not spec.volatile
    if not is_lasting or not all(map(partial(_is_said_once, spec=spec), pages)):
        return []
    tried = filterfalse(attrgetter("silent"), induce(known, spec))
    right = list(filterfalse(_is_wrong_or_next, tried))
    if not proved and any(map(partial(_is_of_another, spec=spec), right)):
        return []
    return list(filterfalse(is_by_position, right)) or right


def _is_wrong_or_next(tried: Tried) -> bool:
    """Whether a reader is wrong somewhere, or leans on the label behind the value: that
    of the next one, as a rule."""
    return tried.wrong > 0 or tried.candidate.reader.get == "before"


def is_by_position(tried: Tried) -> bool:
    """Whether a reader leans on where the value stands, and on nothing else."""
    return tried.candidate.reader.kin is Kin.PATH


def _is_said_once(page: KnownValue, spec: FieldSpec) -> bool:
    """Whether there is one text on a page that is the known duration and nothing else."""
    places = page.index.places(page.value, spec)
    whole = list(filter(partial(_is_whole, page.document), places))
    return bool(whole) and are_one_place(page.document, whole)


def _is_whole(document: Document, place: Place) -> bool:
    """Whether people read a duration at a place, and nothing beside it."""
    return not place.get.startswith("@") and is_duration(place.text(document))


def _is_of_another(tried: Tried, spec: FieldSpec) -> bool:
    """Whether a reader leans on the name of another duration, and not on this one's."""
    says = partial(_says, letters(tried.candidate.reader.at))
    return any(map(says, _DURATIONS)) and not says(spec)


def _says(written: str, spec: FieldSpec) -> bool:
    """Whether letters hold a word or a label of a field that tells it from others."""
    words = words_of(spec)
    return any(map(written.__contains__, map(letters, words.known | words.labels)))
