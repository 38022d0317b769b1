"""When to ask again."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from crawloop_assets.access.waits import LONGEST_WAIT_S

# Statuses that pass; every other 4xx is an answer, and asking again would only annoy.
_TRANSIENT = frozenset({408, 425, 429})


@dataclass(frozen=True)
class Patience:
    """A page is asked for 1 + `retries` times, with `base_s` x 2^n seconds between, at
    most `max_s`.

    `max_wait_s` is the longest that a run waits for a host that asked for a pause; what
    takes longer is given back.
    """

    retries: int = 3
    base_s: float = 1.0
    max_s: float = 60.0
    max_wait_s: float = LONGEST_WAIT_S

    def pause_s(self, tries: int) -> float:
        """Seconds to wait after so many failed tries (from 1).

        Jitter never makes a later pause the shorter one.
        """
        jitter = 1 + random.random() / 4
        return min(self.base_s * 2.0 ** (tries - 1) * jitter, self.max_s)


def is_transient(status: int) -> bool:
    """True if the same request may work later."""
    return status >= 500 or status in _TRANSIENT


def retry_after(
    headers: Mapping[str, str], now: datetime | None = None
) -> float | None:
    """Seconds the server asked to wait, from a number or a date; None if it said
    nothing, nonsense or a time gone by.

    A date is read against the server's own Date header, so that its clock need not be
    ours.
    """
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", text):
        return float(text) or None
    until = _date(text)
    if until is None:
        return None
    asked_at = _date(headers.get("date", "")) or now or datetime.now(UTC)
    return _seconds_ahead(until - asked_at)


def _seconds_ahead(wait: timedelta) -> float | None:
    """A wait in seconds; None for one that is over, as if none had been asked for."""
    seconds = wait.total_seconds()
    return seconds if seconds > 0 else None


def _date(text: str) -> datetime | None:
    """A date as HTTP writes it, None if it is none."""
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
