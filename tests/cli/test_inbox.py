"""`crawloop inbox`."""

import json
from unittest.mock import patch

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.desk.inbox import InboxItem, WaitingKind
from crawloop_assets.project import Project
from tests.cli.conftest import PRODUCT, Say
from tests.cli.test_quarantine import held

__all__ = ["held"]


def asked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["inbox", *arguments], catch_exceptions=False)
    return result.exit_code, result.output


def test_what_waits_is_shown_with_commands_and_exit_code_1(held: str) -> None:
    code, said = asked()
    assert code == 1
    assert "quarantine" in said and "price 100 times what it was" in said
    assert f"crawloop release {PRODUCT} {held}" in said
    assert "price: 9900.00 on http://shop.test/product/lamp-1001" in said
    code, said = asked("--json")
    (item,) = json.loads(said)
    assert code == 1 and item["ids"] == [held]


def test_nothing_waits(project: Project, say: Say) -> None:
    assert say("inbox").strip() == "Nothing waits for you."
    assert json.loads(say("inbox", "--json")) == []
    (project.families / "wrong.yaml").write_text("family: shop/wrong\nno: 1\n")
    code, said = asked()
    assert code == 1 and "broken file" in said and "wrong.yaml:" in said
    assert say("inbox", PRODUCT).strip() == "Nothing waits for you."


def test_what_is_said_of_a_version_is_a_line_each_where_it_is_much(
    project: Project,
) -> None:
    said = (
        "v1 waits for review: proved; not tried",
        "v2 waits: `a` is guessed; `b` is; c",
    )
    items = [InboxItem(WaitingKind.REVIEW, PRODUCT, "review:1", one) for one in said]
    with patch("crawloop_assets.desk.inbox.inbox_items", return_value=items):
        lines = asked()[1].splitlines()
    assert f"  {said[0]}" in lines
    at = lines.index("  v2 waits: `a` is guessed")
    assert lines[at + 1 : at + 3] == ["  - `b` is", "  - c"]
