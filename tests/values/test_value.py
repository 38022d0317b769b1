"""A value is JSON, typed by its field: it travels as text and comes back the same."""

import json
from typing import get_type_hints

import pytest

from crawloop_assets.record import to_values
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values import value as module
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value

TEXTS = {
    FieldKind.TEXT: ("a &amp; b", "a & b"),
    FieldKind.NUMBER: ("$12.50", "12.50"),
    FieldKind.INTEGER: ("7 of them", 7),
    FieldKind.BOOLEAN: ("yes", True),
    FieldKind.MINUTES: ("1 h 5 min", 65),
    FieldKind.DATE: ("4 March 2021", "2021-03-04"),
    FieldKind.DATETIME: ("2021-03-04 10:00", "2021-03-04T10:00:00"),
    FieldKind.URL: ("/a", "https://x.example/a"),
    FieldKind.CHOICE: ("RED", "red"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_each_kind_has_the_json_form_that_is_promised(kind: FieldKind) -> None:
    text, form = TEXTS[kind]
    spec = FieldSpec(name="f", kind=kind, choices=("red",))
    value = parse_value(text, spec, "https://x.example/")
    assert value == form and type(value) is type(form)
    travelled: module.Value = json.loads(json.dumps(value))
    assert travelled == value and same(travelled, value, spec)


def test_lists_and_objects_are_made_of_values() -> None:
    parts = (FieldSpec(name="n", kind=FieldKind.INTEGER),)
    spec = FieldSpec(name="o", kind=FieldKind.OBJECT, shape=Shape.LIST, fields=parts)
    schema = RecordSchema(name="r", fields=(spec,))
    values = to_values({"o": [{"n": "1"}, {"n": "2"}]}, schema)
    assert values == json.loads(json.dumps(values)) == {"o": [{"n": 1}, {"n": 2}]}
    assert get_type_hints(parse_value)["return"] == (module.Value | None)


@pytest.mark.parametrize(
    ("value", "items"), [([1, 2], [1, 2]), ([], []), ("ab", ["ab"]), (None, [None])]
)
def test_what_has_no_brackets_is_a_list_of_one(value: object, items: object) -> None:
    assert module.as_list(value) == items
