import pytest

from crawloop_assets.crawler.program import Fingerprint
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fingerprint import (
    around_tokens,
    fingerprint,
    heading_of,
    label_of,
    likeness,
    own_tokens,
)
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from tests.induce.pages import page

BODY = """<main id='product'><h2>Buy it</h2><div class='cost-box'><b>Price:</b>
<span class='price-now big'>$12.50</span></div><ul><li>one</li><li>three</li></ul></main>"""


def document(body: str = BODY) -> Document:
    return Document(page(0, f"<html><body>{body}</body></html>"))


def number(of: Document, tag: str) -> int:
    return of.by_tag[tag][0]


def test_the_words_of_an_element_and_of_what_is_around_it() -> None:
    here = document()
    span = number(here, "span")
    assert own_tokens(here, span) == ("big", "now", "price")
    assert around_tokens(here, span) == ("box", "cost", "product")
    deep = document(
        "<div id='far'><div id='near'><div><div><p>x</p></div></div></div></div>"
    )
    assert around_tokens(deep, number(deep, "p")) == ("near",)


def test_the_label_is_the_short_text_right_before() -> None:
    here = document()
    assert label_of(here, number(here, "span")) == "price"
    for length, label in ((40, "x" * 40), (41, "")):
        long = document(f"<b>{'x' * length}</b><p>y</p>")
        assert label_of(long, number(long, "p")) == label
    first = document("<p>y</p>")
    assert label_of(first, number(first, "p")) == ""


def test_the_heading_is_the_nearest_one_before() -> None:
    here = document()
    assert heading_of(here, number(here, "span")) == "buyit"
    assert heading_of(here, number(here, "li")) == "buyit"
    assert heading_of(here, number(here, "h2")) == ""
    two = document("<h2>a</h2><h3>b</h3><p>x</p>")
    assert heading_of(two, number(two, "p")) == "b"
    for between, heading in ((29, "a"), (30, "")):
        far = document(f"<h2>a</h2>{'<i>x</i>' * between}<p>y</p>")
        assert heading_of(far, number(far, "p")) == heading
    long = document(f"<h2>{'a' * 70}</h2><p>x</p>")
    assert heading_of(long, number(long, "p")) == "a" * 60


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("$12.50", "$0.0"),
        ("", ""),
        ("a,b,c,d,e,f,g,h,i,j", "a,a,a,a,a,a,a,a,"),
        ("a" * 60 + "1", "a"),
    ],
)
def test_the_beginning_of_a_text_is_its_shape(text: str, shape: str) -> None:
    here = document(f"<p>{text}</p>")
    assert fingerprint(here, [number(here, "p")]).shape == shape


def test_a_fingerprint_says_what_a_field_looks_like() -> None:
    here = document()
    span = number(here, "span")
    assert fingerprint(here, [span], ["offers.price"]) == Fingerprint(
        tag="span",
        tokens=("big", "now", "price"),
        around=("box", "cost", "product"),
        label="price",
        heading="buyit",
        shape="$0.0",
        position=round(span / len(here.elements), 2),
        length=6,
        count=1,
        keys=("offers.price",),
    )
    items = fingerprint(here, here.by_tag["li"])
    assert (items.count, items.length) == (2, 4)
    assert fingerprint(here, [], ["a"]) == Fingerprint(keys=("a",))


PRICE = words_of(FieldSpec(name="price"))


def score(body: str, tag: str, wanted: Fingerprint, count: int = 1) -> float:
    here = document(body)
    return likeness(here, number(here, tag), wanted, PRICE, count)


def wanted() -> Fingerprint:
    here = document()
    return fingerprint(here, [number(here, "span")])


def test_an_element_is_most_like_itself() -> None:
    most = score(BODY, "span", wanted())
    # tokens, surroundings, words of both, label, words of it, tag, shape, position, length
    whole = 0.22 + 0.12 + 0.2 + 0.1 * 0.7 + 0.22 + 0.1 + 0.08 + 0.06 + 0.06 + 0.12
    assert most == pytest.approx(whole, abs=1e-3)
    for tag in ("b", "h2", "li", "div"):
        assert score(BODY, tag, wanted()) < most


@pytest.mark.parametrize(
    ("old", "new", "weight"),
    [
        ("Price:", "Cost:", 0.1 * (1.0 - 0.7)),
        ("$12.50", "12.50 $", None),
        ("class='price-now big'", "", None),
        ("span", "em", 0.08),
    ],
)
def test_every_change_makes_it_less_alike(
    old: str, new: str, weight: float | None
) -> None:
    tag = "em" if new == "em" else "span"
    changed = score(BODY.replace(old, new), tag, wanted())
    lost = score(BODY, "span", wanted()) - changed
    assert lost > 0
    if weight is not None:
        assert lost == pytest.approx(weight)


def test_a_label_or_a_heading_from_before_counts_once() -> None:
    both = score(BODY, "span", wanted())
    neither = score(
        BODY.replace("Price:", "Cost:").replace("Buy it", "Buy now"), "span", wanted()
    )
    assert both - neither == pytest.approx(0.22 + 0.1 * (1.0 - 0.7))


def test_the_number_of_elements_counts_for_lists() -> None:
    here = document()
    items = fingerprint(here, here.by_tag["li"])
    alike = score(BODY, "li", items, 2)
    assert alike - score(BODY, "li", items, 1) == pytest.approx(0.05)
    assert alike - score(BODY, "li", items, 0) == pytest.approx(0.1)
    assert score(BODY, "span", wanted(), 5) == score(BODY, "span", wanted())
