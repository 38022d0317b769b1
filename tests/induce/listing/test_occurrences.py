import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.occurrences import Occurrence, Occurrences
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import document

TEXT = FieldSpec(name="name")
DATE = FieldSpec(name="filed", kind=FieldKind.DATE)
URL = FieldSpec(name="url", kind=FieldKind.URL)


def tags(page: Document, spec: FieldSpec, value: Value) -> list[str]:
    return [page.tags[place.number] for place in Occurrences(page).places(spec, value)]


def test_a_text_is_found_by_its_letters_also_across_elements() -> None:
    page = document("<p>AMES v. <b>Birch</b></p><div>Ames V Birch!</div><i>Ames</i>")
    assert tags(page, TEXT, "Ames v. Birch") == ["p", "div"]
    assert tags(page, TEXT, "Birch") == ["b", "div"]
    assert tags(page, TEXT, "Cole") == []
    assert tags(page, TEXT, "...") == []


def test_a_long_text_is_found_by_its_beginning() -> None:
    page = document("<p>The quick brown fox jumps over …</p>")
    assert tags(page, TEXT, "The quick brown fox jumps over the dog") == ["p"]
    assert tags(page, TEXT, "The quick brown fox leaps over the dog") == []


def test_a_short_text_has_to_fill_its_pieces() -> None:
    page = document("<p>17</p><b>172</b><i>317</i><u>x</u>")
    assert tags(page, TEXT, "17") == ["p"]
    assert tags(page, TEXT, "317") == ["i"]


def test_dates_are_found_in_texts_and_attributes_by_their_day() -> None:
    page = document(
        "<p>March 5, 2024</p><b>x</b><time datetime='2024-03-05T10:00'>5/3</time>"
    )
    assert tags(page, DATE, "2024-03-05") == ["p", "time"]
    assert tags(page, DATE, "2024-03-06") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<a href='/doc/31.pdf'>x</a><a href='/old/31.pdf'>y</a>", ["a"]),
        ("<b data-src='/doc/31.pdf'>x</b>", ["b"]),
        ("<b data-src='31.pdf'>x</b>", ["b"]),
        ("<p>https://court.example/doc/31.pdf</p>", ["p"]),
        ("<a href='/old/31.pdf'>x</a><i href='/new/31.pdf'>y</i>", ["a", "i"]),
        ("<b onclick='open(%2231.pdf%22)'>x</b>", ["b"]),
        ("<b alt='31.pdf'>x</b>", []),
    ],
)
def test_urls_are_found_as_they_are_or_else_by_their_ends(
    body: str, expected: list[str]
) -> None:
    assert tags(document(body), URL, "https://court.example/doc/31.pdf") == expected


def test_short_ends_of_urls_are_not_looked_for_in_scripts() -> None:
    page = document("<b onclick='open(12345)'>x</b><b onclick='open(123456)'>x</b>")
    assert tags(page, URL, "https://court.example/doc/12345") == []
    assert tags(page, URL, "https://court.example/doc/123456") == ["b"]


def test_the_first_three_items_of_a_list_are_looked_for() -> None:
    several = FieldSpec(name="judges", shape=Shape.LIST)
    page = document("<p>Ames</p><b>Cole</b><i>Dunn</i><u>Ellis</u>")
    assert tags(page, several, ["Dunn", "Cole", "Ames", "Ellis"]) == ["p", "b", "i"]


def test_at_most_four_hundred_are_given() -> None:
    page = document("<p>Ames</p>" * 500)
    assert len(Occurrences(page).places(TEXT, "Ames")) == 400


def test_text_after_an_element_hangs_on_it_but_is_outside_of_it() -> None:
    page = document("<p><b>Judge</b> Ames <i>x</i></p>")
    (place,) = Occurrences(page).places(TEXT, "Ames")
    paragraph, bold = page.by_tag["p"][0], page.by_tag["b"][0]
    assert place.number == paragraph
    assert place.holder(page) == bold
    assert place.inside(page, paragraph)
    assert not place.inside(page, bold)
    (judge,) = Occurrences(page).places(TEXT, "Judge")
    assert judge.holder(page) == bold
    assert judge.inside(page, bold)


def test_an_attribute_is_inside_its_element_and_those_around() -> None:
    page = document("<p><b>x</b></p><i>y</i>")
    paragraph, bold, other = (page.by_tag[tag][0] for tag in ("p", "b", "i"))
    place = Occurrence(bold)
    assert place.is_in_attribute
    assert place.holder(page) == bold
    assert [place.inside(page, node) for node in (paragraph, bold, other)] == [
        True,
        True,
        False,
    ]


def test_a_text_across_elements_hangs_on_the_one_around_them() -> None:
    page = document("<p><b>Ames</b> v. Birch</p>")
    (place,) = Occurrences(page).places(TEXT, "Ames v. Birch")
    assert place.holder(page) == page.by_tag["p"][0]
