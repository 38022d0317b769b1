import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.induce.locate.predicates import (
    Predicate,
    behind_icon,
    predicates,
)
from tests.induce.pages import page


def of(markup: str, tag: str = "p") -> list[Predicate]:
    document = Document(page(0, f"<html><body>{markup}</body></html>"))
    return predicates(document, document.by_tag[tag][0])


def strengths(attributes: str) -> dict[str, float]:
    """The predicates of a paragraph and their strength, without the bare tag's."""
    found = of(f"<p {attributes}>x</p>")
    return {each.css: each.strength for each in found if each.kin is not Kin.TAG}


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ("class='price-now'", {".price-now": 0.65}),
        ("class='price-now price-now old'", {".price-now": 0.65, ".old": 0.65}),
        ("class='text'", {".text": 0.35}),
        ("class='mt-4'", {".mt-4": 0.35}),
        ("class='md:flex'", {r".md\:flex": 0.35}),
        ("class='x7yz2q'", {".x7yz2q": 0.2}),
        ("class='Card_title__x7Yz2'", {'[class*="Card_title"]': 0.55}),
        ("class='css-1dbjc4n'", {".css-1dbjc4n": 0.2}),
        ("class='css-1x2y3z'", {".css-1x2y3z": 0.2}),
        ("class='sc-bdVaJa hKcVvd'", {".sc-bdVaJa": 0.2, ".hKcVvd": 0.2}),
        ("class='jsx-2871293847'", {".jsx-2871293847": 0.2}),
        ("class='_3xKdd'", {"._3xKdd": 0.2}),
        ("class='r-18u37iz'", {".r-18u37iz": 0.2}),
        ("class='jss241'", {".jss241": 0.2}),
        ("class='css-1dbjc4n price'", {".css-1dbjc4n": 0.2, ".price": 0.65}),
        ("class='sc-price'", {".sc-price": 0.65}),
        ("class='priceTxt'", {".priceTxt": 0.65}),
        ("class='cssPrice'", {".cssPrice": 0.65}),
        ("class='card-headline'", {".card-headline": 0.65}),
        ("class='lamp-12345'", {'[class*="lamp-"]': 0.4}),
        ("class='item-1234-left'", {}),
        ("class='tag-lamps'", {}),
        ("class='tag-list'", {".tag-list": 0.65}),
        ("class='x'", {}),
        ("class='ab'", {".ab": 0.65}),
        (f"class='{'a' * 60}'", {f".{'a' * 60}": 0.65}),
        (f"class='{'a' * 61}'", {}),
        ("class='1a'", {}),
        ("id='price'", {"#price": 0.8}),
        ("id='price box'", {}),
        ("id='a:b'", {}),
        ("id='lamp77'", {'[id^="lamp"]': 0.45}),
        ("id='lam77'", {}),
        (f"id='{'a' * 60}'", {f"#{'a' * 60}": 0.8}),
        (f"id='{'a' * 61}'", {}),
        ("itemprop='price'", {'[itemprop="price"]': 0.95}),
        ("role='note'", {'[role="note"]': 0.5}),
        ("""title='say "a"'""", {r'[title="say \"a\""]': 0.4}),
        (f"title='{'a' * 81}'", {}),
        ("aria-label='Price: 177.36 GBP'", {'[aria-label^="Price:"]': 0.55}),
        ("title='Fare 12 €'", {'[title^="Fare"]': 0.4}),
        ("aria-label='Parking: yes'", {'[aria-label^="Parking:"]': 0.55}),
        ("aria-label='Price:'", {'[aria-label="Price:"]': 0.55}),
        ("aria-label='4 of 5 stars'", {}),
        ("title=''", {}),
        ("href='/x'", {}),
        ("data-role='price'", {'[data-role="price"]': 0.7, "[data-role]": 0.5}),
        ("data-sku='a7'", {"[data-sku]": 0.5}),
        ("data-note='in stock'", {"[data-note]": 0.5}),
        (f"data-note='{'a' * 41}'", {"[data-note]": 0.5}),
        ("data-a:b='x'", {}),
    ],
)
def test_what_is_said_of_an_element(attributes: str, found: dict[str, float]) -> None:
    assert strengths(attributes) == found


def test_the_strongest_come_first() -> None:
    found = of("<p id='lamp' class='x7yz2q price'>x</p>")
    assert [each.css for each in found] == ["#lamp", ".price", "p", ".x7yz2q"]
    assert of("<h1>x</h1>", "h1") == [Predicate("h1", Kin.TAG, 0.5, ())]
    assert of("<p>x</p>") == [Predicate("p", Kin.TAG, 0.25, ())]


def test_tags_that_mean_something_by_their_kind_are_part_of_a_predicate() -> None:
    assert of("<a rel='author'>x</a>", "a")[0].css == 'a[rel="author"]'
    assert of("<p rel='author'>x</p>")[0].css == '[rel="author"]'


def test_a_predicate_has_its_kin_and_its_words() -> None:
    def first(attributes: str) -> tuple[Kin, tuple[str, ...]]:
        found = of(f"<p {attributes}>x</p>")[0]
        return found.kin, found.words

    assert first("class='recipePrices'") == (Kin.CLASS, ("recipe", "price"))
    assert first("id='unit-price'") == (Kin.ID, ("unit", "price"))
    assert first("itemprop='ratingValue'") == (Kin.MICRO, ("rating", "value"))
    assert first("data-field='price'") == (Kin.DATA, ("price", "field"))
    assert first("class='x7yz2q' hidden") == (Kin.TAG, ())


@given(st.text(alphabet="abzAZ019_-:/. ", max_size=12))
def test_whatever_is_said_of_an_element_selects_it(name: str) -> None:
    markup = f"<p class='{name}' id='{name}' title='{name}' data-x='{name}'>x</p>"
    document = Document(page(0, f"<html><body>{markup}</body></html>"))
    number = document.by_tag["p"][0]
    for predicate in predicates(document, number):
        assert number in css(document, predicate.css), predicate.css


@pytest.mark.parametrize(
    "name", ["css-1x2y3z", "sc-bdVaJa", "jsx-2871293847", "_3xKddPrice", "jss241"]
)
def test_what_a_build_made_carries_no_words(name: str) -> None:
    (found,) = [one for one in of(f"<p class='{name}'>x</p>") if one.kin is Kin.CLASS]
    assert found.words == ()


@pytest.mark.parametrize(
    ("address", "css", "words"),
    [
        ("/people/97", 'a[href*="/people/"]', ("people",)),
        ("/en/tag/blue-dye/", 'a[href*="/tag/"]', ("tag",)),
        ("https://site.example/by/artist/ada?x=1", 'a[href*="/artist/"]', ("artist",)),
    ],
)
def test_a_link_leads_to_one_of_a_folder(
    address: str, css: str, words: tuple[str, ...]
) -> None:
    folder = of(f"<p><a href='{address}'>Ada</a></p>", "a")[0]
    assert (folder.css, folder.words) == (css, words)


@pytest.mark.parametrize(
    "address", ["/about", "/", "#top", "/2024/05", "https://site.example/x", "mailto:a"]
)
def test_an_address_without_a_named_folder_says_nothing(address: str) -> None:
    found = of(f"<p><a href='{address}'>Ada</a></p>", "a")
    assert [one.css for one in found] == ["a"]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("<svg role=img aria-label=Price></svg>", ['[aria-label="Price"] + p']),
        ("<i title=Price></i>", ['[title="Price"] + p']),
        ("<i title='Price: 12'></i>", ['[title^="Price:"] + p']),
        ("<i title=Price>now</i>", []),
        ("<i class=ico-price></i>", []),
        ("<svg role=img></svg>", []),
        ("", []),
    ],
)
def test_what_stands_behind_an_icon_is_what_that_says(
    before: str, found: list[str]
) -> None:
    document = Document(page(0, f"<html><body>{before}<p>12</p></body></html>"))
    (number,) = document.by_tag["p"]
    said = list(behind_icon(document, number))
    assert [one.css for one in said] == found
    assert all(css(document, one.css) == [number] for one in said)
    assert all(one.words == ("price",) for one in said)


def test_a_tag_with_a_colon_may_stand_behind_an_icon() -> None:
    markup = "<html><body><i title=Price></i><o:p>12</o:p></body></html>"
    document = Document(page(0, markup))
    (number,) = document.by_tag["o:p"]
    (said,) = behind_icon(document, number)
    assert css(document, said.css) == [number]
