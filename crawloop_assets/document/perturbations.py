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
from functools import partial
from itertools import islice

from lxml import etree

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.values.text import word_set

Element = etree._Element
Kinds = Collection[tuple[str, ...]]
Pick = Callable[[Kinds], Kinds]
Perturbation = Callable[[Element, Pick], None]

_SHARE = 4  # one kind in so many is changed, but always one if there is any
# What an attribute of these says is read by people or leads somewhere; the others are the template's own.
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
    copies = {
        name: _changed(document, name) for name in (CHANGES if names is None else names)
    }
    return {name: page for name, page in copies.items() if page is not None}


def shaken(document: Document) -> Page | None:
    """One copy with several changes at once, those that cost least to make; None if
    there is nothing to change."""
    return _changed(document, *_SHAKING)


def _changed(document: Document, *names: str) -> Page | None:
    tree = copy.deepcopy(document.tree)
    picked = False

    def pick(name: str, kinds: Kinds) -> Kinds:
        """A repeatable choice."""
        nonlocal picked
        picked = picked or bool(kinds)
        ranked = sorted(
            set(kinds), key=lambda kind: (_lot(document.page.sha256, name, *kind), kind)
        )
        return frozenset(ranked[: -(-len(ranked) // _SHARE)])

    for name in names:
        CHANGES[name](tree, partial(pick, name))
    if not picked:
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


def _lot(*parts: str) -> bytes:
    return hashlib.blake2b(
        "\n".join(parts).encode("utf-8", "replace"), digest_size=8
    ).digest()


def _inside(tree: Element) -> list[Element]:
    """The elements inside the body."""
    body = tree.find("body")
    return [
        each
        for each in (tree if body is None else body).iter()
        if isinstance(each.tag, str)
    ][1:]


def _kind(element: Element) -> tuple[str, ...]:
    """What a template makes alike."""
    return str(element.tag), element.get("class", "")


def _rename_classes(tree: Element, pick: Pick) -> None:
    elements = [each for each in _inside(tree) if each.get("class")]
    renamed = pick(
        {(name,) for each in elements for name in each.get("class", "").split()}
    )
    for each in elements:
        names = each.get("class", "").split()
        each.set(
            "class",
            " ".join(
                f"x-{_lot(name).hex()}" if (name,) in renamed else name
                for name in names
            ),
        )


def _drop_attributes(tree: Element, pick: Pick) -> None:
    """Wherever it has this value but for its numbers, which count what the template
    repeats."""
    held = [
        (each, name, (name, value.strip(_NUMBERS)))
        for each in _inside(tree)
        for name, value in each.attrib.items()
        if name not in _TELLING
    ]
    dropped = pick({kind for _, _, kind in held})
    for each, name, kind in held:
        if kind in dropped:
            del each.attrib[name]


def _insert_wrappers(tree: Element, pick: Pick) -> None:
    elements = [
        each
        for each in _inside(tree)
        if each.tag in _WRAPPED and _parent(each) not in _STRICT
    ]
    wrapped = pick({_kind(each) for each in elements})
    for each in elements:
        if _kind(each) in wrapped:
            wrapper = etree.Element("div", {"class": "x-shell"})
            each.addprevious(wrapper)
            wrapper.tail, each.tail = each.tail, None
            wrapper.append(each)


def _insert_siblings(tree: Element, pick: Pick) -> None:
    """Advertisements without words: words inside a list or a text would change what the
    page says there."""
    elements = [
        each
        for each in _inside(tree)
        if each.tag in _BLOCKS and _parent(each) in _HOLDERS
    ]
    places = pick({(str(at),) for at in range(len(elements))})
    for at, each in enumerate(elements):
        if (str(at),) in places:
            slot = etree.Element("div", {"class": "x-slot"})
            link = etree.SubElement(slot, "a", {"href": "/promo"})
            etree.SubElement(link, "img", {"src": "/promo.gif"})
            each.addprevious(slot)


def _parent(element: Element) -> str:
    parent = element.getparent()
    return "" if parent is None else str(parent.tag)


def _reorder_siblings(tree: Element, pick: Pick) -> None:
    """The first of a container's blocks becomes its last.

    Texts between them stay where they are.
    """
    body = tree.find("body")
    containers = [*([] if body is None else [body]), *_inside(tree)]
    movable = [
        (container, blocks)
        for container in containers
        if len(blocks := _movable(container)) > 1
    ]
    moved = pick({_kind(container) for container, _ in movable})
    for container, blocks in movable:
        if _kind(container) in moved:
            children = list(container)
            tails = [child.tail for child in children]
            order = dict(zip(blocks, [*blocks[1:], blocks[0]], strict=True))
            container.extend([order.get(child, child) for child in children])
            for child, tail in zip(container, tails, strict=True):
                child.tail = tail


def _movable(container: Element) -> list[Element]:
    """Blocks that stand for themselves: unlike their siblings (which may be a list,
    whose order counts), and with nothing before them that could be their heading or
    label."""
    children = list(container.iterchildren("*"))
    if sum(child.tag in _BLOCKS for child in children) < 2:
        return []
    held = Counter(name for child in children for name in _names(child))
    blocks = [_is_block(child) for child in children]
    found = []
    for at, child in enumerate(children):
        text = children[at - 1].tail if at else container.text
        alone = not (text or "").strip() and (not at or blocks[at - 1])
        if blocks[at] and alone and all(held[name] == 1 for name in _names(child)):
            found.append(child)
    return found


def _names(element: Element) -> set[str]:
    """What tells an element from its siblings; numbers do not."""
    names = f"{element.get('class') or ''} {element.get('id') or ''}".split()
    return {name.rstrip(_NUMBERS) for name in names} or {""}


def _is_block(element: Element) -> bool:
    """Whether an element is a block that says more than one thing: one with a single
    text may be a label."""
    return element.tag in _BLOCKS and len(list(islice(_texts(element), 2))) > 1


def _texts(element: Element) -> Iterator[str]:
    for each in element.iter():
        if (
            isinstance(each.tag, str)
            and each.tag not in ("script", "style")
            and (each.text or "").strip()
        ):
            yield each.text or ""
        if each is not element and (each.tail or "").strip():
            yield each.tail or ""


_SHAKING = ("classes renamed", "wrappers inserted", "siblings inserted")
CHANGES: dict[str, Perturbation] = {
    **dict(
        zip(
            _SHAKING, (_rename_classes, _insert_wrappers, _insert_siblings), strict=True
        )
    ),
    "attributes dropped": _drop_attributes,
    REORDERING: _reorder_siblings,
}
