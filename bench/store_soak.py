"""Writers, readers and SIGKILL on one store: `python -m bench.store_soak --seconds 60`.

Writers commit batches, promote crawlers and publish; every now and then a random one is
killed and started again, and repeats what it had not acknowledged. Readers open the
published file in a tight loop. In the end nothing acknowledged may be lost, no batch
may be half there or there twice, and no reader may ever have failed.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
from pydantic import BaseModel

from crawloop_assets.errors import CrawloopError
from crawloop_assets.family import Family
from crawloop_assets.store import (
    BatchCommit,
    HeldPage,
    HeldReason,
    NewCrawler,
    ServedBy,
    ServedPage,
    Store,
    generations,
)

ROWS, BATCHES = 50, 4
NAME = "soak/thing"
FAMILY = Family.model_validate(
    {"family": NAME, "schema": "bench.store_soak:Thing", "discover": {}}
)
WATCH = """
select count(*) filter (where rows <> ? or runs <> 1), sum(rows) from
(select count(*) as rows, count(distinct _run_id) as runs from thing group by _batch)
"""


class Thing(BaseModel):
    """What the soak stores."""

    name: str
    price: Decimal
    tags: list[str] = []


@dataclass
class Result:
    """What a soak did and found.

    Everything from `lost` on has to be zero or empty.
    """

    acknowledged: int = 0
    kills: int = 0
    reads: int = 0
    replays: int = 0
    lost: int = 0
    ledger_duplicates: int = 0
    torn_batches: int = 0
    history_differences: int = 0
    active_versions_missing: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """True if nothing went wrong."""
        wrong = (
            self.lost,
            self.ledger_duplicates,
            self.torn_batches,
            self.history_differences,
            self.active_versions_missing,
        )
        return not any(wrong) and not self.errors


def batch_of(worker: int, number: int) -> BatchCommit:
    """The commit that is number `number` of a worker; always the same for the same
    numbers but for the time."""
    batch = f"{worker:02d}{number % BATCHES:04d}"
    pages = [
        ServedPage(
            url=f"https://soak.test/{batch}/{row}",
            page_sha256=f"{row:064x}",
            fetched_at=datetime.now(UTC),
            version=1,
            served_by=ServedBy.CRAWLER,
            records=[
                Thing(
                    name=f"thing {row}",
                    price=Decimal(number // BATCHES + row % 2),
                    tags=["a", str(row)],
                )
            ],
        )
        for row in range(ROWS)
    ]
    held = [
        HeldPage(
            url=f"https://soak.test/{batch}/held",
            page_sha256=None,
            version=1,
            reasons=[HeldReason(check="x")],
        )
    ]
    return BatchCommit(
        family=FAMILY, batch=batch, run_id=f"{worker}-{number}", served=pages, held=held
    )


def write(folder: Path, worker: int) -> None:
    """Commit, acknowledge, promote, publish, for ever; begins where the
    acknowledgements end."""
    store = open_store(folder)
    acknowledgements = folder / f"acknowledged-{worker}"
    number = len(lines(acknowledgements))
    with acknowledgements.open("a") as file:
        while True:
            commit = batch_of(worker, number)
            counts = store.commit_batch(commit)
            file.write(f"{commit.batch} {commit.run_id} {int(counts.replayed)}\n")
            file.flush()
            active = store.active(NAME)
            version = store.add_crawler(
                NewCrawler(family=NAME, body=f"program {worker} {number % 3}")
            )
            store.promote(
                NAME, version, "soak", expected_active=active.version if active else 0
            )
            store.publish_if_due()
            number += 1


def read(folder: Path, _worker: int) -> None:
    """Open the published file again and again; every batch must be whole in it."""
    published = folder / "crawloop.duckdb"
    with (
        (folder / "reads").open("a") as file,
        (folder / "reader_errors").open("a") as errors,
    ):
        while True:
            try:
                with duckdb.connect(str(published), read_only=True) as connection:
                    torn, rows = connection.execute(WATCH, [ROWS]).fetchall()[0]
            except duckdb.Error as error:
                errors.write(f"{error}\n")
                errors.flush()
                continue
            if torn:
                errors.write(f"{torn} torn of {rows} rows\n")
                errors.flush()
            file.write("1\n")
            file.flush()


def open_store(folder: Path) -> Store:
    """The store under test.

    Its log is folded all the time, since that is where a kill would hurt.
    """
    generations._LOG_LIMIT, generations._LOG_SHARE = 50_000, 0
    return Store(folder / "var", folder / "crawloop.duckdb")


def start(work: Callable[[Path, int], None], folder: Path, worker: int) -> int:
    """Run `work` in a forked process; its id."""
    child = os.fork()
    if child == 0:
        try:
            work(folder, worker)
        except (CrawloopError, duckdb.Error, OSError) as error:
            with (folder / "writer_errors").open("a") as file:
                file.write(f"{type(error).__name__}: {error}\n")
        finally:
            os._exit(1)
    return child


def soak(
    folder: Path, seconds: float, writers: int = 3, readers: int = 1, seed: int = 0
) -> Result:
    """Run it and look at what is left."""
    chance = random.Random(seed)
    store = open_store(folder)
    store.commit_batch(batch_of(99, 0))
    store.publish()
    running = {worker: start(write, folder, worker) for worker in range(writers)}
    watching = [start(read, folder, reader) for reader in range(readers)]
    end, kills = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        time.sleep(chance.uniform(0.05, 0.6))
        worker = chance.randrange(writers)
        stop(running[worker])
        kills += 1
        running[worker] = start(write, folder, worker)
    for child in (*running.values(), *watching):
        stop(child)
    store.publish()
    return inspected(folder, writers, kills)


def stop(child: int) -> None:
    """SIGKILL."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def inspected(folder: Path, writers: int, kills: int) -> Result:
    """Compare the published file with what was acknowledged."""
    result = Result(kills=kills, reads=len(lines(folder / "reads")))
    result.errors = [*lines(folder / "reader_errors"), *lines(folder / "writer_errors")]
    acknowledged = [
        line.split()
        for worker in range(writers)
        for line in lines(folder / f"acknowledged-{worker}")
    ]
    result.acknowledged, result.replays = (
        len(acknowledged),
        sum(int(line[2]) for line in acknowledged),
    )
    with duckdb.connect(str(folder / "crawloop.duckdb"), read_only=True) as connection:
        ledger = Counter(
            connection.execute("select batch, run_id from materializations").fetchall()
        )
        result.lost = sum((batch, run) not in ledger for batch, run, _ in acknowledged)
        result.ledger_duplicates = sum(count - 1 for count in ledger.values())
        result.torn_batches = connection.execute(WATCH, [ROWS]).fetchall()[0][0]
        for table, column in (
            ("thing_history", "new + changed + removed"),
            ("quarantine", "held"),
        ):
            found = connection.execute(f"select count(*) from {table}").fetchall()[0][0]
            result.history_differences += abs(
                found
                - connection.execute(
                    f"select sum({column}) from materializations"
                ).fetchall()[0][0]
            )
        active = connection.execute(
            "select count(*) from crawlers where status = 'active'"
        ).fetchall()[0][0]
        result.active_versions_missing = abs(active - 1)
    return result


def lines(file: Path) -> list[str]:
    """Complete lines; a writer may have been killed in the middle of the last."""
    return (
        [
            line
            for line in file.read_text().splitlines(keepends=True)
            if line.endswith("\n")
        ]
        if file.exists()
        else []
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        outcome = soak(
            Path(temporary),
            options.seconds,
            options.writers,
            options.readers,
            options.seed,
        )
    for name, value in asdict(outcome).items():
        print(f"{name:24} {value}")
    sys.exit(0 if outcome.clean else 1)
