"""Choices in other words: which text stands for which choice is told by pages of which
the choice is known.

A place speaks of a choice if, page by page, it has one text for each known choice and
another one for every other.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.json_paths import json_kin
from crawloop_assets.induce.detail.recurrence import positions
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import skeleton

_LONGEST = 40  # characters of a text that stands for a choice
_MOST_TEXTS = 8
_CUTS = ((), (Step(op=Op.BEFORE, args=(" (",)),))
"""What may stand behind the words of a choice: "In stock (14 available)"."""
_PRIORS = ("choices.other_prior", "choices.path")
_MOST_PREDICATES = 2


def mapped_choices(
    known: Sequence[KnownValue], spec: FieldSpec, old: Sequence[Reader]
) -> list[CandidateReader]:
    """Readers of places whose texts stand for the known choices, one for each; those of
    `old` readers among them."""
    pages = pages_with_value(known)
    if spec.kind is not FieldKind.CHOICE or spec.shape is not Shape.ONE:
        return []
    places: dict[tuple[str, ...], Reader] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for page in pages:
        own = {_key(place): place for place in _places(page.document, old)}
        places.update(own)
        seen.update(own.keys())
    found = []
    for key, count in seen.items():
        if count < max(tuned("recurrence.fewest_pages"), len(pages)):
            continue
        readers = (_mapping(places[key], cut, pages) for cut in _CUTS)
        reader = next(filter(None, readers), None)
        if reader is not None:
            prior = tuned(_PRIORS[reader.kin is Kin.PATH])
            found.append(CandidateReader(reader, prior, 0.0))
    return found


def _key(reader: Reader) -> tuple[str, ...]:
    """What tells places apart."""
    return reader.src.value, reader.at, reader.get


def _mapping(
    place: Reader, cut: tuple[Step, ...], pages: Sequence[KnownValue]
) -> Reader | None:
    """The reader of a place that makes its texts the known choices; None where one text
    stands for two of them, or two for one."""
    texts: dict[str, str] = {}
    meant: dict[str, str] = {}
    for page in pages:
        said = _text(place, cut, page.document)
        value = str(page.value)
        form = skeleton(said)
        if not form or meant.setdefault(form, value) != value:
            return None
        if texts.setdefault(value, said) and skeleton(texts[value]) != form:
            return None
    if not tuned("choices.fewest_texts") <= len(texts) <= _MOST_TEXTS:
        return None
    steps = (Step(op=Op.MAP, args=(said, value)) for value, said in texts.items())
    return place.model_copy(update={"pipe": (*cut, *steps)})


def _text(place: Reader, cut: tuple[Step, ...], document: Document) -> str:
    """The short text of a place without what is cut off, "" if it has none."""
    texts = read_texts(place, Scope(document))[:1]
    for step in cut:
        texts = step(texts)
    return texts[0] if texts and _may_be_choice(texts[0]) else ""


def _may_be_choice(text: str) -> bool:
    """Whether a text is short and no number."""
    return 0 < len(text) <= _LONGEST and not has_digit(text)


def _places(document: Document, old: Sequence[Reader]) -> Iterator[Reader]:
    """Places of short texts: those that were read before, elements, and JSON."""
    for reader in old:
        yield reader.model_copy(update={"pipe": ()})
    for path, texts in document.leaves.items():
        if len(texts) == 1 and _may_be_choice(texts[0]):
            yield Reader(src=Source.JSON, at=path, get="value", kin=json_kin(path))
    for number in range(len(document.elements)):
        is_leaf = document.end[number] == number + 1
        words = document.text(number).partition(" (")[0] if is_leaf else ""
        if _may_be_choice(words):
            yield from _of_element(document, number)


def _of_element(document: Document, number: int) -> Iterator[Reader]:
    """The ways to one element: by what it is called, and by its position."""
    for predicate in predicates(document, number)[:_MOST_PREDICATES]:
        if predicate.kin is not Kin.TAG:
            yield Reader(
                src=Source.CSS, at=predicate.css, get="text", kin=predicate.kin
            )
    for at in positions(document, number):
        yield Reader(src=Source.CSS, at=at, get="text", kin=Kin.PATH)
