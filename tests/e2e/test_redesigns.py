"""A dozen redesigns of the shop end through Dagster as they do without it: real jobs, the real sensor, pages over HTTP."""

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.dagster_life import dagster_life
from tests.heal.redesign_kinds import REDESIGNS, Redesign, Shown
from tests.heal.redesign_lives import Lives, ending_of, new_site, redesigned
from tests.heal.redesign_run import Life

pytestmark = [pytest.mark.e2e, pytest.mark.long]

DAYS = 3


class Came(NamedTuple):
    """What came of a redesign."""

    ending: str
    red_days: int
    waves: int
    wrong: int
    emptied: int
    questions: int

    @classmethod
    def of(cls, redesign: Redesign, life: Life) -> "Came":
        return cls(
            ending_of(redesign, life).value,
            sum(day.is_red for day in life.days),
            life.waves,
            len(life.judge.wrong),
            len(life.judge.emptied),
            life.questions,
        )


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Lives:
    return Lives(tmp_path_factory.mktemp("lives"))


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        (Shown.DETAIL, "definition_list"),
        (Shown.DETAIL, "bare"),
        (Shown.DETAIL, "stock_sentence"),
        (Shown.DETAIL, "meaning_changed"),
        (Shown.SPECS, "cards_relabelled"),
        (Shown.LISTING, "cards_relabelled"),
        (Shown.LISTING, "bare"),
        (Shown.LISTING, "reversed"),
        (Shown.ROWS, "header_is_a_row"),
        (Shown.JSON, "keys_renamed"),
        (Shown.JSON, "nested_and_renamed"),
        (Shown.JSON, "stock_null_a_day"),
    ],
)
def test_a_redesign_ends_through_dagster_as_it_does_without(
    tmp_path: Path, lives: Lives, shown: Shown, name: str
) -> None:
    redesign = REDESIGNS[name]
    without = Came.of(redesign, lives.after(shown, False, redesign, DAYS))
    with dagster_life(tmp_path / "project", new_site(shown, False)) as life:
        redesigned(life, redesign, DAYS)
        assert Came.of(redesign, life) == without
