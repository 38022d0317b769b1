"""Kept pages: once a week the old ones are forgotten, by a job that may be asked
beforehand what it would do."""

from collections.abc import Sequence

import dagster as dg
from pydantic import Field

from crawloop_assets.family import Family
from crawloop_assets.resources import StoreResource

_WEEKLY = "30 3 * * 0"
KEPT_VERSIONS = 5
"""So many documents of a url are kept beside those in use."""


class RetentionConfig(dg.Config):
    """How many documents of a url stay, and whether anything is done at all."""

    keep: int = Field(
        KEPT_VERSIONS, ge=1, description="The newest documents of each url that stay."
    )
    dry_run: bool = Field(False, description="Only say what would be forgotten.")


@dg.op(tags={"kind": "python"})
def forget_old_pages(
    context: dg.OpExecutionContext, config: RetentionConfig, store: StoreResource
) -> None:
    """Forget documents that nothing refers to any more."""
    done = store.open().prune(config.keep, dry_run=config.dry_run)
    context.log.info(done.in_words(config.keep, dry_run=config.dry_run))
    context.add_output_metadata(
        {"versions": done.versions, "documents": done.bodies, "dry_run": config.dry_run}
    )


@dg.job(
    name="prune",
    description="Forgets old documents of pages: the newest five of every url stay, and whatever a row, a held page, a "
    "question or a lesson is of. With `dry_run: true` it only says what it would do. Runs on Sundays.",
)
def prune_job() -> None:
    """The one step."""
    forget_old_pages()


def build_retention(families: Sequence[Family]) -> list[dg.ScheduleDefinition]:
    """The schedule of the job, on from the beginning; none without families."""
    weekly = dg.ScheduleDefinition(
        name="prune_schedule",
        job=prune_job,
        cron_schedule=_WEEKLY,
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description="Old documents of pages are forgotten once a week.",
    )
    return [weekly] if families else []
