"""What was seen of a run, from outside: connections, look-ups, requests."""

import threading
from dataclasses import dataclass, replace
from enum import StrEnum


class How(StrEnum):
    """By whom something was seen."""

    PACKET = "packet"
    NAME = "name"
    REQUEST = "request"


@dataclass(frozen=True)
class Seen:
    """One thing that somebody did.

    `where` is the address of a packet, a name that was looked up, or the host that a
    request names, which has its `target` and the `address` it came to as well. `phase`
    is what was being tried.
    """

    how: How
    where: str
    target: str = ""
    port: int = 0
    method: str = ""
    address: str = ""
    phase: str = ""


class Record:
    """All that was seen, by every witness; safe to use from all threads."""

    def __init__(self) -> None:
        """Nothing was seen yet, and nothing is tried."""
        self._lock = threading.Lock()
        self._seen: list[Seen] = []
        self.phase = "quiet"

    def note(self, seen: Seen) -> None:
        """Keep one thing, as seen in the present phase."""
        with self._lock:
            self._seen.append(replace(seen, phase=self.phase))

    @property
    def all(self) -> list[Seen]:
        """All so far, in order."""
        with self._lock:
            return list(self._seen)
