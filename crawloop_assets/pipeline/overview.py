"""What the UI shows of all batches and of all families, after every run."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from pathlib import Path

import dagster as dg

from crawloop_assets.desk.inbox import (
    COLUMNS_OF_INBOX,
    InboxItem,
    WaitingKind,
    inbox_items,
    inbox_markdown,
)
from crawloop_assets.family import Family
from crawloop_assets.foreign import in_markdown
from crawloop_assets.pipeline.evaluated import check_evaluation
from crawloop_assets.pipeline.names import (
    ALL_BATCHES,
    CONTRACT,
    INBOX,
    OVERVIEW,
    AssetNames,
)
from crawloop_assets.project import BrokenFamily
from crawloop_assets.report.shelf import last_wave_address
from crawloop_assets.report.status import COLUMNS, FamilyStatus, statuses
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import Store
from crawloop_assets.store.contracts import promises
from crawloop_assets.store.overview import FamilyOverview
from crawloop_assets.store.published import published_counts


def build_overview(
    families: Sequence[Family], broken: Sequence[BrokenFamily]
) -> dg.AssetsDefinition:
    """The asset `overview`: all families in one table."""

    @dg.asset(
        key=OVERVIEW,
        deps=[AssetNames(family).records for family in families],
        description="All families at a glance, as `crawloop status` says it; written after every run of any of them.",
        kinds={"python"},
        group_name="published",
    )
    def overview(store: StoreResource) -> dg.MaterializeResult[None]:
        seen = store.open().families.overviews(families)
        return dg.MaterializeResult(metadata=_metadata(statuses(seen, broken)))

    return overview


def overview_events(
    names: AssetNames, families: Sequence[Family], store: Store
) -> Iterator[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
    """What a run has to say at its end: all families, what waits, and all batches of
    its own."""
    known = families or [names.family]
    with store.one_state():
        seen = store.families.overviews(known)
        inbox = inbox_event(known, store)
    yield dg.AssetMaterialization(OVERVIEW, metadata=_metadata(statuses(seen, ())))
    yield inbox
    (own,) = [one for one in seen if one.family == names.family.family]
    yield _all_batches(names, own)
    yield contract_check(names, store)


def rows_metadata(published: Path) -> dict[str, dg.MetadataValue]:
    """How many rows the published file itself has, all and by family: it is read after it
    took its place."""
    counts = published_counts(published)
    of_families = {
        f"rows/{name.replace('/', '__')}": dg.MetadataValue.int(count)
        for name, count in counts.items()
    }
    return {"rows": dg.MetadataValue.int(sum(counts.values())), **of_families}


def contract_check(names: AssetNames, store: Store) -> dg.AssetCheckEvaluation:
    """Whether the rows of a family keep what it promises; what is counted can be
    plotted."""
    figures = store.contracts.judge(names.family)
    broken = list(figures.broken(names.family))
    counts = asdict(figures)
    oldest = counts.pop("oldest")
    numbers = {name: dg.MetadataValue.int(count) for name, count in counts.items()}
    return check_evaluation(
        asset_key=names.records,
        check_name=CONTRACT,
        passed=not broken,
        severity=dg.AssetCheckSeverity.WARN,
        blocking=False,
        description=" ".join(broken) or "The rows keep what is promised.",
        metadata={
            **numbers,
            "fresh_share": dg.MetadataValue.float(figures.fresh_share),
            "oldest": dg.MetadataValue.text(str(oldest or "no row yet")),
            "promises": dg.MetadataValue.md(
                "\n".join(f"- {line}" for line in promises(names.family))
            ),
        },
    )


def inbox_event(families: Sequence[Family], store: Store) -> dg.AssetMaterialization:
    """What waits for a person, as of now."""
    items = inbox_items(store, families)
    return dg.AssetMaterialization(INBOX, metadata=_inbox_metadata(items))


def build_inbox(
    families: Sequence[Family], broken: Sequence[BrokenFamily]
) -> dg.AssetsDefinition:
    """The asset `inbox`: everything that waits for a person."""

    @dg.asset(
        key=INBOX,
        deps=[AssetNames(family).records for family in families],
        description="Everything that waits for a person, the most urgent first: versions for review with what they "
        "would change, held pages with their ids, questions, families that are stuck or whose file is wrong; each with "
        "the commands that settle it, which are jobs of the same names. As `crawloop inbox` says it; written after "
        "every run and every decision.",
        kinds={"python"},
        group_name="published",
    )
    def inbox(store: StoreResource) -> dg.MaterializeResult[None]:
        items = inbox_items(store.open(), families, broken)
        return dg.MaterializeResult(metadata=_inbox_metadata(items))

    return inbox


def _inbox_metadata(items: Sequence[InboxItem]) -> dict[str, dg.MetadataValue]:
    """The table, the most telling rows with the commands, and how many wait of each
    kind."""
    columns = [dg.TableColumn(name, "string") for name in COLUMNS_OF_INBOX]
    records = [
        dg.TableRecord(dict(zip(COLUMNS_OF_INBOX, item.cells(), strict=True)))
        for item in items
    ]
    kinds = Counter(map(attrgetter("kind"), items))
    return {
        "waiting": dg.MetadataValue.int(len(items)),
        "to_do": dg.MetadataValue.md(inbox_markdown(items)),
        **{
            f"waiting/{kind.name.lower()}": dg.MetadataValue.int(kinds[kind])
            for kind in WaitingKind
        },
        "items": dg.MetadataValue.table(records, dg.TableSchema(columns)),
    }


def _metadata(found: Sequence[FamilyStatus]) -> dict[str, dg.MetadataValue]:
    """The table, and numbers that can be plotted."""
    moment = datetime.now(UTC)
    columns = [dg.TableColumn(name, "string") for name in COLUMNS]
    records = [
        dg.TableRecord(dict(zip(COLUMNS, one.cells(moment), strict=True)))
        for one in found
    ]
    return {
        "families": dg.MetadataValue.table(records, dg.TableSchema(columns)),
        "to_do": dg.MetadataValue.md(_to_do(found, moment)),
        **_totals(list(map(attrgetter("overview"), found))),
    }


def _to_do(found: Sequence[FamilyStatus], moment: datetime) -> str:
    """All that is wrong, a line each."""
    lines = chain.from_iterable(one.says(moment) for one in found)
    listed = "\n".join(f"- {in_markdown(line)}" for line in lines)
    return listed or "Nothing: every family is green."


def _totals(families: Sequence[FamilyOverview]) -> dict[str, dg.MetadataValue]:
    """What all families have together."""
    counts = {
        "red_batches": sum(len(one.red) for one in families),
        "stale_rows": sum(map(attrgetter("stale"), families)),
        "held_pages": sum(map(attrgetter("held"), families)),
        "decisions": sum(one.questions + one.waiting for one in families),
        "rows": sum(map(attrgetter("rows"), families)),
    }
    usd = sum(map(attrgetter("usd"), families), 0.0)
    return {
        **{name: dg.MetadataValue.int(count) for name, count in counts.items()},
        "usd": dg.MetadataValue.float(usd),
    }


def _all_batches(names: AssetNames, own: FamilyOverview) -> dg.AssetCheckEvaluation:
    """Whether any batch is red, whichever was made last."""
    says = f"None of {own.batches} batches is red."
    if own.red:
        first = "; ".join(f"{batch} ({why})" for batch, why in [*own.red.items()][:3])
        says = f"{len(own.red)} of {own.batches} batches are red: {first}"
    return check_evaluation(
        asset_key=names.records,
        check_name=ALL_BATCHES,
        passed=not own.red,
        severity=dg.AssetCheckSeverity.ERROR,
        blocking=False,
        description=says,
        metadata={
            "red_batches": len(own.red),
            "stale_rows": own.stale,
            "rows": own.rows,
            "last_wave": dg.MetadataValue.url(last_wave_address(own.family)),
        },
    )
