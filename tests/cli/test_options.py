"""What commands have in common."""

import getpass
import json
import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.cli.options import (
    moment_of,
    opened,
    output,
    person,
    print_page,
    print_rows,
    print_trouble,
    progress,
)
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from tests.cli.conftest import PRODUCT


def test_into_a_pipe_nothing_is_wrapped() -> None:
    assert output().width == 200


def test_whoever_decides_is_named() -> None:
    assert person("ada") == "ada"
    assert person("") == getpass.getuser()


def test_a_command_works_on_the_project_it_is_called_in(project: Project) -> None:
    found, store = opened()
    assert found.root == project.root
    active = store.active(PRODUCT)
    assert active is not None and active.version == 2


def test_rows_are_a_table_for_people_and_objects_for_programs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_rows(("a b", "c"), [("[red]1:bomb:", "2")])
    assert "[red]1:bomb:" in capsys.readouterr().out
    print_rows(("a b", "c"), [("[red]1", "2")], as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"a_b": "[red]1", "c": "2"}]


@pytest.mark.parametrize(
    ("text", "hours"), [("90m", 1.5), ("36h", 36), ("7d", 168), ("2 w", 336)]
)
def test_a_moment_may_be_said_by_how_long_ago_it_was(text: str, hours: float) -> None:
    ago = datetime.now(UTC) - moment_of(text)
    assert abs(ago - timedelta(hours=hours)) < timedelta(minutes=1)


def test_a_day_is_in_utc_and_anything_else_is_said() -> None:
    assert moment_of("2026-12-01") == datetime(2026, 12, 1, tzinfo=UTC)
    for text in ("soon", "999999w"):
        with pytest.raises(ConfigError, match=f"'{text}' is no day"):
            moment_of(text)


def test_into_a_pipe_long_work_says_a_line_every_few_seconds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1.0, 6.0, 6.0, 7.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with progress("reading", 3) as step:
        for _ in range(3):
            step()
    said = capsys.readouterr()
    assert said.err == "reading: 2 of 3\n" and said.out == ""


def test_nothing_that_is_printed_is_obeyed_by_a_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    evil = "\x1b[2J\x1b]0;owned\x07\u202e"
    output().print(f"[bold]ours[/] {evil}", highlight=False)
    print_rows(("a",), [(evil,)])
    print_trouble(ConfigError(evil))
    said = capsys.readouterr()
    assert not set("\x1b\x07\u202e") & set(said.out + said.err)
    assert said.out.count("[2J") == 2 and "[2J" in said.err


def test_a_page_that_was_not_asked_for_stops_nobody_who_looks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    print_page(tmp_path / "a" / "row.html", "<p>", asked=False)
    assert (tmp_path / "a" / "row.html").read_text() == "<p>"
    (tmp_path / "full").write_text("a file is in the way")
    there = tmp_path / "full" / "row.html"
    print_page(there, "<p>", asked=False)
    said = capsys.readouterr()
    assert "on its page: " in said.err and "no page is written: " in said.err
    assert said.out == "", "what is printed may be for programs"
    with pytest.raises(OSError, match="full"):
        print_page(there, "<p>", asked=True)


def test_every_command_prints_by_the_console_that_obeys_no_page() -> None:
    folder = Path(__file__).parents[2] / "crawloop_assets" / "cli"
    made = {
        f"{file.name}: {line.strip()}"
        for file in folder.glob("*.py")
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(r"(?<!\w)Console\(", line) and file.name != "options.py"
    }
    assert made == set()
