import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.context import (
    FieldContext,
    field_context,
    names_site,
    site_of,
)
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.predicates import Predicate
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.text import tokens


def document(head: str = "", url: str = "https://www.lampshop.example/p/1") -> Document:
    html = f"<html><head>{head}</head><body><h1>Walnut desk lamp</h1></body></html>"
    return Document(
        Page(url=url, body=html.encode(), headers={"content-type": "text/html"})
    )


def context(value: object = "Lumen Ltd", name: str = "brand") -> FieldContext:
    page = document("<title>Walnut desk lamp, a lampshop lamp of brass</title>")
    return field_context(Index(page, "Product"), value, FieldSpec(name=name))


def predicate(css: str, strength: float = 0.5) -> Predicate:
    return Predicate(css, Kin.CLASS, strength, tokens(css))


def test_a_context_knows_the_words_of_the_field_the_record_and_the_page() -> None:
    here = context()
    assert here.about == {"product"}
    assert here.forms == ("lumenltd",)
    assert here.title == {"walnut", "desk", "brass"}, "no short words, not the site"
    assert here.site == "lampshop"
    shape = FieldSpec(name="f", shape=Shape.LIST)
    listed = field_context(Index(document()), [str(at) for at in range(50)], shape)
    assert listed.forms == tuple(str(at) for at in range(40))


def test_words_of_the_field_and_of_the_record_make_a_predicate_stronger() -> None:
    here = context()
    assert here.share(predicate(".brand")) == 1.0
    assert here.strength(predicate(".x")) == 0.5
    assert here.strength(predicate(".brand")) == pytest.approx(0.7)
    assert here.strength(predicate(".product-x")) == pytest.approx(0.58)


@pytest.mark.parametrize(
    ("value", "css", "fits"),
    [
        ("Lumen Ltd", ".maker", True),
        ("Lumen Ltd", ".by-lumen-ltd", False),
        ("oak", ".oak-box", False),
        ("oak", ".soaking", True),
        ("x", '[title="Walnut desk"]', False),
        ("x", '[title="walnut or maple"]', True),
        ("x", '[title="on"]', True),
        ("x", ".walnut-desk", False),
        ("x", ".walnut", True),
        ("x", ".walnut-desk-maple-teak", True),
        ("x", ".walnut-desk-maple", False),
    ],
)
def test_a_predicate_that_only_this_page_can_have_does_not_fit(
    value: str, css: str, fits: bool
) -> None:
    assert context(value).fits(predicate(css)) is fits


def prefix(text: str) -> tuple[Step, ...]:
    return (Step(op=Op.STRIP_PREFIX, args=(text,)),)


def suffix(text: str) -> tuple[Step, ...]:
    return (Step(op=Op.STRIP_SUFFIX, args=(text,)),)


@pytest.mark.parametrize(
    ("pipe", "trust"),
    [
        ((), 1.0),
        (prefix("Brand "), 0.85),
        (prefix("Walnut "), 0.0),
        (prefix("From the house of: "), 0.85),
        ((Step(op=Op.AFTER, args=("From the house of:",)),), 0.8),
        ((Step(op=Op.AFTER, args=("Walnut:",)),), 0.0),
        (prefix("By "), 0.85 * 0.6),
        (prefix("A" * 12), 0.85 * 0.6),
        (prefix("A" * 13), 0.85 * 0.4),
        (suffix(" | Lampshop"), 0.7),
        (suffix(" of walnut"), 0.7 * 0.3),
        (suffix("A" * 8), 0.7 * 0.7),
        (suffix("A" * 9), 0.7 * 0.5),
        ((*prefix("By "), *suffix(" of walnut")), 0.85 * 0.7 * 0.6 * 0.3),
    ],
)
def test_what_is_cut_off_should_be_a_label_or_the_sites_name(
    pipe: tuple[Step, ...], trust: float
) -> None:
    assert context().trust(pipe) == pytest.approx(trust)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (" | Lampshop", True),
        ("shop", True),
        ("Recipes - Lampshop", True),
        ("Recipes of all - Lampshop", True),
        ("All our recipes and guides - Lampshop", False),
        ("Walnut", False),
        (" | ", False),
    ],
)
def test_a_site_is_named_by_its_name_and_little_more(text: str, names: bool) -> None:
    assert names_site(text, "lampshop") is names


@pytest.mark.parametrize(
    ("head", "url", "site"),
    [
        ("", "https://www.lamp-shop.example/p/1", "lampshop"),
        ("", "https://news.lamp.example", "newslamp"),
        ("<meta property='og:site_name' content='Lamp Shop'>", "https://x.example/", "lampshop"),
        ("<meta name='og:site_name' value='Lamps'>", "https://x.example/", "lamps"),
        ("<meta property='og:site_name' content='-'>", "https://x.example/", "x"),
        ("<meta property='og:title' content='Lamp'>", "https://x.example/", "x"),
    ],
)  # fmt: skip
def test_the_site_is_what_it_calls_itself_or_its_host(
    head: str, url: str, site: str
) -> None:
    assert site_of(document(head, url)) == site
