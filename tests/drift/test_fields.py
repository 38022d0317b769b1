"""Which fields are compared."""

import pytest

from crawloop_assets.drift.fields import (
    NUMERIC_KINDS,
    has_records,
    is_steady,
    single_fields,
    unasked_fields,
)
from crawloop_assets.family import FamilyExample
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.drift.small import IMAGE, PRICE, SKU, STOCK, TAGS, TITLE, family, schema


def test_a_list_of_records_is_no_list_of_texts_and_no_record():
    legs = FieldSpec(name="legs", kind=FieldKind.OBJECT, shape=Shape.LIST)
    one = legs.model_copy(update={"shape": Shape.ONE})
    assert list(map(has_records, (legs, one, TAGS))) == [True, False, False]


def test_lists_and_other_kinds_are_left_out():
    numbers = FieldSpec(name="sizes", kind=FieldKind.NUMBER, shape=Shape.LIST)
    every = schema(STOCK, TITLE, numbers, PRICE, TAGS, IMAGE)
    assert single_fields(every, NUMERIC_KINDS) == [STOCK, PRICE]
    assert single_fields(every, (FieldKind.TEXT,)) == [TITLE]


@pytest.mark.parametrize(
    ("spec", "stable", "steady"),
    [
        (TITLE, (), True),
        (PRICE, (), False),
        (PRICE, ("price",), True),
        (PRICE, ("stock",), False),
    ],
)
def test_a_field_is_steady_unless_it_is_volatile_and_not_declared_stable(
    spec, stable, steady
):
    assert is_steady(spec, family(stable=stable)) is steady


EXAMPLE = FamilyExample(
    url="https://shop.example/p/1", record={"sku": "K-1", "title": "Kettle"}
)


@pytest.mark.parametrize(
    ("drift", "taught", "left"),
    [
        ({}, (), {"image", "tags"}),
        ({"coverage": {"tags": 0.5}}, (), {"image"}),
        ({"stable": ("image",)}, ("tags",), set()),
    ],
    ids=["no line names them", "one is expected", "one is declared, one was taught"],
)
def test_what_neither_an_example_nor_a_line_of_the_file_has_nobody_asked_for(
    drift, taught, left
):
    """What may change every day is none of it: yesterday's value says nothing."""
    every = schema(SKU, TITLE, PRICE, IMAGE, TAGS)
    shown = family(**drift).model_copy(update={"examples": (EXAMPLE,)})
    assert unasked_fields(every, shown, taught) == left


def test_without_an_example_all_that_is_found_is_wanted():
    assert unasked_fields(schema(SKU, IMAGE, TAGS), family()) == frozenset()


def test_what_an_example_says_there_is_none_of_was_asked_for():
    none = EXAMPLE.model_copy(update={"record": {"sku": "K-1", "image": None}})
    shown = family().model_copy(update={"examples": (none,)})
    assert unasked_fields(schema(SKU, IMAGE, TAGS), shown) == {"tags"}
