"""`crawloop forget`: asks first, then purges, and prints the receipt."""

import json
from pathlib import Path

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from tests.cli.conftest import Say


def test_it_asks_first_and_a_receipt_says_what_was_taken_out(
    home: Path, project: Project, say: Say
) -> None:
    (row, *_) = published_rows(project.published, "item")
    no = CliRunner().invoke(app, ["forget", row["_url"]], input="n\n")
    assert no.exit_code == 1 and "taken out for ever" in no.output
    assert Store(project.var, project.published).forgetting.found(row["_url"]).keys
    told = json.loads(
        say("forget", row["_url"], "--yes", "--who", "ada", "--why", "asked", "--json")
    )
    assert told["taken_out"]["item"] == 1 and told["who"] == "ada"
    assert row["_key"] not in {
        one["_key"] for one in published_rows(project.published, "item")
    }
    again = CliRunner().invoke(app, ["forget", row["_url"], "--yes"])
    assert again.exit_code == 1 and "nothing is known of" in str(again.exception)
