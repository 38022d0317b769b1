"""Listings that are JSON: arrays of objects in a body or in the islands of a page."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from crawloop_assets.crawler.program import Boundary, BoundaryMode
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import Segment, join_path, parse_path, step
from crawloop_assets.induce.listing.boundary import CandidateBoundary, KnownRecord
from crawloop_assets.induce.listing.leaves import leaves
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_MOST_ARRAYS = 60
_MOST_ITEMS = 5000
_MOST_CANDIDATES = 2
_DEPTH = 8
_TYPED = frozenset(
    (
        FieldKind.DATE,
        FieldKind.DATETIME,
        FieldKind.NUMBER,
        FieldKind.INTEGER,
        FieldKind.MINUTES,
        FieldKind.URL,
    )
)

Items = list[Any]


def json_boundaries(
    schema: RecordSchema, document: Document, records: Sequence[KnownRecord]
) -> list[CandidateBoundary]:
    """Arrays whose items hold the known records, best first; at most two."""
    found = []
    single = arrays(document)
    for path, items in [*single, *_joined(schema, document, single, records)]:
        known, covered = _locate(schema, document, items[:_MOST_ITEMS], records)
        if known:
            scopes = tuple(Scope(document, (0,), item) for item in items)
            boundary = Boundary(mode=BoundaryMode.JSON, at=path)
            found.append(
                CandidateBoundary(
                    boundary,
                    {at: scopes[i] for at, i in known.items()},
                    scopes,
                    covered,
                    len(items),
                    0.8,
                )
            )
    return sorted(
        found,
        key=lambda one: (
            -one.covered,
            -one.alike,
            len(one.boundary.at),
            one.boundary.at,
        ),
    )[:_MOST_CANDIDATES]


def _joined(
    schema: RecordSchema,
    document: Document,
    single: Sequence[tuple[str, Items]],
    records: Sequence[KnownRecord],
) -> Iterator[tuple[str, Items]]:
    """Arrays under several keys of one object, as one: those of them that hold known
    records."""
    beside: dict[str, list[tuple[str, Items]]] = {}
    for path, items in single:
        root, segments = parse_path(path)
        if (
            len(segments) >= 2
            and segments[-1] is None
            and isinstance(segments[-2], str)
        ):
            beside.setdefault(join_path(root, segments[:-2]), []).append(
                (segments[-2], items)
            )
    for above, named in beside.items():
        owners = [key for key, items in named for _ in items]
        if len(named) < 2 or len(owners) > _MOST_ITEMS:
            continue
        known, _ = _locate(
            schema, document, [item for _, items in named for item in items], records
        )
        holding = {owners[index] for index in known.values()}
        if len(holding) > 1:
            held = {key: items for key, items in named if key in holding}
            yield (
                f"{above}{step(tuple(held))}[*]",
                [item for items in held.values() for item in items],
            )


def arrays(document: Document) -> list[tuple[str, Items]]:
    """Every array of two or more objects or rows, by the path that leads to its
    items."""
    found: list[tuple[str, Items]] = []
    for root, values in document.roots.items():
        if len(values) > 1 and root.startswith(("ld:", "md:", "rdfa:")):
            continue  # a path reads the first root that has it: several roots of a type are no array
        for value in values[:1]:
            for segments, items in _arrays(value, ()):
                found.append((join_path(root, segments), items))
                if len(found) >= _MOST_ARRAYS:
                    return found
    return found


def _arrays(
    value: Any, path: tuple[Segment, ...]
) -> Iterator[tuple[tuple[Segment, ...], Items]]:
    if len(path) > _DEPTH:
        return
    if isinstance(value, list):
        items = [
            item
            for item in value
            if isinstance(item, dict) or (isinstance(item, list) and len(item) > 1)
        ]
        if len(items) >= 2:
            yield (*path, None), items
        for index, item in enumerate(value[:3]):
            yield from _arrays(item, (*path, index))
    elif isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, dict | list):
                yield from _arrays(part, (*path, key))


def _locate(
    schema: RecordSchema,
    document: Document,
    items: Items,
    records: Sequence[KnownRecord],
) -> tuple[dict[int, int], int]:
    """The item of each known record (the one that holds most of its values) and how
    many values those hold."""
    wanted: dict[tuple[str, Hashable], list[int]] = {}
    for at, record in enumerate(records):
        for spec in schema.fields:
            if spec.name in record:
                wanted.setdefault(
                    (spec.name, _form(spec, record[spec.name])), []
                ).append(at)
    held: dict[int, dict[int, set[str]]] = {}
    for index, item in enumerate(items):
        texts = [text for _, text in leaves(item)]
        for spec in schema.fields:
            for text in texts:
                form = _form(spec, _typed(spec, text, document.base_url))
                for at in wanted.get((spec.name, form), ()) if form is not None else ():
                    held.setdefault(at, {}).setdefault(index, set()).add(spec.name)
    known: dict[int, int] = {}
    covered = 0
    for at, candidates in sorted(held.items()):
        best = max(sorted(candidates), key=lambda index: len(candidates[index]))
        if best not in known.values():
            known[at] = best
            covered += len(candidates[best])
    return (
        (known, covered) if covered > len(known) or len(schema.fields) == 1 else ({}, 0)
    )


def _form(spec: FieldSpec, value: Value) -> Hashable:
    if isinstance(value, list):
        value = value[0] if value else None
    if value is None:
        return None
    return (
        canonical(value, spec.model_copy(update={"shape": Shape.ONE}))
        if spec.kind in _TYPED
        else letters(str(value)) or None
    )


def _typed(spec: FieldSpec, text: str, base_url: str) -> Value:
    if spec.kind not in _TYPED:
        return text
    return parse_value(text, spec, base_url) if len(text) < 2000 else None
