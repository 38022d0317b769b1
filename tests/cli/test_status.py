"""`crawloop status`: a table for people, JSON for programs, an exit code for scripts."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.starter import init_project
from tests.world import World


def test_a_green_project_is_a_table_and_exit_code_0(healthy: World) -> None:
    result = CliRunner().invoke(app, ["status"])
    assert result.exit_code == 0, result.output
    assert "shop/product" in result.output and "green" in result.output
    assert "\n- " not in result.output, "nothing to do"


def test_a_project_without_a_family_is_told_how_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = init_project(tmp_path / "new").folder
    monkeypatch.setenv("CRAWLOOP_HOME", str(home))
    result = CliRunner().invoke(app, ["status"])
    assert result.exit_code == 0
    assert "`crawloop scout URL`" in result.output and "crawloop dev" in result.output


def test_a_red_one_says_what_is_wrong_and_ends_with_1(red: World) -> None:
    result = CliRunner().invoke(app, ["status"])
    assert result.exit_code == 1
    assert "- shop/product is red since" in result.output
    found = CliRunner().invoke(app, ["status", "--json"])
    assert found.exit_code == 1
    (family,) = json.loads(found.output)
    assert family["state"] == "red" and set(family["red"]) == set(red.shown()["failed"])


def test_a_broken_file_is_shown_beside_the_others(healthy: World) -> None:
    file = healthy.project.families / "typo.yaml"
    file.write_text("family: shop/typo\nschema: nowhere:Item\ndiscover: {}\n")
    result = CliRunner().invoke(app, ["status"])
    assert result.exit_code == 1
    assert "shop/typo" in result.output and "broken" in result.output
    assert "typo.yaml:2" in result.output and "shop/product" in result.output
