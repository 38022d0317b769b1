"""Who writes: one process that commits, notes what it is told, promotes and publishes.

It is killed at any moment; the next one of its number repeats what is open.
"""

import resource
import time
from pathlib import Path

from pydantic import BaseModel

from bench.store_soak import rows
from bench.store_soak.faults import inject
from bench.store_soak.journal import Journal, Told
from crawloop_assets.errors import CrawloopError
from crawloop_assets.store import NewCrawler, Store, earlier, generations
from crawloop_assets.store import publish as publishing

_VERSION_EVERY = 5
_PAUSE_S = 0.02


class Plan(BaseModel):
    """What a process is to do.

    `faults`: the seed of injected errors, None for none. `settle`: only until nothing
    is open. `most_bytes`: of a file it may write.
    """

    home: Path
    notes: Path
    worker: int
    epoch: int
    faults: int | None = None
    most_bytes: int | None = None
    settle: bool = False
    publish: bool = True


def open_store(home: Path) -> Store:
    """The store under test.

    Its log is folded all the time, since that is where a kill would hurt, and it is
    published as often as it can be, and every published file is kept a while.
    """
    generations._LOG_LIMIT, generations._LOG_SHARE = 60_000, 0
    publishing._PAUSE_S = 0.3
    earlier._APART_S = 0.0
    return Store(home / "var", home / "crawloop.duckdb")


def write(plan: Plan) -> None:
    """Do it, for ever or until nothing is open."""
    rows.use_shape(plan.epoch)
    store, journal = open_store(plan.home), Journal(plan.notes, plan.worker)
    if plan.faults is not None:
        inject(plan.faults, plan.notes, f"{plan.worker}-{plan.faults}")
    if plan.most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (plan.most_bytes, plan.most_bytes))
    number = journal.done()
    while not plan.settle or journal.is_open():
        number += _committed(store, journal, plan, number)
        if plan.publish:
            _published(store)
        time.sleep(_PAUSE_S)


def _committed(store: Store, journal: Journal, plan: Plan, number: int) -> bool:
    """One attempt at one commit: whether it is done."""
    journal.note(Told.BEGUN, number, plan.epoch)
    try:
        counts = store.commit_batch(rows.commit_of(rows.Turn(plan.worker, number)))
    except CrawloopError:
        journal.note(Told.FAILED, number, plan.epoch)
        return False
    journal.note(Told.REPLAYED if counts.replayed else Told.KEPT, number, plan.epoch)
    if number % _VERSION_EVERY == 0:
        _promoted(store, journal, plan.worker, number)
    return True


def _promoted(store: Store, journal: Journal, worker: int, number: int) -> None:
    try:
        active = store.active(rows.NAME)
        new = NewCrawler(family=rows.NAME, body=f"program {worker} {number}")
        version = store.add_crawler(new)
        journal.note(Told.VERSION, number, version)
        before = active.version if active else 0
        store.promote(rows.NAME, version, "soak", expected_active=before)
        journal.note(Told.PROMOTED, number, version)
    except CrawloopError:
        return  # the next version tries again


def _published(store: Store) -> None:
    try:
        store.publish_if_due()
    except CrawloopError:
        return  # the disk is full, or a fault was injected: the file before stays
