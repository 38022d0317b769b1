"""`crawloop export`: nothing of a page is executed by a spreadsheet."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.cli.export import cells
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.cli.conftest import PRODUCT, Say
from tests.models import Item
from tests.store.conftest import commit, served

TITLES = [
    '=HYPERLINK("http://x","y")',
    "+1",
    "-1",
    "@SUM(1)",
    "\tx",
    "Tea, green",
    "=x",
]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_text_begins_with_no_formula(start: str) -> None:
    assert cells({"a": f"{start}cmd|x"}) == [f"'{start}cmd|x"]


def test_what_is_no_text_is_written_as_it_is() -> None:
    row = {"a": Decimal("-1.50"), "b": -3, "c": None, "d": "a=b", "e": ["=x"]}
    assert cells(row) == ["-1.50", "-3", "", "a=b", '["=x"]']


def test_the_rows_of_a_family_are_written(
    project: Project, say: Say, tmp_path: Path
) -> None:
    store = Store(project.var, project.published)
    pages = [
        served(f"https://shop.test/{number}", Item(title=title, price=Decimal(number)))
        for number, title in enumerate(TITLES)
    ]
    of = project.family(PRODUCT).model_copy(
        update={"record_schema": "tests.models:Item"}
    )
    store.commit_batch(commit("r1", pages, of))
    store.publish()
    file = tmp_path / "rows.csv"
    assert f"{len(TITLES)} row(s)" in say("export", PRODUCT, str(file))
    with file.open(newline="", encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    assert len(rows) == len(TITLES)
    assert not [
        row for row in rows if row["title"].startswith(("=", "+", "-", "@", "\t"))
    ]
    assert {row["title"].removeprefix("'") for row in rows} == set(TITLES)
    assert {float(row["price"]) for row in rows} == {
        float(n) for n in range(len(TITLES))
    }


def test_a_family_without_rows_is_an_empty_file(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    assert "0 row(s)" in say("export", PRODUCT, str(file))
    assert file.read_text() == ""
