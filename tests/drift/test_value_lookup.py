"""What a page is asked for a record, and what its answers say of a value."""

import pytest

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import (
    list_form,
    net_form,
    numeral_form,
    struck_form,
    text_form,
)
from crawloop_assets.drift.value_lookup import (
    asked_forms,
    is_on_page,
    known_forms,
    points_of,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

TITLE, PRICE = FieldSpec(name="title"), FieldSpec(name="price", kind=FieldKind.NUMBER)
TAGS, IMAGE = (
    FieldSpec(name="tags", shape=Shape.LIST),
    FieldSpec(name="image", kind=FieldKind.URL),
)


def test_a_page_is_asked_for_texts_and_numbers_and_what_a_number_is():
    record = {
        "title": "Copper Kettle",
        "price": "12.50",
        "tags": ["stove", "★"],
        "image": "https://shop.example/1.jpg",
    }
    assert asked_forms([record, {"title": None}], [TITLE, PRICE, TAGS, IMAGE]) == {
        text_form("Copper Kettle"),
        numeral_form("12.5"),
        net_form("12.5"),
        text_form("stove"),
    }


def test_a_known_amount_is_also_looked_for_as_crossed_out():
    records, fields = [{"title": "Kettle", "price": "12.50"}, {}], [TITLE, PRICE]
    assert known_forms(records, fields) == {
        *asked_forms(records, fields),
        struck_form("12.5"),
    }


def test_a_known_list_is_also_looked_for_as_a_whole():
    records, fields = [{"tags": ["stove", "iron"]}, {}], [TAGS]
    assert known_forms(records, fields) == {
        *asked_forms(records, fields),
        list_form(["stove", "iron"]),
    }


def test_records_in_a_record_are_looked_for_by_their_texts():
    place, left = FieldSpec(name="place"), FieldSpec(name="left", kind=FieldKind.NUMBER)
    stock = FieldSpec(
        name="stock", kind=FieldKind.OBJECT, shape=Shape.LIST, fields=(place, left)
    )
    record = {"stock": [{"place": "Hamburg", "left": "7"}, {"place": "Ulm"}]}
    assert known_forms([record], [stock]) == {text_form("Hamburg")}, "Ulm is anywhere"
    assert known_forms([record, record], [stock]) == set(), "a list has those of others"
    assert known_forms([{}], [stock]) == set()
    one = stock.model_copy(update={"shape": Shape.ONE})
    assert known_forms([{"stock": {"place": "Hamburg"}}], [one]) == set()


@pytest.mark.parametrize(
    ("value", "spec", "grounded"),
    [
        ("Kettle", TITLE, True),
        ("Pot", TITLE, False),
        ("Lid", TITLE, None),
        (["Kettle", "Pot", "Lid"], TAGS, False),
        (["Kettle", "Lid"], TAGS, None),
        (["Kettle", "kettle!"], TAGS, True),
        ("12.50", PRICE, True),
        ("https://shop.example/1.jpg", IMAGE, None),
    ],
)
def test_what_nobody_asked_for_cannot_be_told(value, spec, grounded):
    facts = PageFacts(stands={"kettle": True, "pot": False, "#12.5": True})
    assert is_on_page(value, spec, facts) is grounded


def test_numbers_are_looked_for_by_the_points_of_their_fields():
    comma = FieldSpec(name="price", kind=FieldKind.NUMBER, decimal=",")
    point = FieldSpec(name="rating", kind=FieldKind.NUMBER, decimal=".")
    text = FieldSpec(name="title")
    assert points_of([comma, text, point]) == (",", ".")
    assert points_of([text]) == ("",)
    assert points_of([FieldSpec(name="stock", kind=FieldKind.INTEGER)]) == ("",)
