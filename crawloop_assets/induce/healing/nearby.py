"""Numbers that have moved on all pages, found by what they were: of each page the known
one is near what one place says now, and the pages differ far more.

Without a name, and without a known value that still stands, that is the only witness of
a count that rises every day, under a label of another language.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import positions
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_LONGEST = 40  # characters of a text that is a number and what it counts


def as_moved(known: Sequence[KnownValue], spec: FieldSpec) -> list[KnownValue]:
    """The pages with what the field is on them now; empty if no place of all pages says
    numbers near the known ones, or two say different ones."""
    pages = pages_with_value(known)
    is_number = spec.volatile and spec.kind in _NUMBERS and spec.shape is Shape.ONE
    if not is_number or len(pages) < tuned("nearby.fewest_pages"):
        return []
    before = list(map(_number, map(attrgetter("value"), pages)))
    if max(before) < tuned("nearby.spread") * max(min(before), 1.0):
        return []
    said = map(partial(_said, pages, spec), set(number_places(pages[0].document)))
    found = set(filter(partial(_are_near, before), said))
    if len(found) != 1:
        return []
    (now,) = found
    return list(map(KnownValue, map(attrgetter("index"), pages), now))


def _number(value: Value) -> float:
    """A number, however it is kept."""
    return float(str(value))


def _said(
    pages: Sequence[KnownValue], spec: FieldSpec, place: Reader
) -> tuple[Value, ...]:
    """What a place says on each page that says anything there."""
    scopes = map(Scope, map(attrgetter("document"), pages))
    return tuple(present(map(partial(read, place, spec=spec), scopes)))


def _are_near(before: Sequence[float], now: Sequence[Value]) -> bool:
    """Whether each page says a number near the known one."""
    share, least = tuned("nearby.most"), tuned("moved_on.least")
    pairs = zip(before, map(_number, now), strict=False)
    is_each = len(now) == len(before)
    return is_each and all(
        abs(value - known) <= max(share * known, least) for known, value in pairs
    )


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
