"""The places of a record that have numbers, by what JSON or markup calls them, with the numbers
and the words for prices in their names."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice, pairwise
from typing import NamedTuple

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.number_names import words_of_number
from crawloop_assets.document.page_json import collect_leaves
from crawloop_assets.document.parted import parted_texts
from crawloop_assets.document.price_names import words_in_label, words_of_path
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.dates import is_named_day
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_MOST_PLACES = 300
_LONGEST = 24  # characters of a text that is a number and little more

_CUT = re.compile(rf"\d(?:[{NUMERAL_MARKS}]\0|\0[{NUMERAL_MARKS}])\d")
"""Digits of one amount with the end of an element between them."""

NumberPlace = tuple[str, int]
"""What a place is called, and which of several that are called so it is."""


class _Text(NamedTuple):
    """A text of a record: its place, and its element, None for JSON."""

    place: NumberPlace
    text: str
    element: int | None = None


def numbers_in(
    spec: FieldSpec, field: FieldProgram, scope: Scope
) -> dict[NumberPlace, Value]:
    """The numbers of a record by their place, in the unit in which a field is read."""
    pipe = field.all_readers[0].pipe
    scales = tuple(step for step in pipe if step.op is Op.SCALE)
    found: dict[NumberPlace, Value] = {}
    for place, text, _ in filter(_is_short, _texts(scope)):
        said = "".join(apply(scales, [text])[:1])
        value = parse_value(said, spec)
        if value is not None:
            found[place] = value
    return found


def _is_short(one: _Text) -> bool:
    """Whether a text may be a number and little more."""
    return len(one.text) <= _LONGEST


def words_of_place(place: NumberPlace, scopes: Iterable[Scope]) -> frozenset[str]:
    """The words for prices by which a place is called in every record that has it."""
    said = list(chain.from_iterable(map(partial(_words_in, place), scopes)))
    return frozenset.intersection(*said) if said else frozenset()


def _words_in(place: NumberPlace, scope: Scope) -> Iterator[frozenset[str]]:
    """The same in one record; nothing where it does not have the place."""
    texts = {one.place: one for one in _texts(scope)}
    there = filter(None, [texts.get(place)])
    return map(partial(_words_of, scope.document, texts.values()), there)


def _words_of(document: Document, texts: Iterable[_Text], one: _Text) -> frozenset[str]:
    """The words by which one of some texts is called; those in one object of JSON, as a
    price and its kind, are so by each other."""
    if one.element is not None:
        return words_of_number(document, one.element)
    beside = (other.text for other in texts if _object(other) == _object(one))
    return words_of_path(one.place[0]).union(*map(words_in_label, beside))


def _object(one: _Text) -> tuple[str, int]:
    """The object of JSON in which a text is."""
    path, at = one.place
    return path.rpartition(".")[0], at


def _texts(scope: Scope) -> Iterator[_Text]:
    """The first texts of a record."""
    texts = _markup_texts(scope) if scope.data is None else _json_texts(scope)
    return islice(texts, _MOST_PLACES)


def _json_texts(scope: Scope) -> Iterator[_Text]:
    """The texts of a record of JSON by their path."""
    leaves: dict[str, list[str]] = {}
    collect_leaves(scope.data, "$", leaves, _MOST_PLACES)
    return _stated(leaves)


def _stated(leaves: Mapping[str, Sequence[str]]) -> Iterator[_Text]:
    """The texts of JSON by their path, and which of those that are called so they are."""
    for path, several in leaves.items():
        for at, text in enumerate(several):
            yield _Text((path, at), text)


def _markup_texts(scope: Scope) -> Iterator[_Text]:
    """The texts of the elements of a record that hold no others, by what they are called;
    of a whole page first those of its JSON."""
    document = scope.document
    yield from _stated(document.leaves if scope.whole else {})
    found: dict[str, list[int]] = {}
    for number in filter(partial(_is_leaf, document), _inside(scope)):
        called = f"{document.tags[number]}.{document.classes[number]}"
        found.setdefault(called, []).append(number)
    for called, several in found.items():
        for at, number in enumerate(several):
            if not _is_of_amount(document, number) and not _is_of_day(document, number):
                yield _Text((called, at), document.text(number), number)


def _is_of_day(document: Document, number: int) -> bool:
    """Whether an element is one of those that say a day together, and nothing else."""
    together = parted_texts(document, [document.parent[number]])
    return any(is_named_day(text) for _, text in together)


def _is_of_amount(document: Document, number: int) -> bool:
    """Whether an element has some digits of an amount, and one beside it the others."""
    around, texts = document.parent[number], document.columns.texts
    first, last = document.first_piece, document.last_piece
    ends = (first[around], first[number], last[number], last[around])
    before, inside, behind = ("".join(texts[a:b]) for a, b in pairwise(ends))
    return _CUT.search(f"{before[-2:]}\0{inside}\0{behind[:2]}") is not None


def _is_leaf(document: Document, number: int) -> bool:
    """Whether an element holds no others."""
    return document.end[number] == number + 1


def _inside(scope: Scope) -> Iterator[int]:
    """The elements of a record, those in others as well; a page of JSON has none."""
    nodes = scope.nodes if scope.document.elements else ()
    return chain.from_iterable(
        map(range, nodes, map(scope.document.end.__getitem__, nodes))
    )
