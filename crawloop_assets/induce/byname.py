"""What a page's own labels and class names say a field is, when nothing else is known.

Two mechanisms look independently: the text beside a label that is the field's name, and the elements whose class, id or
data attribute is the field's name. Only what both say is believed.
"""

from collections.abc import Iterator
from itertools import pairwise

from crawloop_assets.crawler.extraction import Value
from crawloop_assets.crawler.labels import read_label
from crawloop_assets.crawler.numbers import has_unit
from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.text import letters
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.fit import SPLIT
from crawloop_assets.induce.places import Index
from crawloop_assets.induce.predicates import predicates
from crawloop_assets.induce.words import Words, words_of
from crawloop_assets.record import same
from crawloop_assets.schema import FieldSpec, Kind, Shape

_LONGEST = 120
_MOST = 8


def value_by_name(index: Index, spec: FieldSpec) -> Value | None:
    """The value that labels and names agree on, None if they do not."""
    if spec.kind in (Kind.OBJECT, Kind.URL, Kind.BOOLEAN):
        return None
    words = words_of(spec)
    said = list(_by_label(index, spec, words))
    for value in _by_class(index, spec, words):
        if any(same(value, other, spec) for other in said):
            return value
    return None


def _by_label(index: Index, spec: FieldSpec, words: Words) -> Iterator[Value]:
    forms = sorted(words.joined | {letters(word) for word in words.known})
    gets = ("items",) if spec.shape is Shape.LIST else ("next", "block", "before")
    for form in forms:
        for label in (form, f"{form}s") if form in index.document.labels or f"{form}s" in index.document.labels else ():
            for get in gets:
                yield from _typed(read_label(index.document, label, get, None), spec, index)


def _by_class(index: Index, spec: FieldSpec, words: Words) -> Iterator[Value]:
    document = index.document
    groups: dict[str, list[int]] = {}
    for number in range(len(document.elements)):
        for predicate in predicates(document, number):
            if predicate.words and predicate.strength >= 0.4 and words.share(predicate.words) == 1.0:
                groups.setdefault(predicate.css, []).append(number)
    for _, numbers in sorted(groups.items())[:60]:
        if spec.shape is Shape.LIST:
            nested = any(document.end[a] > b for a, b in pairwise(numbers))
            if len(numbers) > 1 and not nested:
                yield from _typed([document.text(number) for number in numbers], spec, index)
            for number in numbers[:_MOST]:
                items = document.within(document.by_tag.get("li", []), number)
                yield from _typed([document.text(item) for item in items], spec, index)
            continue
        for number in numbers[:_MOST]:
            yield from _typed([document.text(number)], spec, index)


def _typed(texts: list[str], spec: FieldSpec, index: Index) -> Iterator[Value]:
    if not texts or (spec.shape is not Shape.LIST and not 0 < len(texts[0]) <= _LONGEST):
        return
    if spec.kind is Kind.MINUTES and not has_unit(texts[0]):
        return
    if spec.shape is Shape.SET and spec.kind is Kind.TEXT:
        texts = apply(SPLIT, texts)
    value = to_value(texts, spec, index.document.base_url)
    if value is not None:
        yield value
