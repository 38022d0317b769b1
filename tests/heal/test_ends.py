"""Every heal ends: at the end of each day a family is green, or a person is asked one thing."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.store import QuestionState
from tests.heal.gazette import Gazette, Look, Stories, cut, labelled, merged, split
from tests.heal.redesign_run import Life


def lived(folder: Path, look: Look, *, is_list: bool) -> Life:
    """Two days of a redesign that nobody is there to answer for."""
    site: Any = Gazette(is_list, Stories(24 if is_list else 10), look)
    life = Life(site, folder / "life")
    life.begin()
    assert not life.red, life.checks
    life.days.clear()
    life.person.is_away = True
    for _ in range(2):
        life.live()
        asked = life.store.questions.waiting(site.family.family)
        assert len(asked) == bool(life.red), (life.checks, asked)
    assert life.judge.wrong == {}
    assert life.judge.emptied == {}, "each page shows everything"
    return life


@pytest.mark.parametrize(
    ("look", "is_list"),
    [
        pytest.param(labelled, False, marks=pytest.mark.long),
        (labelled, True),
        pytest.param(merged, False, marks=pytest.mark.long),
        pytest.param(merged, True, marks=pytest.mark.long),
        (split, False),
    ],
)
def test_a_redesign_in_which_all_counts_moved_on_is_healed_at_once(
    tmp_path: Path, look: Look, is_list: bool
) -> None:
    life = lived(tmp_path, look, is_list=is_list)
    assert (life.waves, life.questions) == (1, 0)
    last = life.days[-1]
    assert (last.is_red, last.right) == (False, last.rows)


def test_a_title_that_is_cut_is_asked_for_and_nothing_that_is_found_again(
    tmp_path: Path,
) -> None:
    life = lived(tmp_path, cut, is_list=False)
    (question,) = life.store.questions.waiting(life.family.family)
    assert question.state is QuestionState.OPEN
    assert question.fields == ("title",)
    assert question.sentence.endswith("show one value, and the rest is read")
