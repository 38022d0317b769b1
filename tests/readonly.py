"""A process that may not do what file modes forbid, also where tests run as root."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_PR_CAPBSET_DROP = 24
_DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER = 1, 2, 3


def _obey_modes() -> None:
    """Drop what lets root pass over file modes; it counts from the next program on."""
    libc = ctypes.CDLL(None)
    for power in (_DAC_OVERRIDE, _DAC_READ_SEARCH, _FOWNER):
        libc.prctl(_PR_CAPBSET_DROP, power, 0, 0, 0)


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Nothing below a folder may be written, until the end of the block."""
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*"))}
    try:
        for path, mode in modes.items():
            path.chmod(mode & ~0o222)
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def crawloop(
    home: Path, arguments: Sequence[str], more: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command of the product in a process that obeys file modes; `more` is run
    before it."""
    start = f"{more}\nfrom crawloop_assets.cli.app import main; main()"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        env=os.environ | {"CRAWLOOP_HOME": str(home), "COLUMNS": "200"},
        cwd=home,
        preexec_fn=_obey_modes if os.getuid() == 0 else None,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
