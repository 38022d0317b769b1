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
    assert ("p", "text", ["without('moments')", "number(1, '')"]) in found(
        "<p>2 of 12.5 (9)</p>", "12.5", kind=FieldKind.NUMBER
    )
    assert ("p", "text", ["without('moments')", "number(-1, '')"]) in found(
        "<p>Serves 3 to 4</p>", "4", kind=FieldKind.NUMBER
    )
    assert ("p", "text", ["without('moments')", "number(0, '.')"]) in found(
        "<p>1.299 l</p>", "1.299", kind=FieldKind.NUMBER
    )


def test_counts_minutes_dates_signs_and_images_are_found() -> None:
    assert (
        "p",
        "text",
        ["without('moments')", "number(0, '')", "template('{} servings')"],
    ) in found("<p>Serves 4</p>", "4 servings")
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


def test_a_value_is_looked_for_in_the_title_and_in_attributes_that_say_something() -> (
    None
):
    head = "<head><title>Ada Lovelace | Site</title></head>"
    assert ("title", "text", ["strip_suffix(' | Site')"]) in found(head, "Ada Lovelace")
    assert found("<p title='by  Ada'>x</p>", "Ada") == [
        ("p", "@title", ["strip_prefix('by ')"])
    ]
    assert found("<p class='Ada' style='Ada' alt=''>x</p>", "Ada") == []
    assert found("<a href='/Ada/more'>x</a>", "Ada") == []
    assert found("<p data-name='Ada-Lovelace'>x</p>", "Ada Lovelace") == []
    assert found(f"<p title='Ada {'x' * 49}'>x</p>", "Ada") == []


def test_an_address_that_says_what_people_read_is_a_place() -> None:
    page = '<a href="tel:+44201234567">Call</a><a href="/x/+44201234567x">More</a>'
    assert found(page, "+44201234567") == [("a", "@href", ["after('tel:')"])]


def test_a_style_is_read_for_the_picture_it_names() -> None:
    picture = "https://x.example/i/a.jpg"
    places = found(
        "<p style=\"background:url('/i/a.jpg')\">x</p>", picture, kind=FieldKind.URL
    )
    assert [(tag, get) for tag, get, _ in places] == [("p", "@style")]
    assert found("<a href='/i/b.jpg'>x</a>", picture, kind=FieldKind.URL) == []


def test_only_text_nodes_of_elements_that_hold_others_are_read_apart() -> None:
    gets = {(tag, get) for tag, get, _ in found("<p>Ada <b>wrote</b> it</p>", "Ada")}
    assert {("p", "head"), ("p", "own"), ("p", "text")} <= gets
    assert {(tag, get) for tag, get, _ in found("<p>Ada</p>", "Ada")} == {
        ("p", "text"),
        ("body", "text"),
        ("html", "text"),
    }


def test_elements_that_hold_much_more_than_the_value_are_no_places() -> None:
    def tags(extra: int) -> set[str]:
        html = f"<div><p>Ada</p><i>{'x' * extra}</i></div>"
        return {tag for tag, _, _ in found(html, "Ada")}

    assert "div" in tags(10)
    assert "div" not in tags(60)


def test_at_most_thirty_occurrences_of_a_value_are_looked_at() -> None:
    html = "".join(f"<p id='p{at}'>Ada</p>" for at in range(40))
    assert len([tag for tag, _, _ in found(html, "Ada") if tag == "p"]) == 30


def test_a_count_is_only_looked_for_beside_a_unit_of_some_length() -> None:
    assert found("<p>Serves 4</p>", "4 servings")
    assert found("<p>Serves 4</p>", "4 " + "x" * 31) == []
    assert found("<p>Serves 4</p>", "four servings") == []


def test_the_text_around_an_item_ends_with_it_and_begins_little_before() -> None:
    here = index("<ol><li>Step 2 <b>Mix it</b></li></ol><p>And so: Mix it</p>")
    assert list(here.texts_around("Mix it")) == ["Step 2 Mix it", "And so: Mix it"]
    far = index(f"<p>{'x' * 15} <b>Mix it</b></p><p>{'x' * 14} <b>Mix it</b></p>")
    assert list(far.texts_around("Mix it")) == [f"{'x' * 14} Mix it"]
    assert list(here.texts_around("-")) == []


def test_an_index_knows_its_record_and_holds_texts_and_a_shaken_page() -> None:
    page = index("<p class='a'>Oak floor</p>").document
    here = Index(page, "Product lamp", ("jsonld.Product",))
    assert here.about == {"product", "lamp"}
    assert here.main == ("jsonld.Product",)
    assert here.holds("oakfloor") and not here.holds("pine")
    assert here.shaken is not None
    assert here.shaken.text(here.shaken.by_tag["p"][0]) == "Oak floor"
    json = Page(
        url="https://x.example/api",
        body=b'{"a": 1}',
        headers={"content-type": "application/json"},
    )
    assert Index(Document(json)).shaken is None


def test_a_sign_is_found_where_it_stands_alone() -> None:
    assert ("dd", "text", []) in found("<dl><dt>Currency<dd> € </dl>", "€")
    assert found("<dl><dt>Currency<dd>$</dl>", "€") == []


def test_a_choice_is_found_in_the_words_that_sites_have_for_it() -> None:
    html = "<h1>A lamp</h1><p><b>Derzeit nicht verfügbar.</b> Ob und wann, wissen wir nicht.</p><i>OutOfStock</i>"
    both = {"kind": FieldKind.CHOICE, "choices": ("InStock", "OutOfStock")}
    assert found(html, "OutOfStock", **both) == [
        ("p", "text", []),
        ("b", "text", []),
        ("i", "text", []),
    ]
    assert found(html, "InStock", **both) == []
    other = {"kind": FieldKind.CHOICE, "choices": ("PreOrder", "OutOfStock")}
    assert found(html, "OutOfStock", **other) == [("i", "text", [])]


def test_a_choice_may_head_a_longer_text() -> None:
    rest = "the cord is too thin, and may get so warm that it is not safe to touch"
    html = f"<p>Fire hazard: {rest}</p><p>Care: {rest} after a fall</p>"
    spec = {"kind": FieldKind.CHOICE, "choices": ("fire", "fall")}
    steps = ["before(': ')", "regex('\\\\b(?:[fF]ire|[fF]all)\\\\b')"]
    assert ("p", "text", steps) in found(html, "fire", **spec)
    assert not [one for one in found(html, "fall", **spec) if "before" in str(one)]


def test_a_currency_may_be_said_by_its_sign() -> None:
    html = "<p>51,77 <b>lei</b></p><p>It costs about 20 lei in this shop and in all of its others.</p>"
    assert ("b", "text", ["currency"]) in found(html, "RON", kind=FieldKind.TEXT)
    assert found(html, "EUR", kind=FieldKind.TEXT) == []
    assert found(html, "ron", kind=FieldKind.TEXT) == []
