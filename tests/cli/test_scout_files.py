from pathlib import Path

import pytest

from crawloop_assets.cli.scout_files import (
    diff_of,
    refuse_existing,
    write_new,
)
from crawloop_assets.errors import ConfigError


def test_a_diff_shows_what_would_change(tmp_path: Path) -> None:
    old = tmp_path / "a.txt"
    old.write_text("one\n")
    shown = diff_of(tmp_path, {old: "two\n", tmp_path / "b.txt": "new\n"})
    assert "-one\n+two" in shown and "+new" in shown and "--- nothing" in shown


def test_nothing_is_written_over_and_nothing_by_half(tmp_path: Path) -> None:
    first, second = tmp_path / "x" / "a.txt", tmp_path / "b.txt"
    second.write_text("mine")
    with pytest.raises(ConfigError, match="already"):
        refuse_existing(tmp_path, [second])
    with pytest.raises(ConfigError, match="cannot be written"):
        write_new({first: "a", second: "b"})
    assert not first.exists() and second.read_text() == "mine"
    write_new({first: "a"})
    assert first.read_text() == "a"
    assert {path.name for path in tmp_path.iterdir()} == {"x", "b.txt"}
