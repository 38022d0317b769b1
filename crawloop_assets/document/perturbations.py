"""Mechanically changed copies of a page: what a careless redesign does, without
touching what the page says.

A template changes everything it makes: all elements of a kind are renamed, wrapped,
stripped or moved together, and only advertisements turn up in single places. Which
kinds are changed depends on the page's bytes and the change's name.
"""

import copy
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain, islice

from lxml import etree

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.values.text import word_set

_Element = etree._Element
_Kinds = Collection[tuple[str, ...]]
"""Kinds of elements that a template makes alike, each by its names."""
_Pick = Callable[[_Kinds], _Kinds]
_Perturbation = Callable[[_Element, _Pick], None]

_SHARE = 4  # one kind in so many is changed, but always one if there is any
# What an attribute of these says is read by people or leads somewhere; the others are
# the template's own.
_TELLING = word_set(
    "href src srcset data-src data-srcset content datetime value property name rel type http-equiv charset alt title"
)
_NUMBERS = "0123456789-_"
_WRAPPED = word_set("div section article ul ol h1 table")
_STRICT = word_set("ul ol table thead tbody tfoot tr dl")  # may hold no div
_BLOCKS = word_set("div section aside")
_HOLDERS = word_set("div section main body")
REORDERING = "siblings reordered"


def perturbed(
    document: Document, names: Iterable[str] | None = None
) -> dict[str, Page]:
    """A changed copy of a page per kind of change (of all kinds if none are named) that
    finds something to change."""
    pages: dict[str, Page] = {}
    for name in CHANGES if names is None else names:
        page = _changed(document, name)
        if page is not None:
            pages[name] = page
    return pages


def shaken(document: Document) -> Page | None:
    """One copy with several changes at once, those that cost least to make; None if
    there is nothing to change."""
    return _changed(document, *_SHAKING)


def _changed(document: Document, *names: str) -> Page | None:
    tree = copy.deepcopy(document.tree)
    lots = [_Lot(document.page.sha256, name) for name in names]
    for lot in lots:
        CHANGES[lot.change](tree, lot.pick)
    if not any(lot.had_choice for lot in lots):
        return None
    body = etree.tostring(
        tree, method="html", encoding="utf-8", doctype="<!DOCTYPE html>"
    )
    # A new page: one made by model_copy would keep the text that this one remembers.
    return Page(
        url=document.page.url,
        final_url=document.page.final_url,
        status=document.page.status,
        headers={"content-type": "text/html; charset=utf-8"},
        fetched_at=document.page.fetched_at,
        body=bytes(body),
    )


class _Lot:
    """Repeatable choices of one change on one page, named by the sha256 of its body."""

    def __init__(self, page: str, change: str):
        self.change = change
        self.had_choice = False
        self._page = page

    def pick(self, kinds: _Kinds) -> _Kinds:
        """One in `_SHARE` of the kinds, but at least one of any."""
        self.had_choice = self.had_choice or bool(kinds)
        ranked = sorted(set(kinds), key=self._rank)
        count = -(-len(ranked) // _SHARE)
        return frozenset(ranked[:count])

    def _rank(self, kind: tuple[str, ...]) -> tuple[bytes, tuple[str, ...]]:
        return _hash(self._page, self.change, *kind), kind


def _hash(*parts: str) -> bytes:
    text = "\n".join(parts).encode("utf-8", "replace")
    return hashlib.blake2b(text, digest_size=8).digest()


def _inside(tree: _Element) -> list[_Element]:
    """The elements inside the body."""
    body = tree.find("body")
    return list((tree if body is None else body).iter("*"))[1:]


def _kind(element: _Element) -> tuple[str, ...]:
    """What a template makes alike."""
    return str(element.tag), element.get("class", "")


def _rename_classes(tree: _Element, pick: _Pick) -> None:
    classed = [
        (element, element.get("class", "").split())
        for element in _inside(tree)
        if element.get("class")
    ]
    renamed = pick({(name,) for _, names in classed for name in names})
    for element, names in classed:
        new = [_new_name(name) if (name,) in renamed else name for name in names]
        element.set("class", " ".join(new))


def _new_name(name: str) -> str:
    return f"x-{_hash(name).hex()}"


def _drop_attributes(tree: _Element, pick: _Pick) -> None:
    """Wherever it has this value but for its numbers, which count what the template
    repeats."""
    held: list[tuple[_Element, str, tuple[str, str]]] = []
    for element in _inside(tree):
        for name, value in element.attrib.items():
            if name not in _TELLING:
                held.append((element, name, (name, value.strip(_NUMBERS))))
    dropped = pick({kind for _, _, kind in held})
    for element, name, kind in held:
        if kind in dropped:
            del element.attrib[name]


def _insert_wrappers(tree: _Element, pick: _Pick) -> None:
    """A block around each element of the picked kinds."""
    elements = [element for element in _inside(tree) if _may_be_wrapped(element)]
    wrapped = pick(set(map(_kind, elements)))
    for element in elements:
        if _kind(element) in wrapped:
            wrapper = etree.Element("div", {"class": "x-shell"})
            element.addprevious(wrapper)
            wrapper.tail, element.tail = element.tail, None
            wrapper.append(element)


def _may_be_wrapped(element: _Element) -> bool:
    return element.tag in _WRAPPED and _parent_tag(element) not in _STRICT


def _insert_siblings(tree: _Element, pick: _Pick) -> None:
    """Advertisements without words: words inside a list or a text would change what the
    page says there."""
    elements = [element for element in _inside(tree) if _may_have_advert(element)]
    picked = pick({(str(index),) for index in range(len(elements))})
    for index, element in enumerate(elements):
        if (str(index),) in picked:
            slot = etree.Element("div", {"class": "x-slot"})
            link = etree.SubElement(slot, "a", {"href": "/promo"})
            etree.SubElement(link, "img", {"src": "/promo.gif"})
            element.addprevious(slot)


def _may_have_advert(element: _Element) -> bool:
    """Whether something may be put before an element."""
    return element.tag in _BLOCKS and _parent_tag(element) in _HOLDERS


def _parent_tag(element: _Element) -> str:
    parent = element.getparent()
    return "" if parent is None else str(parent.tag)


def _reorder_siblings(tree: _Element, pick: _Pick) -> None:
    """The first of a container's blocks becomes its last.

    Texts between them stay where they are.
    """
    body = tree.find("body")
    containers = [*([] if body is None else [body]), *_inside(tree)]
    movable: list[tuple[_Element, list[_Element]]] = []
    for container in containers:
        blocks = _movable(container)
        if len(blocks) > 1:
            movable.append((container, blocks))
    moved = pick({_kind(container) for container, _ in movable})
    for container, blocks in movable:
        if _kind(container) in moved:
            _rotate(container, blocks)


def _rotate(container: _Element, blocks: list[_Element]) -> None:
    """Put each of the blocks where the one before it was, the first where the last
    was."""
    children = list(container)
    tails = [child.tail for child in children]
    successor = dict(zip(blocks, [*blocks[1:], blocks[0]], strict=True))
    container.extend([successor.get(child, child) for child in children])
    for child, tail in zip(container, tails, strict=True):
        child.tail = tail


def _movable(container: _Element) -> list[_Element]:
    """Blocks that stand for themselves: unlike their siblings (which may be a list,
    whose order counts), and with nothing before them that could be their heading or
    label."""
    children = list(container.iterchildren("*"))
    if sum(child.tag in _BLOCKS for child in children) < 2:
        return []
    counts = Counter(chain.from_iterable(map(_names, children)))
    movable: list[_Element] = []
    text_before, is_after_block = container.text, True
    for child in children:
        is_block = _is_block(child)
        is_alone = is_after_block and not (text_before or "").strip()
        if is_block and is_alone and _is_unlike_others(child, counts):
            movable.append(child)
        text_before, is_after_block = child.tail, is_block
    return movable


def _is_unlike_others(element: _Element, counts: Counter[str]) -> bool:
    """Whether no sibling has a name of the element."""
    return all(counts[name] == 1 for name in _names(element))


def _names(element: _Element) -> set[str]:
    """What tells an element from its siblings; numbers do not."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}".split()
    return {name.rstrip(_NUMBERS) for name in names} or {""}


def _is_block(element: _Element) -> bool:
    """Whether an element is a block that says more than one thing: one with a single
    text may be a label."""
    return element.tag in _BLOCKS and len(list(islice(_texts(element), 2))) > 1


def _texts(element: _Element) -> Iterator[str]:
    """The texts in an element that are not blank, in order."""
    for node in element.iter():
        is_shown = isinstance(node.tag, str) and node.tag not in ("script", "style")
        if is_shown and not _is_blank(node.text):
            yield node.text or ""
        if node is not element and not _is_blank(node.tail):
            yield node.tail or ""


def _is_blank(text: str | None) -> bool:
    return not text or text.isspace()


_SHAKING = ("classes renamed", "wrappers inserted", "siblings inserted")
CHANGES: dict[str, _Perturbation] = {
    "classes renamed": _rename_classes,
    "wrappers inserted": _insert_wrappers,
    "siblings inserted": _insert_siblings,
    "attributes dropped": _drop_attributes,
    REORDERING: _reorder_siblings,
}
"""How a tree is changed in place, by the name of the change; `pick` chooses kinds."""
