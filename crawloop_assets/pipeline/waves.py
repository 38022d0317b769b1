"""The steps of a heal wave: a regeneration and a backfill of the red batches, each asked
for once, whoever is killed in between.

Where a model may serve what no version reads, the backfill begins at once and does so
while a version is made. Without one it would read the same pages by the same versions
to the same end: there it begins when the regeneration is over, and is the replay by what
that has promoted.
"""

from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

import dagster as dg

from crawloop_assets.heal.wave import HealRecord, Wave
from crawloop_assets.pipeline.dagster_private import (
    FailedBatch,
    add_backfill,
    wave_backfills,
)
from crawloop_assets.pipeline.names import AssetNames, RunMode, Tag
from crawloop_assets.resources import may_serve
from crawloop_assets.store import AuditKind, Store


def begin(
    context: dg.SensorEvaluationContext,
    store: Store,
    names: AssetNames,
    wave: Wave,
    failed: Sequence[FailedBatch],
) -> None:
    """Write down that a wave has begun and which run judged each of its batches, once;
    where a model may serve them, its backfill begins as well."""
    if context.instance.get_backfill(wave.id) is not None:
        return
    if may_serve(names.family):
        _backfill(context, names, wave)
    runs = _runs_of(failed)
    batches = dict(zip(wave.batches, map(runs.get, wave.batches), strict=True))
    detail = {"wave": wave.id, "batches": batches}
    store.audit(AuditKind.WAVE_STARTED, names.family.family, None, detail)


def open_wave(
    instance: dg.DagsterInstance,
    store: Store,
    names: AssetNames,
    failed: Sequence[FailedBatch],
) -> Wave | None:
    """The last wave of a family, if its batches are still as red as when it began, by the
    same runs, and its backfill was never asked for."""
    for event in store.audits(names.family.family, AuditKind.WAVE_STARTED, limit=1):
        begun: dict[str, str] = event.detail.get("batches", {})
        left = sorted(dict(begun.items() & _runs_of(failed).items()))
        if left and instance.get_backfill(event.detail["wave"]) is None:
            return Wave(event.detail["wave"], tuple(left))
    return None


def _runs_of(failed: Sequence[FailedBatch]) -> dict[str, str]:
    """The run that judged each of these batches."""
    return dict(map(attrgetter("batch", "run_id"), failed))


def go_on(
    context: dg.SensorEvaluationContext,
    names: AssetNames,
    wave: Wave,
    past: HealRecord,
) -> tuple[list[dg.RunRequest], str]:
    """The next step of an open wave, and what the tick says of it: its regeneration if
    that was never launched, else its backfill, by what was promoted since."""
    family = names.family.family
    if wave.id not in _regenerated(context.instance, [wave.id]):
        if may_serve(names.family):
            _backfill(context, names, wave)
        note = f"{family}: finishing a wave that was interrupted"
        return [regeneration(names, wave.id)], note
    _backfill(context, names, wave, past.since)
    return [], f"{family}: making {len(wave.batches)} batch(es) of wave {wave.id} again"


def _backfill(
    context: dg.SensorEvaluationContext,
    names: AssetNames,
    wave: Wave,
    since: str = "",
) -> None:
    """Request the backfill of a wave, `since` a promotion."""
    tags = names.tags(RunMode.FALLBACK, wave=wave.id)
    add_backfill(
        context,
        backfill_id=wave.id,
        asset=names.records,
        batches=wave.batches,
        tags={**tags, Tag.SINCE.value: since} if since else tags,
        title=f"Heal {names.family.family}: {'replay' if since else 'fallback'}",
    )


def unlaunched_waves(instance: dg.DagsterInstance) -> dict[str, list[str]]:
    """Slug of a family -> waves whose backfill exists but whose regeneration was never
    launched: we were killed in between."""
    of_wave = {
        one.tags[Tag.WAVE]: one.tags.get(Tag.FAMILY, "")
        for one in wave_backfills(instance, {})
    }
    if not of_wave:
        return {}
    launched = _regenerated(instance, list(of_wave))
    found: dict[str, list[str]] = defaultdict(list)
    for wave in sorted(of_wave.keys() - launched):
        found[of_wave[wave]].append(wave)
    return found


def _regenerated(instance: dg.DagsterInstance, waves: Sequence[str]) -> set[str]:
    """Those of some waves whose regeneration was launched."""
    asked: dict[str, str | Sequence[str]] = {
        Tag.MODE.value: RunMode.REGENERATE.value,
        Tag.WAVE.value: waves,
    }
    runs = instance.get_runs(dg.RunsFilter(tags=asked))
    return {run.tags[Tag.WAVE] for run in runs}


def regeneration(names: AssetNames, wave: str) -> dg.RunRequest:
    """The run of a wave that makes a version."""
    return dg.RunRequest(
        run_key=f"regenerate:{wave}",
        job_name=f"regenerate_{names.family.slug}",
        tags=names.tags(RunMode.REGENERATE, wave=wave),
    )
