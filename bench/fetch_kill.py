"""A crawl that is killed again and again loses nothing: `python -m bench.fetch_kill --products 600 --kills 10`.

A refresh of a fresh project is started as a real Dagster run in a process of its own, killed with its workers at a
random moment, and started again at once with the batches that are due. In the end every product is there once, and the
log of the site says how many pages were asked for a second time. `BENCH_BATCH` is the batch size.
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
from pathlib import Path

import duckdb

from bench.fetch import site
from bench.fetch_own import BATCH, PER_HOST


def refreshing(port: int, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bench.fetch_own", "resume", str(port), str(folder)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)


def product_hits(port: int) -> Counter[str]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/_log") as answer:
        hits = json.load(answer)
    return Counter(f"{host}{path}" for _, host, path, status in hits if path.startswith("/p/") and status == 200)


def kill(process: subprocess.Popen[bytes], port: int, pages: int) -> None:
    """Wait until so many more pages were asked for (or the run ended), then kill its whole session."""
    goal = sum(product_hits(port).values()) + pages
    while process.poll() is None and sum(product_hits(port).values()) < goal:
        time.sleep(0.02)
    time.sleep(random.random())
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--products", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as name, site(options.products) as port:
        folder = Path(name)
        subprocess.run(
            [sys.executable, "-m", "bench.fetch_own", "discover", str(port), name], check=True, capture_output=True
        )
        before = sum(product_hits(port).values())
        for _ in range(options.kills):
            kill(refreshing(port, folder), port, random.randrange(options.products // options.kills))
        waited = time.monotonic()
        last = refreshing(port, folder)
        last.wait()
        hits = product_hits(port)
        with duckdb.connect(str(folder / "crawloop.duckdb"), read_only=True) as connection:
            row = connection.execute("select count(*), count(distinct sku), sum(price) from item").fetchone()
    assert row is not None
    again = sum(hits.values()) - before - options.products
    result = {
        "exit": last.returncode,
        "rows": row[0],
        "skus": row[1],
        "prices": str(row[2]),
        "kills": options.kills,
        "asked_again": again,
        "asked_again_per_kill": round(again / options.kills, 1),
        "allowed_per_kill": 4 * PER_HOST + BATCH,
        "last_run_s": round(time.monotonic() - waited, 1),
    }
    print(json.dumps(result))
    if (row[0], row[1]) != (options.products, options.products) or last.returncode:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
