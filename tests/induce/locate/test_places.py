from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape


def index(html: str) -> Index:
    return Index(
        Document(
            Page(
                url="https://x.example/",
                body=html.encode(),
                headers={"content-type": "text/html"},
            )
        )
    )


def found(html: str, value: object, **spec: object) -> list[tuple[str, str, list[str]]]:
    here = index(html)
    places = here.places(value, FieldSpec(name="f", **spec))
    return [
        (
            str(here.document.elements[p.number].tag),
            p.get,
            [str(step) for step in p.pipe],
        )
        for p in places
    ]


def test_a_text_is_found_in_the_smallest_element_and_around_it() -> None:
    assert ("b", "text", []) in found(
        "<div>x<p>By <b>Ada <i>Lovelace</i></b></p></div>", "Ada Lovelace"
    )
    assert ("p", "text", ["strip_prefix('By ')"]) in found(
        "<p>By <b>Ada</b></p>", "Ada"
    )
    assert ("b", "tail", []) in found("<p><b>By</b> Ada</p>", "Ada")


def test_a_number_is_found_with_its_position_and_its_decimal_point() -> None:
    assert ("p", "text", []) in found("<p>€1.299,00</p>", "1299", kind=FieldKind.NUMBER)
    assert ("p", "text", ["number(1, '')"]) in found(
        "<p>2 of 12.5 (9)</p>", "12.5", kind=FieldKind.NUMBER
    )
    assert ("p", "text", ["number(-1, '')"]) in found(
        "<p>Serves 3 to 4</p>", "4", kind=FieldKind.NUMBER
    )
    assert ("p", "text", ["number(0, '.')"]) in found(
        "<p>1.299 l</p>", "1.299", kind=FieldKind.NUMBER
    )


def test_counts_minutes_dates_signs_and_images_are_found() -> None:
    assert ("p", "text", ["number(0, '')", "template('{} servings')"]) in found(
        "<p>Serves 4</p>", "4 servings"
    )
    assert ("p", "text", []) in found("<p>1 hr 5 min</p>", 65, kind=FieldKind.MINUTES)
    assert ("time", "@datetime", []) in found(
        "<time datetime='2024-05-06'>May</time>", "2024-05-06", kind=FieldKind.DATE
    )
    assert any(tag == "p" for tag, _, _ in found("<p>129 тг.</p>", "тг."))
    srcset = found(
        "<img srcset='/a.jpg 1x, /b.jpg 2x'>",
        "https://x.example/b.jpg",
        kind=FieldKind.URL,
    )
    assert ("img", "@srcset", ["srcset"]) in srcset


def test_parts_of_words_numbers_and_addresses_are_no_places() -> None:
    assert found("<p>Adamant</p>", "Ada") == []
    assert found("<p>Rs 22,300 Ada</p>", "Ada") == []
    assert found("<a href='/sport/'>more</a>", "Sport") == []
    assert found("<p id=1>112</p>", "12", kind=FieldKind.NUMBER) == []


def test_what_stands_on_a_page_is_grounded() -> None:
    here = index(
        "<p>Oak and <i>walnut</i></p><script type='application/json'>{'x'}</script><img src='/i/a.jpg'>"
    )
    assert occurs_on(here, "oak and walnut", FieldSpec(name="f"))
    assert not occurs_on(here, "pine", FieldSpec(name="f"))
    assert occurs_on(here, ["Oak", "walnut"], FieldSpec(name="f", shape=Shape.LIST))
    assert not occurs_on(here, ["Oak", "pine"], FieldSpec(name="f", shape=Shape.LIST))
    assert occurs_on(
        here, "https://x.example/i/a.jpg", FieldSpec(name="f", kind=FieldKind.URL)
    )
