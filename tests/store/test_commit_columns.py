"""What a changed schema does to the columns that commits write."""

from decimal import Decimal

import pytest
from pydantic import create_model

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.store import (
    Store,
)
from tests.store.conftest import commit, family, served
from tests.store.models import Row
from tests.store.test_commit import A, B, Rows, item


def test_a_new_field_is_a_new_column_and_changes_no_row(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = family(schema="tests.store.models:Row")
    store.commit_batch(commit("r1", [served(A, Row(title="Tea"))], of))
    wider = create_model("Row", __base__=Row, colour=(str | None, None))
    monkeypatch.setattr("tests.store.models.Row", wider)
    assert (
        store.commit_batch(commit("r2", [served(A, wider(title="Tea"))], of)).same == 1
    )
    assert (
        store.commit_batch(
            commit("r3", [served(A, wider(title="Tea", colour="red"))], of)
        ).changed
        == 1
    )
    assert store.known(of) == {A: [{"title": "Tea", "colour": "red"}]}


def test_a_changed_type_is_refused_with_both_types_and_the_way_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = family(schema="tests.store.models:Row")
    store.commit_batch(commit("r1", [served(A, Row(title="Tea"))], of))
    other = create_model("Row", title=(int, ...))
    monkeypatch.setattr("tests.store.models.Row", other)
    with pytest.raises(
        SchemaConflict,
        match=r"Row\.title is stored as VARCHAR and now declared as BIGINT.*Row2",
    ):
        store.commit_batch(commit("r2", [served(A, other(title=1))], of))


def test_a_decimal_column_grows_with_its_values(store: Store, rows: Rows) -> None:
    store.commit_batch(commit("r1", [served(A, item("Tea", "1.5"))]))
    store.commit_batch(commit("r2", [served(B, item("Coin", "0.000000000123456789"))]))
    assert [
        row["price"] for row in rows("select price from item order by title desc")
    ] == [
        Decimal("1.5"),
        Decimal("0.000000000123456789"),
    ]
    with pytest.raises(SchemaConflict, match=r"Item\.price"):
        store.commit_batch(commit("r3", [served(B, item("Coin", "1e-39"))]))


def test_names_the_store_uses_itself_are_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tests.store.models.Row", create_model("Pages", title=(str, ...))
    )
    with pytest.raises(SchemaConflict, match="rename"):
        store.commit_batch(commit("r1", of=family(schema="tests.store.models:Row")))


def test_columns_say_what_they_mean(store: Store, rows: Rows) -> None:
    store.commit_batch(commit("r1", of=family(schema="tests.store.models:Row")))
    found = rows(
        "select column_name, comment from duckdb_columns() where table_name = 'row' and comment is not null"
    )
    comments = {row["column_name"]: row["comment"] for row in found}
    assert (
        comments["title"] == "What it's called"
        and "last known good" in comments["_stale_since"]
    )
    (table,) = rows(
        "select comment from duckdb_tables() where table_name = 'llm_calls'"
    )
    assert "cost" in table["comment"]
