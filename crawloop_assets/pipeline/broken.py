"""Families whose files are wrong: they stay in the graph and say what is wrong with
them; nothing of them runs, and nobody else is touched."""

from collections.abc import Sequence

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.dagster_private import PlainFailure
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.project import BrokenFamily


def stand_in(broken: BrokenFamily) -> Family:
    """A family of the same name, for the names of its assets and jobs; nothing else of
    it means anything."""
    return Family.model_validate(
        {"family": broken.name, "schema": "broken:Broken", "discover": {}}
    )


def build_broken(broken: BrokenFamily) -> list[dg.AssetsDefinition]:
    """The assets of a broken family: to materialize any of them fails with file, line
    and field."""
    names = AssetNames(stand_in(broken))
    once = [_failing(broken, key) for key in (names.urls, names.crawler)]
    batches = names.partitions
    return once + [
        _failing(broken, key, batches) for key in (names.pages, names.records)
    ]


def _failing(
    broken: BrokenFamily,
    key: dg.AssetKey,
    partitions: dg.PartitionsDefinition[str] | None = None,
) -> dg.AssetsDefinition:
    """An asset that says what is wrong, and fails with it."""
    family = stand_in(broken)
    said = f"Its file is wrong, nothing of it runs: {broken.error}"

    @dg.asset(
        key=key,
        description=said,
        group_name=AssetNames(family).group,
        tags=AssetNames(family).tags(),
        kinds={"broken"},
        partitions_def=partitions,
    )
    def fail() -> None:
        raise PlainFailure(said)

    return fail


def broken_metadata(broken: Sequence[BrokenFamily]) -> dict[str, dg.MetadataValue]:
    """The families that do not run, to be read beside the published file."""
    if not broken:
        return {}
    said = "\n".join(f"- `{one.name}`: {one.error}" for one in broken)
    return {"families_with_a_wrong_file": dg.MetadataValue.md(said)}
