"""Which elements of a page may be the records, or their first elements, around the
places of known records."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import TypeVar

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.known_records import LocatedRecord
from crawloop_assets.induce.listing.occurrences import Occurrence
from crawloop_assets.induce.listing.selector_parts import tag_and_classes
from crawloop_assets.induce.trust import tuned

_MOST_OFFSET = 3
"""Sibling elements that a record may have before the one with its anchor value."""
_LONGEST_CHAIN = 12
_SEVERAL = 3
"""Fewer elements of one tag side by side are no list."""

_Around = TypeVar("_Around")
RecordNodes = Mapping[int, int]
"""The element of each known record, by its index."""
_Levels = defaultdict[tuple[str, tuple[str, ...], bool], dict[int, int]]
"""Elements of each known record, by their tag, their classes, and whether they are the
highest or the lowest of these."""


def record_levels(
    document: Document, located: Sequence[LocatedRecord]
) -> list[RecordNodes]:
    """Elements that may be the records: between the anchor and the highest ancestor
    that holds no other anchor.

    Of those that hold most of the values, the lowest, the highest and one between: low
    ones keep the groups of a page apart, high ones give readers more to lean on.
    """
    good = sorted(_fullest(document, located), key=_height)
    if not good:
        return []
    return _distinct([good[0], good[-1], good[len(good) // 2]])


def _fullest(document: Document, located: Sequence[LocatedRecord]) -> list[RecordNodes]:
    """The levels that hold nearly as many of the known cells as any: a value here and
    there may stand on the page by chance, outside its record."""
    levels = _distinct(_levels(document, located))
    covered = [cells_inside(document, nodes, located) for nodes in levels]
    least = max(covered, default=0) - tuned("record_elements.fewer_cells") * len(
        located
    )
    return [
        nodes for nodes, cells in zip(levels, covered, strict=True) if cells >= least
    ]


def _height(nodes: RecordNodes) -> tuple[float, int, list[tuple[int, int]]]:
    """Sorts elements farther up the page first."""
    return sum(nodes.values()) / len(nodes), -len(nodes), sorted(nodes.items())


def _distinct(levels: Iterable[RecordNodes]) -> list[RecordNodes]:
    """Levels of the same elements once only."""
    by_nodes = {tuple(sorted(nodes.items())): nodes for nodes in levels}
    return list(by_nodes.values())


def _levels(
    document: Document, located: Sequence[LocatedRecord]
) -> Iterator[RecordNodes]:
    """Elements of one kind around the anchors: the lowest of each kind, and the highest
    of each. A kind is a tag with its classes, or the tag where too few have the same."""
    anchors = list(map(attrgetter("anchor"), located))
    named: _Levels = defaultdict(dict)
    plain: _Levels = defaultdict(dict)
    widest: Counter[str] = Counter()
    for record in located:
        chain = _chain(document, record.anchor, anchors)
        for is_highest, nodes in ((False, chain), (True, chain[::-1])):
            for node in nodes:
                tag, classes = tag_and_classes(document, node)
                named[tag, classes, is_highest].setdefault(record.record, node)
                plain[tag, (), is_highest].setdefault(record.record, node)
                widest[tag] = max(widest[tag], len(named[tag, classes, is_highest]))
    fewest = max(1, round(tuned("record_elements.fewest") * len(located)))
    yield from filter(lambda level: len(level) >= fewest, named.values())
    # Rows whose class says of which kind each is: their tag is all that they share.
    for (tag, _, _), level in plain.items():
        if len(level) >= max(fewest, widest[tag] + 1):
            yield level


def _chain(document: Document, anchor: int, anchors: Sequence[int]) -> list[int]:
    """The anchor element and its ancestors, lowest first, up to the last that holds no
    other anchor."""
    others = [other for other in anchors if other != anchor]
    chain: list[int] = []
    for node in (anchor, *document.ancestors(anchor)):
        is_page = document.elements[node].tag in ("body", "html")
        if is_page or _holds_any(document, node, others):
            break
        chain.append(node)
    return chain[:_LONGEST_CHAIN]


def _holds_any(document: Document, node: int, others: Sequence[int]) -> bool:
    """True if one of the others is the element or inside it."""
    return any(node <= other < document.end[node] for other in others)


def cells_inside(
    document: Document, nodes: RecordNodes, located: Sequence[LocatedRecord]
) -> int:
    """How many known cells are inside their record's element."""
    return cells_held(nodes, located, lambda node, place: place.inside(document, node))


def cells_held(
    around: Mapping[int, _Around],
    located: Sequence[LocatedRecord],
    holds: Callable[[_Around, Occurrence], bool],
) -> int:
    """How many known cells occur, at one place at least, in what is around their record
    by its index; records that nothing is around have none."""
    count = 0
    for record in located:
        if record.record not in around:
            continue
        held = partial(holds, around[record.record])
        count += sum(any(map(held, places)) for places in record.places.values())
    return count


def _tops(document: Document, located: Sequence[LocatedRecord]) -> list[dict[int, int]]:
    """The highest element around the anchor of each record that holds no other anchor;
    the anchor itself where even that holds one. Of a single record, that no other one
    bounds, each element around its anchor of which there are several in a row."""
    anchors = list(map(attrgetter("anchor"), located))
    chains = {
        record.record: _chain(document, record.anchor, anchors) or [record.anchor]
        for record in located
    }
    tops = {record: chain[-1] for record, chain in chains.items()}
    if len(tops) != 1:
        return [tops]
    several = filter(partial(is_one_of_several, document), *chains.values())
    return [dict.fromkeys(tops, node) for node in several] or [tops]


def is_one_of_several(document: Document, node: int) -> bool:
    """Whether what an element is in has several of its tag."""
    beside = document.children(document.parent[node])
    same = [one for one in beside if document.tags[one] == document.tags[node]]
    return len(same) >= _SEVERAL


def run_starts(
    document: Document, located: Sequence[LocatedRecord]
) -> Iterator[RecordNodes]:
    """First elements of records that may spread over siblings: the anchor's top element
    or one of those before it."""
    fewest = max(1, tuned("record_elements.fewest") * len(located))
    for tops in _tops(document, located):
        for offset in range(_MOST_OFFSET + 1):
            for _, starts in sorted(_starts_by_tag(document, tops, offset).items()):
                if len(starts) >= fewest:
                    yield starts


def _starts_by_tag(
    document: Document, tops: RecordNodes, offset: int
) -> dict[str, dict[int, int]]:
    """The siblings so many elements before, by their tags; records without are left
    out."""
    by_tag: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for record, top in tops.items():
        start = _sibling_before(document, top, offset)
        if start is not None:
            by_tag[str(document.elements[start].tag)][record] = start
    return by_tag


def _sibling_before(document: Document, node: int, steps: int) -> int | None:
    """The sibling element so many steps before; None if there are fewer."""
    if not steps:
        return node
    for sibling in document.elements[node].itersiblings(preceding=True):
        steps -= isinstance(sibling.tag, str)
        if not steps:
            return document.number.get(sibling)
    return None
