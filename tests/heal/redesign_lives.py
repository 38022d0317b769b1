"""Families with their quiet days behind them, each made once and copied for every
redesign."""

from pathlib import Path

from crawloop_assets.heal.regenerate import RegenerationOutcome
from tests.heal.redesign_kinds import LISTS, Redesign, Shown
from tests.heal.redesign_run import ROWS, Life
from tests.heal.redesign_shop import Wares

_WARES = 16


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
        life.design = redesign.change
        life.days.clear()
        if redesign.rise != 1:
            life.wares.night(redesign.rise)
        for _ in range(days):
            life.live()
        return life

    def _begun(self, shown: Shown, is_linked: bool) -> Life:
        size = 4 * ROWS if shown in LISTS else _WARES
        folder = self._folder / f"{shown.value}-{is_linked}"
        life = Life(shown, is_linked, folder, Wares(size))
        made = life.begin()
        assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
        last = life.days[-1]
        assert not life.red and not life.wrong, (life.checks, life.wrong)
        assert last.right >= last.rows - 2, last
        return life
