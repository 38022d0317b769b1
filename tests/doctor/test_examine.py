"""Everything is looked at, whatever one of the checks meets."""

from pathlib import Path

import pytest

from crawloop_assets.doctor import examine as examining
from crawloop_assets.doctor.examine import examine
from crawloop_assets.project import Project


def test_everything_is_looked_at(tmp_path: Path) -> None:
    about = {finding.about for finding in examine(Project.at(tmp_path))}
    assert {
        "store",
        "published file",
        "disk",
        "rights",
        "processes",
        "browser",
    } <= about
    assert not any(finding.is_wrong for finding in examine(Project.at(tmp_path)))
    assert list(tmp_path.iterdir()) in ([], [tmp_path / "var"])


def test_what_cannot_be_looked_at_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def about_rights(_: Project) -> None:
        raise PermissionError(13, "denied", "/x")

    monkeypatch.setattr(examining, "_CHECKS", (about_rights,))
    (one,) = examine(Project.at(tmp_path))
    assert one.is_wrong and one.about == "rights" and "/x" in one.says
