"""A dozen redesigns of the shop end through Dagster as they do without it: real jobs, the real sensor, pages over HTTP."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.e2e.dagster_life import dagster_life
from tests.heal.redesign_kinds import REDESIGNS, Redesign, Shown
from tests.heal.redesign_lives import ending_of, new_site, redesigned
from tests.heal.redesign_run import Life
from tests.heal.redesign_site import WareSite

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
    tmp_path: Path, shown: Shown, name: str
) -> None:
    redesign, alone = REDESIGNS[name], Life(site(shown), tmp_path / "alone")
    alone.begin()
    redesigned(alone, redesign, DAYS)
    with dagster_life(tmp_path / "project", site(shown)) as life:
        redesigned(life, redesign, DAYS)
        assert Came.of(redesign, life) == Came.of(redesign, alone)


def site(shown: Shown) -> WareSite:
    """A family that does not wait between its attempts: the days of a real clock are short."""
    return replace(new_site(shown, False), cooldown="0s")
