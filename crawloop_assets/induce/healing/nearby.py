"""Numbers that have moved on all pages, found by what they were: of each page the known
one is near what one place says now, and the pages differ far more.

Without a name, and without a known value that still stands, that is the only witness of
a count that rises every day, under a label of another language.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter, itemgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import positions
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.locate.nearness import are_near, may_move
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value

_Cell = tuple[Scope, Value]
"""A page or a row, and the number that is known of it."""
_LONGEST = 40  # characters of a text that is a number and what it counts


def as_moved(known: Sequence[KnownValue], spec: FieldSpec) -> list[KnownValue]:
    """The pages with what the field is on them now; empty if no place of all pages says
    numbers near the known ones, or two say different ones."""
    pages = pages_with_value(known)
    cells = [(Scope(page.document), page.value) for page in pages]
    now = moved_numbers(spec, cells, lambda whole: number_places(whole.document))
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


def number_places(document: Document) -> Iterator[Reader]:
    """Where a page says a number and little more: behind the only label of its name, and
    in elements, by their position."""
    for label, pieces in document.labels.items():
        if len(pieces) == 1:
            yield Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)
    for number in range(len(document.elements)):
        text = document.text(number)
        if len(text) <= _LONGEST and any(map(str.isdigit, text)):
            for at in positions(document, number):
                yield Reader(src=Source.CSS, at=at, get="text", kin=Kin.PATH)
