"""A clock that can be set for what is started with it, as the clock of a machine can:
a few lines of C before the system's own, where there is a compiler; else the clock stays
right, and the soak says so.

Waits are measured on a clock that nobody can set. What sleeps until a time of day is not
woken by it.
"""

import os
import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

_SOURCE = Path(__file__).with_name("clock.c")
STEP_S = 7200


class Clock:
    """How far from the truth a clock is; every process sees a change at once."""

    def __init__(self, folder: Path):
        self._file, self._library = folder / "clock", folder / "clock.so"
        self._file.write_bytes(struct.pack("q", 0))
        self.is_settable = self._is_built()

    def set(self, seconds: int) -> None:
        """Let the clock be that far ahead."""
        handle = os.open(self._file, os.O_WRONLY)
        os.write(handle, struct.pack("q", seconds))
        os.close(handle)

    def environment(self) -> Mapping[str, str]:
        """What a process needs to be told."""
        if not self.is_settable:
            return {}
        return {"LD_PRELOAD": str(self._library), "SOAK_CLOCK": str(self._file)}

    def _is_built(self) -> bool:
        compiler = shutil.which("cc")
        if compiler is None:
            return False
        build = [
            compiler,
            "-shared",
            "-fPIC",
            "-O2",
            "-o",
            str(self._library),
            str(_SOURCE),
            "-ldl",
        ]
        return not subprocess.run(build, capture_output=True).returncode
