"""Pages of one record that show other records of the same kind, built like the page's own:
what is known of the record tells which of them is its own, and what all pages call that one
tells it on the others."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse, islice, starmap
from operator import attrgetter, itemgetter, le
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.own_part import OwnPart, own_of, own_page
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.document.layout import html_layout
from crawloop_assets.document.select import css
from crawloop_assets.induce.listing.record_selectors import record_selectors
from crawloop_assets.induce.locate.css_names import (
    child_path,
    container_of,
    tag_of,
)
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value, as_list

_MOST_LEVELS = 8
_MOST_SELECTORS = 60
_FEWEST_PAGES = 2
_FEWEST_FIELDS = 3


def own_parts(documents: Sequence[Document], part: OwnPart | None) -> list[Document]:
    """The pages without other records that they show; whole where their own is not told."""
    return [own_page(one, part) or one for one in documents]


def with_own_part(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> Program:
    """A program of one record, told which part of pages is its own if they show others."""
    part = learned_part(schema, documents, known) or program.part
    return program.model_copy(update={"part": part})


def learned_part(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> OwnPart | None:
    """What tells the records of pages from others that are built alike; None if the pages
    show none, or nothing tells."""
    having = filter(attrgetter("records"), known)
    pages = [_page(schema, documents[one.page], one.records[0]) for one in having]
    tried = islice(dict.fromkeys(_selectors(pages)), _MOST_SELECTORS)
    return next(chain.from_iterable(map(partial(_parts, pages), tried)), None)


class _Page(NamedTuple):
    """A page, and for each known field of its record the elements that hold its value."""

    document: Document
    held: Mapping[str, frozenset[int]]

    def fields(self, number: int) -> frozenset[str]:
        """The known fields that an element holds."""
        return frozenset(name for name, there in self.held.items() if number in there)

    def own(self, matches: Sequence[int]) -> int | None:
        """The one of ascending elements that is the record, none of them in another one: it holds more that is known of it
        than each of the others, and all that any does."""
        fields = {one: self.fields(one) for one in matches}
        best = max(matches, key=lambda one: len(fields[one]), default=0)
        ends = [self.document.end[one] for one in matches]
        are_apart = all(map(le, ends, matches[1:]))
        if not are_apart or len(self.fields(best)) < _FEWEST_FIELDS:
            return None
        others = (fields[one] for one in matches if one != best)
        return best if all(other < fields[best] for other in others) else None

    def levels(self) -> Iterator[int]:
        """The elements that hold most of what is known, the fullest and innermost first."""
        counts = Counter(chain.from_iterable(self.held.values()))
        least = tuned("own_parts.most_fields") * max(counts.values(), default=0)
        full = [one for one, count in counts.items() if count >= least]
        return islice(sorted(full, key=lambda one: (-counts[one], -one)), _MOST_LEVELS)


def _page(
    schema: RecordSchema, document: Document, record: Mapping[str, Value]
) -> _Page:
    """A page beside what is known of its record."""
    index, held = Index(document), dict[str, frozenset[int]]()
    for spec in filterfalse(_is_anywhere, schema.fields):
        places = starmap(index.places, _said(record.get(spec.name), spec))
        around = list(map(partial(_around, document), places))
        held[spec.name] = frozenset(*around[:1]).intersection(*around)
    return _Page(document, held)


def _said(value: Value, spec: FieldSpec) -> Iterator[tuple[Value, FieldSpec]]:
    """The items of a value, each with what it is; of records in a record those of all their
    parts: what holds them is the record's own, and no other one."""
    for item in as_list(value):
        if isinstance(item, Mapping):
            parts = ((item.get(one.name), one) for one in spec.fields)
            known = filter(itemgetter(0), parts)
            yield from chain.from_iterable(starmap(_said, known))
        else:
            yield item, item_spec(spec)


def _is_anywhere(spec: FieldSpec) -> bool:
    """Whether the values of a field may stand anywhere."""
    return spec.kind is FieldKind.BOOLEAN


def _around(document: Document, places: Iterable[Place]) -> frozenset[int]:
    """The elements of some places and all around them."""
    numbers = set(map(attrgetter("number"), places))
    return frozenset(chain(numbers, *map(document.ancestors, numbers)))


def _selectors(pages: Sequence[_Page]) -> Iterator[str]:
    """Selectors of elements that are built like one that holds most of a record, and of the
    blocks of a page that such elements are in."""
    levels = ((page.document, one) for page in pages for one in page.levels())
    for document, number in levels:
        alike = list(_alike(document, number))
        if len(alike) > 1:
            found = record_selectors(document, alike)
            around = record_selectors(document, list(_blocks(document, alike)))
            yield from map(attrgetter("at"), chain(found, around))


def _blocks(document: Document, numbers: Sequence[int]) -> Iterator[int]:
    """The children of what is around all of some elements that those are in."""
    for child in document.children(container_of(document, numbers)):
        if any(child <= one < document.end[child] for one in numbers):
            yield child


def _alike(document: Document, number: int) -> Iterator[int]:
    """An element and those of the page that are built like it, ascending; none of them in
    another one."""
    names, until = html_layout(document).names, 0
    built = _paths(document, names, number)
    around = set(document.ancestors(number))
    tagged = document.by_tag[document.tags[number]]
    for one in filterfalse(around.__contains__, tagged):
        is_inside = one < until or number < one < document.end[number]
        likeness = 0.0 if is_inside else _likeness(built, _paths(document, names, one))
        if likeness >= tuned("own_parts.alike"):
            until = document.end[one]
            yield one


def _paths(document: Document, names: Sequence[str], number: int) -> set[str]:
    """How the elements inside of one are called, each with those around it up to that."""
    paths = {number: ""}
    for one in range(number + 1, document.end[number]):
        paths[one] = f"{paths[document.parent[one]]}>{names[one]}"
    return set(paths.values()) - {""}


def _likeness(paths: set[str], others: set[str]) -> float:
    """The share of the paths of two elements that both have, 0..1."""
    return len(paths & others) / max(1, len(paths | others))


def _parts(pages: Sequence[_Page], at: str) -> Iterator[OwnPart]:
    """What tells the own one of all that a selector matches, on every page."""
    matched = [css(page.document, at) for page in pages]
    owns = list(map(_Page.own, pages, matched))
    several = sum(len(matches) > 1 for matches in matched)
    found = list(filter(None, owns))
    if len(found) < len(owns) or several < _FEWEST_PAGES:
        return
    for own in (*_selectors_of(pages[0].document, found[0]), ""):
        if all(map(partial(_leads, own), pages, matched, found)):
            yield OwnPart(at=at, own=own)


def _leads(own: str, page: _Page, matches: Sequence[int], number: int) -> bool:
    """Whether a selector, if it is one, leads to an element first of all, and the page says
    nothing else of which one is its own."""
    selected = css(page.document, own)[:1] if own else [number]
    return selected == [number] == [own_of(page.document, matches, own)]


def _selectors_of(document: Document, number: int) -> Iterator[str]:
    """Selectors that may lead to one element first of all: by what it is and what is around
    it, else by its place from the front or from the back."""
    for one in islice(record_selectors(document, [number]), _MOST_SELECTORS):
        yield one.at
    tags = [tag_of(document, one) for one in document.ancestors(number)]
    for counted in ("nth-of-type", "nth-last-of-type"):
        steps = child_path(document, number, 0, counted)
        yield " > ".join([*reversed(tags[:-1]), steps[-1]])
        yield " > ".join(steps)
