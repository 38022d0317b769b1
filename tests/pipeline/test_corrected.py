"""A family whose first example is wrong: one question, and green once its file is corrected."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from crawloop_assets.project import Project
from crawloop_assets.store import AuditKind
from tests.pipeline.test_questions import asked, heal, waves
from tests.world import HOST, PRODUCT, World, lay_out, world


def declare(project: Project, title: str, path: str) -> None:
    """The family's file with one example, of this title."""
    (file,) = project.families.glob("*.yaml")
    said: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    example = {"url": f"http://{HOST}{path}", "record": {"title": title}}
    text = yaml.safe_dump(said | {"examples": [example]}, allow_unicode=True)
    file.write_text(text, encoding="utf-8")


def test_a_corrected_example_is_tried_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lay_out(tmp_path / "project")
    with world(project, monkeypatch) as made:
        item = made.shop.items[100]
        declare(project, "Nothing of the kind", item.path)
        made.run("discover", check=False)
        made.refresh(check=False)
        assert set(made.shown()) == {"failed"}
        heal(made)
        assert (
            'says "Nothing of the kind", but the page does not show it'
            in asked(made).sentence
        )
        heal(made)
        assert waves(made) == 1, "a person was asked"
        declare(project, item.title, item.path)
        _healed(made)
        assert set(made.shown()) == {"succeeded"} and waves(made) == 2
        assert made.store.questions.waiting(PRODUCT) == []


def _healed(made: World) -> None:
    """One wave, what it is followed by, and a look at what is green."""
    for _ in range(3):
        heal(made)
    (kept,) = made.store.audits(PRODUCT, AuditKind.CRAWLER_PROMOTED)
    assert kept.detail["version"] == 1
