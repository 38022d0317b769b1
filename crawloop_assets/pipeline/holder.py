"""Claims by process: what this one asks for, no other that is alive asks for."""

import os
import socket
from datetime import UTC, datetime, timedelta

from crawloop_assets.pipeline.alive import process_alive
from crawloop_assets.store import Store

_LEASE = timedelta(minutes=2)
"""By then what was asked for is there for all to see; if it is not, somebody else has to ask."""


def claim(store: Store, name: str | None) -> bool:
    """Whether this process is the one to ask for something of that name; what has no
    name anybody may ask for."""
    if name is None:
        return True
    return store.claims.take(name, f"{socket.gethostname()}:{os.getpid()}", _is_there)


def _is_there(holder: str, claimed_at: datetime) -> bool:
    """Whether the process that claimed something a moment ago still runs; one of
    another machine is believed to."""
    if abs(datetime.now(UTC) - claimed_at) > _LEASE:
        return False
    machine, _, number = holder.rpartition(":")
    if machine != socket.gethostname():
        return True
    return process_alive(int(number), claimed_at.timestamp())
