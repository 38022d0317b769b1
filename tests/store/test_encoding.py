"""Values on their way to a column and back."""

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.store.encoding import decode, encode, encode_record, unstorable
from crawloop_assets.store.typemap import ColumnType, columns
from tests.store.models import Offer, Row

HERE = timezone(timedelta(hours=2))


class Size(Enum):
    SMALL = "s"


@pytest.mark.parametrize(
    ("column", "value", "staged"),
    [
        ("VARCHAR", "Tea", "Tea"),
        ("VARCHAR", Size.SMALL, "s"),
        ("VARCHAR", time(9, 30), "09:30"),
        ("VARCHAR", time(9, 30, 5), "09:30:05"),
        ("BIGINT", -(2**63), -(2**63)),
        ("BIGINT", True, 1),
        ("DOUBLE", 1, 1.0),
        ("DECIMAL(18,4)", Decimal("1.5"), Decimal("1.5")),
        ("DECIMAL(18,4)", Decimal("-0.0"), Decimal(0)),
        (
            "DECIMAL(18,4)",
            Decimal("99999999999999.9999"),
            Decimal("99999999999999.9999"),
        ),
        ("TIMESTAMPTZ", datetime(2026, 1, 1), datetime(2026, 1, 1, tzinfo=UTC)),
        ("DATE", date(2026, 1, 1), date(2026, 1, 1)),
        ("BIGINT", None, None),
        (["VARCHAR"], None, None),
    ],
)
def test_a_scalar_is_staged_as_it_is(column: str, value: Any, staged: Any) -> None:
    found = encode(column, value)
    assert found == staged and type(found) is type(staged)


@pytest.mark.parametrize(
    ("column", "value", "plain"),
    [
        (["VARCHAR"], ["b", "a"], ["b", "a"]),
        (["VARCHAR"], {"b", "a"}, ["a", "b"]),
        (["BIGINT"], (2, None), [2, None]),
        (["DECIMAL(18,4)"], [Decimal("1E+2"), Decimal("2.50")], ["100", "2.50"]),
        (["DATE"], [date(2026, 1, 2)], ["2026-01-02"]),
        (
            ["TIMESTAMPTZ"],
            [datetime(2026, 1, 2, 3, tzinfo=HERE)],
            ["2026-01-02T01:00:00+00:00"],
        ),
        (["INTERVAL"], [timedelta(seconds=1.5)], ["1500000 microseconds"]),
        (["UUID"], [UUID(int=7)], [str(UUID(int=7))]),
        (["BASE64"], [b"tea"], ["dGVh"]),
        (["BOOLEAN"], [True], [True]),
        (
            {"key": "VARCHAR", "value": "DECIMAL(18,4)", "gone": "BIGINT"},
            Offer(key="a", value=Decimal(1)),
            {"key": "a", "value": "1", "gone": None},
        ),
        ("JSON", {"b": [1, {"a": b"tea"}]}, {"b": [1, {"a": "dGVh"}]}),
    ],
)
def test_a_nested_value_is_staged_as_json(column: Any, value: Any, plain: Any) -> None:
    text = encode(column, value)
    assert json.loads(text) == plain
    assert text == json.dumps(plain, ensure_ascii=False, sort_keys=True)


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("BIGINT", 2**63, "64 bits"),
        ("DOUBLE", float("inf"), "not a number"),
        ("DECIMAL(18,4)", Decimal("NaN"), "not a number"),
        ("DECIMAL(18,4)", Decimal("0.00001"), "exactly"),
        ("DECIMAL(18,4)", Decimal("1E+14"), "exactly"),
        ("VARCHAR", "\ud83d", "surrogate"),
        ("JSON", {"a": object()}, "is not JSON"),
        (
            "TIMESTAMPTZ",
            datetime(9999, 12, 31, 23, tzinfo=timezone(-timedelta(hours=9))),
            "years",
        ),
    ],
)
def test_what_a_column_cannot_hold_exactly_is_refused(
    column: str, value: Any, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        encode(column, value)


@pytest.mark.parametrize(
    ("column", "stored", "value"),
    [
        ("JSON", '{"a": [1]}', {"a": [1]}),
        ("BASE64", "dGVh", b"tea"),
        ("DECIMAL(18,4)", Decimal("12.5000"), Decimal("12.5")),
        ("DECIMAL(18,4)", Decimal("100.0000"), Decimal(100)),
        ("VARCHAR", "Tea", "Tea"),
        (["DECIMAL(18,4)"], [Decimal("1.5000"), None], [Decimal("1.5"), None]),
        ({"a": "JSON", "b": "BIGINT"}, {"a": "[1]"}, {"a": [1], "b": None}),
        ("BIGINT", None, None),
    ],
)
def test_what_is_stored_is_read_as_plain_python(
    column: Any, stored: Any, value: Any
) -> None:
    found = decode(column, stored)
    assert found == value and str(found) == str(value)


def test_stored_times_are_read_in_utc() -> None:
    found = decode("TIMESTAMPTZ", datetime(2026, 1, 1, 2, tzinfo=HERE))
    assert found == datetime(2026, 1, 1, tzinfo=UTC) and found.tzinfo is UTC


@given(st.decimals(-(10**13), 10**13, places=4))
def test_a_price_survives_without_an_exponent(value: Decimal) -> None:
    staged = encode("DECIMAL(18,4)", value)
    found = decode("DECIMAL(18,4)", staged.quantize(Decimal("0.0001")))
    assert found == value and "E" not in str(found)


def test_a_record_is_staged_field_by_field() -> None:
    record = Row(title="Tea", price=Decimal("1.5"))
    assert encode_record(record, columns(Row)) == {
        "title": "Tea",
        "price": Decimal("1.5"),
    }
    with pytest.raises(SchemaConflict, match=r"Row\.title: holds half"):
        encode_record(Row(title="\ud83d", price=None), columns(Row))


class Parts(BaseModel):
    """Lists that nobody has to read, at two depths."""

    title: str = ""
    tags: list[str] = []
    sizes: frozenset[int] | None = frozenset({1})
    inner: list["Parts"] = Field(default_factory=list)


def test_a_list_that_was_not_read_is_null_whatever_its_default_is() -> None:
    kinds: dict[str, ColumnType] = {
        "title": "VARCHAR",
        "tags": ["VARCHAR"],
        "sizes": ["BIGINT"],
        "inner": [{"title": "VARCHAR", "tags": ["VARCHAR"]}],
    }
    unread = {"title": "", "tags": None, "sizes": None, "inner": None}
    assert encode_record(Parts(), kinds) == unread
    read = Parts(tags=[], sizes=frozenset(), inner=[Parts(title="a"), Parts(tags=[])])
    assert encode_record(read, kinds) == {
        "title": "",
        "tags": "[]",
        "sizes": "[]",
        "inner": '[{"tags": null, "title": "a"}, {"tags": [], "title": ""}]',
    }


def test_a_record_that_only_needs_a_wider_column_can_be_stored() -> None:
    class Price(BaseModel):
        amounts: list[Decimal]

    wide = Price(amounts=[Decimal(10) ** 20, Decimal("0.000001")])
    assert unstorable(wide) is None
    assert unstorable(Price(amounts=[])) is None
    why = unstorable(Price(amounts=[Decimal(10) ** 39]))
    assert why is not None and why.startswith("Price.amounts: ")
