import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, HttpUrl, NaiveDatetime, create_model

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.store import unstorable
from crawloop_assets.store.commit import apply_commit
from crawloop_assets.store.db import TABLES
from crawloop_assets.store.encoding import decode
from crawloop_assets.store.tables import table_name
from crawloop_assets.store.typemap import ColumnType, columns, merged, narrowed, sql
from tests.store import models
from tests.store.conftest import commit, family, served


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Node(BaseModel):
    name: str
    children: list["Node"] = []


class Loose(BaseModel, extra="allow"):
    name: str = ""


text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
moments = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1))
zones = st.integers(-720, 720).map(lambda minutes: timezone(timedelta(minutes=minutes)))
aware = st.builds(lambda moment, zone: moment.replace(tzinfo=zone), moments, zones)
free = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | text
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2)
    ),
    max_leaves=4,
)
# With all lists given: one that nobody has read is NULL in tables, whatever its default.
nodes = st.recursive(
    st.builds(Node, name=text, children=st.builds(list)),
    lambda inner: st.builds(Node, name=text, children=st.lists(inner, max_size=2)),
    max_leaves=3,
)
Kind = tuple[Any, st.SearchStrategy[Any]]
SCALARS: list[Kind] = [
    (str, text),
    (int, st.integers(-(2**63), 2**63 - 1)),
    (float, st.floats(allow_nan=False, allow_infinity=False)),
    (bool, st.booleans()),
    (Decimal, st.decimals(-(10**12), 10**12, places=6)),
    (
        Annotated[Decimal, Field(max_digits=30, decimal_places=9)],
        st.decimals(-(10**18), 10**18, places=9),
    ),
    (date, st.dates()),
    (datetime, aware),
    (NaiveDatetime, moments),
    (time, st.times()),
    (timedelta, st.timedeltas(timedelta(days=-90_000), timedelta(days=90_000))),
    (UUID, st.uuids()),
    (bytes, st.binary(max_size=6)),
    (Colour, st.sampled_from(Colour)),
    (Level, st.sampled_from(Level)),
    (Literal["a", "b"], st.sampled_from(["a", "b"])),
    (Literal[1, 2], st.sampled_from([1, 2])),
    (
        int | str,
        st.integers(-9, 9)
        | text.filter(lambda value: not value.strip().lstrip("+-").isdigit()),
    ),
    (
        HttpUrl,
        st.sampled_from(["https://a.test/", "https://b.test/x?y=%20#z"]).map(HttpUrl),
    ),
    (Any, free),
    (dict[str, int], st.dictionaries(text, st.integers(-9, 9), max_size=3)),
    (Node, nodes),
    (
        Loose,
        st.dictionaries(st.sampled_from(["key", "value", "x"]), text).map(
            lambda more: Loose(**more)
        ),
    ),
]
NAMES = st.sampled_from(
    [
        "key",
        "value",
        "title",
        "order",
        "at",
        "select",
        "from",
        "x y",
        'quo"te',
        "Ünïcode",
        "group",
        "row",
        "state",
        "url",
    ]
)


@st.composite
def models_and_values(
    draw: st.DrawFn, depth: int = 2
) -> tuple[type[BaseModel], st.SearchStrategy[BaseModel]]:
    """A random model, and a strategy for its instances."""
    fields: dict[str, Any] = {}
    values: dict[str, st.SearchStrategy[Any]] = {}
    for name in draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.lower)):
        annotation, value = draw(st.sampled_from(SCALARS))
        if depth and draw(st.booleans()) and draw(st.booleans()):
            annotation, value = draw(models_and_values(depth - 1))
        wrap = draw(st.sampled_from(["one", "one", "list", "optional", "tuple"]))
        if wrap == "list":
            annotation, value = list[annotation], st.lists(value, max_size=3)
        elif wrap == "tuple":
            annotation, value = (
                tuple[annotation, ...],
                st.lists(value, max_size=3).map(tuple),
            )
        elif wrap == "optional":
            annotation, value = Optional[annotation], st.none() | value  # noqa: UP045 - a value, not an annotation
        fields[name], values[name] = (annotation, ...), value
    model = create_model("Generated", **fields)
    return model, st.fixed_dictionaries(values).map(
        lambda given: model.model_construct(**given)
    )


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("set timezone = 'America/New_York'")
        opened.execute(TABLES)
        yield opened


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_records_read_equal_records_written(
    connection: duckdb.DuckDBPyConnection, data: st.DataObject
) -> None:
    model, instances = data.draw(models_and_values())
    record = data.draw(instances)
    models.Generated = model  # type: ignore[attr-defined]
    connection.execute("begin")
    try:
        of = family(schema="tests.store.models:Generated")
        apply_commit(
            connection, commit("r1", [served("https://shop.test/a", record)], of)
        )
        assert (
            apply_commit(
                connection, commit("r2", [served("https://shop.test/a", record)], of)
            ).same
            == 1
        )
        for table in ("generated", "generated_history"):
            found = connection.execute(f"select * from {table}")
            names = [column[0] for column in found.description]
            (row,) = found.fetchall()
            plain = {
                name: decode(columns(model)[name], value)
                for name, value in zip(names, row, strict=True)
                if name in model.model_fields
            }
            assert model.model_validate(plain, by_name=True) == record
    finally:
        connection.execute("rollback")


def test_types_are_what_an_analyst_expects() -> None:
    assert {name: sql(kind) for name, kind in columns(models.Full).items()} == {
        "title": "VARCHAR",
        "price": "DECIMAL(18,4)",
        "tags": "VARCHAR[]",
        "offers": 'STRUCT("key" VARCHAR, "value" DECIMAL(18,4))[]',
        "specs": "JSON",
        "published": "DATE",
        "order": "BIGINT",
    }


def test_table_names_are_snake_case() -> None:
    names = ["Product", "Product2", "BookDetail", "HTTPPage", "HNItem"]
    assert [table_name(name) for name in names] == [
        "product",
        "product2",
        "book_detail",
        "http_page",
        "hn_item",
    ]
    for taken in ("Pages", "LlmCalls", "ProductHistory"):
        with pytest.raises(SchemaConflict, match="rename"):
            table_name(taken)


def test_fields_that_differ_only_in_case_are_refused() -> None:
    with pytest.raises(SchemaConflict, match="'Title' and 'title'"):
        columns(create_model("Twins", Title=(str, ""), title=(str, "")))


@pytest.mark.parametrize(
    ("annotation", "value", "why"),
    [
        (int, 2**63, "64 bits"),
        (list[int], [0, -(2**63) - 1], "64 bits"),
        (float, float("nan"), "not a number"),
        (Decimal, Decimal("Infinity"), "not a number"),
        (Annotated[Decimal, Field(decimal_places=2)], Decimal("1e-30"), "exactly"),
        (Decimal, Decimal("1.5") * Decimal(10) ** 40, "exactly"),
        (str, "half \ud83d", "surrogate"),
        (dict[str, str], {"a": "\ud83d"}, "surrogate"),
        (dict[str, Any], {"a": float("inf")}, "JSON"),
        (datetime, datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))), "years"),
    ],
)
def test_what_cannot_be_stored_exactly_is_refused_naming_the_field(
    annotation: Any, value: Any, why: str
) -> None:
    model = create_model("Odd", field=(annotation, ...))
    reason = unstorable(model.model_construct(field=value))
    assert reason is not None and reason.startswith("Odd.field: ") and why in reason


def test_a_time_without_a_zone_is_utc() -> None:
    model = create_model("Stamp", field=(datetime, ...))
    assert unstorable(model(field=datetime(2026, 1, 1))) is None
    assert sql(columns(model)["field"]) == "TIMESTAMPTZ"


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [
        ("DECIMAL(18,4)", "DECIMAL(20,2)", "DECIMAL(22,4)"),
        (["BIGINT"], ["BIGINT"], ["BIGINT"]),
        ({"a": "BIGINT"}, {"b": "DATE"}, {"a": "BIGINT", "b": "DATE"}),
        ([{"a": "DECIMAL(18,4)"}], [{"a": "DECIMAL(18,6)"}], [{"a": "DECIMAL(20,6)"}]),
        ("BIGINT", "VARCHAR", None),
        ("BIGINT", ["BIGINT"], None),
        ({"a": "BIGINT"}, {"a": "DATE"}, None),
        ({"a": "BIGINT"}, {"A": "BIGINT"}, None),
    ],
)
def test_types_merge_without_loss_or_not_at_all(old: Any, new: Any, both: Any) -> None:
    assert merged(json.loads(json.dumps(old)), new) == both


def test_decoded_times_are_utc() -> None:
    assert (
        decode(
            "TIMESTAMPTZ", datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1)))
        ).tzinfo
        is UTC
    )


def test_a_type_is_narrowed_to_the_nested_fields_that_are_declared() -> None:
    stored: ColumnType = [{"a": "VARCHAR", "b": {"c": "DECIMAL(20,6)", "d": "DATE"}}]
    declared: ColumnType = [{"b": {"c": "DECIMAL(18,4)"}}]
    assert narrowed(stored, declared) == [{"b": {"c": "DECIMAL(20,6)"}}]
    assert narrowed(stored, stored) == stored
    assert narrowed("DECIMAL(20,6)", "DECIMAL(18,4)") == "DECIMAL(20,6)"
