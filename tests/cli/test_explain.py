"""`crawloop explain`: words, JSON, and a page under var/reports."""

import json
from pathlib import Path

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from tests.cli.conftest import PRODUCT, Say
from tests.world import World


def test_a_value_is_explained_in_words_as_json_and_on_a_page(
    healthy: World, say: Say, tmp_path: Path
) -> None:
    url = min(healthy.store.known(healthy.family))
    said = say("explain", PRODUCT, url, "price")
    assert "read by" in said and "votes for:" in said and "✓" in said
    (file,) = (healthy.project.var / "reports").rglob("*.html")
    assert str(file) in said.replace("\n", "")
    (row,) = json.loads(say("explain", PRODUCT, url, "--json"))
    assert row["url"] == url and row["fields"] and row["values"]
    chosen = tmp_path / "here" / "row.html"
    say("explain", PRODUCT, url, "--html", str(chosen))
    assert "<iframe sandbox " in chosen.read_text()


def test_a_key_that_is_none_is_one_sentence_and_no_page(healthy: World) -> None:
    result = CliRunner().invoke(app, ["explain", PRODUCT, "nothing"])
    assert result.exit_code == 1 and "no published row 'nothing'" in str(
        result.exception
    )
    assert not (healthy.project.var / "reports").exists()
