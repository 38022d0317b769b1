"""What one living process asks for, no other one does."""

import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawloop_assets.pipeline import holder
from crawloop_assets.pipeline.holder import claim
from crawloop_assets.store import Store

ASK = """
import sys
from pathlib import Path
from crawloop_assets.pipeline.holder import claim
from crawloop_assets.store import Store
home = Path(sys.argv[1])
print(claim(Store(home / "var", home / "crawloop.duckdb"), "wave"), flush=True)
input()
"""


def ask(home: Path) -> tuple[subprocess.Popen[str], str]:
    """Another process that claims the wave and stays; what it was told."""
    command = [sys.executable, "-c", ASK, str(home)]
    other = subprocess.Popen(command, stdin=-1, stdout=-1, text=True)
    assert other.stdout is not None
    return other, other.stdout.readline().strip()


def test_of_two_processes_one_asks_until_it_is_gone(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    other, said = ask(tmp_path)
    assert said == "True"
    assert not claim(store, "wave")
    assert claim(store, "another wave")
    other.kill()
    other.communicate()
    assert claim(store, "wave"), "what the dead asked for can be asked for again"
    other, said = ask(tmp_path)
    other.kill()
    other.communicate()
    assert said == "False"


def test_what_has_no_name_anybody_may_ask_for(tmp_path: Path) -> None:
    assert claim(Store(tmp_path / "var", tmp_path / "crawloop.duckdb"), None)


def test_a_claim_is_believed_for_a_while() -> None:
    now = datetime.now(UTC)
    for one in ("elsewhere:1", f"{socket.gethostname()}:{os.getpid()}"):
        assert holder._is_there(one, now)
        assert not holder._is_there(one, now - timedelta(minutes=3))
        assert not holder._is_there(one, now + timedelta(hours=2)), "the clock was set"
