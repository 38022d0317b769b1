"""Brakes: sites that a person paused, and how much of a day's quota each has used, in
small files that all processes of a machine share."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.access.limiter import file_name
from crawloop_assets.errors import OverQuota, Paused
from crawloop_assets.family import Domains, Quota
from crawloop_assets.project import replace_whole

EVERYTHING = "--all"


@dataclass(frozen=True)
class SitePause:
    """A host that nobody may ask for now (EVERYTHING for all), since when, by whom and
    why."""

    host: str
    since: str
    who: str = ""
    why: str = ""

    def __str__(self) -> str:
        """Such as "paused since 2026-11-22 13:00 by ann: they asked us to"."""
        because = f": {self.why}" if self.why else ""
        return f"paused since {self.since} by {self.who or 'somebody'}{because}"


class DayUse(NamedTuple):
    """What was asked of a host on one day (UTC): pages, bytes on the wire, and bytes of
    pages to be stored."""

    day: str = ""
    pages: int = 0
    bytes: int = 0
    disk: int = 0


class Brakes:
    """Read before every request; a file that is damaged brakes nothing."""

    def __init__(self, folder: Path):
        """`folder` is made when something is written."""
        self._paused, self._used = folder / "paused", folder / "used"
        self._files: dict[str, Path] = {}

    def pause(self, host: str, who: str = "", why: str = "") -> SitePause:
        """From now on nothing of a host (or EVERYTHING) is asked for, also by runs that
        are under way: each ends the pages it is at."""
        pause = SitePause(host, f"{datetime.now(UTC):%Y-%m-%d %H:%M}", who, why)
        _write(self._file(host), json.dumps([pause.host, pause.since, who, why]))
        return pause

    def resume(self, host: str) -> bool:
        """Ask for a host again; False if it was not paused. EVERYTHING ends all
        pauses."""
        files = [self._file(host)]
        if host == EVERYTHING:
            files = sorted(self._paused.glob("*.json"))
        found = [file for file in files if file.exists()]
        for file in found:
            file.unlink(missing_ok=True)
        return bool(found)

    def pauses(self) -> list[SitePause]:
        """All that is paused, by host."""
        return [*filter(None, map(_read_pause, sorted(self._paused.glob("*.json"))))]

    def check(self, host: str, quota: Quota) -> None:
        """Paused if somebody has paused the host, OverQuota if what may be asked of it
        today is used up."""
        if pause := self.pause_of(host):
            raise Paused(host, str(pause))
        limits = quota.model_dump(exclude_none=True)
        used = self.used(host)._asdict() if limits else {}
        for unit, most in limits.items():
            if used[unit] >= most:
                reason = f"quota: the {most:,} {unit} of a day are used up"
                raise OverQuota(host, reason)

    def pause_of(self, host: str) -> SitePause | None:
        """The pause by which a host is not asked for, None if it is."""
        if not os.path.isdir(self._paused):  # noqa: PTH112 - before every request
            return None  # nobody ever paused anything: one look instead of two
        return _read_pause(self._file(EVERYTHING)) or _read_pause(self._file(host))

    def used(self, host: str) -> DayUse:
        """What was used of a host today."""
        with suppress(OSError, ValueError, TypeError):
            used = DayUse(*json.loads(self._counter(host).read_bytes()))
            if used.day == _today():
                return used
        return DayUse(_today())

    def count(self, host: str, pages: int, wire: int, disk: int) -> None:
        """Add to what was used of a host today."""
        with _locked(self._counter(host).with_suffix(".lock")):
            used = self.used(host)
            total = (used.pages + pages, used.bytes + wire, used.disk + disk)
            _write(self._counter(host), json.dumps([used.day, *total]))

    def _file(self, host: str) -> Path:
        """Kept: three looks go before each request, and to put a path together takes
        longer than to look."""
        file = self._files.get(host)
        if file is None:
            file = self._files[host] = self._paused / f"{file_name(host)}.json"
        return file

    def _counter(self, host: str) -> Path:
        return self._used / f"{file_name(host)}.json"


def host_of(site: str) -> str:
    """The host of a "host:port"."""
    return site.rpartition(":")[0] or site


def quotas(domains: Domains) -> dict[str, Quota]:
    """The quota of each host that has one; of several entries the first says it."""
    found: dict[str, Quota] = {}
    for domain in domains.domains:
        if domain.quota != Quota():
            found.setdefault(domain.host, domain.quota)
    return found


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


def _read_pause(file: Path) -> SitePause | None:
    """The pause in a file, None if there is none."""
    with suppress(FileNotFoundError, NotADirectoryError):
        os.stat(file)  # noqa: PTH116 - as nearly always it ends here, at once
        try:
            return SitePause(*json.loads(file.read_bytes()))
        except (ValueError, TypeError):
            # Somebody wanted to stop something: what cannot be read stops it, too.
            return SitePause(file.stem, "a time that cannot be read")
    return None


def _write(file: Path, text: str) -> None:
    """Writes a file in one step, so that no process reads half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_whole(file, text)


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """One process at a time counts; it takes no time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
