"""Checks of one page: what can be said of its records without knowing the rest of the
batch."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity, show
from crawloop_assets.drift.fields import is_steady, required_fields
from crawloop_assets.drift.matching import Record, pair_records, record_key
from crawloop_assets.drift.placeholder import is_placeholder
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_LEAST_SPLIT = 0.3
"""Share of a page's records from which on a contradiction is one of the page."""

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
    previous: Sequence[Record] = (),
) -> list[Finding]:
    """What the records of one page have against them.

    `invalid` are the model's own failures, `previous` the last known good records of
    the same url. An `error` finding holds the page; a `warn` is evidence for
    `judge_batch`, which sees whether it is news or drift.
    """
    key = record_key(schema, family)
    current = list(map(attrgetter("values"), extraction.records))
    pairs = pair_records(previous, current, key)
    return [
        *_invalid_records(extraction, invalid),
        *_missing_fields(schema, extraction, invalid),
        *_wrong_count(family, extraction),
        *_contradictions(schema, family, extraction, pairs),
        *_contradicted_kinds(schema, family, extraction, pairs),
        *_placeholders(schema, extraction, previous),
        *_changed_values(schema, family, pairs),
        *_lost_fields(schema, family, pairs),
    ]


def disagrees(vote: FieldVote, least: float) -> bool:
    """Whether the readers of a field contradict each other.

    A field with one reader cannot disagree, and readers that fell silent contradict
    nobody (see `silent`).
    """
    if min(vote.readers, vote.live_readers) < 2:
        return False
    return vote.agreement < least


def losing_value(vote: FieldVote) -> Value:
    """The first of the values that lost a vote, "" if there is none."""
    if not vote.rivals:
        return ""
    return vote.rivals[0]


def silent(vote: FieldVote) -> bool:
    """Whether most readers of a field that has several returned nothing."""
    if vote.readers < 2:
        return False
    return vote.live_readers * 2 < vote.readers


def _error(check: CheckName, field: str, message: str, **values: str) -> Finding:
    """A finding that holds the page; `values` are what was expected and got."""
    severity = Severity.ERROR
    return Finding(
        check=check, severity=severity, field=field, message=message, **values
    )


def _invalid_records(
    extraction: Extraction, invalid: Sequence[Invalid]
) -> Iterator[Finding]:
    """What the model has against records: the caller's failures as findings."""
    by_row: dict[int, Record] = {}
    for record in extraction.records:
        by_row.setdefault(record.row, record.values)
    for failure in invalid:
        field = _top_field(failure)
        got = show(by_row.get(failure.row, {}).get(field))
        subject = failure.field or "the record"
        message = f"row {failure.row}: {subject} is not valid: {failure.message}"
        yield _error(CheckName.SCHEMA, field, message, got=got)


def _top_field(failure: Invalid) -> str:
    """The field of the record in which a dotted field is."""
    return failure.field.split(".", 1)[0]


def _missing_fields(
    schema: RecordSchema, extraction: Extraction, invalid: Sequence[Invalid]
) -> Iterator[Finding]:
    """Required fields that were not read and of which the model itself says nothing."""
    reported = {(failure.row, _top_field(failure)) for failure in invalid}
    required = required_fields(schema)
    for record in extraction.records:
        for spec in required:
            if (record.row, spec.name) in reported or spec.name in record.empty:
                continue
            if record.values.get(spec.name) in EMPTY:
                message = f"row {record.row}: required field {spec.name} was not read"
                yield _error(CheckName.SCHEMA, spec.name, message)


def _wrong_count(family: Family, extraction: Extraction) -> Iterator[Finding]:
    """Fewer or more records than the family allows on one page."""
    count = len(extraction.records)
    least, most = _allowed_counts(family)
    if least <= count <= most:
        return
    expected = f"at most {most}"
    if count < least:
        expected = f"at least {least}"
    message = f"{_records(count)} on the page, {expected} expected"
    yield _error(CheckName.COUNT, "", message, expected=expected, got=str(count))


def _records(count: int) -> str:
    """ "no records", "1 record", "2 records"."""
    if count == 0:
        return "no records"
    if count == 1:
        return "1 record"
    return f"{count} records"


def _allowed_counts(family: Family) -> tuple[float, float]:
    """The least and the most records a page may have."""
    policy = family.drift.count
    least = max(policy.min, 1)
    if family.drift.allow_empty:
        least = 0
    if policy.max is not None:
        return least, policy.max
    if family.kind is FamilyKind.DETAIL:
        return least, 1
    return least, inf


class _Contradiction(NamedTuple):
    """A record on a required field of which the readers contradict each other."""

    record: ExtractedRecord
    severity: Severity

    @property
    def is_error(self) -> bool:
        """Whether it holds the page."""
        return self.severity is Severity.ERROR


def _contradictions(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    pairs: Sequence[tuple[Record, Record]],
) -> Iterator[Finding]:
    """Contradictions about required fields, the worst of each."""
    known = _known_by_row(extraction, pairs)
    for spec in required_fields(schema):
        voted = [record for record in extraction.records if spec.name in record.votes]
        split = list(_split_records(spec, family, voted, known))
        if len(split) < _LEAST_SPLIT * len(voted):
            continue
        worst = max(split, key=attrgetter("is_error"), default=None)
        if worst is not None:
            yield _split_votes(spec.name, worst, family.drift.min_agreement)


def _split_records(
    spec: FieldSpec,
    family: Family,
    voted: Sequence[ExtractedRecord],
    known: Mapping[int, Record],
) -> Iterator[_Contradiction]:
    """The records of which the readers of a field contradict each other."""
    for record in voted:
        vote = record.votes[spec.name]
        if not disagrees(vote, family.drift.min_agreement):
            continue
        before = known.get(record.row, {}).get(spec.name)
        value = record.values.get(spec.name)
        # The value that is known for this url is proved, whatever the votes.
        if before is not None and same(before, value, spec):
            continue
        severity = Severity.WARN
        if _is_plain(spec, family, vote, before):
            severity = Severity.ERROR
        yield _Contradiction(record, severity)


def _contradicted_kinds(
    schema: RecordSchema,
    family: Family,
    extraction: Extraction,
    pairs: Sequence[tuple[Record, Record]],
) -> Iterator[Finding]:
    """Values that one kind of evidence states and another one contradicts.

    The page is held if the field is required, or the value that lost is the known one:
    nobody but the winner stands for the other.
    """
    known = _known_by_row(extraction, pairs)
    specs = {spec.name: spec for spec in schema.fields}
    for record in extraction.records:
        before = known.get(record.row, {})
        for field, vote in record.votes.items():
            spec = specs.get(field)
            if spec is None or not vote.against or field not in record.values:
                continue
            if _is_proved(spec, family, record, before):
                continue
            yield _split_kinds(spec, record, before)


def _is_proved(
    spec: FieldSpec, family: Family, record: ExtractedRecord, before: Record
) -> bool:
    """Whether a value that hardly ever changes is the known one."""
    if not is_steady(spec, family) or before.get(spec.name) in EMPTY:
        return False
    return same(before[spec.name], record.values[spec.name], spec)


def _split_kinds(spec: FieldSpec, record: ExtractedRecord, before: Record) -> Finding:
    """The finding about kinds of evidence that contradict each other."""
    field, value = spec.name, record.values[spec.name]
    ((kind, other), *_) = record.votes[field].against.items()
    was = before.get(field)
    holds = spec.required or (was not in EMPTY and same(was, other, spec))
    return Finding(
        check=CheckName.CONTRADICTION,
        severity=Severity.ERROR if holds else Severity.WARN,
        field=field,
        message=f"row {record.row}: {field} is another one where it is {kind.value}",
        expected=show(other),
        got=show(value),
    )


def _is_plain(spec: FieldSpec, family: Family, vote: FieldVote, before: Value) -> bool:
    """Whether a contradiction holds the page: the votes are far apart, or a losing
    value is the one that is known."""
    if vote.agreement < _PLAIN * family.drift.min_agreement:
        return True
    if before is None:
        return False
    return any(same(before, rival, spec) for rival in vote.rivals)


def _known_by_row(
    extraction: Extraction, pairs: Sequence[tuple[Record, Record]]
) -> dict[int, Record]:
    """The last known good record of each row that has one."""
    rows = {id(record.values): record.row for record in extraction.records}
    return {rows[id(new)]: old for old, new in pairs}


def _split_votes(field: str, split: _Contradiction, least: float) -> Finding:
    """The finding about a contradiction, with the losing value as expected."""
    record, severity = split
    vote = record.votes[field]
    agreement = f"agreement {vote.agreement:.2f}, {least:.2f} needed"
    return Finding(
        check=CheckName.VOTES,
        severity=severity,
        field=field,
        message=f"row {record.row}: the readers of {field} disagree ({agreement})",
        expected=show(losing_value(vote)),
        got=show(record.values.get(field)),
    )


def _placeholders(
    schema: RecordSchema, extraction: Extraction, previous: Sequence[Record]
) -> Iterator[Finding]:
    """Texts that stand for a value that is not there, unless they are known."""
    for record in extraction.records:
        for spec in schema.fields:
            value = record.values.get(spec.name)
            if not is_placeholder(value):
                continue
            if _is_known(value, spec, previous):
                continue
            yield Finding(
                check=CheckName.DISTRIBUTION,
                severity=Severity.ERROR if spec.required else Severity.WARN,
                field=spec.name,
                message=f"row {record.row}: {spec.name} is a placeholder",
                got=show(value),
            )


def _is_known(value: Value, spec: FieldSpec, previous: Sequence[Record]) -> bool:
    """Whether a record known for this url has the value."""
    return any(same(value, old.get(spec.name), spec) for old in previous)


def _changed_values(
    schema: RecordSchema, family: Family, pairs: Sequence[tuple[Record, Record]]
) -> Iterator[Finding]:
    """Known values of steady fields that are different now; an address that nobody reads is
    filled with that of the page later, as it was before.

    Alone it is news, so it only warns.
    """
    steady = [spec for spec in schema.fields if is_steady(spec, family)]
    for old, new in pairs:
        for spec in steady:
            before, after = old.get(spec.name), new.get(spec.name)
            if before in EMPTY or (spec.name, after) == ("url", None):
                continue
            if same(before, after, spec):
                continue
            yield Finding(
                check=CheckName.HISTORY,
                severity=Severity.WARN,
                field=spec.name,
                message=f"{spec.name} of a known url is different",
                expected=show(before),
                got=show(after),
            )


def _lost_fields(
    schema: RecordSchema, family: Family, pairs: Sequence[tuple[Record, Record]]
) -> Iterator[Finding]:
    """A field the family file expects of nearly every record was known for this url and
    is gone: the page is held, however few others there are.

    (Required fields are held without being known.)
    """
    for spec in schema.fields:
        least = family.drift.coverage.get(spec.name, 0.0)
        if spec.required:
            continue
        if least < _EXPECTED:
            continue
        known, lost = _known_and_lost(spec.name, pairs)
        if len(lost) <= (1 - least) * known:
            continue
        yield _error(
            CheckName.COVERAGE,
            spec.name,
            f"{spec.name} of a known url is gone ({len(lost)} of {known})",
            expected=show(lost[0]),
            got=show(None),
        )


def _known_and_lost(
    field: str, pairs: Sequence[tuple[Record, Record]]
) -> tuple[int, list[Value]]:
    """In how many records a field was known, and the values of it that are gone."""
    known, lost = 0, []
    for old, new in pairs:
        before, after = old.get(field), new.get(field)
        if before in EMPTY:
            continue
        known += 1
        if after in EMPTY:
            lost.append(before)
    return known, lost
