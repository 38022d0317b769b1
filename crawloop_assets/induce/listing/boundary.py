"""Record boundaries of a listing: from a few known records to selectors that match
every record of the page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import Boundary, BoundaryMode
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.locations import (
    element_predicates,
    quote,
    stable,
    tag_of,
)
from crawloop_assets.induce.listing.occurrences import Occurrence, Occurrences
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.schema import FieldKind, RecordSchema
from crawloop_assets.values.value import Value

KnownRecord = Mapping[str, Value]

_MOST_OFFSET = 3
_LOOKED_AT = 300
_NO_WORDS = Words(frozenset(), frozenset(), frozenset(), (), ())


class Located(NamedTuple):
    """A known record on the page: the places of its fields, and the element its anchor
    value hangs on."""

    record: int
    places: Mapping[str, list[Occurrence]]
    anchor: int


@dataclass(frozen=True)
class CandidateBoundary:
    """A boundary, the scope it gives each known record it reaches, how many known cells
    those scopes hold, and how many of all its matches look like known records."""

    boundary: Boundary
    known: Mapping[int, Scope]
    scopes: tuple[Scope, ...]
    covered: int
    alike: int
    prior: float


def boundaries(
    schema: RecordSchema, ground: Occurrences, records: Sequence[KnownRecord]
) -> list[CandidateBoundary]:
    """Candidate boundaries for the known records of one page, most promising first."""
    located = locate(schema, ground, records)
    if not located:
        return []
    document = ground.document
    levels = _levels(document, located)
    inside = max((_covered(document, nodes, located) for nodes in levels), default=0)
    found = [
        one
        for nodes in levels
        for one in _candidates(document, BoundaryMode.NODES, nodes, located)
    ]
    runs = [
        (nodes, one)
        for nodes in _run_starts(document, located)
        for one in _quick_runs(document, nodes, located)
    ]
    runs = sorted(
        (item for item in runs if item[1].covered > inside),
        key=lambda item: _promise(item[1]),
    )[:2]
    for nodes, one in runs:
        found += [one, *_candidates(document, BoundaryMode.RUN, nodes, located)]
    distinct = {
        (one.boundary.mode, tuple(scope.nodes[0] for scope in one.scopes)): one
        for one in reversed(found)
    }
    return sorted(distinct.values(), key=_promise)


def candidates_for(
    document: Document, nodes: Mapping[int, int]
) -> list[CandidateBoundary]:
    """Boundaries for records whose elements are known, by record."""
    return _candidates(
        document,
        BoundaryMode.NODES,
        nodes,
        [Located(at, {}, node) for at, node in nodes.items()],
    )


def _promise(one: CandidateBoundary) -> tuple[float, ...]:
    return (-one.covered, -len(one.known), -one.alike, -one.prior, len(one.boundary.at))


# -- locating -------------------------------------------------------------------------------------------------------


def locate(
    schema: RecordSchema, ground: Occurrences, records: Sequence[KnownRecord]
) -> list[Located]:
    """The known records that stand on the page, each at the place where most of its
    values are close together."""
    places = [
        {
            spec.name: ground.places(spec, record[spec.name])
            for spec in schema.fields
            if spec.name in record
        }
        for record in records
    ]
    anchor = _anchor_field(schema, records, places)
    if anchor is None:
        return []
    found = []
    used: set[int] = set()
    for index, fields in enumerate(places):
        best = _best_place(ground.document, fields, anchor, used)
        if best is not None:
            used.add(best)
            found.append(Located(index, fields, best))
    return found


def _anchor_field(
    schema: RecordSchema,
    records: Sequence[KnownRecord],
    places: Sequence[Mapping[str, list[Occurrence]]],
) -> str | None:
    """The field that tells records apart best: found for most, different in each, at
    few places."""

    def rank(name: str) -> tuple[float, float, float]:
        found = [fields[name] for fields in places if fields.get(name)]
        distinct = len({str(record.get(name)) for record in records if name in record})
        spread = sum(min(len(one), 20) for one in found) / len(found) if found else 20.0
        return (min(len(found), distinct) / len(records), -min(spread, 4.0), -spread)

    usable = [
        spec.name
        for spec in schema.fields
        if any(fields.get(spec.name) for fields in places)
    ]
    typed = {
        spec.name
        for spec in schema.fields
        if spec.kind
        in (FieldKind.DATE, FieldKind.DATETIME, FieldKind.NUMBER, FieldKind.INTEGER)
    }
    return max(
        usable,
        key=lambda name: (rank(name)[0] - 0.3 * (name in typed), rank(name)[1:]),
        default=None,
    )


def _best_place(
    document: Document,
    fields: Mapping[str, list[Occurrence]],
    anchor: str,
    used: set[int],
) -> int | None:
    """The element of the anchor occurrence with the other fields' occurrences nearest
    to it."""
    others = [found for name, found in fields.items() if name != anchor and found]
    best: tuple[float, int] | None = None
    for place in fields.get(anchor, ())[:40]:
        at = place.holder(document)
        if at in used:
            continue
        distance = sum(
            min(min(abs(other.number - place.number) for other in found), 200)
            for found in others
        )
        if best is None or distance < best[0]:
            best = (distance, at)
    return best[1] if best else None


# -- levels ---------------------------------------------------------------------------------------------------------


def _levels(document: Document, located: Sequence[Located]) -> list[dict[int, int]]:
    """Elements that may be the records: between the anchor and the highest ancestor
    that holds no other anchor.

    Of those that hold most of the values, the lowest and the highest: low ones keep the
    groups of a page apart, high ones give readers more to lean on.
    """
    anchors = [one.anchor for one in located]
    keyed: dict[tuple[str, tuple[str, ...], bool], dict[int, int]] = {}
    for one in located:
        chain = _chain(document, one.anchor, anchors)
        for top, nodes in ((False, chain), (True, list(reversed(chain)))):
            for node in nodes:
                keyed.setdefault((*_kind(document, node), top), {}).setdefault(
                    one.record, node
                )
    least = max(1, round(0.6 * len(located)))
    sets = {
        tuple(sorted(nodes.items())): nodes
        for nodes in keyed.values()
        if len(nodes) >= least
    }
    covered = {key: _covered(document, nodes, located) for key, nodes in sets.items()}
    best = max(covered.values(), default=0)
    good = [
        nodes
        for key, nodes in sets.items()
        if covered[key] >= best - 0.1 * len(located)
    ]
    good.sort(
        key=lambda nodes: (
            sum(nodes.values()) / len(nodes),
            -len(nodes),
            sorted(nodes.items()),
        )
    )
    picked = [good[0], good[-1], good[len(good) // 2]] if good else []
    return list({tuple(sorted(nodes.items())): nodes for nodes in picked}.values())


def _chain(document: Document, anchor: int, anchors: Sequence[int]) -> list[int]:
    """The anchor element and its ancestors, lowest first, up to the last that holds no
    other anchor."""
    chain: list[int] = []
    for node in (anchor, *document.ancestors(anchor)):
        if any(
            other != anchor and node <= other < document.end[node] for other in anchors
        ):
            break
        if document.elements[node].tag in ("body", "html"):
            break
        chain.append(node)
    return chain[:12]


def _kind(document: Document, node: int) -> tuple[str, tuple[str, ...]]:
    element = document.elements[node]
    return str(element.tag), tuple(
        sorted(part for part in (element.get("class") or "").split() if stable(part))
    )


def _covered(
    document: Document, nodes: Mapping[int, int], located: Sequence[Located]
) -> int:
    """How many known cells stand inside their record's element."""
    return sum(
        any(place.inside(document, nodes[one.record]) for place in places)
        for one in located
        if one.record in nodes
        for places in one.places.values()
    )


# -- runs -----------------------------------------------------------------------------------------------------------


def _run_starts(
    document: Document, located: Sequence[Located]
) -> Iterator[dict[int, int]]:
    """First elements of records that may spread over siblings: the anchor's top element
    or one of those before it."""
    anchors = [one.anchor for one in located]
    tops = {
        one.record: (_chain(document, one.anchor, anchors) or [one.anchor])[-1]
        for one in located
    }
    for offset in range(_MOST_OFFSET + 1):
        starts = {
            record: start
            for record, top in tops.items()
            if (start := _before(document, top, offset)) is not None
        }
        tags = [document.elements[start].tag for start in starts.values()]
        for tag in sorted(set(map(str, tags))):
            alike = {
                record: start
                for record, start in starts.items()
                if document.elements[start].tag == tag
            }
            if len(alike) >= max(1, 0.6 * len(located)):
                yield alike


def _before(document: Document, node: int, steps: int) -> int | None:
    """The sibling element so many steps before."""
    element = document.elements[node]
    for other in element.itersiblings(preceding=True) if steps else ():
        steps -= isinstance(other.tag, str)
        if not steps:
            return document.number.get(other)
    return None if steps else node


def _quick_runs(
    document: Document, nodes: Mapping[int, int], located: Sequence[Located]
) -> list[CandidateBoundary]:
    """Run candidates from the plainest selectors."""
    wanted = sorted(set(nodes.values()))
    heads = [*_heads(document, wanted), *_inner_heads(document, wanted)]
    found = [
        _candidate(document, BoundaryMode.RUN, nodes, located, *head) for head in heads
    ]
    return [one for one in found if len(one.known) >= 0.8 * len(nodes)]


def _holds(scope: Scope, place: Occurrence) -> bool:
    document = scope.document
    first, last = scope.nodes[0], scope.nodes[-1]
    if place.first < 0:
        return first <= place.number < document.end[last]
    stop = document.last_piece[last]
    while stop < len(document.pieces) and (document.pieces[stop].owner in (last, -1)):
        stop += 1
    return document.first_piece[first] <= place.first and place.last < stop


# -- selectors ------------------------------------------------------------------------------------------------------


def _candidates(
    document: Document,
    mode: BoundaryMode,
    nodes: Mapping[int, int],
    located: Sequence[Located],
) -> list[CandidateBoundary]:
    """Selectors that match the known record elements, best first: many alike, few
    others, short."""
    wanted = sorted(set(nodes.values()))
    look = _look(document, wanted)
    found: list[tuple[tuple[float, ...], str, int, float]] = []
    seen: set[tuple[int, ...]] = set()
    inner = _inner_heads(document, wanted) if mode is BoundaryMode.RUN else []
    for selector, prior in [*_selectors(document, wanted), *inner]:
        matched = [
            scope.nodes[0]
            for scope in scopes(document, Boundary(mode=mode, at=selector))
        ]
        hit = len(set(matched) & set(wanted)) / len(wanted)
        key = tuple(matched)
        if hit < 0.8 or key in seen:
            continue
        seen.add(key)
        looked = matched[:: max(1, len(matched) // _LOOKED_AT)]
        share = sum(_looks(document, number, look) for number in looked) / len(looked)
        alike = round(share * len(matched))
        worth = alike - 0.25 * (len(matched) - alike)
        found.append(
            (
                (
                    -round(hit, 3),
                    -round(worth),
                    -round(share, 2),
                    -prior,
                    len(selector),
                ),
                selector,
                alike,
                prior,
            )
        )
    found.sort(key=lambda item: (item[0], item[1]))
    return [
        replace(
            _candidate(document, mode, nodes, located, selector, prior), alike=alike
        )
        for _, selector, alike, prior in found[:3]
    ]


def _candidate(
    document: Document,
    mode: BoundaryMode,
    nodes: Mapping[int, int],
    located: Sequence[Located],
    selector: str,
    prior: float,
) -> CandidateBoundary:
    boundary = Boundary(mode=mode, at=selector)
    places = scopes(document, boundary)
    by_start = {scope.nodes[0]: scope for scope in places}
    known = {
        record: by_start[node] for record, node in nodes.items() if node in by_start
    }
    covered = sum(
        any(_holds(known[one.record], place) for place in found)
        for one in located
        if one.record in known
        for found in one.places.values()
    )
    # Two known records in one scope: the boundary takes too much.
    shared = sum(
        any(
            _holds(scope, Occurrence(other.anchor))
            for other in located
            if other.record != record
        )
        for record, scope in known.items()
    )
    return CandidateBoundary(
        boundary, known, tuple(places), covered - 2 * shared, len(places), prior
    )


class _Look(NamedTuple):
    """What known records have inside, as tags with their classes: all of them, any of
    them."""

    core: frozenset[str]
    seen: frozenset[str]


def _look(document: Document, nodes: Sequence[int]) -> _Look:
    inside = [_inner(document, node) for node in nodes]
    return _Look(frozenset.intersection(*inside), frozenset.union(*inside))


def _inner(document: Document, node: int) -> frozenset[str]:
    found = set()
    for number in range(node + 1, min(document.end[node], node + 80)):
        tag, classes = _kind(document, number)
        found.add(tag)
        found.update(f"{tag}.{name}" for name in classes)
    return frozenset(found)


def _looks(document: Document, node: int, look: _Look) -> bool:
    """Whether an element has what all known records have, and little that none has."""
    inside = _inner(document, node)
    return len(look.core & inside) >= 0.9 * len(look.core) and len(
        inside - look.seen
    ) <= 1 + 0.3 * len(inside)


def _selectors(document: Document, nodes: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Selectors that may match all known record elements and their like, with how much
    they are trusted."""
    tag = tag_of(document, nodes[0])
    if any(tag_of(document, node) != tag for node in nodes):
        return
    heads = _heads(document, nodes)
    holder = _common_ancestor(document, nodes)
    child = all(document.parent[node] == holder for node in nodes)
    yield from ((head, prior) for head, prior in heads)
    for depth, ancestor in enumerate([holder, *document.ancestors(holder)][:5]):
        outer = tag_of(document, ancestor)
        names = [
            (f"{outer}{predicate}", prior)
            for predicate, _, prior in element_predicates(
                document, ancestor, _NO_WORDS
            )[:3]
        ]
        identifier = document.elements[ancestor].get("id") or ""
        if (
            identifier
            and not any(char.isdigit() for char in identifier)
            and " " not in identifier
            and '"' not in identifier
        ):
            names.append((f'[id="{identifier}"]', 0.8))
        names.append((outer, 0.3))
        for name, prior in names:
            for head, own_prior in heads:
                joint = " > " if child and depth == 0 else " "
                yield (
                    f"{name}{joint}{head}",
                    round(0.5 * prior + 0.5 * own_prior - 0.04 * depth, 4),
                )
        if outer == "body":
            return


def _heads(document: Document, nodes: Sequence[int]) -> list[tuple[str, float]]:
    """The tag of the elements, alone and with each property all of them share."""
    tag = tag_of(document, nodes[0])
    shared = [set(element_predicates(document, node, _NO_WORDS)) for node in nodes]
    own = sorted(set.intersection(*shared), key=lambda item: (-item[2], item[0]))[:4]
    styles = {document.elements[node].get("style") or "" for node in nodes}
    style = styles.pop() if len(styles) == 1 else ""
    styled = [(f'{tag}[style="{quote(style)}"]', 0.3)] if 0 < len(style) < 80 else []
    return [
        *((f"{tag}{predicate}", prior) for predicate, _, prior in own),
        (tag, 0.4),
        *styled,
    ]


def _inner_heads(document: Document, nodes: Sequence[int]) -> list[tuple[str, float]]:
    """For rows that look alike outside: the tag with what only the first row of a
    record has inside."""
    tag = tag_of(document, nodes[0])
    found: dict[str, float] = {}
    for number in range(nodes[0] + 1, min(document.end[nodes[0]], nodes[0] + 12)):
        inner = tag_of(document, number)
        for name, prior in [
            (inner, 0.35),
            *(
                (f"{inner}{p}", prior - 0.1)
                for p, _, prior in element_predicates(document, number, _NO_WORDS)
            ),
        ]:
            found.setdefault(f"{tag}:has({name})", round(prior, 4))
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))[:5]


def _common_ancestor(document: Document, nodes: Sequence[int]) -> int:
    ancestor = document.parent[nodes[0]]
    while ancestor > 0 and not all(
        ancestor < node < document.end[ancestor] for node in nodes
    ):
        ancestor = document.parent[ancestor]
    return max(ancestor, 0)
