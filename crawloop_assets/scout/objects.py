"""Sheets of data that pages carry: the items of an array, or what linked data says of
each page."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.induce.listing.json_arrays import arrays
from crawloop_assets.induce.listing.leaves import leaves
from crawloop_assets.induce.words.vocabulary import SIDE_TYPES
from crawloop_assets.scout.naming import key_name
from crawloop_assets.scout.sheet import Origin, Sheet, SheetPlace

_MOST_ITEMS = 100
_FEWEST_ITEMS = 2
_LONGEST = 4_000
_TYPED = ("ld:", "md:", "rdfa:")
_SIDE_KEYS = frozenset(("@id", "@context", "@type", "mainEntityOfPage", "inLanguage"))
_SIDE_PARTS = frozenset(
    ("publisher", "potentialAction", "breadcrumb", "isPartOf", "review", "comment")
)
_MAIN_KEYS = {
    "offers.price": "price",
    "offers.lowPrice": "price",
    "offers.priceCurrency": "currency",
    "offers.availability": "availability",
    "aggregateRating.ratingValue": "rating",
    "aggregateRating.ratingCount": "rating_count",
    "aggregateRating.reviewCount": "review_count",
    "author.name": "author",
    "brand.name": "brand",
    "manufacturer.name": "manufacturer",
    "hiringOrganization.name": "company",
    "location.name": "location",
    "image.url": "image",
}
"""What the usual paths of linked data are called."""
_LINK_NAME = re.compile(r"^(?:image|logo)$|url$")


def item_sheets(document: Document) -> Iterator[Sheet]:
    """A sheet for each array of objects that a page carries."""
    for _, items in arrays(document):
        objects = [item for item in items[:_MOST_ITEMS] if isinstance(item, dict)]
        if len(objects) >= _FEWEST_ITEMS:
            bases = (document.base_url,) * len(objects)
            yield _sheet(objects, bases, (0,) * len(bases))


def typed_sheet(documents: Sequence[Document]) -> Sheet | None:
    """What linked data or typed items say of the one thing that each page is about;
    None where most pages have none of a type."""
    root = _main_root(documents)
    if not root:
        return None
    items: list[Mapping[str, Any]] = []
    for document in documents:
        items.append(next(iter(document.roots.get(root, [])), {}))
    bases = tuple(map(attrgetter("base_url"), documents))
    return _sheet(items, bases, tuple(range(len(documents))))


def _main_root(documents: Sequence[Document]) -> str:
    """The typed root that most pages have exactly one of, the richest of those; "" for
    none."""
    counts: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for document in documents:
        for root in filter(_is_main, document.roots):
            values = document.roots[root]
            counts[root] += len(values) == 1
            sizes[root] += len(values[0])
    usual = filter(lambda root: 2 * counts[root] > len(documents), sorted(counts))
    return max(usual, key=sizes.__getitem__, default="")


def _is_main(root: str) -> bool:
    """Whether a root is data of a type that pages are about."""
    prefix, _, kind = root.partition(":")
    return f"{prefix}:" in _TYPED and kind not in SIDE_TYPES


def _sheet(
    items: Sequence[Mapping[str, Any]], bases: tuple[str, ...], pages: tuple[int, ...]
) -> Sheet:
    """The leaves of some objects, as places."""
    cells: dict[str, list[tuple[str, ...]]] = {}
    for index, item in enumerate(items):
        for path, texts in _by_path(item).items():
            column = cells.setdefault(path, [()] * len(items))
            column[index] = tuple(texts)
    places = map(_place_at, cells, map(tuple, cells.values()))
    return Sheet(tuple(places), bases, pages)


def _by_path(item: Mapping[str, Any]) -> dict[str, list[str]]:
    """The texts of an object by their path."""
    texts: dict[str, list[str]] = {}
    for path, text in filter(_is_short, leaves(item)):
        texts.setdefault(path, []).append(text)
    said = filter(_is_of_thing, texts)
    return {path: texts[path] for path in said}


def _is_short(leaf: tuple[str, str]) -> bool:
    """Whether a text is one that a cell can hold."""
    return 0 < len(leaf[1].strip()) <= _LONGEST


def _is_of_thing(path: str) -> bool:
    """Whether what a path leads to is said of the thing, and not of its page."""
    keys = _keys_of(path)
    is_side = bool(_SIDE_KEYS.intersection(keys) or _SIDE_PARTS.intersection(keys[:-1]))
    return bool(keys) and not is_side


def _place_at(path: str, cells: tuple[tuple[str, ...], ...]) -> SheetPlace:
    """The place at a path; what is a list in any row holds several."""
    segments = parse_path(path)[1]
    keys = _keys_of(path)
    name = _MAIN_KEYS.get(".".join(keys)) or key_name(keys)
    several = None in segments and max(map(len, cells)) > 1
    is_link = bool(_LINK_NAME.search(name)) or keys[-1] == "href"
    return SheetPlace((name, keys[-1]), Origin.STATED, cells, several, is_link=is_link)


def _keys_of(path: str) -> list[str]:
    """The keys of a path, without indexes."""
    return [key for key in parse_path(path)[1] if isinstance(key, str)]
