"""The JSON of one page by the names its paths begin with: of scripts, of attributes, of typed
items, or the body itself."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import filterfalse, repeat
from operator import attrgetter

from lxml import etree

from crawloop_assets.document.attribute_json import attribute_roots
from crawloop_assets.document.islands import Json, Roots, Script, load_json
from crawloop_assets.document.items import items_of
from crawloop_assets.document.jsonpath import parse_path, scalar_text, step, walk
from crawloop_assets.page import Page

_MOST_LEAVES = 40_000
_DEEPEST_LEAF = 14
_LONGEST_PATH = 300
"""Characters; beyond them a path leads to data, not to something a page shows."""


def json_body(page: Page) -> Json:
    """The body of a page that is itself JSON, else None."""
    kind = page.headers.get("content-type", "")
    start = page.body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if "html" in kind or start not in (b"{", b"["):
        return None
    return load_json(page.text)


class PageJson:
    """All JSON of a page; what is not asked for is not parsed.

    `body` is that of a page that is JSON, None for a page of markup; `tree` its root
    element, `scripts` those of its elements that are.
    """

    def __init__(
        self, tree: etree._Element, body: Json, scripts: Sequence[etree._Element]
    ):
        """Nothing is parsed yet but the body."""
        self._tree, self._body, self._elements = tree, body, scripts
        self._known: dict[str, list[Json]] = {}

    @cached_property
    def roots(self) -> Roots:
        """Every root of the page by name, `body` for a page that is JSON."""
        if self._body is not None:
            return {"body": [self._body]}
        roots: defaultdict[str, list[Json]] = defaultdict(list)
        for part in self._parts():
            for name, values in part.items():
                roots[name] += values
        return dict(roots)

    def _parts(self) -> Iterator[Roots]:
        """The roots of each script, of the attributes, then those of the typed items."""
        yield from map(attrgetter("roots"), self._scripts)
        yield self._attributes
        yield self._items

    @cached_property
    def _scripts(self) -> list[Script]:
        """The scripts; each is parsed when its roots are asked for."""
        return list(map(Script, self._elements))

    @cached_property
    def _attributes(self) -> Roots:
        """The roots that attributes make."""
        return attribute_roots(self._tree)

    @cached_property
    def _items(self) -> Roots:
        """The roots that microdata and RDFa make."""
        return items_of(self._tree)

    def rooted(self, name: str) -> list[Json]:
        """The roots of one name, in document order.

        What is written in another form than those is not parsed for them.
        """
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._roots_named(name)
        return known

    def _roots_named(self, name: str) -> list[Json]:
        """The prefix of a name says where its roots are written."""
        is_all_known = self._body is not None or "roots" in self.__dict__
        if is_all_known:
            return self.roots.get(name, [])
        if name.startswith("ld:"):
            return self._roots_of_scripts(name, are_linked=True)
        if name.startswith("js:"):
            scripted = self._roots_of_scripts(name, are_linked=False)
            return scripted + self._attributes.get(name, [])
        return self._items.get(name, [])

    def _roots_of_scripts(self, name: str, *, are_linked: bool) -> list[Json]:
        """The roots of one name in the scripts that are JSON-LD, or in the others."""
        roots: list[Json] = []
        for script in self._scripts:
            if script.linked == are_linked:
                roots += script.roots.get(name, ())
        return roots

    def nodes(self, path: str, scope: Json = None) -> list[Json]:
        """What a path leads to, without what is empty: in the first root of that name
        that has it, or in the scope for paths from `$`.

        Raises BadPath.
        """
        name, segments = parse_path(path)
        for root in self._roots_at(name, scope):
            nodes = list(filterfalse(_is_empty, walk(root, segments)))
            if nodes:
                return nodes
        return []

    def written(self, path: str, scope: Json = None) -> list[Json]:
        """All that a path leads to in any root, also what is empty.

        Raises BadPath.
        """
        name, segments = parse_path(path)
        roots = self._roots_at(name, scope)
        return [node for root in roots for node in walk(root, segments)]

    def _roots_at(self, name: str, scope: Json) -> list[Json]:
        return [scope] if name == "$" else self.rooted(name)

    @cached_property
    def leaves(self) -> dict[str, list[str]]:
        """Every scalar of every root as text, by its general path (`[*]` for list
        items), in document order.

        A path that several roots have leads into the first of them.
        """
        leaves: dict[str, list[str]] = {}
        left = _MOST_LEAVES
        for name, roots in self.roots.items():
            for root in roots:
                of_root: dict[str, list[str]] = {}
                left = collect_leaves(root, name, of_root, left)
                for path, texts in of_root.items():
                    leaves.setdefault(path, texts)
        return leaves


def _is_empty(node: Json) -> bool:
    """True for what a page writes where it has no value; zero and false are values."""
    return node in (None, "", [], {})


_WITH_PARTS = (dict, list)
_Parts = Iterable[tuple[str, Json]]


def _inside(path: str, value: dict[str, Json] | list[Json]) -> _Parts:
    """The parts of an object or a list with their paths."""
    if isinstance(value, list):
        return zip(repeat(path + step(None)), value)
    return ((path + step(key), part) for key, part in value.items())


def collect_leaves(
    root: Json, name: str, leaves: dict[str, list[str]], left: int
) -> int:
    """Add at most `left` scalars of a root to `leaves`; how many are left to add.

    Those whose path is too long count but are not added.
    """
    return _collect([(name, root)], 0, leaves, left)


def _collect(parts: _Parts, depth: int, leaves: dict[str, list[str]], left: int) -> int:
    """The same of parts at one depth, and of what is in them."""
    for path, value in parts:
        if left <= 0 or depth == _DEEPEST_LEAF:
            break
        if isinstance(value, _WITH_PARTS):
            left = _collect(_inside(path, value), depth + 1, leaves, left)
        elif not _is_empty(value):
            left -= 1
            if len(path) <= _LONGEST_PATH:
                leaves.setdefault(path, []).append(scalar_text(value))
    return left
