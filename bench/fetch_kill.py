"""A crawl that is killed again and again loses nothing: `python -m bench.fetch_kill
--products 600 --kills 10`.

A refresh of a fresh project is started as a real Dagster run in a process of its own,
killed with its workers at a random moment, and started again at once with the batches
that are due. In the end every product is there once, and the log of the site says how
many pages were asked for a second time after each kill, and how long after its start
each run asked for its first page (the first one waits for nobody). `BENCH_BATCH` is the
batch size.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from pathlib import Path

import duckdb

from bench.fetch import site
from bench.fetch_own import BATCH, HOSTS, PER_HOST


def refreshing(port: int, folder: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "bench.fetch_own",
        "resume",
        str(port),
        str(folder),
    ]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)


@dataclass(frozen=True)
class Log:
    """What the site has logged of products: how often each was sent, and when."""

    sent: Counter[str]
    times: list[float]

    @classmethod
    def of(cls, port: int) -> "Log":
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_log") as answer:
            hits = [hit for hit in json.load(answer) if hit[2].startswith("/p/")]
        sent = Counter(
            f"{host}{path}" for _, host, path, status in hits if status == 200
        )
        return cls(sent, sorted(map(itemgetter(0), hits)))

    def again(self, before: "Log") -> int:
        """How many pages were sent although they had been sent before."""
        return sum(self.sent[name] - count for name, count in before.sent.items())

    def first_after(self, moment: float) -> float:
        """Seconds until a page was asked for; 0 if none was."""
        return next((at - moment for at in self.times if at >= moment), 0.0)


def kill(process: subprocess.Popen[bytes], port: int, pages: int) -> None:
    """Wait until so many more pages were asked for (or the run ended), then kill its
    whole session."""
    goal = Log.of(port).sent.total() + pages
    while process.poll() is None and Log.of(port).sent.total() < goal:
        time.sleep(0.05)
    time.sleep(random.random())
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("--products", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as name, site(options.products) as port:
        folder = Path(name)
        subprocess.run(
            [sys.executable, "-m", "bench.fetch_own", "discover", str(port), name],
            check=True,
            capture_output=True,
        )
        logs, starts = [Log.of(port)], []
        for _ in range(options.kills):
            starts.append(time.time())
            kill(
                refreshing(port, folder),
                port,
                random.randrange(options.products // options.kills),
            )
            logs.append(Log.of(port))
        starts.append(time.time())
        last = refreshing(port, folder)
        last.wait()
        logs.append(Log.of(port))
        with duckdb.connect(
            str(folder / "crawloop.duckdb"), read_only=True
        ) as connection:
            row = connection.execute(
                "select count(*), count(distinct sku), sum(price) from item"
            ).fetchone()
    assert row is not None
    # The first run finds a few pages that discovery had read for the compiler.
    again = [after.again(before) for before, after in pairwise(logs[1:])]
    waited = list(map(logs[-1].first_after, starts))
    allowed = len(HOSTS) * PER_HOST + BATCH
    result = {
        "exit": last.returncode,
        "rows": row[0],
        "skus": row[1],
        "prices": str(row[2]),
        "kills": options.kills,
        "asked_again": again,
        "allowed": allowed,
        "first_request_s": [round(seconds, 1) for seconds in waited],
    }
    print(json.dumps(result))
    if (
        (row[0], row[1]) != (options.products, options.products)
        or last.returncode
        or max(again) > allowed
    ):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
