"""What is left of a soak: waves, rows, and what is stuck."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, compress, product
from operator import attrgetter, itemgetter
from pathlib import Path

import dagster as dg

from crawloop_assets.demo.witness import Witness
from crawloop_assets.family import Family
from crawloop_assets.pipeline.dagster_private import (
    all_open_backfills,
    failed_batches,
)
from crawloop_assets.pipeline.names import (
    BATCH_TAG,
    FIRST_BATCH_TAG,
    LAST_BATCH_TAG,
    AssetNames,
    RunMode,
    Tag,
)
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from crawloop_assets.store.tables import table_name

_PARENT = "dagster/parent_run_id"
_BACKFILL = "dagster/backfill"
_RUN_KEY = "dagster/run_key"


def first_runs(instance: dg.DagsterInstance) -> list[dg.DagsterRun]:
    """All runs but those that repeat one that was killed."""
    return [run for run in instance.get_runs() if _PARENT not in run.tags]


def waves_not_once(instance: dg.DagsterInstance) -> Iterator[str]:
    """Waves with more or less than one regeneration, batches of a wave that were asked
    for more than once."""
    runs = first_runs(instance)
    regenerated = Counter(
        run.tags.get(Tag.WAVE.value)
        for run in runs
        if run.tags.get(Tag.MODE.value) == RunMode.REGENERATE
    )
    asked = Counter(chain.from_iterable(map(_asked_of, runs)))
    for backfill in instance.get_backfills():
        wave = backfill.tags.get(Tag.WAVE.value)
        if wave is not None and regenerated[wave] != 1:
            yield f"wave {wave} was regenerated {regenerated[wave]} times"
    for (wave, batch), times in asked.items():
        if times > 1:
            yield f"batch {batch} of wave {wave} was asked for {times} times"


def asked_twice(instance: dg.DagsterInstance) -> Iterator[str]:
    """What more than one daemon asked for, under one key."""
    keys = Counter(
        (run.job_name, run.tags[_RUN_KEY])
        for run in first_runs(instance)
        if _RUN_KEY in run.tags
    )
    for (job, key), times in keys.items():
        if times > 1:
            yield f"{job} was asked for {times} times as {key}"


def _asked_of(run: dg.DagsterRun) -> Iterator[tuple[str, str]]:
    """What a run of a backfill was asked for: its batches, each with the backfill."""
    if _BACKFILL in run.tags:
        yield from product([run.tags[_BACKFILL]], _batches(run))


def _batches(run: dg.DagsterRun) -> Sequence[str]:
    """The first and last batch of a run, which no other run of its backfill has."""
    one = run.tags.get(BATCH_TAG)
    ends = (run.tags.get(FIRST_BATCH_TAG, one), run.tags.get(LAST_BATCH_TAG, one))
    return sorted(set(filter(None, ends)))


def stuck(instance: dg.DagsterInstance) -> Iterator[str]:
    """Runs and backfills that have not ended, long after the last kill."""
    for run in instance.get_runs():
        if not run.is_finished:
            yield f"run {run.run_id} of {run.job_name} is {run.status.value}"
    for backfill in all_open_backfills(instance):
        yield f"backfill {backfill.backfill_id} is {backfill.status.value}"


def red_batches(
    instance: dg.DagsterInstance, families: Sequence[Family]
) -> Iterator[str]:
    """Batches that are red, by family."""
    for family in families:
        red = failed_batches(instance, AssetNames(family).gate)
        if red:
            yield f"{family.family}: {len(red)} red"


def said_to_be_red(project: Project, families: Sequence[Family]) -> Iterator[str]:
    """Batches that the store, and with it `crawloop status`, calls red, by family."""
    past = Store(project.var, project.published).past
    for family in families:
        for red in past.red(family.family):
            yield f"{family.family}: {red.batch} since {red.since}"


def wrong_rows(witness: Witness) -> Iterator[str]:
    """Rows that are not what the shop shows, and products that are missing or there
    twice; of the product pages each family takes a part."""
    is_part = [one.model().__name__ == "Product" for one in witness.families]
    parts = list(compress(witness.families, is_part))
    whole = [one for one in witness.families if one not in parts]
    yield from replace(witness, families=whole).faults(complete=True)
    yield from replace(witness, families=parts[:1]).faults(complete=False)
    yield from _wrong_products(witness, parts)


def _wrong_products(witness: Witness, parts: Sequence[Family]) -> Iterator[str]:
    """Products that some family looks for and none has, or that are there without being
    looked for, or twice."""
    included = chain.from_iterable(map(attrgetter("discover.include"), parts))
    wanted = re.compile("|".join(included))
    shown = {item.sku for item in witness.shop.items if wanted.search(item.path)}
    rows = published_rows(witness.published, "product", ["sku"])
    found = Counter(map(itemgetter("sku"), rows))
    for sku in sorted(shown - found.keys()):
        yield f"product {sku} is missing"
    for sku, times in found.items():
        if times > 1 or sku not in shown:
            yield f"product {sku} is there {times} times"


def rows_twice(project: Project, families: Sequence[Family]) -> Iterator[str]:
    """Rows and commits that are there more than once."""
    tables = {table_name(family.model().__name__) for family in families}
    wanted = {
        **dict.fromkeys(tables, ("_family", "_key")),
        **{
            f"{table}_history": ("_family", "_key", "_run_id", "_state")
            for table in tables
        },
        "materializations": ("family", "batch", "run_id"),
    }
    for table, columns in wanted.items():
        rows = published_rows(project.published, table, columns)
        times = Counter(tuple(row.values()) for row in rows)
        for name, count in times.items():
            if count > 1:
                yield f"{table}: {name} is there {count} times"


def rows_left(project: Project, families: Sequence[Family]) -> int:
    """How many rows were held against the shop."""
    tables = {table_name(family.model().__name__) for family in families}
    suffixed = chain(tables, (f"{table}_history" for table in tables))
    return sum(
        len(published_rows(project.published, table, ["_url"])) for table in suffixed
    )


def left_behind(project: Project) -> Iterator[str]:
    """Processes that still work in the project's folder, though all that was started has
    ended."""
    here, this = project.root.resolve(), str(os.getpid())
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_there = process.joinpath("cwd").resolve().is_relative_to(here)
            if is_there and process.name != this:
                command = process.joinpath("cmdline").read_text(errors="replace")
                yield f"{process.name}: {command[:80]!r}"
