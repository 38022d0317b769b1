"""`crawloop metrics`."""

from pathlib import Path

from tests.cli.conftest import Say


def test_everything_is_printed_once(home: Path, say: Say) -> None:
    said = say("metrics", "--once")
    assert "# TYPE crawloop_rows" in said and "# HELP crawloop_rows" in said
