"""`crawloop inbox`."""

import json

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
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
