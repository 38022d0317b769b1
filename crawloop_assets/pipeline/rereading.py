"""When the files that definitions are made of have changed, so that they are read again."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from crawloop_assets.family_files import own_files
from crawloop_assets.project import Project

_SUFFIXES = (".py", ".yaml", ".yml", ".toml")
_EVERY_S = 5.0
_SHARE = 1 / 500
"""Of the time, at most, that looking takes: a project may have folders full of data."""

_Stamp = frozenset[tuple[str, int, int]]


@dataclass
class ProjectFiles:
    """The families, schemas, resources and settings of a project, as they lie there."""

    project: Project
    _seen: _Stamp | None = None
    _next: float = field(default=0.0)

    def have_changed(self) -> bool:
        """Whether one was written, made or deleted since this was asked before; the
        first answer is no. A look that is not due yet says no as well."""
        begin = time.monotonic()
        if begin < self._next:
            return False
        before, self._seen = self._seen, frozenset(self._stamp())
        took = time.monotonic() - begin
        self._next = begin + max(_EVERY_S, took / _SHARE)
        return before is not None and before != self._seen

    def _stamp(self) -> Iterator[tuple[str, int, int]]:
        """Each file with its size and when it was written."""
        for file in own_files(self.project.root):
            if file.suffix in _SUFFIXES and (found := _stat(file)):
                yield str(file), found.st_size, found.st_mtime_ns


def _stat(file: Path) -> os.stat_result | None:
    """None if it is gone by now."""
    try:
        return file.stat()
    except OSError:
        return None
