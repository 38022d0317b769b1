"""The urls of one family: the asset that looks for them, and what became of the look.

Glue only; the rules are in frontier.
"""

from collections.abc import Sequence
from hashlib import sha256
from itertools import filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.foreign import in_markdown
from crawloop_assets.pipeline.events import CHECK_DESCRIPTIONS
from crawloop_assets.pipeline.names import FOUND, AssetNames, Pool
from crawloop_assets.resources import StoreResource, WebResource, WorkersResource

if TYPE_CHECKING:
    from crawloop_assets.frontier.findings import Discovered
    from crawloop_assets.store import Store

_URLS = (
    "The frontier: the urls that are known, in batches that are only ever added to (they are the partitions of "
    "pages and records). Materialize it to look for urls again: seeds, sitemaps, links."
)
_COUNT = "dagster/row_count"
_LATELY = 10  # looks
_SEVERITIES = (dg.AssetCheckSeverity.ERROR, dg.AssetCheckSeverity.WARN)
"""Where no url was found, and where some were."""
_SHOWN_SKIPS = 20


def urls_asset(names: AssetNames, families: Sequence[Family]) -> dg.AssetsDefinition:
    """`<family>/urls`, with its check; some of `families` may claim the same urls."""
    family = names.family

    @dg.multi_asset(
        name=f"urls_{family.slug}",
        specs=[
            names.own(
                dg.AssetSpec(
                    names.urls,
                    description=_URLS,
                    kinds={"python", "duckdb"},
                    code_version=discovery_version(family),
                ),
            )
        ],
        check_specs=[
            dg.AssetCheckSpec(
                FOUND, asset=names.urls, description=CHECK_DESCRIPTIONS[FOUND]
            )
        ],
        pool=names.pool(Pool.DISCOVER),
    )
    async def urls(
        context: dg.AssetExecutionContext,
        store: StoreResource,
        web: WebResource,
        workers: WorkersResource,
    ) -> dg.MaterializeResult:  # type: ignore[type-arg]  # Dagster knows it by name
        from crawloop_assets.frontier.discover import discover, look_for
        from crawloop_assets.frontier.owners import without_neighbours
        from crawloop_assets.serve.telling import telling_progress

        opened = store.open()
        with workers.pool() as pool:
            async with (
                web.fetcher(opened) as fetcher,
                telling_progress(fetcher.stats, context.log.info),
            ):
                found = await discover(
                    family, fetcher, lambda page, of: pool.arun(look_for(page, of))
                )
        found = without_neighbours(found, family, families)
        opened.add_urls(family, found.urls)
        opened.mark_aliases(family.family, found.aliases)
        opened.record_skips(family.family, found.skipped)
        left_out = _leave_out(opened, family, found)
        batches = opened.batches(family.family)
        _name_batches(context.instance, names, batches)
        return dg.MaterializeResult(
            metadata={
                _COUNT: len(found.urls),
                "batches": len(batches),
                "fetched": found.fetched,
                "skipped": len(found.skipped),
                "left_out": left_out,
                "skipped_examples": dg.MetadataValue.md(_skips(found)),
            },
            check_results=[_found_check(names, found, context.instance)],
        )

    return urls


def _leave_out(store: "Store", family: Family, found: "Discovered") -> int:
    """Ask no more for pages that are held and that the family's file leaves out by now; how
    many that are. A page of which a row is known stays, whatever the patterns say."""
    from crawloop_assets.frontier.owners import outside

    met = set(map(attrgetter("url"), found.urls))
    held = {page.url for page in store.quarantine(family.family)} - met
    urls = outside(family, sorted(held))
    unknown = sorted(set(urls).difference(store.known(family, urls)))
    if unknown:
        store.left_out.leave_out(family.family, unknown)
    return len(unknown)


def _name_batches(
    instance: dg.DagsterInstance, names: AssetNames, batches: Sequence[str]
) -> None:
    """Let Dagster know the batches that there are as partitions, and none that a family of
    that name had before it was removed or renamed: they have no page, and would be red."""
    known = set(instance.get_dynamic_partitions(names.partition_set))
    fresh = list(filterfalse(known.__contains__, batches))
    instance.add_dynamic_partitions(names.partition_set, fresh)
    for gone in known.difference(batches):
        instance.delete_dynamic_partition(names.partition_set, gone)


def discovery_version(family: Family) -> str:
    """Changes with what the family's file says of where its urls come from."""
    said = family.discover.model_dump_json(exclude={"every"})
    return sha256(said.encode()).hexdigest()[:12]


def _skips(found: "Discovered") -> str:
    """The first urls that were not taken, each with the rule."""
    lines = [
        f"- {in_markdown(url)}: {in_markdown(rule)}"
        for url, rule in found.skipped[:_SHOWN_SKIPS]
    ]
    return "\n".join(lines) or "none"


def url_count(look: dg.AssetMaterialization) -> int:
    """How many urls were found; 1 of a look that did not note it."""
    count = look.metadata.get(_COUNT, dg.MetadataValue.int(1))
    return int(str(count.value))


def _found_check(
    names: AssetNames, found: "Discovered", instance: dg.DagsterInstance
) -> dg.AssetCheckResult:
    """Whether urls were found, as many as lately, and every seed could be read."""
    lately = instance.fetch_materializations(names.urls, limit=_LATELY).records
    looks = filter(None, map(attrgetter("asset_materialization"), lately))
    complaint = found.complaint(max(map(url_count, looks), default=0))
    fine = f"{len(found.urls)} urls were found on {found.fetched} pages."
    return dg.AssetCheckResult(
        check_name=FOUND,
        asset_key=names.urls,
        passed=not complaint,
        severity=_SEVERITIES[bool(found.urls)],
        description=in_markdown(complaint) or fine,
    )
