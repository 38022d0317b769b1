"""Errors where a store asks the disk: syncs, renames and links that fail by chance.

They are raised where the operating system would raise them, in the process that writes.
"""

import errno
import os
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

INJECTED: Mapping[str, tuple[str, ...]] = {
    "fsync": ("fsync",),
    "rename": ("replace", "rename"),
    "link": ("link",),
}
"""The kinds of faults, and the functions of `os` in which they happen."""

_ERRORS = (errno.EIO, errno.ENOSPC, errno.EDQUOT)
_RATE = 0.2


def inject(seed: int, folder: Path, name: str) -> None:
    """From now on one call of so many fails in this process; every failure is a line in
    a file of this process."""
    chance = random.Random(seed)
    log = os.open(
        folder / f"faults-{name}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600
    )
    for kind, functions in INJECTED.items():
        for function in functions:
            real = getattr(os, function)
            setattr(os, function, _failing(real, kind, chance, log))


def injected(folder: Path, kind: str) -> int:
    """How many faults of a kind there were."""
    found = 0
    for file in folder.glob("faults-*"):
        with suppress(OSError):
            found += file.read_text().split().count(kind)
    return found


def _failing(
    real: Callable[..., Any], kind: str, chance: random.Random, log: int
) -> Callable[..., Any]:
    def maybe(*given: Any, **named: Any) -> Any:
        if chance.random() < _RATE:
            os.write(log, f"{kind}\n".encode())
            number = chance.choice(_ERRORS)
            raise OSError(number, os.strerror(number))
        return real(*given, **named)

    return maybe
