"""What the line of the dependency audit says; the audit itself needs a network."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "audit_report.py"
HOLE = {"id": "CVE-2026-1", "fix_versions": ["2.1"]}


def said(file: Path, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(file), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def report(folder: Path, *dependencies: dict[str, Any]) -> Path:
    file = folder / "report.json"
    file.write_text(json.dumps({"dependencies": dependencies}))
    return file


FINE = {"name": "a", "version": "1", "vulns": []}
HOLED = {"name": "b", "version": "2", "vulns": [HOLE]}
UNKNOWN = {"name": "c", "skip_reason": "not found"}


def test_a_known_hole_fails_and_says_what_mends_it(tmp_path: Path) -> None:
    code, text = said(report(tmp_path, FINE, HOLED, UNKNOWN))
    assert code == 1
    assert "2 packages looked at, 1 not known there, 1 known holes" in text
    assert "b 2: CVE-2026-1, mended in 2.1" in text


def test_without_a_hole_it_passes_in_one_line(tmp_path: Path) -> None:
    code, text = said(report(tmp_path, FINE))
    assert (code, text.count("\n")) == (0, 1)


@pytest.mark.parametrize("dependencies", [[], [UNKNOWN]])
def test_where_nobody_answers_it_says_that_it_did_not_run(
    tmp_path: Path, dependencies: list[dict[str, Any]]
) -> None:
    file = report(tmp_path, *dependencies)
    assert said(file) == (
        0,
        "dependency audit: not run, the advisory database cannot be reached\n",
    )
    assert said(file, "--is-answered") == (1, "")
    assert said(tmp_path / "none", "--is-answered") == (1, "")
    assert said(report(tmp_path, FINE), "--is-answered") == (0, "")
