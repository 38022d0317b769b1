"""Families with their quiet days behind them, each made once and copied for every
redesign; and how a life ended."""

from enum import StrEnum
from pathlib import Path

from crawloop_assets.heal.regenerate import RegenerationOutcome
from tests.heal.redesign_kinds import LISTS, Redesign, Shown
from tests.heal.redesign_run import Life
from tests.heal.redesign_shop import Wares
from tests.heal.redesign_site import ROWS, WareSite

_WARES = 16
_NEARLY_ALL = 0.85
"""Of some rows a moved price waits for a second day."""


class Ending(StrEnum):
    """How a redesign ended: see the bench."""

    GREEN = "green"
    ASKED = "asked"
    PARTLY = "partly"
    RED = "red"


def ending_of(redesign: Redesign, life: Life) -> Ending:
    """What a life has come to by its last day."""
    last, asked = life.days[-1], life.questions
    if last.is_red:
        return Ending.RED
    if last.right < _NEARLY_ALL * last.rows or asked > redesign.waves:
        return Ending.PARTLY
    return Ending.ASKED if asked else Ending.GREEN


def new_site(shown: Shown, is_linked: bool) -> WareSite:
    """The site of a family on its first day."""
    size = 4 * ROWS if shown in LISTS else _WARES
    return WareSite(shown, is_linked, Wares(size))


def redesigned(life: Life, redesign: Redesign, days: int) -> None:
    """Let a life go on for so many days from a redesign on."""
    life.site.design = redesign.change
    life.days.clear()
    if redesign.rise != 1:
        life.site.wares.night(redesign.rise)
    for _ in range(days):
        life.live()


class Lives:
    """Families with their quiet days behind them, each made once."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._made: dict[tuple[Shown, bool], Life] = {}
        self._count = 0

    def after(
        self, shown: Shown, is_linked: bool, redesign: Redesign, days: int
    ) -> Life:
        """A family so many days after a redesign."""
        key = (shown, is_linked)
        if key not in self._made:
            self._made[key] = self._begun(shown, is_linked)
        self._count += 1
        life = self._made[key].copied(self._folder / f"life-{self._count}")
        redesigned(life, redesign, days)
        return life

    def _begun(self, shown: Shown, is_linked: bool) -> Life:
        folder = self._folder / f"{shown.value}-{is_linked}"
        life = Life(new_site(shown, is_linked), folder)
        made = life.begin()
        assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
        last = life.days[-1]
        assert not life.red and not life.judge.wrong, (life.checks, life.judge.wrong)
        assert last.right >= last.rows - 2, last
        return life
