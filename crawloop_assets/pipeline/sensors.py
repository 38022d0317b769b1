"""The sensor that turns red batches into exactly one heal wave, and the one that
refreshes what is due."""

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.heal.wave import HealRecord, Plan, RedBatch, plan
from crawloop_assets.pipeline.busy import Activity
from crawloop_assets.pipeline.changes import LookAway, RedFamilies, glance
from crawloop_assets.pipeline.dagster_private import (
    AssetJob,
    FailedBatch,
)
from crawloop_assets.pipeline.holder import claim
from crawloop_assets.pipeline.names import AssetNames, RunMode, Tag
from crawloop_assets.pipeline.waves import (
    begin,
    go_on,
    open_wave,
    regeneration,
    unlaunched_waves,
)
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import AuditEvent, AuditKind, CrawlerVersion, Store

HEAL_EVERY_S = 2
"""At least. The daemon looks every five seconds what is due, and every second while something
runs: an interval of the same five would be missed by a hair every other time."""
_NOTHING = "no batch is red"
_GREEN_AGAIN = "the family is green again"


def build_heal_sensor(
    families: Sequence[Family], jobs: Sequence[AssetJob], suffix: str = ""
) -> dg.SensorDefinition:
    """`heal_on_drift` for these families."""
    known = tuple(map(AssetNames, families))
    red, away = RedFamilies(known), LookAway()

    @dg.sensor(
        name=f"heal_on_drift{suffix}",
        jobs=list(jobs),
        minimum_interval_seconds=HEAL_EVERY_S,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Red batches -> one regeneration and one backfill per wave, at once where a model may serve them. "
        "A version on probation is proved again once more pages came.",
    )
    def heal_on_drift(
        context: dg.SensorEvaluationContext, store: StoreResource
    ) -> dg.SensorResult | dg.SkipReason:
        seen = glance(context.instance, store)
        if away.covers(seen):
            return dg.SkipReason(_NOTHING)
        tick = _HealTick.now(context, store.open(), known, red)
        requests: list[dg.RunRequest] = []
        notes: list[str] = []
        for names in tick.concerned(known):
            found, note = _heal_family(tick, names)
            requests.extend(one for one in found if claim(tick.store, one.run_key))
            if found or note:
                notes.append(note)
        away.note(seen, nothing=not notes)
        said = list(filter(None, notes))
        if requests:
            return dg.SensorResult(
                run_requests=requests, cursor=json.dumps(said)[:2000]
            )
        return dg.SkipReason("; ".join(said) or _NOTHING)

    return heal_on_drift


@dataclass(frozen=True)
class _HealTick:
    """What one tick asks the instance and the store about all families, once."""

    context: dg.SensorEvaluationContext
    store: Store
    red: Mapping[str, Sequence[FailedBatch]]
    unlaunched: Mapping[str, Sequence[str]]
    activity: Activity
    on_probation: Mapping[str, CrawlerVersion]
    asked: Set[str]
    by_model: Set[str]
    taken_back: Mapping[str, AuditEvent]

    @classmethod
    def now(
        cls,
        context: dg.SensorEvaluationContext,
        store: Store,
        known: Sequence[AssetNames],
        red: RedFamilies,
    ) -> "_HealTick":
        """What the store says and what is red is asked before what is under way: a run
        that begins in between is waited for."""
        with store.one_state():
            pins = store.reviews.pins()
            on_probation = {
                version.family: version
                for version in store.on_probation()
                if version.family not in pins
            }
            asked = {one.family for one in store.questions.waiting()}
            asked |= {version.family for version in store.reviews.of_waves()}
            by_model = set(store.past.unread.families())
            taken_back = {
                event.family or "": event
                for event in store.audits(kind=AuditKind.CRAWLER_WITHDRAWN)
            }
        return cls(
            context=context,
            store=store,
            red=red.look(context.instance),
            unlaunched=unlaunched_waves(context.instance),
            activity=Activity(context.instance),
            on_probation=on_probation,
            asked=asked,
            by_model=by_model,
            taken_back=taken_back,
        )

    def concerned(self, known: Sequence[AssetNames]) -> Iterator[AssetNames]:
        """The families of which there is anything to look at."""
        named = {*self.red, *self.on_probation, *self.asked, *self.by_model}
        named |= self.taken_back.keys()
        for names in known:
            if names.family.family in named or names.family.slug in self.unlaunched:
                yield names


def _heal_family(tick: _HealTick, names: AssetNames) -> tuple[list[dg.RunRequest], str]:
    """Requests and a note in plain words for one family."""
    family = names.family.family
    found, note = _heal_red(tick, names)
    if found or note:
        return found, note
    if family in tick.asked:
        _withdraw(tick, names)
    if event := tick.taken_back.get(family):
        found = list(_replay_of_withdrawn(tick.context, names, event))
    if not found and family in tick.by_model:
        found = list(_replay_of_unread(tick, names))
    if not found and (version := tick.on_probation.get(family)):
        found = list(_proof(tick, names, version))
    return found, ""


def _heal_red(tick: _HealTick, names: AssetNames) -> tuple[list[dg.RunRequest], str]:
    """What the red batches of a family ask for."""
    from crawloop_assets.heal.past import asked_about, heal_record

    context, store = tick.context, tick.store
    unfinished = tick.unlaunched.get(names.family.slug, ())
    if unfinished:
        return (
            [regeneration(names, wave) for wave in unfinished],
            f"{names.family.family}: finishing a wave that was interrupted",
        )
    failed = tick.red.get(names.family.family, ())
    if not failed:
        return [], ""
    if busy := tick.activity.of(names):
        # One wave per refresh, not one per batch: wait until all of this family ended.
        return [], f"{names.family.family}: {len(failed)} red, waiting for {busy}"
    red = _red_batches(context.instance, failed)
    cooldown = names.family.heal.cooldown
    past = heal_record(store, names.family, cooldown)
    past = replace(past, asked=asked_about(store, names.family))
    decided = plan(names.family.family, red, past, cooldown, datetime.now(UTC))
    wave = open_wave(context.instance, store, names, failed) or decided.wave
    if wave is not None and not claim(store, wave.id):
        return [], f"{names.family.family}: another daemon asks for {wave.id}"
    if wave is not None and wave is not decided.wave:
        return go_on(context, names, wave, past)
    if wave is not None:
        begin(context, store, names, wave, failed)
    return _carry_out(context, names, decided, past)


def _withdraw(tick: _HealTick, names: AssetNames) -> None:
    """Nobody has to decide anything about a family that is green again."""
    if not tick.activity.of(names):
        tick.store.questions.withdraw(names.family.family, _GREEN_AGAIN)
        tick.store.reviews.withdraw(names.family.family, _GREEN_AGAIN)


def _red_batches(
    instance: dg.DagsterInstance, failed: Sequence[FailedBatch]
) -> list[RedBatch]:
    """Failed batches with what their runs tell; those whose run was deleted are left
    out."""
    records = instance.get_run_records(
        dg.RunsFilter(run_ids=list(map(attrgetter("run_id"), failed)))
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


def _replay_of_withdrawn(
    context: dg.SensorEvaluationContext, names: AssetNames, event: AuditEvent
) -> Iterator[dg.RunRequest]:
    """What a version read that was taken back is read again."""
    wave = f"withdrawn-v{event.detail['version']}"
    return _replay_once(context, names, event.detail["batches"], wave)


def _replay_of_unread(tick: _HealTick, names: AssetNames) -> Iterator[dg.RunRequest]:
    """What a model served is read by the active version, if that is another one than
    could not read it: it may have been made for these pages."""
    active = tick.store.active(names.family.family)
    if active is None or tick.activity.of(names):
        return iter(())
    pages = tick.store.past.unread.of(names.family.family).values()
    before = {page.batch for page in pages if page.version != active.version}
    wave = f"unread-v{active.version}"
    return _replay_once(tick.context, names, sorted(before), wave)


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
    tick: _HealTick, names: AssetNames, version: CrawlerVersion
) -> Iterator[dg.RunRequest]:
    """A version that was proved on few pages is proved again when it has read more, and
    nothing else is going on."""
    from crawloop_assets.heal.probation import is_due

    read = len(tick.store.read_by(names.family, version.version))
    if is_due(version, read) and not tick.activity.of(names):
        yield dg.RunRequest(
            run_key=f"prove:{names.family.slug}:v{version.version}:{read}",
            job_name=f"regenerate_{names.family.slug}",
            tags=names.tags(RunMode.REGENERATE),
        )


def _carry_out(
    context: dg.SensorEvaluationContext,
    names: AssetNames,
    decided: Plan,
    past: HealRecord,
) -> tuple[list[dg.RunRequest], str]:
    """The runs that a plan asks for, and what the tick says of it."""
    family = names.family.family
    if decided.wave is not None:
        wave = decided.wave
        return [
            regeneration(names, wave.id)
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
    if past.proved_gone:
        fields = ", ".join(sorted(past.proved_gone))
        waits = f"the next refresh: {fields} was proved gone from these pages"
    if past.asked:
        waits = f"a person: {past.asked}"
    return [], f"{family}: {len(decided.stuck)} batch(es) wait for {waits}"


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
