"""A process that may not do what file modes forbid, also where tests run as root."""

import ctypes
import json
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


_EACH = """
import json, os, sys, tempfile
import crawloop_assets.cli.app as app
import crawloop_assets.cli.explain, crawloop_assets.store, crawloop_assets.access.fetcher
def said(arguments):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1), os.dup2(err.fileno(), 2)
            sys.argv = ["crawloop", *arguments]
            app.main()
            sys.exit()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0), err.seek(0)
        return [status, out.read().decode(), err.read().decode()]
print(json.dumps([said(one) for one in json.loads(sys.argv[1])]))
"""
"""Each command in a process of its own, forked from one that has loaded them all."""


def crawloops(
    home: Path, commands: Sequence[Sequence[str]]
) -> list[subprocess.CompletedProcess[str]]:
    """Run several commands as `crawloop` runs one."""
    told = _run(home, _EACH, [json.dumps(commands)])
    assert told.returncode == 0, told.stderr
    return [
        subprocess.CompletedProcess([], code, out, err)
        for code, out, err in json.loads(told.stdout)
    ]


def crawloop(
    home: Path, arguments: Sequence[str], more: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command of the product in a process that obeys file modes; `more` is run
    before it."""
    start = f"{more}\nfrom crawloop_assets.cli.app import main; main()"
    return _run(home, start, arguments)


def _run(
    home: Path, program: str, arguments: Sequence[str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | {"CRAWLOOP_HOME": str(home), "COLUMNS": "200"},
        cwd=home,
        preexec_fn=_obey_modes if os.getuid() == 0 else None,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
