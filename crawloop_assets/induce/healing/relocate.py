"""Find a field again on a redesigned page when no value is known: by likeness and by
its words."""

from collections.abc import Iterator
from typing import NamedTuple

from crawloop_assets.crawler.program import FieldProgram, Fingerprint
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.candidates import candidates
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.fingerprint import likeness
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.numbers import has_unit
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_SHORT = 200
_MOST_SCORED = 400


class RelocatedField(NamedTuple):
    """The element most like the field was, what it reads as, how like it is and by how
    much it leads."""

    value: Value
    score: float
    margin: float


def relocate(
    index: Index, field: FieldProgram, spec: FieldSpec
) -> RelocatedField | None:
    """The best guess for a field on one page, None if nothing there is of its kind."""
    wanted = field.fingerprint
    if wanted is None or not wanted.tag or spec.kind is FieldKind.OBJECT:
        return None
    document, words = index.document, words_of(spec)
    scored: list[tuple[float, int, Value]] = []
    for numbers, value in _options(document, spec, wanted):
        scored.append(
            (
                likeness(document, numbers[0], wanted, words, len(numbers)),
                numbers[0],
                value,
            )
        )
    if not scored:
        return None
    scored.sort(key=lambda each: (-round(each[0], 6), each[1]))
    best = scored[0]
    rest = [
        each[0] for each in scored[1:] if letters(str(each[2])) != letters(str(best[2]))
    ]
    return RelocatedField(best[2], best[0], best[0] - max(rest, default=0.0))


def relocated_readers(
    index: Index, found: RelocatedField, spec: FieldSpec
) -> list[CandidateReader]:
    """Readers of the found value that also carry a word of the field."""
    return [each for each in candidates(index, found.value, spec) if each.named > 0]


def _options(
    document: Document, spec: FieldSpec, wanted: Fingerprint
) -> Iterator[tuple[list[int], Value]]:
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
    element = document.elements[number]
    if spec.kind is FieldKind.URL:
        name = "src" if element.tag == "img" else "href" if element.tag == "a" else ""
        return (element.get(name) or element.get(f"data-{name}") or "") if name else ""
    if document.end[number] - number > 12:
        return ""
    return document.text(number)


def _fits(text: str, spec: FieldSpec, wanted: Fingerprint) -> bool:
    if spec.kind is FieldKind.URL:
        return True
    if (
        not wanted.length / 6
        <= len(text)
        <= max(_SHORT if spec.kind is not FieldKind.TEXT else 0, wanted.length * 6)
    ):
        return False
    return spec.kind is not FieldKind.MINUTES or has_unit(text)


def _groups(
    document: Document, spec: FieldSpec, wanted: Fingerprint
) -> Iterator[tuple[list[int], Value]]:
    """Runs of like siblings: the children of one parent that share a tag."""
    seen = 0
    for parent in range(len(document.elements)):
        by_tag: dict[str, list[int]] = {}
        for child in document.elements[parent]:
            number = document.number.get(child)
            if number is not None:
                by_tag.setdefault(str(child.tag), []).append(number)
        for numbers in by_tag.values():
            if (
                len(numbers) < 2
                or not wanted.count / 5 <= len(numbers) <= wanted.count * 5
            ):
                continue
            texts = [document.text(number) for number in numbers]
            mean = sum(map(len, texts)) / len(texts)
            if wanted.length / 4 <= mean <= wanted.length * 4:
                values = [
                    parse_value(text, spec, document.base_url) for text in texts if text
                ]
                seen += 1
                yield numbers, [value for value in values if value is not None]
        if seen >= _MOST_SCORED:
            return
