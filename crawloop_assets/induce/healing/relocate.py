"""Find a field again on a redesigned page when no value is known: by likeness and by
its words."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.program import FieldProgram, Fingerprint
from crawloop_assets.crawler.read import to_value
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fingerprint import likeness
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.durations import has_unit
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_SHORT = 200  # characters a value that is no text may stand among
_MOST_SCORED = 400
_MOST_INSIDE = 12  # elements inside the one of a single value
_LENGTHS, _MEAN_LENGTHS, _COUNTS = 6, 4, 5
"""By what factor a text, the mean of a list's texts, and the number of its items may
have become longer or shorter."""
_ADDRESSES = {"img": "src", "a": "href"}


class RelocatedField(NamedTuple):
    """The element most like the field was, what it reads as, how like it is and by how
    much it leads."""

    value: Value
    score: float
    margin: float


class _Scored(NamedTuple):
    """An element that may be the field (of a list the first), and how like it is."""

    score: float
    number: int
    value: Value


def relocate(
    index: Index, field: FieldProgram, spec: FieldSpec
) -> RelocatedField | None:
    """The best guess for a field on one page, None if nothing there is of its kind."""
    wanted = field.fingerprint
    if wanted is None or not wanted.tag or spec.kind is FieldKind.OBJECT:
        return None
    document, words = index.document, words_of(spec)
    scored = []
    for numbers, value in _options(document, spec, wanted):
        score = likeness(document, numbers[0], wanted, words, len(numbers))
        scored.append(_Scored(score, numbers[0], value))
    if not scored:
        return None
    scored.sort(key=lambda option: (-round(option.score, 6), option.number))
    best, *rest = scored
    return RelocatedField(best.value, best.score, best.score - _rival(best, rest))


def _rival(best: _Scored, rest: Sequence[_Scored]) -> float:
    """The score of the likest option with another value; 0 if there is none."""
    text = letters(str(best.value))
    scores = []
    for option in rest:
        if letters(str(option.value)) != text:
            scores.append(option.score)
    return max(scores, default=0.0)


def _options(
    document: Document, spec: FieldSpec, wanted: Fingerprint
) -> Iterator[tuple[list[int], Value]]:
    """Elements (of a list one for each item) with the value they would be."""
    if spec.shape is not Shape.ONE:
        yield from _groups(document, spec, wanted)
        return
    for number in range(len(document.elements)):
        text = _text_of(document, number, spec)
        if not text or not _fits(text, spec, wanted):
            continue
        value = parse_value(text, spec, document.base_url)
        if value is not None:
            yield [number], value


def _text_of(document: Document, number: int, spec: FieldSpec) -> str:
    """The text that would be the value, "" if an element holds none."""
    if spec.kind is FieldKind.URL:
        return _address_of(document, number)
    if document.end[number] - number > _MOST_INSIDE:
        return ""
    return document.text(number)


def _address_of(document: Document, number: int) -> str:
    """What a picture or a link leads to; "" for other elements."""
    element = document.elements[number]
    name = _ADDRESSES.get(str(element.tag))
    if name is None:
        return ""
    return element.get(name) or element.get(f"data-{name}") or ""


def _fits(text: str, spec: FieldSpec, wanted: Fingerprint) -> bool:
    """Whether a text is about as long as the field's was."""
    if spec.kind is FieldKind.URL:
        return True
    most = wanted.length * _LENGTHS
    if spec.kind is not FieldKind.TEXT:
        most = max(_SHORT, most)
    if not wanted.length / _LENGTHS <= len(text) <= most:
        return False
    return spec.kind is not FieldKind.MINUTES or has_unit(text)


def _groups(
    document: Document, spec: FieldSpec, wanted: Fingerprint
) -> Iterator[tuple[list[int], Value]]:
    """Runs of like siblings that are about as many and as long as the field's items
    were."""
    seen = 0
    for parent in range(len(document.elements)):
        for numbers in _children_by_tag(document, parent):
            if not _are_as_many(numbers, wanted):
                continue
            texts = list(map(document.text, numbers))
            if _are_as_long(texts, wanted):
                seen += 1
                yield numbers, to_value(texts, spec, document.base_url) or []
        if seen >= _MOST_SCORED:
            return


def _children_by_tag(document: Document, parent: int) -> list[list[int]]:
    """The children of an element that share a tag."""
    by_tag: dict[str, list[int]] = {}
    for child in document.elements[parent]:
        number = document.number.get(child)
        if number is not None:
            by_tag.setdefault(str(child.tag), []).append(number)
    return list(by_tag.values())


def _are_as_many(numbers: Sequence[int], wanted: Fingerprint) -> bool:
    """Whether siblings are about as many as the field had items."""
    least = max(2, wanted.count / _COUNTS)
    return least <= len(numbers) <= wanted.count * _COUNTS


def _are_as_long(texts: Sequence[str], wanted: Fingerprint) -> bool:
    """Whether texts are on average about as long as the field's items were."""
    mean = sum(map(len, texts)) / len(texts)
    return wanted.length / _MEAN_LENGTHS <= mean <= wanted.length * _MEAN_LENGTHS
