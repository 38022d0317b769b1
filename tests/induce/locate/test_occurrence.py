import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.occurrence import is_stated_whole, occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.pages import page

TEXT = FieldSpec(name="f")
LIST = FieldSpec(name="f", shape=Shape.LIST)


def index(body: str) -> Index:
    return Index(Document(page(0, f"<html><body>{body}</body></html>")))


def json_index(body: str) -> Index:
    return Index(
        Document(
            Page(
                url="https://x.example/api",
                body=body.encode(),
                headers={"content-type": "application/json"},
            )
        )
    )


def test_a_text_occurs_whatever_markup_is_inside_of_it() -> None:
    here = index("<p>Long before it: Oak and <i>walnut</i>, and long after it.</p>")
    assert occurs_on(here, "oak AND walnut", TEXT)
    assert not occurs_on(here, "oak or walnut", TEXT)
    assert not occurs_on(here, "…", TEXT), "a text without letters tells nothing"


def test_a_time_of_day_occurs_with_its_hours_said_by_a_letter() -> None:
    here = index("<p>On Monday, 14h15</p>")
    assert occurs_on(here, "14:15", TEXT)
    assert not occurs_on(here, "14:16", TEXT)


def test_a_number_occurs_as_a_number_and_not_as_part_of_a_text() -> None:
    number = FieldSpec(name="f", kind=FieldKind.NUMBER)
    here = index("<p>costs 1.299,00</p>")
    assert occurs_on(here, "1299", number)
    assert not occurs_on(here, "129", number)
    assert occurs_on(here, "129", TEXT)


def test_all_items_of_a_list_have_to_occur() -> None:
    here = index("<p>Oak</p><p>walnut</p>")
    assert occurs_on(here, ["Oak", "walnut"], LIST)
    assert not occurs_on(here, ["Oak", "pine"], LIST)
    assert occurs_on(here, [], LIST)


def test_an_address_occurs_by_its_last_step() -> None:
    url = FieldSpec(name="f", kind=FieldKind.URL)
    here = index("<img src='/i/a.jpg'><p>see file-b.jpg</p>")
    assert occurs_on(here, "https://shop.example/i/a.jpg", url)
    assert occurs_on(here, "https://cdn.example/x/file-b.jpg", url)
    assert not occurs_on(here, "https://shop.example/i/c.jpg", url)


def test_a_number_that_ends_an_address_is_not_any_number_of_the_text() -> None:
    url = FieldSpec(name="f", kind=FieldKind.URL)
    here = index("<a href='/boat/93'>built 1992</a><p>92.000</p>")
    assert occurs_on(here, "https://shop.example/boat/93", url)
    assert not occurs_on(here, "https://shop.example/boat/92", url)


def test_the_parts_of_an_object_that_are_known_have_to_occur() -> None:
    spec = FieldSpec(
        name="offer",
        kind=FieldKind.OBJECT,
        fields=(FieldSpec(name="seller"), FieldSpec(name="note")),
    )
    here = index("<p>Nordlys</p><p>new</p>")
    assert occurs_on(here, {"seller": "Nordlys", "note": "new"}, spec)
    assert occurs_on(here, {"seller": "Nordlys"}, spec)
    assert not occurs_on(here, {"seller": "Nordlys", "note": "old"}, spec)
    assert occurs_on(here, "no object", spec)


def test_what_only_the_json_of_a_page_says_occurs() -> None:
    here = json_index('{"lamp": {"maker": "Nord Lys", "sold": 7}}')
    assert occurs_on(here, "nordlys", TEXT)
    assert not occurs_on(here, "nord", TEXT), "a part of a value is no value"
    assert occurs_on(here, "7", FieldSpec(name="f", kind=FieldKind.INTEGER))


@pytest.mark.parametrize(
    ("items", "stands"),
    [
        (["Chop.", "Boil."], True),
        (["boil", "chop"], True),
        (["Broth", "Chop.", "Boil."], False),
        (["Chop."], False),
        (["Broth"], False),  # whole, and alone
    ],
)
def test_a_list_is_stated_whole_without_what_stands_around_it(
    items: list[Value], stands: bool
) -> None:
    page = json_index(
        '{"steps": [{"name": "Broth", "steps": [{"text": "Chop."}, {"text": "Boil."}]}]}'
    )
    assert is_stated_whole(page, items, LIST) is stands
    assert not is_stated_whole(page, items, TEXT)
    shown = index("<h2>Broth</h2><ol><li>Chop.</li><li>Boil.</li></ol>")
    assert not is_stated_whole(shown, items, LIST), "only JSON tells where a list ends"


def answer(body: str) -> Index:
    """What an API answers."""
    headers = {"content-type": "application/json"}
    page = Page(url="http://a.test/", body=body.encode(), headers=headers)
    return Index(Document(page))


@pytest.mark.parametrize(
    ("body", "occurs"),
    [
        ('{"price": 32600.0}', True),
        ('{"price": "32,600.00"}', True),
        ('{"price": "32.600,00"}', True),
        ('{"price": 3260}', False),
        ('{"text": "32.600,00 and some words more of it"}', False),
    ],
)
def test_a_number_occurs_in_json_however_it_is_written(body: str, occurs: bool) -> None:
    price = FieldSpec(name="price", kind=FieldKind.NUMBER)
    assert occurs_on(answer(body), "32600", price) is occurs


@pytest.mark.parametrize(
    ("body", "occurs"),
    [
        ('{"eta": "2026-03-04T12:00:00"}', True),
        ('{"eta": "2026-03-04T12:00:00Z"}', True),
        ('{"eta": "2026-03-04T13:00:00+01:00"}', True),
        ('{"eta": "2026-03-04T12:00:00.000000+00:00"}', True),
        ('{"eta": 1772625600}', True),
        ('{"eta": 1772625601}', False),
        ('{"eta": "2026-03-04T12:30:00"}', False),
    ],
)
def test_a_moment_occurs_in_json_however_it_is_written(body: str, occurs: bool) -> None:
    eta = FieldSpec(name="eta", kind=FieldKind.DATETIME)
    assert occurs_on(answer(body), "2026-03-04T12:00:00+00:00", eta) is occurs
