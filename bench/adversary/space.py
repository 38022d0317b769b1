"""A world of its own for one run: namespaces of the network, of mounts and of processes.

Inside, every address of the world is this machine: whatever anybody connects to is
answered by the servers of the run, and seen. Nothing gets out.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import filterfalse
from pathlib import Path
from typing import NoReturn

INSIDE = "CRAWLOOP_ADVERSARY_INSIDE"
NAMESERVER = "10.255.255.53"
_SPACES = ("--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child")
_ROUTES = (
    ("ip", "link", "set", "lo", "up"),
    # Public addresses and all others: nothing is out of sight.
    ("ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"),
    ("ip", "-6", "route", "add", "local", "::/0", "dev", "lo"),
)
_POLICIES = Path("/etc/chromium/policies/managed")


def refused() -> str:
    """Why such a world cannot be made here, "" if it can."""
    missing = list(filterfalse(shutil.which, ("unshare", "ip", "mount")))
    if missing:
        return f"{', '.join(missing)} is not installed"
    tried = subprocess.run(
        ["unshare", *_SPACES, "true"], capture_output=True, text=True, check=False
    )
    return tried.stderr.strip() if tried.returncode else ""


def enter(arguments: Sequence[str]) -> NoReturn:
    """Becomes the harness inside, with these arguments: whoever kills this process ends
    everything."""
    first = [sys.executable, "-m", "bench.adversary.first", *arguments]
    os.environ[INSIDE] = "1"
    os.execvp("unshare", ["unshare", *_SPACES, *first])


def furnish(folder: Path) -> None:
    """Routes, names and nothing of the machine's own settings, inside; `folder` keeps
    the files that are mounted over others."""
    for command in _ROUTES:
        subprocess.run(command, check=True)
    names = folder / "resolv.conf"
    names.write_text(f"nameserver {NAMESERVER}\noptions timeout:2 attempts:1\n")
    _mount("--bind", str(names), "/etc/resolv.conf")


def trust(certificate: Path, encoded: str) -> None:
    """Everybody inside trusts an authority: `certificate` is its file, `encoded` the
    same for Chromium, which reads it as a policy."""
    os.environ["SSL_CERT_FILE"] = str(certificate)
    _POLICIES.mkdir(parents=True, exist_ok=True)
    _mount("-t", "tmpfs", "tmpfs", str(_POLICIES))
    policy = {"CACertificates": [encoded]}
    (_POLICIES / "adversary.json").write_text(json.dumps(policy))


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)
