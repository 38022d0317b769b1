"""A store that begins at once: most tests begin with an empty one, and making it costs ten times what they do with it.

In some rooms the stores of one process of tests share what DuckDB starts, and a new one begins as a copy of the first. A
project has one store, and pays for it once; so do the tests of the store itself.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir
from types import ModuleType
from typing import Any

import pytest

_FILES = "crawloop_assets.store.file_db"
_HERE = Path(__file__).parent
_ROOMS = frozenset({"cli", "desk", "doctor", "frontier", "heal", "replay", "report"})
"""Rooms whose tests have stores, and are of what is in them."""
_ROOT = Path(gettempdir()).absolute()


def keep_engines(item: pytest.Item, patch: pytest.MonkeyPatch) -> None:
    """Before a test: from here on stores begin as its room wants it. What has not imported the store has none."""
    patch.undo()
    if (files := sys.modules.get(_FILES)) and _room(item) in _ROOMS:
        patch.setattr(files, "Engine", _shared(files.Engine))
        patch.setattr(files, "Generations", _copied(files))


def _room(item: pytest.Item) -> str:
    return item.path.relative_to(_HERE).parts[0]


def _shared(engine: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """What may open files of all folders of tests, where a folder is one of them."""
    return lambda folder: engine(
        _ROOT if folder.absolute().is_relative_to(_ROOT) else folder
    )


def _copied(files: ModuleType) -> type:
    """The files of a store, the first of which is a copy once it was made."""
    return type("Generations", (_Copied, files.Generations), {})


class _Copied:
    """Beside `Generations`."""

    folder: Path
    _made: dict[Callable[..., None], bytes] = {}  # noqa: RUF012 - of all

    def first(self, deadline: float, prepare: Callable[..., None]) -> Path:
        """The first base, as `prepare` made that of an earlier test."""
        if prepare not in self._made:
            made: Path = super().first(deadline, prepare)  # type: ignore[misc]
            self._made[prepare] = made.read_bytes()
            return made
        base = self.folder / "store-000001.duckdb"
        base.write_bytes(self._made[prepare])
        return base
