"""Changed copies of pages: other markup, and a person still reads the same."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from crawloop_assets.document.document import Document
from crawloop_assets.document.perturbations import REORDERING, perturbed, silenced
from crawloop_assets.page import Page
from tests.induce.pages import PRODUCTS, after, before, page, price_text

FEATURES = "Features"
LABELS = {"price": "Price", "brand": "Brand", "released": "Release date"}


def markup(document: Document) -> bytes:
    """The markup as a copy would have it if nothing were changed."""
    return bytes(
        etree.tostring(
            document.tree, method="html", encoding="utf-8", doctype="<!DOCTYPE html>"
        )
    )


def texts(of: etree._Element) -> list[str]:
    """What a person sees, piece by piece."""
    hidden = ("script", "style", "head")
    return [
        " ".join(text.split())
        for text in of.xpath(
            f".//text()[not({' or '.join(f'ancestor::{tag}' for tag in hidden)})]"
        )
        if text.strip()
    ]


# -- the law ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shop:
    """A page of a made-up shop: what it says and how its template says it."""

    title: str
    said: dict[str, str]
    features: tuple[str, ...]
    pair: str
    items: str
    names: tuple[str, ...]
    boxes: int
    marked: bool

    def name(self, at: int) -> str:
        """An attribute of the template's."""
        return f' class="{self.names[at % len(self.names)]}"' if self.names else ""

    def html(self) -> str:
        """The page."""
        pairs = "".join(
            f"<{row}{self.name(at)}><{key}>{LABELS[name]}</{key}><{value}{self.name(at + 1)}{self.role(name)}>"
            f"{escape(text)}</{value}></{row}>"
            for at, (name, text) in enumerate(self.said.items())
            for row, key, value in [self.pair.split()]
        )
        rows = (
            f"<table>{pairs}</table>"
            if self.pair.startswith("tr")
            else f"<div{self.name(4)}>{pairs}</div>"
        )
        holder, item = self.items.split()
        things = "".join(
            f"<{item}{self.name(5)}>{escape(text)}</{item}>" for text in self.features
        )
        feature_list = f"<section><h2>{FEATURES}</h2><{holder}{self.name(6)}>{things}</{holder}><h2>More</h2></section>"
        inner = f"<main><h1{self.name(7)}>{escape(self.title)}</h1>{rows}{feature_list}</main>"
        side = "".join(
            f"<aside id='{name}-1'><p>Other {name}</p><p>All {name}</p></aside>"
            for name in "abc"
        )
        for at in range(self.boxes):
            inner = f"<div{self.name(at)}>{inner}</div>"
        return (
            f"<html><head><title>Shop</title></head><body>{inner}{side}</body></html>"
        )

    def role(self, name: str) -> str:
        """What a template may say of a value."""
        return f' data-role="{name}" itemprop="{name}"' if self.marked else ""


words = st.text("abcdefghij klmno", min_size=1, max_size=12).map(
    lambda text: " ".join(f"w{text}".split())
)
names = st.lists(
    st.text("abcdef-", min_size=2, max_size=6).map(lambda text: f"n{text}"), max_size=6
).map(tuple)
shops = st.builds(
    Shop,
    title=words,
    said=st.fixed_dictionaries(dict.fromkeys(LABELS, words)),
    features=st.lists(words, min_size=1, max_size=5).map(tuple),
    pair=st.sampled_from(
        ["div span span", "p b i", "tr th td", "section h3 p", "div div div"]
    ),
    items=st.sampled_from(["ul li", "ol li", "div p", "div div"]),
    names=names,
    boxes=st.integers(0, 4),
    marked=st.booleans(),
)


def read_by_a_person(of: Page) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The great heading, what stands right behind each label, and what stands between two headings."""
    tree = Document(of).tree
    seen = texts(tree)
    said = {name: seen[seen.index(label) + 1] for name, label in LABELS.items()}
    start = seen.index(FEATURES) + 1
    return (
        texts(tree.find(".//h1"))[0],
        said,
        tuple(seen[start : seen.index("More", start)]),
    )


@given(shops)
def test_a_copy_has_other_markup_and_says_the_same(shop: Shop) -> None:
    document = Document(page(0, shop.html()))
    told = read_by_a_person(document.page)
    assert told == (shop.title, shop.said, shop.features)
    copies = perturbed(document)
    assert {"wrappers inserted", "attributes dropped", REORDERING} <= copies.keys(), (
        "there is something to change"
    )
    assert ("classes renamed" in copies) == bool(shop.names)
    for name, changed in copies.items():
        assert changed.body != markup(document), f"{name}: nothing changed"
        assert changed.sha256 != document.page.sha256
        assert read_by_a_person(changed) == told, name
        assert sorted(texts(Document(changed).tree)) == sorted(texts(document.tree)), (
            name
        )


def in_design_a(at: int, linked: bool = False) -> Iterator[tuple[str, str]]:
    yield "Brand:", str(PRODUCTS[at]["brand"])
    yield "Release date", str(PRODUCTS[at]["released"])


def in_design_b(at: int) -> Iterator[tuple[str, str]]:
    yield "Brand", str(PRODUCTS[at]["brand"])
    yield "Release date", str(PRODUCTS[at]["released"])
    yield "Price", price_text(str(PRODUCTS[at]["price"]))


@pytest.mark.parametrize("at", range(len(PRODUCTS)))
@pytest.mark.parametrize(
    ("make", "pairs"),
    [
        (before, in_design_a),
        (lambda at: before(at, linked=True), in_design_a),
        (after, in_design_b),
    ],
)
def test_copies_of_the_shop_say_the_same(
    make: Callable[[int], Page],
    pairs: Callable[[int], Iterator[tuple[str, str]]],
    at: int,
) -> None:
    document = Document(make(at))
    for name, changed in perturbed(document).items():
        seen = texts(Document(changed).tree)
        assert changed.text != document.page.text, (
            f"{name}: a copy still has the text of the page"
        )
        assert changed.body != markup(document)
        assert all(
            value == seen[seen.index(label) + 1] for label, value in pairs(at)
        ), name
        first = seen.index("Features") + 1
        assert (
            seen[first : first + len(PRODUCTS[at]["features"])]
            == PRODUCTS[at]["features"]
        ), name
        assert Document(changed).roots.keys() == document.roots.keys(), (
            "linked data is no markup"
        )


def test_copies_are_repeatable_and_differ_from_each_other() -> None:
    first, second = (perturbed(Document(before(0))) for _ in range(2))
    assert [copy.body for copy in first.values()] == [
        copy.body for copy in second.values()
    ]
    assert len({copy.body for copy in first.values()}) == len(first)


def test_a_page_with_nothing_to_change_has_no_copies() -> None:
    assert (
        perturbed(
            Document(page(0, "<html><body><p>Walnut desk lamp</p></body></html>"))
        )
        == {}
    )


# -- kinds of elements ------------------------------------------------------------------------------------------------


def rows(count: int = 40) -> Document:
    cells = "".join(
        f"<div class='row'><div class='cell' data-at='{at}'>{at}</div><span class='note' id='n-{at}'>note</span></div>"
        for at in range(count)
    )
    return Document(page(0, f"<html><body><main>{cells}</main></body></html>"))


@pytest.mark.parametrize(
    "name", ["classes renamed", "wrappers inserted", "attributes dropped"]
)
def test_a_template_changes_all_elements_of_a_kind(name: str) -> None:
    document = rows()
    (changed,) = perturbed(document, [name]).values()
    shapes = {
        tuple(
            (each.tag, each.get("class"), *sorted(each.keys()))
            for each in [row, *row.iterdescendants()]
        )
        for row in Document(changed).tree.find(".//main")
    }
    assert len(shapes) == 1


def test_advertisements_turn_up_in_single_places() -> None:
    (changed,) = perturbed(rows(), ["siblings inserted"]).values()
    slots = Document(changed).tree.xpath("//div[@class='x-slot']")
    assert len(slots) == 20, "one in four of 80 blocks"
    assert not texts(slots[0])


# -- blocks in another order ------------------------------------------------------------------------------------------


def blocks(at: int) -> str:
    """A page of containers with blocks in all sorts of company; `at` only makes its bytes others."""
    two = "<p>one {0}</p> <p>two {0}</p>"
    body = "".join(
        f"""<main class='m-{n}'><div class='a-{n}x'>{two.format("first")}</div>
        <div class='b'>{two.format("second")}</div>
        <section class='c'>{two.format("third")}</section></main>
        <ul><li>apple</li><li>pear</li><li>plum</li></ul>
        <div class='list'><div class='item top'>{two.format("i")}</div><div class='item'>{two.format("ii")}</div></div>
        <dl><dt>Size</dt><dd>9</dd></dl>
        <article><h2>Head</h2><div class='under'>{two.format("under")}</div><div class='label'>Maker</div>
        <div class='made'>{two.format("made")}</div></article>"""
        for n in range(30)
    )
    return f"<html><body>{body}<i>{at}</i></body></html>"


@pytest.mark.parametrize("at", range(4))
def test_only_blocks_that_stand_for_themselves_change_places(at: int) -> None:
    document = Document(page(at, blocks(at)))
    (copied,) = perturbed(document, [REORDERING]).values()
    moved = Document(copied)
    was, now = (
        [" ".join(each.itertext()).split() for each in one.tree.iter("main")]
        for one in (document, moved)
    )
    assert was != now, "no block moved"
    for before_it, after_it in zip(was, now, strict=True):
        assert sorted(before_it) == sorted(after_it)
        order = [word for word in after_it if word in ("first", "second", "third")][::2]
        assert order in (["first", "second", "third"], ["second", "third", "first"])
    for tag in ("ul", "dl", "article"):
        assert [etree.tostring(each) for each in document.tree.iter(tag)] == [
            etree.tostring(each) for each in moved.tree.iter(tag)
        ]
    lists = (
        "".join(each.itertext())
        for one in (document, moved)
        for each in one.tree.xpath("//div[@class='list']")
    )
    assert len(set(lists)) == 1


def test_a_page_without_what_it_states_under_a_name() -> None:
    body = (
        "<html><body><h1>Lamp</h1><script type='application/json' id='state'>{\"price\": 7}</script>"
        '<script>var other = {"title": "A lamp of walnut and of brass", "n": 1};</script></body></html>'
    )
    shown = page(1, body)
    hushed = silenced(shown, {"js:state", "js:none"})
    assert Document(shown).roots.keys() == {"js:state", "js:other"}
    assert Document(hushed).roots.keys() == {"js:other"}
    assert texts(Document(hushed).tree) == ["Lamp"]
    assert hushed.url == shown.url
