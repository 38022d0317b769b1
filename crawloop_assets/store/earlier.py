"""Earlier published files, kept a while: what a store can be rebuilt from when the
published file is lost with it."""

import os
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

KEPT_FILES = 3
"""How many are kept: at most that many times the published file on disk."""

_APART_S = 3600.0
"""A run publishes many times; what is kept is that much older than the next."""


class EarlierFiles:
    """`var/published/`: the published files before the present one.

    Keeping one copies nothing where links are possible: it is the file that readers had
    open.
    """

    def __init__(self, var: Path):
        self.folder = var / "published"

    def newest_first(self) -> list[Path]:
        """The files kept."""
        return sorted(self.folder.glob("crawloop-*.duckdb"), reverse=True)

    def drop(self) -> int:
        """Keep none any more; how many there were."""
        kept = self.newest_first()
        for file in kept:
            file.unlink()
        return len(kept)

    def keep(self, published: Path) -> None:
        """Keep a file that is about to be replaced, unless a kept one is of the same
        hour.

        A full disk keeps nothing, and stops nobody.
        """
        moment = published.stat().st_mtime
        kept = self.newest_first()
        if kept and moment - kept[0].stat().st_mtime < _APART_S:
            return
        name = f"crawloop-{datetime.fromtimestamp(moment, UTC):%Y%m%dT%H%M%S}.duckdb"
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            _link(published, self.folder / name)
            for old in self.newest_first()[KEPT_FILES:]:
                old.unlink()


def _link(file: Path, target: Path) -> None:
    """The same file under another name; a copy where the two are on different disks."""
    fresh = target.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    try:
        os.link(file, fresh)
    except OSError:
        shutil.copy2(file, fresh)
    fresh.replace(target)
