"""What a site sees of real Dagster runs: `python -m bench.fetch_rules
rate|again|queued`.

`rate`: two runs of one family at once, each with half of its batches, and so many
requests allowed per second and host. The log of the site says when each request came.

`again`: a second refresh of unchanged pages, then one after ten edits. The log says how
each request was answered, the table what changed.

`queued`: the same 500 pages crawled by a run of a family that knows 1,000 urls and by
one of a family that knows 100,000. The memory of all processes of the run is watched.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import duckdb
import yaml

from bench.fetch import measure, site

QUEUES = (1_000, 100_000)
FLAT_MB = 60.0  # how much more the longer queue may take
SLACK_S = 0.01  # what a loaded machine may add to or take from a distance between two arrivals


class Hit(NamedTuple):
    """A request for a product as the site logged it."""

    at: float
    host: int
    status: int


def own(kind: str, port: int, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "bench.fetch_own", kind, str(port), str(folder)]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def finish(*runs: subprocess.Popen[bytes]) -> None:
    for run in runs:
        if run.wait():
            raise SystemExit(f"{run.args!r} failed")


def ask(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
        return bytes(answer.read())


def hits(port: int) -> list[Hit]:
    logged = json.loads(ask(port, "/_log"))
    return [
        Hit(at, host, status)
        for at, host, path, status in logged
        if path.startswith("/p/")
    ]


def allow(folder: Path, rps: float) -> None:
    file = folder / "domains.yaml"
    domains = yaml.safe_load(file.read_text())
    for domain in domains["domains"]:
        domain["max_rps"] = rps
    file.write_text(yaml.safe_dump(domains))


def rate(products: int, rps: float) -> bool:
    """Two runs at once; whether no host ever saw more than it allows in any second."""
    os.environ.setdefault("BENCH_BATCH", str(max(1, products // 8)))
    with tempfile.TemporaryDirectory() as name, site(products) as port:
        folder = Path(name)
        finish(own("discover", port, folder))
        ask(port, "/_reset")
        allow(folder, rps)
        finish(*(own(half, port, folder) for half in ("first-half", "second-half")))
        seen = hits(port)
    by_host: dict[int, list[float]] = {}
    for hit in seen:
        by_host.setdefault(hit.host, []).append(hit.at)
    gaps = [
        later - sooner
        for times in by_host.values()
        for sooner, later in pairwise(sorted(times))
    ]
    busiest = max(_most_in_a_second(sorted(times)) for times in by_host.values())
    print(
        json.dumps(
            {
                "requests": len(seen),
                "allowed_per_s": rps,
                "busiest_second": busiest,
                "least_gap_s": round(min(gaps), 3),
                "mean_per_s": round(
                    max(len(t) / (max(t) - min(t)) for t in by_host.values()), 2
                ),
            }
        )
    )
    return len(seen) == products and busiest <= rps


def _most_in_a_second(times: list[float]) -> int:
    return max(
        sum(start <= at < start + 1 - SLACK_S for at in times) for start in times
    )


def again(products: int, edits: int) -> bool:
    """Two more refreshes; whether nothing but what was edited came over the wire and
    changed."""
    with tempfile.TemporaryDirectory() as name, site(products) as port:
        folder = Path(name)
        finish(own("discover", port, folder))
        finish(own("refresh", port, folder))
        before = _prices(folder)
        ask(port, "/_reset")
        finish(own("refresh", port, folder))
        unchanged = Counter(map(attrgetter("status"), hits(port)))
        ask(port, "/_reset")
        for number in range(edits):
            ask(port, f"/_set?id={number * 7}&v=1")
        finish(own("refresh", port, folder))
        edited = Counter(map(attrgetter("status"), hits(port)))
        after = _prices(folder)
    changed = sum(after[sku] != price for sku, price in before.items())
    print(
        json.dumps(
            {
                "rows": len(before),
                "second_refresh": dict(unchanged),
                "after_edits": dict(edited),
                "records_changed": changed,
            }
        )
    )
    return (
        len(before) == len(after) == products
        and unchanged == {304: products}
        and edited == {304: products - edits, 200: edits}
        and changed == edits
    )


def _prices(folder: Path) -> dict[str, object]:
    with duckdb.connect(str(folder / "crawloop.duckdb"), read_only=True) as connection:
        return dict(connection.execute("select sku, price from item").fetchall())


def queued(products: int) -> bool:
    """Whether a run's memory does not grow with what is queued."""
    peaks: list[float] = []
    for known in QUEUES:
        os.environ["BENCH_QUEUED"] = str(known)
        with tempfile.TemporaryDirectory() as name, site(products) as port:
            folder = Path(name)
            finish(own("discover", port, folder))
            finish(own("queue", port, folder))
            ask(port, "/_reset")
            cost = measure(
                [sys.executable, "-m", "bench.fetch_own", "few", str(port), name]
            )
            fetched = len(hits(port))
        peaks.append(cost.peak_mb)
        print(
            json.dumps(
                {
                    "queued": known,
                    "fetched": fetched,
                    "peak_mb": round(cost.peak_mb, 1),
                    "cpu_s": round(cost.cpu_s, 1),
                }
            ),
            flush=True,
        )
    return peaks[1] - peaks[0] < FLAT_MB


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("what", choices=("rate", "again", "queued"))
    parser.add_argument("--products", type=int, default=500)
    parser.add_argument("--rps", type=float, default=5.0)
    parser.add_argument("--edits", type=int, default=10)
    options = parser.parse_args()
    match options.what:
        case "rate":
            good = rate(options.products, options.rps)
        case "again":
            good = again(options.products, options.edits)
        case _:
            good = queued(options.products)
    if not good:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
