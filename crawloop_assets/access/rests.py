"""Which proxies rest, and why: kept from run to run in a small file."""

import json
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.access.waits import believed
from crawloop_assets.project import replace_whole

LONGEST_REST_S = 3_600.0


class Rest(NamedTuple):
    """How a proxy does: what logs call it, failures in a row, and how many seconds it
    still rests."""

    name: str = ""
    failures: int = 0
    left_s: float = 0.0


class RestBook:
    """Proxies that failed, by a digest of their url, which may hold a password."""

    def __init__(self, file: Path):
        """A file that is missing or damaged says nothing."""
        self._file = file

    def all(self) -> list[Rest]:
        """Every proxy that failed and has not worked since, by name."""
        return sorted(map(_rest, self._read().values()))

    def of(self, url: str) -> Rest:
        """How one does."""
        entry = self._read().get(_digest(url))
        return _rest(entry) if entry else Rest()

    def note(self, url: str, rest: Rest) -> None:
        """Remember a failure, or forget one after which the proxy has worked. Where the
        disk refuses, this run alone knows."""
        entries = self._read()
        entries.pop(_digest(url), None)
        if rest.failures:
            entry = (rest.name, rest.failures, time.time() + rest.left_s)
            entries[_digest(url)] = entry
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_whole(self._file, json.dumps(entries))

    def _read(self) -> dict[str, tuple[str, int, float]]:
        """The entries of the last day; sessions of older ones are gone."""
        try:
            entries = json.loads(self._file.read_bytes())
            return {
                key: (str(name), int(failures), float(until))
                for key, (name, failures, until) in entries.items()
                if until > time.time() - 86_400
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return {}


def _rest(entry: tuple[str, int, float]) -> Rest:
    """An entry, with the seconds that are left."""
    name, failures, until = entry
    now = time.time()
    return Rest(name, failures, max(0.0, believed(until, now, LONGEST_REST_S) - now))


def _digest(url: str) -> str:
    return sha256(url.encode()).hexdigest()[:16]
