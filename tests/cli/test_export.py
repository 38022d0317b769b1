"""`crawloop export`: the form by the ending; nothing of a page is executed by a spreadsheet."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
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
    other = tmp_path / "rows.data"
    say("export", PRODUCT, str(other), "--form", "jsonl")
    assert other.read_text().count("\n") == len(TITLES)


@pytest.mark.usefixtures("project")
def test_a_family_without_rows_is_an_empty_file(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    assert say("export", PRODUCT, str(file)).startswith("0 row(s)")
    assert file.read_text() == ""


def test_an_ending_that_is_no_form_is_one_sentence(
    project: Project, tmp_path: Path
) -> None:
    result = CliRunner().invoke(app, ["export", PRODUCT, str(tmp_path / "rows.xlsx")])
    assert result.exit_code == 1 and "does not say its form" in str(result.exception)
