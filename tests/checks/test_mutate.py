"""Faults drawn from a small project, and tests that notice them or do not."""

import subprocess
from pathlib import Path

import pytest

from checks.mutate import Copy, Fault, draw, survivors

CODE = """\
def smaller(first, second):
    return first if first < second else second


def unasked(number):
    return number + 1
"""
TEST = """\
from crawloop_assets.room.numbers import smaller


def test_smaller():
    assert smaller(1, 2) == smaller(2, 1) == 1
"""
ROOM = Path("crawloop_assets/room")
TESTS = Path("tests/room")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one module with one test, as git sees it."""
    files = {
        ROOM / "numbers.py": CODE,
        TESTS / "test_numbers.py": TEST,
        Path("crawloop_assets/__init__.py"): "",
        ROOM / "__init__.py": "",
        Path("ignored.txt"): "ignored",
        Path(".gitignore"): "ignored.txt\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fault(new: str) -> Fault:
    return next(fault for fault in draw(ROOM, 99, 1) if fault.mutant.new == new)


def test_the_same_seed_draws_the_same_faults_in_order(project: Path) -> None:
    drawn = draw(ROOM, 3, 1)
    assert len(drawn) == 3 and drawn == draw(ROOM, 3, 1)
    starts = [fault.mutant.start for fault in draw(ROOM, 99, 1)]
    assert starts == sorted(starts) and len(starts) > 4
    assert any(draw(ROOM, 3, seed) != drawn for seed in range(2, 9))


def test_a_fault_names_its_test_file_and_its_place(project: Path) -> None:
    drawn = fault("(number - 1)")
    assert drawn.tests == TESTS / "test_numbers.py"
    assert str(drawn) == f"{ROOM}/numbers.py:6: number + 1  ->  (number - 1)"


def test_a_copy_has_what_git_does_not_ignore(project: Path, tmp_path: Path) -> None:
    copy = Copy(tmp_path / "copy")
    assert (copy.folder / ROOM / "numbers.py").read_text(encoding="utf-8") == CODE
    assert not (copy.folder / "ignored.txt").exists()


@pytest.mark.slow
def test_only_what_no_test_notices_survives(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    noticed, missed = (
        fault("(second if first < second else first)"),
        fault("(number - 1)"),
    )
    assert survivors([noticed, missed], TESTS, 1) == [missed]
    assert f"not noticed: {missed}" in capsys.readouterr().out
    assert (project / ROOM / "numbers.py").read_text(encoding="utf-8") == CODE


def test_tests_that_fail_as_they_are_show_nothing(project: Path) -> None:
    (project / TESTS / "test_numbers.py").write_text("assert False\n")
    with pytest.raises(AssertionError, match="fails as it is"):
        survivors([fault("(number - 1)")], TESTS, 1)
