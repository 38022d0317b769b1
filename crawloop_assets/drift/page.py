"""Checks of one page: what can be said of its records without knowing the rest of the
batch."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity, show
from crawloop_assets.drift.pairs import pair_records, record_key
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_PLACEHOLDER = re.compile(
    r"\s*(?:undefined|null|none|nan|n/?a|tb[ad]|todo|test|placeholder|loading\W*|please wait\W*|coming soon\W*"
    r"|-+|\?+|\.{2,}|\[object object\]|lorem ipsum.*|.*(?:\{\{.*\}\}|\$\{.*\}|<%.*%>).*)\s*",
    re.IGNORECASE | re.DOTALL,
)
_DISAGREEING = 0.3
_PLAIN = 5 / 6
"""Below this part of the family's least agreement, a contradiction is plain and holds
the page."""

_EXPECTED = 0.9
"""A declared coverage from which a field is expected of every single record."""


def judge_page(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    invalid: Sequence[Invalid] = (),
    previous: Sequence[Mapping[str, Any]] = (),
) -> list[Finding]:
    """What the records of one page have against them.

    `invalid` are the model's own failures, `previous` the last known good records of
    the same url. An `error` finding holds the page; a `warn` is evidence for
    `judge_batch`, which sees whether it is news or drift.
    """
    findings = [
        *_schema(schema, extraction, invalid),
        *_count(family, extraction),
    ]
    findings += _votes(schema, family, extraction, previous)
    findings += _placeholders(schema, extraction, previous)
    findings += _changes(schema, family, extraction, previous)
    findings += _gone(schema, family, extraction, previous)
    return findings


def is_placeholder(value: Value) -> bool:
    """Text that stands for a value that is not there: "undefined", "{{ title }}",
    "Lorem ipsum ..."."""
    return isinstance(value, str) and bool(_PLACEHOLDER.fullmatch(value))


def disagrees(vote: FieldVote, least: float) -> bool:
    """Whether the readers of a field contradict each other.

    A field with one reader cannot disagree, and readers that fell silent contradict
    nobody (`silent` tells those).
    """
    return vote.readers >= 2 and vote.live_readers >= 2 and vote.agreement < least


def silent(vote: FieldVote) -> bool:
    """Whether most readers of a field that has several returned nothing."""
    return vote.readers >= 2 and vote.live_readers * 2 < vote.readers


def _schema(
    schema: RecordSchema, extraction: Extraction, invalid: Sequence[Invalid]
) -> Iterator[Finding]:
    told = set()
    for failure in invalid:
        name = failure.field.split(".", 1)[0]
        told.add((failure.row, name))
        got = next(
            (
                record.values.get(name)
                for record in extraction.records
                if record.row == failure.row
            ),
            None,
        )
        message = f"row {failure.row}: {failure.field or 'the record'} is not valid: {failure.message}"
        yield Finding(
            check=CheckName.SCHEMA,
            severity=Severity.ERROR,
            field=name,
            message=message,
            got=show(got),
        )
    for record in extraction.records:
        for spec in schema.fields:
            if (
                spec.required
                and record.values.get(spec.name) in EMPTY
                and (record.row, spec.name) not in told
            ):
                message = f"row {record.row}: required field {spec.name} was not read"
                yield Finding(
                    check=CheckName.SCHEMA,
                    severity=Severity.ERROR,
                    field=spec.name,
                    message=message,
                )


def _count(family: Family, extraction: Extraction) -> Iterator[Finding]:
    count, policy = len(extraction.records), family.drift.count
    least = 0 if family.drift.allow_empty else max(policy.min, 1)
    most = 1 if family.kind is FamilyKind.DETAIL and policy.max is None else policy.max
    if count < least or (most is not None and count > most):
        expected = f"at least {least}" if count < least else f"at most {most}"
        message = f"{count or 'no'} record{'s' * (count != 1)} on the page, {expected} expected"
        yield Finding(
            check=CheckName.COUNT,
            severity=Severity.ERROR,
            message=message,
            expected=expected,
            got=str(count),
        )


def _votes(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    previous: Sequence[Mapping[str, Any]],
) -> Iterator[Finding]:
    """Contradictions about required fields.

    A value that is the one known for this url is proved whatever the votes; a losing
    value that is the known one is proof of the contrary.
    """
    known = known_records(schema, family, extraction, previous)
    for spec in schema.fields:
        if not spec.required:
            continue
        votes = [
            (record, record.votes[spec.name])
            for record in extraction.records
            if spec.name in record.votes
        ]
        split = [
            (record, vote, severity)
            for record, vote in votes
            if (
                severity := _contradiction(
                    spec, family, record, vote, known.get(record.row, {})
                )
            )
            is not None
        ]
        if split and len(split) >= _DISAGREEING * len(votes):
            yield _split(
                spec,
                *max(split, key=lambda one: one[2] is Severity.ERROR),
                family.drift.min_agreement,
            )


def known_records(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    previous: Sequence[Mapping[str, Any]],
) -> dict[int, Mapping[str, Any]]:
    """The last known good record of each row of a page that has one."""
    rows = {id(record.values): record.row for record in extraction.records}
    now = [record.values for record in extraction.records]
    return {
        rows[id(new)]: old
        for old, new in pair_records(previous, now, record_key(schema, family))
    }


def _contradiction(
    spec: FieldSpec,
    family: Family,
    record: ExtractedRecord,
    vote: FieldVote,
    known: Mapping[str, Any],
) -> Severity | None:
    if not disagrees(vote, family.drift.min_agreement):
        return None
    before = known.get(spec.name)
    if before is not None and same(before, record.values.get(spec.name), spec):
        return None
    rival_known = before is not None and any(
        same(before, rival, spec) for rival in vote.rivals
    )
    plain = rival_known or vote.agreement < _PLAIN * family.drift.min_agreement
    return Severity.ERROR if plain else Severity.WARN


def _split(
    spec: FieldSpec,
    record: ExtractedRecord,
    vote: FieldVote,
    severity: Severity,
    least: float,
) -> Finding:
    message = f"row {record.row}: the readers of {spec.name} disagree (agreement {vote.agreement:.2f}, {least:.2f} needed)"
    rivals = show(vote.rivals[0]) if vote.rivals else ""
    got = show(record.values.get(spec.name))
    return Finding(
        check=CheckName.VOTES,
        severity=severity,
        field=spec.name,
        message=message,
        expected=rivals,
        got=got,
    )


def _placeholders(
    schema: RecordSchema, extraction: Extraction, previous: Sequence[Mapping[str, Any]]
) -> Iterator[Finding]:
    for record in extraction.records:
        for spec in schema.fields:
            value = record.values.get(spec.name)
            if is_placeholder(value) and not any(
                same(value, old.get(spec.name), spec) for old in previous
            ):
                severity = Severity.ERROR if spec.required else Severity.WARN
                message = f"row {record.row}: {spec.name} is a placeholder"
                yield Finding(
                    check=CheckName.DISTRIBUTION,
                    severity=severity,
                    field=spec.name,
                    message=message,
                    got=show(value),
                )


def _changes(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    previous: Sequence[Mapping[str, Any]],
) -> Iterator[Finding]:
    """Known values that are different now.

    Alone it is news, so it only warns.
    """
    now = [record.values for record in extraction.records]
    key = record_key(schema, family)
    for old, new in pair_records(previous, now, key):
        for spec in schema.fields:
            if spec.volatile and spec.name not in family.drift.stable:
                continue
            before, after = old.get(spec.name), new.get(spec.name)
            if before not in EMPTY and not same(before, after, spec):
                message = f"{spec.name} of a known url is different"
                yield Finding(
                    check=CheckName.HISTORY,
                    severity=Severity.WARN,
                    field=spec.name,
                    message=message,
                    expected=show(before),
                    got=show(after),
                )


def _gone(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    previous: Sequence[Mapping[str, Any]],
) -> Iterator[Finding]:
    """A field the family file expects of nearly every record was known for this url and
    is gone: the page is held, however few others there are.

    (Required fields are held without being known.)
    """
    pairs = pair_records(
        previous,
        [record.values for record in extraction.records],
        record_key(schema, family),
    )
    for spec in schema.fields:
        least = family.drift.coverage.get(spec.name, 0.0)
        if spec.required or least < _EXPECTED:
            continue
        known = [
            (old[spec.name], new.get(spec.name))
            for old, new in pairs
            if old.get(spec.name) not in EMPTY
        ]
        gone = [before for before, after in known if after in EMPTY]
        if len(gone) > (1 - least) * len(known):
            message = (
                f"{spec.name} of a known url is gone ({len(gone)} of {len(known)})"
            )
            yield Finding(
                check=CheckName.COVERAGE,
                severity=Severity.ERROR,
                field=spec.name,
                message=message,
                expected=show(gone[0]),
                got=show(None),
            )
