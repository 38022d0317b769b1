"""What the UI shows of all batches and of all families, after every run."""

from collections.abc import Sequence
from datetime import UTC, datetime

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.names import ALL_BATCHES, OVERVIEW, AssetNames
from crawloop_assets.project import BrokenFamily
from crawloop_assets.report.status import COLUMNS, FamilyStatus, statuses
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import Store
from crawloop_assets.store.overview import FamilyOverview


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
) -> tuple[dg.AssetMaterialization, dg.AssetCheckEvaluation]:
    """What a run has to say at its end: all families, and all batches of its own."""
    seen = store.families.overviews(families or [names.family])
    table = dg.AssetMaterialization(OVERVIEW, metadata=_metadata(statuses(seen, ())))
    (own,) = [one for one in seen if one.family == names.family.family]
    return table, _all_batches(names, own)


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
        "to_do": dg.MetadataValue.md(
            "\n".join(f"- {line}" for one in found for line in one.says(moment))
            or "Nothing: every family is green."
        ),
        "red_batches": dg.MetadataValue.int(
            sum(len(one.overview.red) for one in found)
        ),
        "stale_rows": dg.MetadataValue.int(sum(one.overview.stale for one in found)),
        "held_pages": dg.MetadataValue.int(sum(one.overview.held for one in found)),
        "decisions": dg.MetadataValue.int(
            sum(one.overview.questions + one.overview.waiting for one in found)
        ),
        "usd": dg.MetadataValue.float(sum((one.overview.usd for one in found), 0.0)),
    }


def _all_batches(names: AssetNames, own: FamilyOverview) -> dg.AssetCheckEvaluation:
    """Whether any batch is red, whichever was made last."""
    says = f"None of {own.batches} batches is red."
    if own.red:
        first = "; ".join(f"{batch} ({why})" for batch, why in [*own.red.items()][:3])
        says = f"{len(own.red)} of {own.batches} batches are red: {first}"
    return dg.AssetCheckEvaluation(
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
        },
    )
