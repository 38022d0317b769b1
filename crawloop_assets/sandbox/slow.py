"""Pages that cost a worker its whole deadline are remembered by their bytes: such a page
is not asked again per version, group and refresh."""

import json
import os
import time
from collections import defaultdict
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from crawloop_assets.errors import CrawlerTimeout

_KEPT_S = 7 * 86_400.0
_PROGRAMS = 2
"""A page on which so many programs ran out of time is slow itself. One alone may have
been the slow one: another version gets its turn."""


class SlowJob(NamedTuple):
    """What was asked: the page by the sha256 of its bytes, and the program ("" for
    none)."""

    page: str
    program: str

    @property
    def digest(self) -> str:
        """A short name of the program."""
        return sha256(self.program.encode()).hexdigest()[:16]


class SlowPages:
    """What ran out of time, in a file of JSON lines if there is one.

    Thread-safe. A line that is torn, and what is older than a week, is forgotten.
    """

    def __init__(self, file: Path | None = None):
        """Reads what earlier runs noted."""
        self._file, self._lock = file, Lock()
        self._known: dict[str, dict[str, float]] = defaultdict(dict)
        for page, program, noted_at in _noted(file) if file else ():
            self._known[page][program] = noted_at

    def refusal(self, asked: SlowJob) -> CrawlerTimeout | None:
        """Why a page is not asked again, None if it may be."""
        oldest = time.time() - _KEPT_S
        noted = self._known.get(asked.page, {})
        programs = [name for name, at in noted.items() if at >= oldest]
        if not programs or (len(programs) < _PROGRAMS and asked.digest not in programs):
            return None
        return CrawlerTimeout(
            "this page cost its whole deadline before; it is asked again when its "
            "bytes change, or after a week"
        )

    def add(self, asked: SlowJob) -> None:
        """A page ran out of time, alone. Where the disk refuses, this run alone knows."""
        now = time.time()
        with self._lock:
            self._known[asked.page][asked.digest] = now
        if self._file is None:
            return
        line = json.dumps([asked.page, asked.digest, now])
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            _append(self._file, f"{line}\n".encode())


def _append(file: Path, line: bytes) -> None:
    """Adds a line in one step."""
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)


def _noted(file: Path) -> list[tuple[str, str, float]]:
    """Pages and programs of the last week, with when they were noted; a moment that is
    still to come is none, or nothing would ever forget it."""
    try:
        lines = file.read_bytes().splitlines()
    except OSError:
        return []
    found, now = [], time.time()
    for line in lines:
        with suppress(ValueError, TypeError, RecursionError):
            page, program, noted_at = json.loads(line)
            if now - _KEPT_S <= noted_at <= now:
                found.append((str(page), str(program), float(noted_at)))
    return found
