"""`crawloop doctor` and `crawloop restore`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.store import Store
from tests.cli.conftest import PRODUCT, Say
from tests.store.losses import base, log, published_titles, put


def test_a_project_without_a_fault_is_fine(home: Path, say: Say) -> None:
    said = say("doctor")
    assert "wrong" not in said, said
    for about in ("store", "commits", "published file", "disk", "rights", "processes"):
        assert f"fine   {about}: " in said


def test_what_is_wrong_is_said_with_what_to_do(home: Path) -> None:
    log(home).unlink()
    (home / "families" / "shop_bad.yaml").write_text("family: shop/bad\nx: [")
    found = CliRunner().invoke(app, ["doctor"])
    assert found.exit_code == 1 and "2 finding(s)" in found.output
    wrong = [line for line in found.output.splitlines() if line.startswith("wrong")]
    assert "commits: " in wrong[0] and "`crawloop restore`" in wrong[0]
    assert "shop/bad" in wrong[1]


def test_restore_says_what_is_lost_and_asks(home: Path, say: Say) -> None:
    rows = published_titles(home)
    put(Store(home / "var", home / "crawloop.duckdb"), 2)
    base(home).write_bytes(b"")
    asked = CliRunner().invoke(app, ["restore"], input="n\n")
    assert asked.exit_code == 1
    assert "The 1 commit(s) after it are lost" in asked.output
    assert not list((home / "var").glob("aside-*"))
    said = say("restore", "--yes")
    assert "rebuilt and published" in said and "aside-" in said
    assert published_titles(home) == rows
    assert "v2" in say("family", "list")
    assert "wrong" not in say("doctor")
    say("rollback", PRODUCT)


def test_a_store_that_is_whole_is_not_rebuilt(home: Path, say: Say) -> None:
    with pytest.raises(ConfigError, match="nothing to restore"):
        say("restore", "--yes")
    file = str(home / "crawloop.duckdb")
    assert "rebuilt" in say("restore", "--yes", "--from", file)
