"""What is left behind of a version: a small project that compiles and is published."""

import sys
from pathlib import Path

import pytest

from checks.release import BATCH, LAMPS, fill, lamp, lamp_page, main, published_columns
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows


def test_pages_say_what_is_known_of_them() -> None:
    for number, (title, price, colours) in enumerate(LAMPS):
        text = lamp_page(number).text
        assert all(value in text for value in (title, price, *colours))
        assert lamp(number).url == lamp_page(number).url


def test_a_project_is_filled_compiled_and_published(tmp_path: Path) -> None:
    project = Project.at(tmp_path / "project")
    made = fill(project)
    (record,) = run(made, Document(lamp_page(2))).records
    assert record.values["title"] == "Paper shade No. 4"
    assert record.values["colours"] == ["white", "ochre"]
    rows = published_rows(project.published, "lamp", ["title", "_batch"])
    assert {row["title"] for row in rows} == {title for title, _, _ in LAMPS}
    assert {row["_batch"] for row in rows} == {BATCH}
    active = Store(project.var, project.published).active("shop/lamp")
    assert active is not None and active.version == 1
    assert project.family("shop/lamp").drift.coverage == {"price": 0.9}
    columns = published_columns(project.published)
    assert "lamp.title VARCHAR" in columns
    assert columns == sorted(columns)


def test_what_a_release_left_behind_is_never_made_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    version = min(path.name for path in Path("tests/releases").glob("*/"))
    monkeypatch.setattr(sys, "argv", ["release", version])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "never changed" in capsys.readouterr().err
