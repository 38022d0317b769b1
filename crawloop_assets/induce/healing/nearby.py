"""Numbers that have moved on all pages, found by what they were: of each page the known
one is near what one place says now, and the pages differ far more.

Without a name, and without a known value that still stands, that is the only witness of
a count that rises every day, under a label of another language.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from operator import attrgetter, itemgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, select
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.induce.detail.json_paths import indexed, json_kin
from crawloop_assets.induce.detail.recurrence import positions
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.locate.nearness import are_near, may_move
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.present import present
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value

_Cell = tuple[Scope, Value]
"""A page or a row, and the number that is known of it."""
_MOST_KEYS = 400
"""Paths of the JSON of a page: the state of a whole shop is searched for no number."""
_FOR_SCRIPTS = re.compile(r"data(-[a-z0-9]+)+")
_LONGEST = 40  # characters of a text that is a number and what it counts


def as_moved(known: Sequence[KnownValue], spec: FieldSpec) -> list[KnownValue]:
    """The pages with what the field is on them now; empty if no place of all pages says
    numbers near the known ones, or two say different ones."""
    pages = pages_with_value(known)
    cells = [(Scope(page.document), page.value) for page in pages]
    now = moved_numbers(spec, cells, partial(current_places, spec))
    return list(map(KnownValue, map(attrgetter("index"), pages), now))


def moved_numbers(
    spec: FieldSpec,
    cells: Sequence[_Cell],
    places: Callable[[Scope], Iterable[Reader]],
    share: float = 1.0,
) -> Sequence[Value]:
    """What a volatile number is now in pages or rows of which it is known, by the one
    of the `places` of the first that says near ones in this share of them; empty if none
    does, if two say different ones, or where chance would do."""
    before = list(map(itemgetter(1), cells))
    if not may_move(spec) or len(before) < tuned("nearby.fewest_pages"):
        return ()
    scopes = list(map(itemgetter(0), cells))
    said = map(partial(_said, scopes, spec), set(places(scopes[0])))
    found = set(filter(partial(are_near, spec, before, share=share), said))
    return found.pop() if len(found) == 1 else ()


def _said(scopes: Sequence[Scope], spec: FieldSpec, place: Reader) -> tuple[Value, ...]:
    """What a place says in each scope; None where it says no number."""
    return tuple(map(partial(read, place, spec=spec), scopes))


def current_places(spec: FieldSpec, page: Scope) -> Iterator[Reader]:
    """Where a page says a number, but for what it says to have been so before: yesterday's is
    near the known one whatever today's is."""
    is_former = partial(_is_former, words_of(spec), page.document)
    return filterfalse(is_former, number_places(page.document))


def _is_former(words: Words, document: Document, place: Reader) -> bool:
    """Whether what names a place says that it was so before."""
    return words.is_of_before(tokens(" ".join(_names_of(place, document))))


def _names_of(place: Reader, document: Document) -> Iterator[str]:
    """What says of a place what stands there: its keys, its attribute, or its words, label
    and header."""
    texts = document.columns.texts
    if place.src is Source.JSON or place.kin is Kin.DATA:
        yield place.at
    elif place.src is Source.LABEL:
        yield from map(texts.__getitem__, document.labels.get(place.at, ()))
    else:
        for number in select(Scope(document), place.at)[:1]:
            before = next_piece(document, document.first_piece[number], -1)
            yield from (document.text(number), head_over(document, number))
            yield from map(texts.__getitem__, present([before]))


def number_places(document: Document) -> Iterator[Reader]:
    """Where a page says a number and little more: under keys of its JSON, of a list of a few
    by the index, behind the only label of its name, in the only attribute of its name, and in
    elements, by their position."""
    for path, texts in islice(document.leaves.items(), _MOST_KEYS):
        yield from _in_json(path, texts)
    for label, pieces in document.labels.items():
        if len(pieces) == 1:
            yield Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)
    yield from _in_attributes(document)
    for number in range(len(document.elements)):
        if _is_number(document.text(number)):
            for at in positions(document, number):
                yield Reader(src=Source.CSS, at=at, get="text", kin=Kin.PATH)


def _in_json(path: str, texts: Sequence[str]) -> Iterator[Reader]:
    """The readers of the texts of a path that hold digits and little more."""
    every = zip(indexed(path, len(texts)), texts, strict=False)
    for at, _ in filter(lambda one: _is_number(one[1]), every):
        yield Reader(src=Source.JSON, at=at, get="value", kin=json_kin(path))


def _in_attributes(document: Document) -> Iterator[Reader]:
    """The readers of attributes for scripts that hold digits and little more, each of which
    one element has."""
    held = list(chain.from_iterable(one.attrib.items() for one in document.elements))
    counts = Counter(map(itemgetter(0), held))
    for name, text in held:
        if counts[name] == 1 and _FOR_SCRIPTS.fullmatch(name) and _is_number(text):
            yield Reader(src=Source.CSS, at=f"[{name}]", get=f"@{name}", kin=Kin.DATA)


def _is_number(text: str) -> bool:
    """Whether a text holds digits and little more."""
    return len(text) <= _LONGEST and any(map(str.isdigit, text))
