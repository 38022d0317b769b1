"""What commands have in common."""

import getpass
import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from crawloop_assets.cli.options import (
    moment_of,
    opened,
    output,
    person,
    print_rows,
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
    print_rows(("a b", "c"), [("[red]1", "2")])
    assert "[red]1" in capsys.readouterr().out
    print_rows(("a b", "c"), [("[red]1", "2")], as_json=True)
    assert json.loads(capsys.readouterr().out) == [{"a_b": "[red]1", "c": "2"}]


@pytest.mark.parametrize(("text", "hours"), [("36h", 36), ("7d", 168), ("2 w", 336)])
def test_a_moment_may_be_said_by_how_long_ago_it_was(text: str, hours: int) -> None:
    ago = datetime.now(UTC) - moment_of(text)
    assert abs(ago - timedelta(hours=hours)) < timedelta(minutes=1)


def test_a_day_is_in_utc_and_anything_else_is_said() -> None:
    assert moment_of("2026-12-01") == datetime(2026, 12, 1, tzinfo=UTC)
    with pytest.raises(ConfigError, match="'soon' is no day"):
        moment_of("soon")


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
