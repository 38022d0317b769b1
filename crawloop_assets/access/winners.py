"""Which rung a site needs: the winner is used first, and a cheaper one is tried again
after a while."""

import time
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from crawloop_assets.access.limiter import file_name
from crawloop_assets.family import Rung
from crawloop_assets.page import Verdict
from crawloop_assets.project import replace_whole

# After so long the cheaper rungs are tried again.
PROBE_S = 3_600.0


class Winner(BaseModel):
    """The rung that serves a site, why not a cheaper one, and when (seconds since the
    epoch) to try those again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rung: Rung
    why: Verdict
    probe_at: float

    def is_probed(self, now: float) -> bool:
        """True if it is time to try the cheaper rungs again."""
        # A page that needs a browser answers every cheaper rung politely with nothing
        # in it: no use in asking.
        if self.why is Verdict.NEEDS_RENDER:
            return False
        # Further ahead it was set by a clock that was wrong, and is not believed.
        return not now < self.probe_at <= now + PROBE_S


class Winners:
    """Winners in small files, so that every run of the machine starts where the last
    one ended."""

    def __init__(self, folder: Path):
        """`folder` is made if it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._known: dict[str, Winner | None] = {}

    def get(self, key: str) -> Winner | None:
        """The winner under a key, None if the cheapest rung serves."""
        if key not in self._known:
            self._known[key] = self._read(key)
        return self._known[key]

    def order(self, key: str, rungs: Sequence[Rung]) -> tuple[Rung, ...]:
        """The rungs to try: from the winner on, or from the cheapest when it is time to
        try that again."""
        winner = self.get(key)
        if winner is None or winner.rung not in rungs:
            return tuple(rungs)
        if winner.is_probed(time.time()):
            # One fetch probes; the others go on with what works.
            again_at = time.time() + PROBE_S
            self._put(key, winner.model_copy(update={"probe_at": again_at}))
            return tuple(rungs)
        return tuple(rungs[rungs.index(winner.rung) :])

    def won(self, key: str, rung: Rung, why: Verdict | None) -> None:
        """A rung served.

        `why` is what the one before it came to; None if it was tried first.
        """
        winner = self.get(key)
        if why is not None:
            self._put(key, Winner(rung=rung, why=why, probe_at=time.time() + PROBE_S))
        elif winner is not None and winner.rung is not rung:
            self._put(key, None)

    def _read(self, key: str) -> Winner | None:
        """The stored winner; None if there is none or its file is damaged."""
        try:
            return Winner.model_validate_json(self._file(key).read_bytes())
        except (OSError, ValidationError):
            return None

    def _put(self, key: str, winner: Winner | None) -> None:
        """Stores a winner in one step; None forgets the one there was."""
        self._known[key] = winner
        file = self._file(key)
        if winner is None:
            file.unlink(missing_ok=True)
            return
        replace_whole(file, winner.model_dump_json())

    def _file(self, key: str) -> Path:
        """The file of a site and its kind of page."""
        return self._folder / f"{file_name(key)}.json"
