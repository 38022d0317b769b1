"""Which fields are compared."""

import pytest

from crawloop_assets.drift.fields import NUMERIC_KINDS, is_steady, single_fields
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.drift.small import IMAGE, PRICE, STOCK, TAGS, TITLE, family, schema


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
