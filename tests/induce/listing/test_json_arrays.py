import json
from itertools import islice
from typing import Any

import pytest

from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.document.document import Document
from crawloop_assets.document.json_rows import ABOVE
from crawloop_assets.induce.listing.json_arrays import arrays, json_boundaries
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import RECORDS, SCHEMA, document

ITEMS = [
    {"title": one["name"], "on": one["filed"], "pdf": one["url"]} for one in RECORDS
]


def body(value: Any) -> Document:
    return document(json.dumps(value), kind="application/json")


def paths(value: Any) -> list[str]:
    return [path for path, _ in arrays(body(value))]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [{}, {}]}, ["body.a[*]"]),
        ([{}, {}], ["body[*]"]),
        ({"a": [{}]}, []),
        ({"a": [1, 2]}, []),
        ({"a": [[1, 2], [3, 4]]}, ["body.a[*]"]),
        ({"a": [[1], [3]]}, []),
        ({"a": [{"b": [{}, {}]}]}, ["body.a[0].b[*]"]),
        ({"a": [1, 2, 3, {"b": [{}, {}]}]}, []),
    ],
)
def test_arrays_of_objects_or_rows_are_found(value: Any, expected: list[str]) -> None:
    assert paths(value) == expected


def test_deep_and_many_arrays_are_left_out() -> None:
    deep: Any = [{}, {}]
    for _ in range(8):
        deep = {"a": deep}
    assert paths(deep) == ["body" + ".a" * 8 + "[*]"]
    assert paths({"a": deep}) == []
    assert len(paths({f"k{n}": [{}, {}] for n in range(70)})) == 60


def test_several_linked_objects_of_a_type_are_no_array() -> None:
    script = json.dumps({"@type": "Offer", "parts": [{"a": 1}, {"a": 2}]})
    island = f"<script type='application/ld+json'>{script}</script>"
    assert arrays(document(island))
    assert [
        path for path, _ in arrays(document(island * 2)) if path.startswith("ld:Offer")
    ] == []


def test_the_array_that_holds_the_records_is_the_boundary() -> None:
    page = body({"other": [{"x": 1}, {"x": 2}], "items": ITEMS})
    (found,) = json_boundaries(SCHEMA, page, RECORDS[1:3])
    assert found.boundary.at == "body.items[*]"
    assert {at: scope.data for at, scope in found.known.items()} == {
        0: ITEMS[1],
        1: ITEMS[2],
    }
    assert (found.covered, found.alike, found.prior) == (6, 4, 0.8)
    assert {scope.nodes for scope in found.scopes} == {(0,)}


def test_one_value_each_is_no_record_unless_there_is_but_one_field() -> None:
    page = body({"items": [{"title": one["name"]} for one in RECORDS]})
    assert json_boundaries(SCHEMA, page, RECORDS) == []
    schema = RecordSchema(name="Case", fields=(FieldSpec(name="name"),))
    (found,) = json_boundaries(schema, page, RECORDS)
    assert found.covered == 4


def test_items_that_are_as_many_as_the_records_may_say_the_rest_in_other_units() -> (
    None
):
    number = FieldSpec(name="price", kind=FieldKind.NUMBER)
    schema = RecordSchema(name="Fare", fields=(FieldSpec(name="season"), number))
    pairs = (("low", 17), ("mid", 23), ("high", 30))
    fares = [{"season": one, "price": str(price)} for one, price in pairs]
    items = [{"name": one, "cents": 100 * price} for one, price in pairs]
    (found,) = json_boundaries(schema, body({"fares": items}), fares)
    assert (found.boundary.at, set(found.known)) == ("body.fares[*]", {0, 1, 2})
    more = [*items, {"name": "late", "cents": 900}]
    assert json_boundaries(schema, body({"fares": more}), fares) == []
    assert json_boundaries(schema, body({"fares": items[:2]}), fares) == []


def test_an_item_is_one_record_only() -> None:
    page = body({"items": ITEMS})
    (found,) = json_boundaries(SCHEMA, page, [RECORDS[0], RECORDS[0]])
    assert set(found.known) == {0}
    assert found.covered == 3


def test_the_item_with_most_values_is_the_record() -> None:
    partly = {"title": RECORDS[0]["name"], "on": "1999-01-01"}
    page = body({"items": [partly, *ITEMS]})
    (found,) = json_boundaries(SCHEMA, page, RECORDS[:1])
    assert found.known[0].data == ITEMS[0]


def test_arrays_under_several_keys_are_joined_if_they_hold_records() -> None:
    other = [{"title": "Nobody", "on": "1999-01-01"}, {"title": "None", "on": ""}]
    page = body({"first": ITEMS[:2], "second": ITEMS[2:], "third": other})
    found = json_boundaries(SCHEMA, page, [RECORDS[0], RECORDS[3]])
    assert found[0].boundary.at == 'body["first","second"][*]'
    keys = ["first", "first", "second", "second"]
    assert [scope.data for scope in found[0].scopes] == [
        {**item, ABOVE: {".1": key}} for item, key in zip(ITEMS, keys, strict=True)
    ]
    assert len(found) == 2


@pytest.mark.parametrize("sizes", [(2, 2), (1, 3), (0, 3, 1)])
def test_arrays_of_groups_are_one_array(sizes: tuple[int, ...]) -> None:
    rows = iter(ITEMS)
    groups = [
        {"court": f"Court {at}", "held": [*islice(rows, size)], "odd": size}
        for at, size in enumerate(sizes)
    ]
    page = body({"courts": groups})
    found, *_ = json_boundaries(SCHEMA, page, [RECORDS[0], RECORDS[3]])
    assert found.boundary.at == "body.courts[*].held[*]"
    courts = [(at, size) for at, size in enumerate(sizes) for _ in range(size)]
    rows_read = [
        {**item, ABOVE: {"court": f"Court {at}", "odd": size}}
        for item, (at, size) in zip(ITEMS, courts, strict=True)
    ]
    assert [scope.data for scope in found.scopes] == rows_read
    assert [one.data for one in scopes(page, found.boundary)] == rows_read


def test_parts_of_records_are_no_records_and_rows_of_groups_are() -> None:
    pictures = [
        {**one, "pics": [{"at": "s.jpg", "w": 1}, {"at": "l.jpg", "w": 2}]}
        for one in ITEMS
    ]
    found = json_boundaries(SCHEMA, body({"rows": pictures}), RECORDS[:3])
    assert [one.boundary.at for one in found] == ["body.rows[*]"]
    groups = [{"court": "A", "cases": ITEMS[:2]}, {"court": "B", "cases": ITEMS[2:]}]
    found = json_boundaries(SCHEMA, body({"groups": groups}), RECORDS[:3])
    assert found[0].boundary.at == "body.groups[*].cases[*]"


def test_a_map_of_records_is_an_array_with_their_keys() -> None:
    page = body({"by": {f"no {at}": item for at, item in enumerate(ITEMS)}})
    found, *_ = json_boundaries(SCHEMA, page, [RECORDS[0], RECORDS[3]])
    assert found.boundary.at == "body.by[*]"
    assert found.known[1].data == {**ITEMS[3], ABOVE: {".1": "no 3"}}


@pytest.mark.parametrize(
    "parts",
    [
        {"a": {"x": 1}, "b": {"x": 2}},
        {"a": {"x": 1}, "b": {"x": 2}, "c": {"y": 3}},
        {"a": {"x": 1}, "b": {"x": 2}, "c": 3},
    ],
)
def test_few_objects_or_other_ones_are_no_map(parts: Any) -> None:
    assert paths({"by": parts}) == []


def test_the_list_of_one_group_is_no_more_than_itself() -> None:
    page = body({"courts": [{"held": ITEMS}, {"held": None}]})
    found, *_ = json_boundaries(SCHEMA, page, [RECORDS[0], RECORDS[3]])
    assert found.boundary.at == "body.courts[0].held[*]"


@pytest.mark.parametrize("kind", [FieldKind.DATE, FieldKind.DATETIME])
def test_a_moment_that_is_a_number_is_a_known_value(kind: FieldKind) -> None:
    when = FieldSpec(name="when", kind=kind)
    schema = RecordSchema(name="Case", fields=(FieldSpec(name="name"), when))
    rows = [{"n": f"Case {at}", "t": 1772346147 + 86_400 * at} for at in range(3)]
    days = [f"2026-03-0{1 + at}T06:22:27" for at in range(3)]
    records = [{"name": f"Case {at}", "when": day} for at, day in enumerate(days)]
    (found,) = json_boundaries(schema, body({"rows": rows}), records)
    assert (found.covered, len(found.known)) == (6, 3)


def test_lists_are_compared_by_their_first_item_and_nothing_by_none() -> None:
    page = body({"items": ITEMS})
    record = {"name": [RECORDS[0]["name"]], "filed": RECORDS[0]["filed"], "url": []}
    (found,) = json_boundaries(SCHEMA, page, [record])
    assert found.covered == 2
