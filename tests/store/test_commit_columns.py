"""What a changed schema does to the columns that commits write."""

import os
from decimal import Decimal

import pytest
from pydantic import BaseModel, create_model

from crawloop_assets.errors import SchemaConflict
from crawloop_assets.store import NewCrawler, Store
from crawloop_assets.store.generations import Generations
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


SELF = "tests.store.test_commit_columns:Tea"
Before = create_model("Tea", title=(str, ...), origin=(str | None, None))
After = create_model("Tea", title=(str, ...), grown_in=(str | None, None))
Tea: type[BaseModel] = Before


def declare_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """The field `origin` is called `grown_in` from now on."""
    monkeypatch.setattr("tests.store.test_commit_columns.Tea", After)


@pytest.fixture
def assam(store: Store) -> Store:
    """Two pages, read before the field was removed."""
    records = {A: Before(title="Assam", origin="India"), B: Before(title="Sencha")}
    pages = [served(url, record) for url, record in records.items()]
    store.commit_batch(commit("r1", pages, family(schema=SELF)))
    return store


def column_names(rows: Rows, table: str) -> list[str]:
    found = rows(
        "select column_name from duckdb_columns() where table_name = ? "
        "and not starts_with(column_name, '_')",
        table,
    )
    return [row["column_name"] for row in found]


def test_a_removed_field_leaves_the_table_and_the_history_keeps_its_values(
    assam: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare_after(monkeypatch)
    of = family(schema=SELF)
    assert column_names(rows, "tea") == ["title", "origin"]
    again = After(title="Assam", grown_in="Assam")
    assam.commit_batch(commit("r2", [served(A, again)], of))
    assert column_names(rows, "tea") == ["title", "grown_in"]
    assert column_names(rows, "tea_history") == ["title", "origin", "grown_in"]
    found = rows(
        "select title, origin, grown_in, _run_id from tea_history order by all"
    )
    assert [tuple(row.values()) for row in found] == [
        ("Assam", "India", None, "r1"),
        ("Assam", None, "Assam", "r2"),
        ("Sencha", None, None, "r1"),
    ]
    assert assam.known(of)[B] == [{"title": "Sencha"}]
    (explained,) = assam.explain(of, A)
    assert [change.values.get("title") for change in explained.changes] == ["Assam"] * 2


def test_any_family_of_a_model_takes_the_field_out_for_all(
    assam: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = family("other/tea", schema=SELF)
    assam.commit_batch(commit("r1", [served(A, Before(title="Assam"))], other))
    declare_after(monkeypatch)
    assam.commit_batch(commit("r2", [], other))
    assert column_names(rows, "tea") == ["title", "grown_in"]
    assert {row["_family"] for row in rows("from tea")} == {"shop/item", "other/tea"}
    assam.commit_batch(commit("r2", [], family(schema=SELF)))
    assert column_names(rows, "tea") == ["title", "grown_in"]


def test_what_was_known_before_comes_back_without_the_field(
    assam: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare_after(monkeypatch)
    of = family(schema=SELF)
    for body in ("one", "two"):
        version = assam.add_crawler(NewCrawler(family=of.family, body=body))
        assam.promote(of.family, version, why="")
    wrong = served(A, After(title="Wrong"), version=2)
    assam.commit_batch(commit("r2", [wrong], of))
    assam.withdraw(of, 2, "wrong", "r3")
    assert {row["title"] for row in rows("from tea")} == {"Assam", "Sencha"}
    assert column_names(rows, "tea") == ["title", "grown_in"]


def test_a_pending_batch_takes_the_field_out_and_publishes_no_row(
    assam: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare_after(monkeypatch)
    page = served(A, After(title="Darjeeling"))
    assam.commit_batch(commit("r2", [page], family(schema=SELF), unit="r2"))
    assert {row["title"] for row in rows("from tea")} == {"Assam", "Sencha"}
    assert column_names(rows, "tea") == ["title", "grown_in"]


@pytest.mark.file_store
@pytest.mark.parametrize(
    ("dies", "left"),
    [
        ("crawloop_assets.store.tables._log", ["title", "origin"]),
        ("crawloop_assets.store.quarantine.hold", ["title", "origin"]),
        ("crawloop_assets.store.file_db.suppress", ["title", "grown_in"]),
    ],
)
def test_a_commit_killed_half_way_leaves_the_old_columns_or_the_new(
    assam: Store,
    rows: Rows,
    monkeypatch: pytest.MonkeyPatch,
    dies: str,
    left: list[str],
) -> None:
    declare_after(monkeypatch)
    page = served(A, After(title="Assam", grown_in="Assam"))
    change = commit("r2", [page], family(schema=SELF))
    if (child := os.fork()) == 0:
        monkeypatch.setattr(Generations, "worth_folding", lambda *_: True)
        monkeypatch.setattr(dies, lambda *_: os.kill(os.getpid(), 9))
        assam.commit_batch(change)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 9
    assert column_names(rows, "tea") == left
    assert len(rows("from tea")) == 2
    kept = rows("select origin from tea_history where _run_id = 'r1' and _url = ?", A)
    assert kept == [{"origin": "India"}]
    assert assam.commit_batch(change).replayed == (left[1] == "grown_in")
    assert column_names(rows, "tea") == ["title", "grown_in"]
    assert len(rows("from tea")) == 2 and len(rows("from tea_history")) == 3


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


def test_before_the_first_row_a_type_may_be_changed(
    store: Store, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = family(schema="tests.store.models:Row")
    store.commit_batch(commit("r1", of=of))
    other = create_model("Row", title=(int, ...))
    monkeypatch.setattr("tests.store.models.Row", other)
    assert store.families.type_conflicts([of]) == {}
    store.commit_batch(commit("r2", [served(A, other(title=1))], of))
    assert rows("select title from row") == [{"title": 1}]
    assert rows("select title from row_history") == [{"title": 1}]


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
