"""The sensor that turns red batches into exactly one heal wave, and the one that
refreshes what is due."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.heal.past import asked_about, heal_record
from crawloop_assets.heal.probation import is_due
from crawloop_assets.heal.wave import HealRecord, Plan, RedBatch, Wave, plan
from crawloop_assets.pipeline.busy import busy_with
from crawloop_assets.pipeline.dagster_private import (
    AssetJob,
    FailedBatch,
    add_backfill,
    failed_batches,
    wave_backfills,
)
from crawloop_assets.pipeline.holder import claim
from crawloop_assets.pipeline.names import AssetNames, RunMode, Tag
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import AuditEvent, AuditKind, CrawlerVersion, Store


def build_heal_sensor(
    families: Sequence[Family], jobs: Sequence[AssetJob], suffix: str = ""
) -> dg.SensorDefinition:
    """`heal_on_drift` for these families."""

    @dg.sensor(
        name=f"heal_on_drift{suffix}",
        jobs=list(jobs),
        minimum_interval_seconds=5,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Red batches -> one fallback backfill and one regeneration per wave; after a promotion, a replay. "
        "A version on probation is proved again once more pages came.",
    )
    def heal_on_drift(
        context: dg.SensorEvaluationContext, store: StoreResource
    ) -> dg.SensorResult | dg.SkipReason:
        requests: list[dg.RunRequest] = []
        notes: list[str] = []
        opened = store.open()
        pins = opened.reviews.pins()
        on_probation = {
            version.family: version
            for version in opened.on_probation()
            if version.family not in pins
        }
        asked = {one.family for one in opened.questions.waiting()}
        by_model = opened.past.unread.families()
        taken_back = {
            event.family: event
            for event in opened.audits(kind=AuditKind.CRAWLER_WITHDRAWN)
        }
        for family in families:
            names = AssetNames(family)
            found, note = _heal_family(context, names, store)
            if not found and not note and family.family in asked:
                _withdraw(context, names, opened)
            if not found and not note and (event := taken_back.get(family.family)):
                found = list(_replay_of_withdrawn(context, names, event))
            if not found and not note and family.family in by_model:
                found = list(_replay_of_unread(context, names, opened))
            if not found and not note and (version := on_probation.get(family.family)):
                found = list(_proof(context, names, opened, version))
            requests.extend(
                request for request in found if claim(opened, request.run_key)
            )
            if note:
                notes.append(note)
        if requests:
            return dg.SensorResult(
                run_requests=requests, cursor=json.dumps(notes)[:2000]
            )
        return dg.SkipReason("; ".join(notes) or "no batch is red")

    return heal_on_drift


def _heal_family(
    context: dg.SensorEvaluationContext, names: AssetNames, store: StoreResource
) -> tuple[list[dg.RunRequest], str]:
    """Requests and a note in plain words for one family."""
    unfinished = list(_missing_regenerations(context, names))
    if unfinished:
        return (
            unfinished,
            f"{names.family.family}: finishing a wave that was interrupted",
        )
    failed = failed_batches(context.instance, names.gate)
    if not failed:
        return [], ""
    if busy := busy_with(context.instance, names):
        # One wave per refresh, not one per batch: wait until all of this family ended.
        return [], f"{names.family.family}: {len(failed)} red, waiting for {busy}"
    red = _red_batches(context.instance, failed)
    cooldown = names.family.heal.cooldown
    past = heal_record(store.open(), names.family.family, cooldown)
    past = replace(past, asked=asked_about(store.open(), names.family))
    decided = plan(names.family.family, red, past, cooldown, datetime.now(UTC))
    if decided.wave is not None and not claim(store.open(), decided.wave.id):
        return [], f"{names.family.family}: another daemon asks for {decided.wave.id}"
    if decided.wave is not None and _begin(context, names, decided.wave):
        _audit_wave(store.open(), names, decided.wave, failed)
    return _carry_out(context, names, decided, past)


def _withdraw(
    context: dg.SensorEvaluationContext, names: AssetNames, store: Store
) -> None:
    """Nobody has to decide anything about a family that is green again."""
    if not busy_with(context.instance, names):
        store.questions.withdraw(names.family.family, "the family is green again")


def _red_batches(
    instance: dg.DagsterInstance, failed: Sequence[FailedBatch]
) -> list[RedBatch]:
    """Failed batches with what their runs tell; those whose run was deleted are left
    out."""
    records = instance.get_run_records(
        dg.RunsFilter(run_ids=[batch.run_id for batch in failed])
    )
    runs = {record.dagster_run.run_id: record for record in records}
    red = []
    for batch in failed:
        record = runs.get(batch.run_id)
        if record is None:
            continue
        mode = record.dagster_run.tags.get(Tag.MODE)
        red.append(
            RedBatch(
                batch.batch,
                batch.event,
                in_wave=mode == RunMode.FALLBACK,
                judged_at=datetime.fromtimestamp(record.start_time or 0, UTC),
                since=record.dagster_run.tags.get(Tag.SINCE, ""),
            )
        )
    return red


def _audit_wave(
    store: Store, names: AssetNames, wave: Wave, failed: Sequence[FailedBatch]
) -> None:
    """The wave and the run that judged each of its batches."""
    runs = {batch.batch: batch.run_id for batch in failed}
    detail = {
        "wave": wave.id,
        "batches": {batch: runs[batch] for batch in wave.batches},
    }
    store.audit(AuditKind.WAVE_STARTED, names.family.family, None, detail)


def _replay_of_withdrawn(
    context: dg.SensorEvaluationContext, names: AssetNames, event: AuditEvent
) -> Iterator[dg.RunRequest]:
    """What a version read that was taken back is read again."""
    wave = f"withdrawn-v{event.detail['version']}"
    return _replay_once(context, names, event.detail["batches"], wave)


def _replay_of_unread(
    context: dg.SensorEvaluationContext, names: AssetNames, store: Store
) -> Iterator[dg.RunRequest]:
    """What a model served is read by the active version, if that is another one than
    could not read it: it may have been made for these pages."""
    active = store.active(names.family.family)
    if active is None or busy_with(context.instance, names):
        return iter(())
    pages = store.past.unread.of(names.family.family).values()
    before = {page.batch for page in pages if page.version != active.version}
    return _replay_once(context, names, sorted(before), f"unread-v{active.version}")


def _replay_once(
    context: dg.SensorEvaluationContext,
    names: AssetNames,
    batches: Sequence[str],
    wave: str,
) -> Iterator[dg.RunRequest]:
    """Batches to be made again from stored pages under a name, unless that was done."""
    if not batches or context.instance.get_runs_count(
        dg.RunsFilter(tags=names.tags(RunMode.REPLAY, wave=wave))
    ):
        return
    order = sorted(context.instance.get_dynamic_partitions(names.partition_set))
    key = f"replay:{wave}"
    yield from range_requests(names, order, batches, RunMode.REPLAY, key, wave)


def _proof(
    context: dg.SensorEvaluationContext,
    names: AssetNames,
    store: Store,
    version: CrawlerVersion,
) -> Iterator[dg.RunRequest]:
    """A version that was proved on few pages is proved again when it has read more, and
    nothing else is going on."""
    read = len(store.read_by(names.family, version.version))
    if is_due(version, read) and not busy_with(context.instance, names):
        yield dg.RunRequest(
            run_key=f"prove:{names.family.slug}:v{version.version}:{read}",
            job_name=f"regenerate_{names.family.slug}",
            tags=names.tags(RunMode.REGENERATE),
        )


def _begin(context: dg.SensorEvaluationContext, names: AssetNames, wave: Wave) -> bool:
    """Request the fallback backfill of a wave; False if that was done before."""
    return add_backfill(
        context,
        backfill_id=wave.id,
        asset=names.records,
        batches=wave.batches,
        tags=names.tags(RunMode.FALLBACK, wave=wave.id),
        title=f"Heal {names.family.family}: fallback",
    )


def _carry_out(
    context: dg.SensorEvaluationContext,
    names: AssetNames,
    decided: Plan,
    past: HealRecord,
) -> tuple[list[dg.RunRequest], str]:
    family = names.family.family
    if decided.wave is not None:
        wave = decided.wave
        return [
            _regeneration(names, wave.id)
        ], f"{family}: wave {wave.id} for {len(wave.batches)} batch(es)"
    if decided.replay:
        order = sorted(context.instance.get_dynamic_partitions(names.partition_set))
        key = f"replay:{decided.replay_id}:{past.since}"
        asked = range_requests(names, order, decided.replay, RunMode.REPLAY, key)
        requests = [
            one.with_replaced_attrs(tags={**one.tags, Tag.SINCE: past.since})
            for one in asked
        ]
        note = f"making {len(decided.replay)} batch(es) again by the new version"
        return requests, f"{family}: {note}"
    waits = "the cool-down, a new version or a person"
    if past.asked:
        waits = f"a person: {past.asked}"
    return [], f"{family}: {len(decided.stuck)} batch(es) wait for {waits}"


def _missing_regenerations(
    context: dg.SensorEvaluationContext, names: AssetNames
) -> Iterator[dg.RunRequest]:
    """A wave whose backfill exists but whose regeneration was never launched: we were
    killed in between."""
    for backfill in wave_backfills(context.instance, names.tags()):
        wave = backfill.tags[Tag.WAVE]
        launched = context.instance.get_runs_count(
            dg.RunsFilter(tags=names.tags(RunMode.REGENERATE, wave=wave))
        )
        if not launched:
            yield _regeneration(names, wave)


def _regeneration(names: AssetNames, wave: str) -> dg.RunRequest:
    slug = names.family.slug
    return dg.RunRequest(
        run_key=f"regenerate:{wave}",
        job_name=f"regenerate_{slug}",
        tags=names.tags(RunMode.REGENERATE, wave=wave),
    )


def range_requests(
    names: AssetNames,
    order: Sequence[str],
    wanted: Sequence[str],
    mode: RunMode,
    key: str,
    wave: str | None = None,
) -> Iterator[dg.RunRequest]:
    """One run of the mode's job per contiguous range of the wanted batches; `order`
    holds all batches, sorted."""
    for first, last in contiguous(order, wanted):
        yield dg.RunRequest(
            run_key=f"{key}:{first}",
            job_name=f"{mode.value}_{names.family.slug}",
            tags=names.tags(mode, wave=wave, batches=(first, last)),
        )


def contiguous(
    order: Sequence[str], wanted: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """The (first, last) of each run of neighbours in `order` that are all wanted."""
    for is_wanted, run in groupby(order, set(wanted).__contains__):
        batches = list(run)
        if is_wanted:
            yield batches[0], batches[-1]
