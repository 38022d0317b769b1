"""What a served batch looks like in Dagster: a materialization, then one evaluation per
check."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from shlex import quote
from typing import TYPE_CHECKING

import dagster as dg

from crawloop_assets.drift.check import (
    CheckExample,
    CheckName,
    CheckResult,
    Severity,
    what_to_do,
)
from crawloop_assets.drift.values import filled_fields
from crawloop_assets.page import LEFT_FOR_LATER, Verdict
from crawloop_assets.pipeline.dagster_private import (
    MaterializationTarget,
    latest_target,
)
from crawloop_assets.pipeline.evaluated import check_evaluation
from crawloop_assets.pipeline.names import (
    ALL_BATCHES,
    CONTRACT,
    DRIFT_GATE,
    FOUND,
    PROGRESS,
    AssetNames,
)
from crawloop_assets.report.costs import ModelPrice
from crawloop_assets.report.shelf import last_wave_address
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.store import SettledBatch
from crawloop_assets.values.value import Value

if TYPE_CHECKING:
    from crawloop_assets.serve.batch import ServedBatch

CHECK_DESCRIPTIONS = {
    DRIFT_GATE: "Red exactly when the batch drifted; the heal sensor watches it.",
    ALL_BATCHES: "Red while any batch of the family is red; the other checks show the batch that was made last.",
    CONTRACT: "Whether the rows keep what the family promises to those who read them (`crawloop contract`): how many are "
    "fresh, and whether each key names one record. Counted in all rows at the end of every run.",
    PROGRESS: "Red where a run of the family has come to a stop without an end.",
    FOUND: "Red where no url of the family was found; yellow where a seed could not be read, or fewer than half as many "
    "were found as lately.",
    **{check.value: check.description for check in CheckName},
}

_SHOWN_EXAMPLES = 5
_CELL_CHARS = 120
_SEVERITIES = {
    Severity.ERROR: dg.AssetCheckSeverity.ERROR,
    Severity.WARN: dg.AssetCheckSeverity.WARN,
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
                _type_name(spec),
                description=spec.description or None,
                constraints=dg.TableColumnConstraints(nullable=not spec.required),
            )
            for spec in schema.fields
        ]
    )


def _type_name(spec: FieldSpec) -> str:
    """Such as `number`, or `list of text`."""
    if spec.shape is Shape.ONE:
        return spec.kind.value
    return f"{spec.shape.value} of {spec.kind.value}"


def pages_materialization(
    names: AssetNames, served: "ServedBatch"
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
                map(attrgetter("visit.has_page"), served.readings)
            ),
            "not_modified": sum(map(attrgetter("not_modified"), fetched)),
            "bytes": sum(map(attrgetter("bytes"), fetched)),
            "left_for_later": left_in_words(served) or "nothing",
            **{
                f"verdict/{verdict.value}": count
                for verdict, count in sorted(served.verdicts.items())
            },
        },
    )


_NOT_HAD = LEFT_FOR_LATER | {Verdict.TRANSIENT, Verdict.BLOCKED}
"""Verdicts of pages of which nothing was read."""


def left_in_words(served: "ServedBatch") -> str:
    """Such as "8 pages: paused since 2026-11-22 13:00 by ann", or why a browser did not
    start; "" if every page was had."""
    left = (one for one in served.readings if one.verdict in _NOT_HAD)
    counted = Counter(map(attrgetter("reason"), left))
    return "; ".join(f"{count} pages: {why}" for why, count in sorted(counted.items()))


def records_events(
    context: dg.AssetExecutionContext, names: AssetNames, served: "ServedBatch"
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
            "unconfirmed": served.judgement.unconfirmed,
            "kept": kept_in_words(served.kept),
            "suspect": counts.suspect,
            "model_calls": served.model_calls,
            "second_look": served.second_look or "no page was asked again",
            "seconds": round(served.seconds, 3),
            **{
                f"served_by/{who}": count
                for who, count in sorted(served.served_by.items())
            },
            **_shares(names, served),
            "saved_usd": round(_READ_BY_A_MODEL.usd * _read_for_nothing(served), 6),
        },
    )
    target = latest_target(context.instance, names.records, served.batch)
    yield _gate_evaluation(names, served, target)
    results = {check.name: check for check in served.judgement.checks}
    for name in CheckName:
        yield _evaluation(names, served.batch, name, results.get(name), target)


_READ_BY_A_MODEL = ModelPrice()


def _shares(names: AssetNames, served: "ServedBatch") -> dict[str, float]:
    """Of the records that were read, or stand after a 304, how many have each field,
    none where pages were read and no record was; and of the pages that are served how
    many each version serves. Lines that fall where something breaks."""
    read = [one for one in served.readings if one.visit.has_page or one.skipped]
    records = list(chain.from_iterable(map(attrgetter("values"), read)))
    filled = Counter(chain.from_iterable(map(filled_fields, records)))
    shares = {
        f"coverage/{spec.name}": filled[spec.name] / max(1, len(records))
        for spec in names.family.schema_spec().fields
        if read
    }
    pages = sum(served.served_by.values())
    parts = served.served_by.items()
    return shares | {f"share/{who}": count / pages for who, count in parts}


def _read_for_nothing(served: "ServedBatch") -> int:
    """The pages that were read, and not by a model."""
    read = sum(one.extraction is not None for one in served.readings)
    return max(0, read - served.model_calls)


def kept_in_words(kept: Mapping[str, int]) -> str:
    """Such as "brand of 12 records": which known values are served beside new ones."""
    parts = [f"{name} of {count} records" for name, count in sorted(kept.items())]
    return ", ".join(parts) or "nothing"


def settled_events(
    instance: dg.DagsterInstance, names: AssetNames, settled: SettledBatch
) -> Iterator[dg.AssetCheckEvaluation]:
    """The checks that fail because of what all batches of the run show, and the gate."""
    target = latest_target(instance, names.records, settled.batch)
    says = "; ".join(map(attrgetter("sentence"), settled.checks))
    yield check_evaluation(
        asset_key=names.records,
        check_name=DRIFT_GATE,
        partition=settled.batch,
        passed=not settled.drifted,
        severity=dg.AssetCheckSeverity.ERROR,
        blocking=False,
        description=f"{says}. {settled.stale} last good records stay, marked stale.",
        metadata={
            "held_pages": dg.MetadataValue.int(settled.held),
            "stale_records": dg.MetadataValue.int(settled.stale),
        },
        target_materialization_data=target,
    )
    for check in settled.checks:
        yield _evaluation(names, settled.batch, check.name, check, target)


def _gate_evaluation(
    names: AssetNames, served: "ServedBatch", target: MaterializationTarget
) -> dg.AssetCheckEvaluation:
    """Red exactly when the batch drifted."""
    failed = [
        check
        for check in served.judgement.checks
        if not check.passed and check.severity is Severity.ERROR
    ]
    return check_evaluation(
        asset_key=names.records,
        check_name=DRIFT_GATE,
        partition=served.batch,
        passed=not served.judgement.drifted,
        severity=dg.AssetCheckSeverity.ERROR,
        blocking=False,
        description=_verdict(served, failed),
        metadata=_gate_metadata(served, failed) | _how_to_look(names, failed),
        target_materialization_data=target,
    )


def _evaluation(
    names: AssetNames,
    batch: str,
    name: CheckName,
    check: CheckResult | None,
    target: MaterializationTarget,
) -> dg.AssetCheckEvaluation:
    """One check of a batch; green where it was not asked."""
    evaluation = partial(
        check_evaluation,
        asset_key=names.records,
        check_name=name.value,
        partition=batch,
        blocking=False,
        target_materialization_data=target,
    )
    if check is None:
        return evaluation(
            passed=True,
            severity=dg.AssetCheckSeverity.WARN,
            description="Not asked of this batch.",
            metadata={},
        )
    return evaluation(
        passed=check.passed,
        severity=_SEVERITIES[check.severity],
        description=check.sentence,
        metadata=_check_metadata(check),
    )


def _verdict(served: "ServedBatch", failed: Sequence[CheckResult]) -> str:
    """What the gate says, in sentences."""
    counts, doubt, kept, part, model = served.counts, "", "", "", ""
    if counts.suspect:
        doubt = f"{counts.suspect} rows of earlier runs are suspect now."
    if not served.judgement.drifted:
        return f"Nothing wrong was found. {doubt}".strip()
    if counts.stale:
        kept = f"{counts.stale} last good records stay, marked stale."
    if served.kept:
        part = f"Known values stand beside new ones: {kept_in_words(served.kept)}."
    if served.note:
        model = f"No model helped: {served.note}"
    reasons = "; ".join(_reasons(served, failed)) + "."
    sentences = (reasons, kept, part, doubt, model)
    return " ".join(filter(None, sentences))


def _reasons(served: "ServedBatch", failed: Sequence[CheckResult]) -> list[str]:
    """Why a batch is red, a sentence each; else how many pages are held, and what was warned of."""
    if failed:
        return list(map(attrgetter("sentence"), failed))
    warned = [check.sentence for check in served.judgement.checks if not check.passed]
    held = f"{served.counts.held} of {len(served.readings)} pages are held"
    return [held, *warned]


def _gate_metadata(
    served: "ServedBatch", failed: list[CheckResult]
) -> dict[str, dg.MetadataValue]:
    """What the UI shows beside the gate of a batch."""
    metadata: dict[str, dg.MetadataValue] = {
        "pages": dg.MetadataValue.int(len(served.readings)),
        "held_pages": dg.MetadataValue.int(served.counts.held),
        "unconfirmed": dg.MetadataValue.int(served.judgement.unconfirmed),
        "stale_records": dg.MetadataValue.int(served.counts.stale),
        "checks_failed": dg.MetadataValue.text(
            ", ".join(map(attrgetter("name.value"), failed)) or "none"
        ),
    }
    if served.note and served.judgement.drifted:
        metadata["no_model"] = dg.MetadataValue.text(served.note)
    examples = [example for check in failed for example in check.examples]
    if examples:
        metadata["examples"] = _table(examples[:_SHOWN_EXAMPLES])
    return metadata


def _how_to_look(
    names: AssetNames, failed: Sequence[CheckResult]
) -> dict[str, dg.MetadataValue]:
    """The command that shows where the known values of an example were read, and where
    the report of the wave that follows will be."""
    urls = [example.url for check in failed for example in check.examples]
    if not urls:
        return {}
    name = names.family.family
    return {
        "explain": dg.MetadataValue.text(f"crawloop explain {name} {quote(urls[0])}"),
        "last_wave": dg.MetadataValue.url(last_wave_address(name)),
    }


def _check_metadata(check: CheckResult) -> dict[str, dg.MetadataValue]:
    """What was observed, what was allowed, what to do, and examples."""
    metadata: dict[str, dg.MetadataValue] = {
        "observed": dg.MetadataValue.float(float(check.observed)),
        "threshold": dg.MetadataValue.float(float(check.threshold)),
    }
    if not check.passed:
        metadata["what_to_do"] = dg.MetadataValue.text(what_to_do(check.name))
    if check.examples:
        metadata["examples"] = _table(check.examples)
    return metadata


def _table(examples: Sequence[CheckExample]) -> dg.MetadataValue:
    """Examples of a check, a row each."""
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
    """A value as a cell shows it."""
    if value is None:
        return ""
    text = str(value)
    return text if len(text) <= _CELL_CHARS else text[: _CELL_CHARS - 3] + "..."
