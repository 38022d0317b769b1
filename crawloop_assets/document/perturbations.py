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
from operator import attrgetter
from typing import Any

from lxml import etree

from crawloop_assets.document.document import Document
from crawloop_assets.document.islands import Script
from crawloop_assets.document.without import page_of_tree
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
# Code and remarks; lxml takes its factories for tags of nodes that are no elements.
_UNREAD: frozenset[Any] = frozenset(
    ("script", "style", etree.Comment, etree.ProcessingInstruction)
)
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


def silenced(page: Page, roots: Collection[str]) -> Page:
    """A page without the scripts that state something under one of these names."""
    document = Document(page)
    tree = copy.deepcopy(document.tree)
    for script in tree.iter("script"):
        if not Script(script).roots.keys().isdisjoint(roots):
            script.text = ""
    return page_of_tree(tree, document)


def _changed(document: Document, *names: str) -> Page | None:
    """A copy of a page with these changes, one after the other; None if none of them
    finds something to change."""
    tree = copy.deepcopy(document.tree)
    lots = [_Lot(document.page.sha256, name) for name in names]
    for lot in lots:
        CHANGES[lot.change](tree, lot.pick)
    if not any(map(attrgetter("had_choice"), lots)):
        return None
    return page_of_tree(tree, document)


class _Lot:
    """Repeatable choices of one change on one page, named by the sha256 of its body."""

    def __init__(self, page: str, change: str):
        """No kinds have been chosen from yet."""
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
        """A place by chance, but always the same on this page."""
        return _hash(self._page, self.change, *kind), kind


def _hash(*parts: str) -> bytes:
    """Eight bytes that are the same in every process."""
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
    """Picked classes get a name that says nothing, wherever they are."""
    classed = [element for element in _inside(tree) if element.get("class")]
    names = set(chain.from_iterable(map(_classes, classed)))
    renamed = pick(set(zip(names)))
    new_names = {name: f"x-{_hash(name).hex()}" for (name,) in renamed}
    for element in classed:
        new = [new_names.get(name, name) for name in _classes(element)]
        element.set("class", " ".join(new))


def _classes(element: _Element) -> list[str]:
    """The classes of an element as they are written."""
    return element.get("class", "").split()


def _drop_attributes(tree: _Element, pick: _Pick) -> None:
    """Picked attributes go wherever they have this value but for its numbers, which
    count what the template repeats."""
    holders = _holders(tree)
    for dropped in pick(holders.keys()):
        for element in holders[dropped]:
            del element.attrib[dropped[0]]


def _holders(tree: _Element) -> dict[tuple[str, ...], list[_Element]]:
    """The elements that have an attribute, by its name and its value without the numbers
    around it; attributes that carry what a page says are left out."""
    holders: dict[tuple[str, ...], list[_Element]] = {}
    for element in _inside(tree):
        for name in set(element.attrib) - _TELLING:
            kind = (name, element.get(name, "").strip(_NUMBERS))
            holders.setdefault(kind, []).append(element)
    return holders


def _insert_wrappers(tree: _Element, pick: _Pick) -> None:
    """A block around each element of the picked kinds."""
    elements = list(filter(_may_be_wrapped, _inside(tree)))
    wrapped = pick(set(map(_kind, elements)))
    for element in elements:
        if _kind(element) in wrapped:
            _wrap(element)


def _wrap(element: _Element) -> None:
    """Put a block around an element; the text behind it stays behind both."""
    wrapper = etree.Element("div", {"class": "x-shell"})
    element.addprevious(wrapper)
    wrapper.tail, element.tail = element.tail, None
    wrapper.append(element)


def _may_be_wrapped(element: _Element) -> bool:
    """Whether an element is one that templates put blocks around, where one may be."""
    return element.tag in _WRAPPED and _parent_tag(element) not in _STRICT


def _insert_siblings(tree: _Element, pick: _Pick) -> None:
    """Advertisements without words: words inside a list or a text would change what the
    page says there."""
    elements = list(filter(_may_have_advert, _inside(tree)))
    numbers = map(str, range(len(elements)))
    for (number,) in pick(set(zip(numbers))):
        elements[int(number)].addprevious(_advert())


def _advert() -> _Element:
    """A picture that leads somewhere else."""
    slot = etree.Element("div", {"class": "x-slot"})
    link = etree.SubElement(slot, "a", {"href": "/promo"})
    etree.SubElement(link, "img", {"src": "/promo.gif"})
    return slot


def _may_have_advert(element: _Element) -> bool:
    """Whether something may be put before an element."""
    return element.tag in _BLOCKS and _parent_tag(element) in _HOLDERS


def _parent_tag(element: _Element) -> str:
    """The tag of what an element is in; "" for the root."""
    parent = element.getparent()
    return "" if parent is None else str(parent.tag)


def _reorder_siblings(tree: _Element, pick: _Pick) -> None:
    """The first of a container's blocks becomes its last.

    Texts between them stay where they are.
    """
    movable = {container: _movable(container) for container in _containers(tree)}
    containers = [holder for holder, blocks in movable.items() if len(blocks) > 1]
    moved = pick(set(map(_kind, containers)))
    for container in containers:
        if _kind(container) in moved:
            _rotate(container, movable[container])


def _containers(tree: _Element) -> list[_Element]:
    """The body and the elements inside it."""
    inside = _inside(tree)
    body = tree.find("body")
    return inside if body is None else [body, *inside]


def _rotate(container: _Element, blocks: list[_Element]) -> None:
    """Put each of the blocks where the one before it was, the first where the last
    was."""
    children = list(container)
    tails = list(map(attrgetter("tail"), children))
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
        return []  # as nearly always
    counts = Counter(chain.from_iterable(map(_names, children)))
    movable: list[_Element] = []
    text_before, is_after_block = container.text, True
    for child in children:
        is_block = _is_block(child)
        has_label = not is_after_block or _says_something(text_before)
        if is_block and not has_label and _is_unlike_others(child, counts):
            movable.append(child)
        text_before, is_after_block = child.tail, is_block
    return movable


def _is_unlike_others(element: _Element, counts: Counter[str]) -> bool:
    """Whether no sibling has a name of the element."""
    return all(counts[name] == 1 for name in _names(element))


def _names(element: _Element) -> set[str]:
    """What tells an element from its siblings: its classes and its id without numbers,
    or that it has none of them."""
    names = [*_classes(element), *element.get("id", "").split()]
    return {name.rstrip(_NUMBERS) for name in names} or {""}


def _is_block(element: _Element) -> bool:
    """Whether an element is a block that says more than one thing: one with a single
    text may be a label."""
    if element.tag not in _BLOCKS:
        return False
    texts = filter(_says_something, _texts(element))
    return len(list(islice(texts, 2))) > 1


def _texts(element: _Element) -> Iterator[str | None]:
    """What is written in an element, in order; None where nothing is."""
    yield element.text
    for node in element.iterdescendants():
        if node.tag not in _UNREAD:
            yield node.text
        yield node.tail


def _says_something(text: str | None) -> bool:
    """False for no text and for spaces."""
    return bool(text) and not str(text).isspace()


_SHAKING = ("classes renamed", "wrappers inserted", "siblings inserted")
CHANGES: dict[str, _Perturbation] = {
    "classes renamed": _rename_classes,
    "wrappers inserted": _insert_wrappers,
    "siblings inserted": _insert_siblings,
    "attributes dropped": _drop_attributes,
    REORDERING: _reorder_siblings,
}
"""How a tree is changed in place, by the name of the change; `pick` chooses kinds."""
