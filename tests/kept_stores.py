"""Stores that are made once and copied: most tests begin with the same days of the same pages."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from crawloop_assets.store import Store

Make = Callable[[Path], object]
"""Makes a store in a folder, the same whenever it is called."""


class KeptStores:
    """What was made in this process, by what made it."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        """Keeps nothing yet."""
        self._folders = folders
        self._made: dict[Make, Path] = {}

    def copied(self, make: Make, to: Path) -> Store:
        """A copy of one's own, in a folder."""
        if make not in self._made:
            folder = self._folders.mktemp("kept")
            make(folder)
            self._made[make] = folder
        shutil.copytree(self._made[make], to, dirs_exist_ok=True)
        return Store(to / "var", to / "crawloop.duckdb")
