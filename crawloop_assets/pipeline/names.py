"""What a family is called in Dagster: asset keys, partitions, checks, tags.

Nothing is spelled twice.
"""

from dataclasses import dataclass
from enum import StrEnum

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.dagster_private import PlainFailure

DRIFT_GATE = "drift"
ALL_BATCHES = "all_batches"
CONTRACT = "contract"
PROGRESS = "progress"
FOUND = "found"
PUBLISHED = dg.AssetKey(["published"])
OVERVIEW = dg.AssetKey(["overview"])
INBOX = dg.AssetKey(["inbox"])
BACKFILL_ID_TAG = "dagster/backfill"
ROOT_RUN_ID_TAG = "dagster/root_run_id"


class Tag(StrEnum):
    """Run and backfill tags."""

    FAMILY = "crawloop/family"
    MODE = "crawloop/mode"
    WAVE = "crawloop/wave"
    FORCE = "crawloop/force"
    REGENERATES = "crawloop/regenerates"
    REFRESH = "crawloop/refresh"
    SINCE = "crawloop/since"


FIRST_BATCH_TAG = "dagster/asset_partition_range_start"
LAST_BATCH_TAG = "dagster/asset_partition_range_end"
BATCH_TAG = "dagster/partition"


class RunMode(StrEnum):
    """Why the records of a batch are being made.

    Everything but `refresh` reads stored pages only.
    """

    REFRESH = "refresh"
    FALLBACK = "fallback"
    REPLAY = "replay"
    REGENERATE = "regenerate"


class Pool(StrEnum):
    """What a family does once at a time: of two runs over the same batches, Dagster takes
    the one made last for the newest, whichever ends last. `dagster.yaml` sets the limit."""

    DISCOVER = "discover"
    CRAWL = "crawl"
    REGENERATE = "regenerate"


@dataclass(frozen=True)
class AssetNames:
    """Names of one family."""

    family: Family

    def pool(self, pool: Pool) -> str:
        """Name of a pool of the family, such as `crawl_shop__item`."""
        return f"{pool}_{self.family.slug}"

    def _key(self, last: str) -> dg.AssetKey:
        """The key of one of its assets."""
        return dg.AssetKey([*self.family.family.split("/"), last])

    @property
    def urls(self) -> dg.AssetKey:
        """The frontier."""
        return self._key("urls")

    @property
    def pages(self) -> dg.AssetKey:
        """Stored pages, per batch."""
        return self._key("pages")

    @property
    def records(self) -> dg.AssetKey:
        """Published records, per batch."""
        return self._key("records")

    @property
    def crawler(self) -> dg.AssetKey:
        """The active version."""
        return self._key("crawler")

    @property
    def assets(self) -> frozenset[dg.AssetKey]:
        """All four."""
        return frozenset((self.urls, self.pages, self.records, self.crawler))

    @property
    def group(self) -> str:
        """The group of its assets: one for all families of a site, by the first part of
        their names."""
        return self.family.family.partition("/")[0]

    def own(self, spec: dg.AssetSpec) -> dg.AssetSpec:
        """The spec with what all assets of the family have in common."""
        owner = self.family.owner
        return spec.replace_attributes(
            group_name=self.group,
            owners=[owner] if owner else [],
            tags={**spec.tags, **self.tags()},
        )

    @property
    def gate(self) -> dg.AssetCheckKey:
        """The check that is red exactly on drifted batches."""
        return dg.AssetCheckKey(self.records, DRIFT_GATE)

    @property
    def partitions(self) -> dg.DynamicPartitionsDefinition:
        """One partition per batch, append-only."""
        return dg.DynamicPartitionsDefinition(name=self.partition_set)

    @property
    def partition_set(self) -> str:
        """Name of the dynamic partition set."""
        return f"{self.family.slug}_batches"

    def tags(
        self,
        mode: RunMode | None = None,
        *,
        wave: str | None = None,
        batches: tuple[str, str] | None = None,
    ) -> dict[str, str]:
        """Tags of a run or backfill of the family: its mode, its wave, and the first
        and last of its batches."""
        tags = {Tag.FAMILY.value: self.family.slug}
        if mode is not None:
            tags[Tag.MODE.value] = mode.value
        if mode is RunMode.REGENERATE:
            tags[Tag.REGENERATES.value] = self.family.slug
        if wave is not None:
            tags[Tag.WAVE.value] = wave
        if batches is not None:
            tags[FIRST_BATCH_TAG], tags[LAST_BATCH_TAG] = batches
        return tags


def check_batches(run: dg.DagsterRun, names: AssetNames) -> None:
    """PlainFailure, which says what to choose, for a run that was launched without
    batches."""
    if {BATCH_TAG, FIRST_BATCH_TAG} & run.tags.keys():
        return
    raise PlainFailure(
        "no batch was chosen, so nothing was asked for. Choose partitions when you launch "
        f"it: on the page of the job, or of {names.records.to_user_string()}, Materialize, "
        "then one batch, a range, or All; one batch is the tag "
        f"{BATCH_TAG}, a range are {FIRST_BATCH_TAG} and {LAST_BATCH_TAG}."
    )


def refresh_name(run: dg.DagsterRun) -> str:
    """The refresh that a run which fetches belongs to: the one that it goes on with; a
    backfill whose runs have a batch each is one, and so is a run with the one that
    tries it again."""
    tags = (Tag.REFRESH.value, BACKFILL_ID_TAG, ROOT_RUN_ID_TAG)
    named = filter(None, map(run.tags.get, tags))
    return next(named, run.run_id)
