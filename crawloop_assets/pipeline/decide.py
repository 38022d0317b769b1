"""Deciding about quarantine from the Dagster UI: the same two decisions as on the
command line, audited alike."""

from collections.abc import Sequence

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.resources import StoreResource


class QuarantineDecision(dg.Config):
    """What is decided, by whom and why.

    `ids` are those of the quarantine table.
    """

    ids: list[str]
    who: str
    why: str = ""


def build_decisions(family: Family) -> Sequence[dg.JobDefinition]:
    """`release_<family>` publishes held records on a person's word; `reject_<family>`
    says they are wrong."""
    names = AssetNames(family)

    @dg.op(name=f"release_{family.slug}_op")
    def release(
        context: dg.OpExecutionContext, config: QuarantineDecision, store: StoreResource
    ) -> None:
        opened = store.open()
        counts = opened.release(
            family, config.ids, config.who, config.why, context.run.run_id
        )
        path = opened.publish()
        context.log.info(
            f"{config.who} released {len(config.ids)} page(s): {counts.records} record(s)"
        )
        context.add_output_metadata({"records": counts.records, "published": str(path)})

    @dg.op(name=f"reject_{family.slug}_op")
    def reject(
        context: dg.OpExecutionContext, config: QuarantineDecision, store: StoreResource
    ) -> None:
        opened = store.open()
        opened.discard(
            family.family, config.ids, config.who, config.why, context.run.run_id
        )
        opened.publish()
        context.log.info(f"{config.who} rejected {len(config.ids)} page(s)")

    def job(name: str, op: dg.OpDefinition, description: str) -> dg.JobDefinition:
        @dg.job(
            name=f"{name}_{family.slug}",
            description=description,
            tags=names.tags(),
            executor_def=dg.in_process_executor,
        )
        def decide() -> None:
            op()

        return decide

    return (
        job(
            "release",
            release,
            "Publish records in quarantine on a person's word; audited.",
        ),
        job("reject", reject, "Decide that records in quarantine are wrong; audited."),
    )
