"""What a crawl costs, side by side: `python -m bench.fetch --peers
../peers/bin/python`.

One site, one process tree per system, the same products: raw httpx, httpx over aiohttp,
Scrapy, Crawlee, the product's fetcher alone, and the whole product (discovery and
refresh as real Dagster runs: pages stored, rows in DuckDB). Each runs on a small and a
large site; the difference is the marginal cost, the rest the fixed one. CPU seconds are
those of all processes, the least over the rounds: on a shared machine they are the only
figure worth quoting.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from threading import Event, Thread

import duckdb

from tests.access.shop import product

OWN = ("fetcher", "crawloop")
NEED_PEERS = ("scrapy", "crawlee")
SYSTEMS = ("httpx", "httpx_aiohttp", *OWN, *NEED_PEERS)
PEERS = Path(__file__).with_name("fetch_peers.py")
SAMPLE_S = 0.5


@dataclass(frozen=True)
class Cost:
    """One run: CPU seconds of all its processes, their memory together at its highest,
    and wall seconds."""

    cpu_s: float
    peak_mb: float
    wall_s: float

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.cpu_s + other.cpu_s,
            max(self.peak_mb, other.peak_mb),
            self.wall_s + other.wall_s,
        )


@contextmanager
def site(products: int) -> Iterator[int]:
    """The site in a process of its own; its port."""
    command = [
        sys.executable,
        "-m",
        "tests.access.serving",
        "--products",
        str(products),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(json.loads(process.stdout.readline())["port"])
    finally:
        process.terminate()
        process.wait()


def measure(command: list[str]) -> Cost:
    """Run a command to its end.

    RuntimeError with its last words if it fails.
    """
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        ended, peak = Event(), [0.0]
        watcher = Thread(target=_watch, args=(process.pid, ended, peak))
        watcher.start()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watcher.join()
        if process.returncode:
            said.seek(0)
            raise RuntimeError(f"{' '.join(command)}: {said.read()[-2_000:]}")
    return Cost(used.ru_utime + used.ru_stime, peak[0], time.monotonic() - began)


def _watch(root: int, ended: Event, peak: list[float]) -> None:
    while not ended.wait(SAMPLE_S):
        peak[0] = max(peak[0], sum(map(memory_mb, _tree(root))))


def _tree(root: int) -> set[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(entry.read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        children.setdefault(parent, []).append(int(entry.parent.name))
    found, left = {root}, [root]
    while left:
        inner = children.get(left.pop(), [])
        found.update(inner)
        left += inner
    return found


def memory_mb(process: int) -> float:
    """Proportional: what processes share is counted once."""
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        return (
            next(
                int(line.split()[1])
                for line in text.splitlines()
                if line.startswith("Pss:")
            )
            / 1024
        )
    except (OSError, StopIteration):
        return 0.0


def run(system: str, port: int, products: int, folder: Path, peers: str) -> Cost:
    """One crawl by one system, its result checked."""
    if system == "crawloop":
        own = [sys.executable, "-m", "bench.fetch_own"]
        cost = measure([*own, "discover", str(port), str(folder)]) + measure(
            [*own, "refresh", str(port), str(folder)]
        )
        with duckdb.connect(
            str(folder / "crawloop.duckdb"), read_only=True
        ) as connection:
            rows = connection.execute("select sku, price from item").fetchall()
    elif system == "fetcher":
        cost = measure(
            [sys.executable, "-m", "bench.fetch_own", "fetcher", str(port), str(folder)]
        )
        rows = _rows(folder / "out.jsonl")
    else:
        python = peers if system in NEED_PEERS else sys.executable
        cost = measure(
            [python, str(PEERS), system, str(port), str(folder / "out.jsonl")]
        )
        rows = _rows(folder / "out.jsonl")
    expected = sum(
        Decimal(f"{product(number).price:.2f}") for number in range(products)
    )
    found = sum(Decimal(str(price)) for _, price in rows)
    if len({sku for sku, _ in rows}) != products or found != expected:
        raise RuntimeError(
            f"{system}: {len(rows)} rows, prices {found} instead of {expected}"
        )
    return cost


def _rows(file: Path) -> list[tuple[str, str]]:
    return [
        (row["sku"], row["price"])
        for row in map(json.loads, file.read_text().splitlines())
    ]


def table(costs: dict[str, dict[int, Cost]], small: int, large: int) -> str:
    """The result as Markdown."""
    marginal = {
        name: (of[large].cpu_s - of[small].cpu_s) / (large - small) * 1_000
        for name, of in costs.items()
        if {small, large} <= of.keys()
    }
    lines = [
        "| system | CPU s per 1,000 pages | fixed CPU s | of Scrapy | of raw httpx | peak MB | wall s |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, each in marginal.items():
        cost = costs[name]
        ratios = [
            f"{each / marginal[other]:.2f}" if other in marginal else "-"
            for other in ("scrapy", "httpx")
        ]
        fixed = cost[small].cpu_s - each * small / 1_000
        lines.append(
            f"| {name} | {each:.2f} | {fixed:.1f} | {' | '.join(ratios)} | {cost[large].peak_mb:.0f} "
            f"| {cost[large].wall_s:.0f} |"
        )
    return "\n".join(lines)


def parsed_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument(
        "--peers", default="", help="a Python that has scrapy and crawlee"
    )
    parser.add_argument(
        "--products",
        type=int,
        nargs=2,
        default=(1_000, 5_000),
        metavar=("SMALL", "LARGE"),
    )
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


def measure_all(
    systems: Sequence[str], products: int, options: argparse.Namespace, kept: str
) -> dict[str, Cost]:
    """What each system costs on a site of so many products, the best of its rounds."""
    best: dict[str, Cost] = {}
    with site(products) as port:
        for number, name in itertools.product(range(options.rounds), systems):
            folder = Path(tempfile.mkdtemp(dir=kept))
            cost = run(name, port, products, folder, options.peers)
            where = f"{products} products, round {number + 1}, {name}"
            print(f"{where}: {cost}", file=sys.stderr, flush=True)
            best[name] = min(best.get(name, cost), cost, key=lambda one: one.cpu_s)
    return best


def main() -> None:
    options = parsed_options()
    systems = [name for name in options.only if options.peers or name not in NEED_PEERS]
    costs: dict[str, dict[int, Cost]] = {name: {} for name in systems}
    # Nothing is deleted before the end: ext4 makes whoever creates files soon after pay
    # for it.
    with tempfile.TemporaryDirectory() as kept:
        for products in options.products:
            for name, cost in measure_all(systems, products, options, kept).items():
                costs[name][products] = cost
    print(table(costs, *options.products))
    if options.out:
        options.out.write_text(json.dumps(costs, indent=1, default=asdict))


if __name__ == "__main__":
    main()
