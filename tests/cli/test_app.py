"""The `crawloop` command: every command explains itself, is documented, and works on a real store."""

import json
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from crawloop_assets.cli.app import app, main
from tests.world import lay_out

CLI_PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


def commands() -> dict[str, str]:
    """Every command by its full name, with its help."""

    def walk(group: typer.Typer, prefix: str) -> Iterator[tuple[str, str]]:
        for command in group.registered_commands:
            assert command.callback is not None
            name = command.name or command.callback.__name__
            yield f"{prefix}{name}", command.callback.__doc__ or ""
        for sub in group.registered_groups:
            assert sub.typer_instance is not None
            yield from walk(sub.typer_instance, f"{prefix}{sub.name} ")

    return dict(walk(app, ""))


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_and_is_documented(name: str) -> None:
    assert commands()[name]
    assert f"`crawloop {name}" in CLI_PAGE.read_text(encoding="utf-8")
    result = CliRunner().invoke(app, [*name.split(), "--help"])
    assert result.exit_code == 0, result.output


def parse(line: str) -> None:
    """Give a line to the real parser; click.ClickException if it is no command."""
    words = shlex.split(line, comments=True)
    assert words.pop(0) == "crawloop", line
    node: Any = typer.main.get_command(app)
    while hasattr(node, "commands"):
        if words[0] in ("-h", "--help"):
            return
        node = node.commands[words.pop(0)]
    node.make_context("crawloop", words)


@pytest.mark.parametrize("name", commands())
def test_every_command_has_an_example_that_is_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data" / "pages").mkdir(parents=True)
    (line,) = re.findall(r"^ *Example: (.+)$", commands()[name], re.M)
    assert name.split()[-1] in line
    parse(line)


def test_an_error_of_ours_is_one_red_sentence_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(lay_out(tmp_path / "project").root))
    monkeypatch.setattr("sys.argv", ["crawloop", "family", "show", "shop/nothing"])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as end:
            main()
    finally:
        signal.signal(signal.SIGTERM, before)
    said = capsys.readouterr()
    assert end.value.code == 1
    assert "ConfigError: no family 'shop/nothing'" in said.err
    assert "Traceback" not in said.err and said.out == ""


LOOKS = (
    ("audit",),
    ("access", "status"),
    ("costs",),
    ("doctor",),
    ("family", "list"),
    ("quarantine", "list"),
    ("question", "list"),
    ("report",),
    ("status",),
    ("suspects",),
    ("why", "http://shop.test/"),
)


@pytest.mark.parametrize("command", LOOKS, ids=" ".join)
def test_what_only_looks_prints_one_json_document_for_programs(
    command: tuple[str, ...], home: Path
) -> None:
    result = CliRunner().invoke(app, [*command, "--json"], catch_exceptions=False)
    assert result.exit_code in (0, 1)
    assert isinstance(json.loads(result.stdout), list)
