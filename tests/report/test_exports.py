"""Exports in three forms; they are noted, and written anew where a record was forgotten."""

import csv
import json
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.report.exports import ExportForm, Exports, cells, form_of
from crawloop_assets.store import Store
from tests.models import Item
from tests.store.conftest import commit, served

ROWS = {"https://shop.test/1": "=1+1", "https://shop.test/2": "Tea"}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_text_begins_with_no_formula(start: str) -> None:
    assert cells({"a": f"{start}cmd|x"}) == [f"'{start}cmd|x"]


def test_what_is_no_text_is_written_as_it_is() -> None:
    row = {"a": Decimal("-1.50"), "b": -3, "c": None, "d": "a=b", "e": ["=x"]}
    assert cells(row) == ["-1.50", "-3", "", "a=b", '["=x"]']


def test_the_ending_says_the_form() -> None:
    assert (
        form_of(Path("a.CSV")) is ExportForm.CSV
        and form_of(Path("a.parquet")) is ExportForm.PARQUET
    )
    with pytest.raises(ConfigError, match=r"end it in \.csv, \.jsonl, \.parquet"):
        form_of(Path("a.xlsx"))


def test_rows_are_written_in_every_form_and_again(tmp_path: Path) -> None:
    project = Project.at(tmp_path / "a")
    store = Store(project.var, project.published)
    pages = [
        served(url, Item(title=title, price=Decimal("1.50")))
        for url, title in ROWS.items()
    ]
    store.commit_batch(commit("r1", pages))
    store.publish()
    exports = Exports(project)
    files = {form: tmp_path / f"rows.{form.value}" for form in ExportForm}
    assert [exports.write("shop/item", file, form) for form, file in files.items()] == [
        2,
        2,
        2,
    ]
    with files[ExportForm.CSV].open(newline="") as source:
        assert [row["title"] for row in csv.DictReader(source)] == ["'=1+1", "Tea"]
    lines = [
        json.loads(line) for line in files[ExportForm.JSONL].read_text().splitlines()
    ]
    assert [(row["title"], Decimal(row["price"])) for row in lines] == [
        ("=1+1", Decimal("1.50")),
        ("Tea", Decimal("1.50")),
    ]
    found = duckdb.sql(
        f"select title, price, typeof(_fetched_at) from '{files[ExportForm.PARQUET]}'"
    ).fetchall()
    kind = "TIMESTAMP WITH TIME ZONE"
    price = Decimal("1.50")
    assert found == [("=1+1", price, kind), ("Tea", price, kind)]

    store.forgetting.forget("https://shop.test/2", "ada", "")
    store.publish()
    files[ExportForm.JSONL].unlink()
    assert exports.again({"shop/item"}) == 2 and exports.again({"shop/other"}) == 0
    assert (
        "Tea" not in files[ExportForm.CSV].read_text()
        and not files[ExportForm.JSONL].exists()
    )
