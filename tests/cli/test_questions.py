"""`crawloop question`, on a town whose redesign nothing heals."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.errors import CompileFailed, ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store import QuestionState, Store
from tests.cli.conftest import Say
from tests.heal.stuck import asked, redesigned, unlabelled, wave
from tests.heal.town import GOODS, Town

FAMILY = """
family: town/good
schema: tests.heal.town:Good
discover: {}
"""


@pytest.fixture
def town(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    """The project of the town, with its question."""
    project = Project.at(tmp_path)
    project.families.mkdir()
    (project.families / "good.yaml").write_text(FAMILY)
    project.domains.write_text("domains: []")
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "240")
    town = redesigned(tmp_path)
    town.store = Store(project.var, project.published)
    wave(town)
    return town


def test_a_question_is_listed_and_shown_with_what_was_tried(
    town: Town, say: Say
) -> None:
    question = asked(town)
    assert question.id in say("question", "list")
    assert question.id in say("question", "list", GOODS.family)
    shown = say("question", "show", question.id)
    assert question.sentence in shown
    assert "http://town.test/p/0" in shown and "stored as" in shown
    assert "v1 at .price-now" in shown and "3.5" in shown and "nothing" in shown
    with pytest.raises(ConfigError, match="no question has the id"):
        say("question", "show", "x")


def test_of_a_page_of_several_rows_their_numbers_are_shown(
    town: Town, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = asked(town)
    assert "--row" not in say("question", "show", question.id)
    rows = [{"title": "Oak shelf"}, {"title": "Brass hook"}]
    monkeypatch.setattr(Store, "known", lambda *_: {question.url: rows})
    shown = say("question", "show", question.id).splitlines()
    (first,) = [line for line in shown if "Oak shelf" in line]
    (second,) = [line for line in shown if "Brass hook" in line]
    assert " 0 " in first and " 1 " in second


def test_one_value_is_taught_shown_and_taken_back(town: Town, say: Say) -> None:
    arguments = ("--field", "price", "--value", "3.75", "--who", "ada")
    said = say("question", "teach", GOODS.family, *arguments)
    assert "v2 promoted" in said and "price as ada taught" in said
    (lesson,) = town.store.questions.lessons(GOODS.family)
    shown = say("family", "show", GOODS.family)
    assert lesson.id in shown and "3.75" in shown and "ada" in shown
    assert asked(town).id not in say("question", "list")
    listed = say("question", "list", "--decided")
    assert asked(town).id in listed and "taught" in listed
    assert "by ada" in say("question", "show", asked(town).id)
    undone = say("question", "undo", GOODS.family, lesson.id, "--who", "bob")
    assert "v1 is active" in undone
    shown = say("family", "show", GOODS.family)
    assert lesson.id in shown and "by bob" in shown


def test_another_page_is_taught_by_its_url(town: Town, say: Say) -> None:
    url = unlabelled(2).url
    arguments = ("--field", "price", "--at", ".nums li:nth-child(2)", "--url", url)
    assert "v2 promoted" in say("question", "teach", GOODS.family, *arguments)
    (lesson,) = town.store.questions.lessons(GOODS.family)
    assert (lesson.url, lesson.value) == (url, "5.77")


def test_what_cannot_be_read_is_an_error_with_its_reason(town: Town, say: Say) -> None:
    with pytest.raises(CompileFailed, match="does not stand in any place"):
        say("question", "teach", GOODS.family, "--field", "price", "--value", "99.99")
    with pytest.raises(ConfigError, match="price is required"):
        say("question", "accept", GOODS.family)


def test_a_question_is_put_off_until_a_day(town: Town, say: Say) -> None:
    said = say("question", "ignore", GOODS.family, "--until", "2999-01-02")
    assert "until 2999-01-02" in said
    assert "ignored until 2999-01-02" in say("question", "list")
    assert asked(town).state is QuestionState.IGNORED
    assert asked(town).until == datetime(2999, 1, 2, tzinfo=UTC)
    with pytest.raises(ConfigError, match="'soon' is no day"):
        say("question", "ignore", GOODS.family, "--until", "soon")
