"""The assets of one family: urls, pages, records, crawler.

Glue only; the rules are in frontier, serve and heal.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import dagster as dg

from crawloop_assets.drift.check import CheckName
from crawloop_assets.errors import ModelUnavailable
from crawloop_assets.family import Family
from crawloop_assets.foreign import code_block
from crawloop_assets.induce.proof.scores import score_sheet_markdown
from crawloop_assets.pipeline.dagster_private import (
    PlainFailure,
    longest_pause,
    partitioned_check,
    unit_of,
)
from crawloop_assets.pipeline.dagster_storage import stored_together
from crawloop_assets.pipeline.discovery import urls_asset
from crawloop_assets.pipeline.events import (
    CHECK_DESCRIPTIONS,
    column_schema,
    left_in_words,
    pages_materialization,
    records_events,
)
from crawloop_assets.pipeline.leftovers import mark_leftovers
from crawloop_assets.pipeline.names import (
    ALL_BATCHES,
    CONTRACT,
    DRIFT_GATE,
    PROGRESS,
    PUBLISHED,
    AssetNames,
    Pool,
    RunMode,
    Tag,
    check_batches,
    refresh_name,
)
from crawloop_assets.pipeline.overview import overview_events, rows_metadata
from crawloop_assets.pipeline.settling import settle_dead, settle_run
from crawloop_assets.pipeline.watch import progress_check
from crawloop_assets.resources import (
    ModelResource,
    StoreResource,
    WebResource,
    WorkersResource,
)
from crawloop_assets.store.tables import table_name

if TYPE_CHECKING:
    from crawloop_assets.heal.regenerate import Regeneration
    from crawloop_assets.serve.batch import ServedBatch

_MAX_BATCHES_PER_RUN = 200
_PAGES = (
    "Pages as the site showed them, stored by sha256: fetched once, read as often as need be. A refresh makes "
    "pages and records together; choose the batches."
)
_CRAWLER = (
    "The version that reads the pages; each materialization is one that came to serve, with its proof and what "
    "changed. Materialize it to heal the family from stored pages, or use the job `heal`."
)


def build_assets(
    family: Family, families: Sequence[Family] = ()
) -> list[dg.AssetsDefinition]:
    """`<family>/urls`, `<family>/pages` with `<family>/records`, and
    `<family>/crawler`, in one group.

    `families` are all of the project: some of them may claim the same urls.
    """
    names = AssetNames(family)
    return [urls_asset(names, families), _crawler(names), _crawl(names, families)]


class CrawlOptions(dg.Config):
    """What may be said to a refresh when it is launched: `force` asks for every page in
    full, whatever the site says of its age."""

    force: bool = False


def freshness(family: Family) -> dg.FreshnessPolicy:
    """Late when one refresh was missed, stale when two were: by the cron, else by the
    longest interval of a page."""
    refresh = family.refresh
    pause = (
        longest_pause(refresh.cron)
        if refresh.cron
        else max(refresh.max_interval, timedelta(minutes=5))
    )
    return dg.FreshnessPolicy.time_window(
        fail_window=pause * 2.5, warn_window=pause * 1.5
    )


def _crawl(names: AssetNames, families: Sequence[Family]) -> dg.AssetsDefinition:
    """`<family>/pages` and `<family>/records`, batch by batch, with the checks of the records."""
    family = names.family
    partitions = names.partitions
    checks = [
        partitioned_check(
            name,
            names.records,
            partitions,
            CHECK_DESCRIPTIONS[name],
            blocking=name == DRIFT_GATE,
        )
        for name in (DRIFT_GATE, *map(str, CheckName))
    ]
    checks += [
        dg.AssetCheckSpec(
            name, asset=names.records, description=CHECK_DESCRIPTIONS[name]
        )
        for name in (PROGRESS, ALL_BATCHES, CONTRACT)
    ]

    @dg.multi_asset(
        name=f"crawl_{family.slug}",
        specs=[
            names.own(
                dg.AssetSpec(
                    names.pages,
                    deps=[names.urls],
                    description=_PAGES,
                    kinds={"python", "html"},
                    partitions_def=partitions,
                    skippable=True,
                ),
            ),
            names.own(
                dg.AssetSpec(
                    names.records,
                    deps=[names.pages, names.crawler],
                    description=family.description
                    or f"{family.record_schema} records of {family.family}.",
                    kinds={"python", "duckdb"},
                    partitions_def=partitions,
                    skippable=True,
                    freshness_policy=freshness(family),
                    metadata={
                        "dagster/table_name": table_name(family.model().__name__),
                        "dagster/column_schema": column_schema(family.schema_spec()),
                    },
                ),
            ),
        ],
        check_specs=checks,
        partitions_def=partitions,
        can_subset=True,
        backfill_policy=dg.BackfillPolicy.multi_run(_MAX_BATCHES_PER_RUN),
        pool=names.pool(Pool.CRAWL),
    )
    def crawl(
        context: dg.AssetExecutionContext,
        store: StoreResource,
        web: WebResource,
        workers: WorkersResource,
        model: ModelResource,
        config: CrawlOptions,
    ) -> Iterator[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
        from crawloop_assets.report.wave import write_last_wave
        from crawloop_assets.serve.batch import BatchServer
        from crawloop_assets.serve.neighbours import Neighbours
        from crawloop_assets.serve.stream import Stream

        mode = RunMode(context.run.tags.get(Tag.MODE.value, RunMode.REFRESH.value))
        check_batches(context.run, names)
        opened = store.open()
        yield from settle_dead(context, names, opened)
        fetch = names.pages in context.selected_asset_keys and mode is RunMode.REFRESH
        run_id = context.run.run_id
        with opened.pending.running(run_id), workers.pool() as pool:
            wave = context.run.tags.get(Tag.WAVE)
            server = BatchServer(
                family,
                opened,
                pool,
                run_id,
                wave=wave,
                refresh=refresh_name(context.run) if fetch else "",
                unit=unit_of(context.run),
            )
            asked = model.of(family, opened, pool, run_id, wave)
            try:
                if mode is RunMode.FALLBACK:
                    server.model = asked.serving()
                server.fields = asked.filling()
                if mode is RunMode.REFRESH:
                    server.judge = asked.judging()
            except ModelUnavailable as error:
                server.note = str(error)
            fetcher = web.fetcher(opened) if fetch else None
            server.neighbours = Neighbours(family, families, opened, pool)
            force = config.force or Tag.FORCE in context.run.tags
            stream = Stream(server, fetcher, force, context.log.info)
            for served in stream.run(sorted(context.partition_keys)):
                with stored_together(context.instance):
                    yield from _batch_events(context, names, served, fetch=fetch)
                del served  # with its pages
            if note := server.settle():
                context.log.warning(f"{family.family}: {note}")
            if mode is not RunMode.REFRESH:
                write_last_wave(opened, pool, family)
        yield from settle_run(context, names, opened)
        yield progress_check(names, True, run_id)
        yield from overview_events(names, families, opened)
        left = mark_leftovers(opened, families)
        path = opened.publish()
        yield dg.AssetMaterialization(
            PUBLISHED,
            metadata={
                "path": str(path),
                "run": context.run.run_id,
                **rows_metadata(path),
                **left,
            },
        )

    return crawl


def _batch_events(
    context: dg.AssetExecutionContext,
    names: AssetNames,
    served: "ServedBatch",
    *,
    fetch: bool,
) -> Iterator[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
    """All that Dagster is told of a batch; of its pages, if they were fetched."""
    context.log.info(f"batch {served.batch}: {dict(served.verdicts)}, {served.counts}")
    if left_out := left_in_words(served):
        context.log.warning(f"batch {served.batch}: {left_out}")
    if fetch:
        yield pages_materialization(names, served)
    yield from records_events(context, names, served)


def _crawler(names: AssetNames) -> dg.AssetsDefinition:
    """`<family>/crawler`: the version that reads the pages."""
    family = names.family

    @dg.multi_asset(
        name=f"crawler_{family.slug}",
        specs=[
            names.own(
                dg.AssetSpec(
                    names.crawler,
                    deps=[names.urls],
                    description=_CRAWLER,
                    kinds={"python"},
                    skippable=True,
                ),
            )
        ],
        pool=names.pool(Pool.REGENERATE),
    )
    def crawler(
        context: dg.AssetExecutionContext,
        store: StoreResource,
        web: WebResource,
        workers: WorkersResource,
        model: ModelResource,
    ) -> Iterator[dg.MaterializeResult[None]]:
        from crawloop_assets.heal.asking import regenerate_or_ask
        from crawloop_assets.heal.refusal import failure
        from crawloop_assets.heal.regenerate import RegenerationOutcome
        from crawloop_assets.report.proposed import write_proposed
        from crawloop_assets.report.wave import write_last_wave

        opened = store.open()
        wave = context.run.tags.get(Tag.WAVE)
        run_id = context.run.run_id
        with workers.pool() as pool:
            result = regenerate_or_ask(
                family,
                opened,
                pool,
                web.fetcher(opened),
                run_id=run_id,
                wave=wave,
                model=model.of(family, opened, pool, run_id, wave).helping(),
            )
            report = write_last_wave(opened, pool, family)
        proposed = write_proposed(opened.var, family.family, result.proposed)
        opened.publish()
        if result.outcome is RegenerationOutcome.NOTHING_TO_DO:
            context.log.info(result.reason)
            return
        if result.outcome is RegenerationOutcome.REJECTED:
            raise PlainFailure(
                f"{family.family}: {failure(result)}. The active version and the published records are unchanged.",
                {"scores": _scores(result), **_link(report)},
            )
        yield dg.MaterializeResult(
            asset_key=names.crawler,
            metadata={
                "version": result.version or 0,
                "outcome": result.outcome.value,
                "reason": result.reason,
                "scores": _scores(result),
                "diff": dg.MetadataValue.md(code_block(result.diff, "diff")),
                **_link(report),
                **({"examples": dg.MetadataValue.path(proposed)} if proposed else {}),
            },
        )

    return crawler


def _link(report: str) -> dict[str, dg.MetadataValue]:
    """Where the report of the wave is shown, if there is one."""
    return {"report": dg.MetadataValue.url(report)} if report else {}


def _scores(result: "Regeneration") -> dg.MetadataValue:
    """A score sheet as the UI shows it."""
    return dg.MetadataValue.md(
        score_sheet_markdown(result.scores) if result.scores else "none"
    )
