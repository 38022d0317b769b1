"""The `crawloop` command: every command explains itself, is documented, and works on a real store."""

import ast
import json
import re
import shlex
import signal
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import crawloop_assets
from crawloop_assets.cli.app import app, main
from crawloop_assets.desk.verbs import VERBS
from tests.cli.conftest import PRODUCT
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


def command_of(name: str) -> Any:
    """What the parser has under a full name."""
    node: Any = typer.main.get_command(app)
    for word in name.split():
        node = node.commands[word]
    return node


@pytest.mark.parametrize("name", commands())
def test_every_command_has_help_and_is_documented(name: str) -> None:
    assert commands()[name]
    assert f"`crawloop {name}" in CLI_PAGE.read_text(encoding="utf-8")
    result = CliRunner().invoke(app, [*name.split(), "--help"])
    assert result.exit_code == 0, result.output


def said_in_tests() -> Iterator[tuple[str, ...]]:
    """The texts that calls and lists of the tests begin with, and the verbs that are done there."""
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            given = getattr(node, "args", getattr(node, "elts", ()))
            if isinstance(given, list):
                texts = (getattr(one, "value", None) for one in given)
                words = tuple(takewhile(lambda one: isinstance(one, str), texts))
                yield words[2:] if words[:1] == ("-c",) else words


def test_every_command_is_tried_by_a_test() -> None:
    tried = {words[:count] for words in said_in_tests() for count in (1, 2)}
    tried |= {words[-1:] for words in tried}  # `question accept` is the verb `accept`
    names = {tuple(name.split()) for name in commands()}
    names.remove(("eval",))  # test_benchmark.py calls its function
    assert {name for name in names if not {name, name[-1:]} & tried} == set()


MISTAKES = (
    *(
        (verb.name, *("shop/none", "7", "x")[: len(verb.positional())])
        for verb in VERBS
    ),
    ("explain", "shop/none", "a"),
    ("export", "shop/none", "rows.csv"),
    ("diff", "shop/none", "--since", "7d"),
    ("versions", "shop/none"),
    ("report", "shop/none"),
    ("replay-pages", "shop/none", "pages.jsonl"),
    ("quarantine", "show", "none"),
    ("question", "show", "none"),
    ("family", "show", "shop/none"),
    ("family", "remove", "shop/none", "--yes"),
    ("family", "rename", "shop/none", "shop/other", "--yes"),
    ("forget", "http://shop.test/none", "--yes"),
    ("crawl", "http://nowhere.test/"),
    ("try", "shop/none"),
    ("inbox", "shop/none"),
    ("audit", "--what", "none"),
    ("diff", PRODUCT, "--since", "soon"),
)
NEEDED = {"teach": ("--field", "a"), "ignore": ("--until", "2027-01-31")}


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which nothing was crawled yet; mistakes change nothing in it."""
    return lay_out(tmp_path_factory.mktemp("mistakes") / "project").root


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_a_mistake_is_one_clear_line_and_no_success(
    words: tuple[str, ...],
    untouched: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(untouched)
    monkeypatch.setenv("CRAWLOOP_HOME", str(untouched))
    asked = [*words, *NEEDED.get(words[0], ())]
    monkeypatch.setattr("sys.argv", ["crawloop", *asked])
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as end:
            main()
    finally:
        signal.signal(signal.SIGTERM, before)
    said = capsys.readouterr().err.strip()
    assert end.value.code not in (0, None)
    assert "Traceback" not in said and "Error: " in said
    assert len(said.splitlines()) == 1 or end.value.code == 2, said


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


@pytest.mark.parametrize("group", [(), ("family",), ("question",), ("quarantine",)])
def test_what_commands_do_is_wrapped_to_the_terminal_alone(
    group: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    said = CliRunner().invoke(app, [*group, "--help"]).output
    node: Any = typer.main.get_command(app)
    for name in group:
        node = node.commands[name]
    for name, command in node.commands.items():
        whole = " ".join(command.help.partition("\n\n")[0].split())
        lines = [line for line in said.splitlines() if whole in line]
        assert lines, f"{name} is cut where its docstring is"


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


def test_the_version_is_said_without_a_project() -> None:
    said = CliRunner().invoke(app, ["--version"])
    assert said.exit_code == 0
    assert said.output == f"crawloop {crawloop_assets.__version__}\n"
