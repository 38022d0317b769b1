"""Stored pages, as a disk or time may leave them."""

import re
import time
from pathlib import Path

import pytest

from crawloop_assets.store import Bodies


def damage(bodies: Bodies, *names: str) -> None:
    """Other bytes than were stored, where they were stored."""
    for name in names:
        found = re.fullmatch(r"(.+), (\d+) bytes from (\d+) on", bodies.where(name))
        assert found, bodies.where(name)
        pattern = Path(found[1])
        (file,) = pattern.parent.glob(pattern.name)
        with file.open("r+b") as pack:
            pack.seek(int(found[3]))
            pack.write(b"\xff" * int(found[2]))


def put_long_ago(bodies: Bodies, body: bytes) -> str:
    """A page that was stored when the clock began."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: 0.0)
        return bodies.put(body)
