"""What a served batch looks like in Dagster: a materialization, then one evaluation per
check."""

from collections.abc import Iterator, Sequence

import dagster as dg

from crawloop_assets.drift.check import CheckExample, CheckName, CheckResult, Severity
from crawloop_assets.pipeline.dagster_private import latest_target
from crawloop_assets.pipeline.names import GATE, AssetNames
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.values.value import Value

CHECK_DESCRIPTIONS = {
    GATE: "Red exactly when the batch drifted; the heal sensor watches it.",
    **{check.value: check.description for check in CheckName},
}

_EXAMPLES = dg.TableSchema(
    columns=[
        dg.TableColumn(name)
        for name in ("url", "field", "expected", "got", "stored page")
    ]
)


def column_schema(schema: RecordSchema) -> dg.TableSchema:
    """The record schema as the UI shows it."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                spec.name,
                spec.kind.value
                if spec.shape.value == "one"
                else f"{spec.shape.value} of {spec.kind.value}",
                description=spec.description or None,
                constraints=dg.TableColumnConstraints(nullable=not spec.required),
            )
            for spec in schema.fields
        ]
    )


def pages_materialization(
    names: AssetNames, served: ServedBatch
) -> dg.AssetMaterialization:
    """What was fetched."""
    fetched = [
        reading.visit.fetched for reading in served.readings if reading.visit.fetched
    ]
    return dg.AssetMaterialization(
        names.pages,
        partition=served.batch,
        metadata={
            "dagster/partition_row_count": sum(
                reading.visit.page is not None for reading in served.readings
            ),
            "not_modified": sum(one.not_modified for one in fetched),
            "bytes": sum(one.bytes for one in fetched),
            **{
                f"verdict/{verdict.value}": count
                for verdict, count in sorted(served.verdicts.items())
            },
        },
    )


def records_events(
    context: dg.AssetExecutionContext, names: AssetNames, served: ServedBatch
) -> Iterator[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
    """The materialization of a batch, then its checks.

    By hand and in this order: in a range run an AssetCheckResult loses its partition,
    and an evaluation that does not name the newest materialization counts as stale. The
    materialization is stored when the generator resumes.
    """
    counts = served.counts
    yield dg.AssetMaterialization(
        names.records,
        partition=served.batch,
        metadata={
            "dagster/partition_row_count": counts.records,
            "new": counts.new,
            "changed": counts.changed,
            "same": counts.same,
            "removed": counts.removed,
            "stale": counts.stale,
            "held_pages": counts.held,
            "suspect": counts.suspect,
            "model_calls": served.model_calls,
            "seconds": round(served.seconds, 3),
            **{
                f"served_by/{who}": count
                for who, count in sorted(served.served_by.items())
            },
        },
    )
    target = latest_target(context.instance, names.records, served.batch)
    failed = [
        check
        for check in served.judgement.checks
        if not check.passed and check.severity is Severity.ERROR
    ]
    results = {check.name.value: check for check in served.judgement.checks}
    yield dg.AssetCheckEvaluation(
        asset_key=names.records,
        check_name=GATE,
        partition=served.batch,
        passed=not served.judgement.drifted,
        severity=dg.AssetCheckSeverity.ERROR,
        blocking=False,
        description=_verdict(served, failed),
        metadata=_gate_metadata(served, failed),
        target_materialization_data=target,
    )
    for name in map(str, CheckName):
        check = results.get(name)
        yield dg.AssetCheckEvaluation(
            asset_key=names.records,
            check_name=name,
            partition=served.batch,
            passed=check is None or check.passed,
            severity=dg.AssetCheckSeverity.ERROR
            if check is not None and check.severity is Severity.ERROR
            else dg.AssetCheckSeverity.WARN,
            blocking=False,
            description=check.sentence if check else "Not asked of this batch.",
            metadata={} if check is None else _check_metadata(check),
            target_materialization_data=target,
        )


def _verdict(served: ServedBatch, failed: Sequence[CheckResult]) -> str:
    doubt = (
        f"{served.counts.suspect} rows of earlier runs are suspect now."
        if served.counts.suspect
        else ""
    )
    if not served.judgement.drifted:
        return f"Nothing wrong was found. {doubt}".strip()
    reasons = [check.sentence for check in failed] or [
        f"{served.counts.held} of {len(served.readings)} pages are held",
        *(check.sentence for check in served.judgement.checks if not check.passed),
    ]
    kept = (
        f"{served.counts.stale} last good records stay, marked stale."
        if served.counts.stale
        else ""
    )
    model = f"No model helped: {served.note}" if served.note else ""
    return " ".join(
        part for part in ("; ".join(reasons) + ".", kept, doubt, model) if part
    )


def _gate_metadata(
    served: ServedBatch, failed: list[CheckResult]
) -> dict[str, dg.MetadataValue]:
    examples = [example for check in failed for example in check.examples][:5]
    return {
        "pages": dg.MetadataValue.int(len(served.readings)),
        "held_pages": dg.MetadataValue.int(served.counts.held),
        "stale_records": dg.MetadataValue.int(served.counts.stale),
        "checks_failed": dg.MetadataValue.text(
            ", ".join(check.name.value for check in failed) or "none"
        ),
        **(
            {"no_model": dg.MetadataValue.text(served.note)}
            if served.note and served.judgement.drifted
            else {}
        ),
        **({"examples": _table(examples)} if examples else {}),
    }


def _check_metadata(check: CheckResult) -> dict[str, dg.MetadataValue]:
    return {
        "observed": dg.MetadataValue.float(float(check.observed)),
        "threshold": dg.MetadataValue.float(float(check.threshold)),
        **({"examples": _table(list(check.examples))} if check.examples else {}),
    }


def _table(examples: Sequence[CheckExample]) -> dg.MetadataValue:
    return dg.MetadataValue.table(
        records=[
            dg.TableRecord(
                {
                    "url": example.url,
                    "field": example.field or "",
                    "expected": _short(example.expected),
                    "got": _short(example.got),
                    "stored page": (example.page_sha256 or "")[:16],
                }
            )
            for example in examples
        ],
        schema=_EXAMPLES,
    )


def _short(value: Value) -> str:
    text = "" if value is None else str(value)
    return text if len(text) <= 120 else text[:117] + "..."
