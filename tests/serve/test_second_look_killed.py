"""A kill between the two looks, or after the second one: nothing is lost and nothing asked twice."""

import os
import signal
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.page import Verdict
from crawloop_assets.store import Store
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.serve.shelf import (
    PAGES,
    RIGHT,
    WRONG,
    Shelf,
    price,
    refresh,
)

KILLED = """
import os, signal, sys
from pathlib import Path
from crawloop_assets.store import Store
from tests.serve.shelf import stream
class At: port = int(sys.argv[1])
if sys.argv[3] == "in its commit":
    Store.commit_batch = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
store = Store(Path(sys.argv[2]) / "var", Path(sys.argv[2]) / "crawloop.duckdb")
list(stream(store, At, sys.argv[4]).run(["000001"]))
"""


def killed_run(
    site: Site, tmp_path: Path, where: str, day: int
) -> subprocess.Popen[bytes]:
    """A run of that day's refresh, which the next run goes on with."""
    asked = [str(site.port), str(tmp_path), where, f"run-{day}"]
    command = [sys.executable, "-c", KILLED, *asked]
    return subprocess.Popen(command, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize("after", [WRONG, RIGHT])
def test_a_kill_between_the_looks_loses_nothing(
    store: Store, site: Site, shelf: Shelf, tmp_path: Path, after: str
) -> None:
    killed: list[int] = []
    shelf.day += 1
    site.reset()

    def kill(request: Asked) -> Told:
        if "cache-control" in request.headers and not killed:
            os.kill(run.pid, signal.SIGKILL)
            killed.append(run.pid)
        return shelf(request)

    shelf.says[3] = [WRONG, WRONG, after]
    site.routes["item"] = kill
    run = killed_run(site, tmp_path, "between", shelf.day)
    assert run.wait(60) == -signal.SIGKILL and killed == [run.pid]
    assert price(store, site, 3) == Decimal(RIGHT)

    shelf.day -= 1
    served = refresh(store, site, shelf)
    assert [hit.path for hit in site.hits("/item/")] == ["/item/3"]
    assert served.verdicts == {Verdict.OK: PAGES}
    assert price(store, site, 3) == Decimal(RIGHT)
    assert bool(served.judgement.unconfirmed) is (after == WRONG)


def test_a_kill_after_the_second_look_asks_for_nothing_again(
    store: Store, site: Site, shelf: Shelf, tmp_path: Path
) -> None:
    shelf.day += 1
    shelf.says[3] = [WRONG, RIGHT, WRONG]
    run = killed_run(site, tmp_path, "in its commit", shelf.day)
    assert run.wait(60) == -signal.SIGKILL
    shelf.day -= 1
    served = refresh(store, site, shelf)
    assert site.hits("/item/") == [] and served.second_look == ""
    assert price(store, site, 3) == Decimal(RIGHT)
    assert served.verdicts == {Verdict.OK: PAGES} and served.counts.held == 0
