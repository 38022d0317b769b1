"""Which kind of evidence is fresher, learned field by field; and how often one is late.

A page on which two kinds contradict each other is held. If a later refresh of it has
both say what one of them said then, while the other one said the value that was known,
that one was ahead. So much is counted with a batch that nobody doubts, and once ten
such pages agree, nearly all of them, the kind is fresher in this family. A person who
says which of two values is true says it at once, of all that may change every day: what
is late is a copy of the record, not one field of it.

Where nearly every change is late, one that is while others are in time is no late one:
the two kinds contradict each other.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.fresher import said_by_kind
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_LATE, _IN_TIME = "late", "in time"


class _Changed(NamedTuple):
    """A new value of the one record of a page, and whether a kind is late with it."""

    page: int
    spec: FieldSpec
    pace: str


def fresher_kinds(schema: RecordSchema, norms: Norms) -> dict[str, Kind]:
    """Field -> the kind that undoubted refreshes have shown to be fresher."""
    usual = {spec.name: norms.usual(_trait(spec)) for spec in schema.fields}
    return {field: Kind(kind) for field, kind in usual.items() if kind}


def fresher_traits(
    schema: RecordSchema, outcome: PageOutcome
) -> Iterator[tuple[str, str]]:
    """(trait of a field, the kind that was ahead) of each value that two kinds did not
    agree on in an earlier refresh and agree on now."""
    for spec in schema.fields:
        kind = _ahead(spec, outcome)
        if kind is not None:
            yield _trait(spec), kind.value


def pace_traits(
    schema: RecordSchema, outcome: PageOutcome
) -> Iterator[tuple[str, str]]:
    """(trait of a field, whether a kind was late) of each value that is another one
    than was known, as far as several readers spoke of it."""
    for spec in schema.fields:
        pace = _pace(spec, outcome)
        if pace is not None:
            yield _pace_trait(spec), pace


def count_late_signs(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count LATE, of the values of which several readers spoke, and UNTIMELY of those
    that were late in a family in which nearly all changes are.

    History also counts what it could not tell at the time: values that were held then
    and are confirmed now.
    """
    for page, outcome in enumerate(outcomes):
        for record in outcome.read_records:
            for field, vote in record.votes.items():
                if vote.live_readers > 1:
                    tallies.add(
                        Sign.LATE,
                        field,
                        page,
                        has_sign=vote.late is not None,
                        expected=vote.late,
                        got=record.values.get(field),
                    )
        _count_confirmed(schema, outcome, tallies)
    _count_untimely(schema, outcomes, norms, tallies)


def _count_untimely(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count the values that are late while most others are not: of the same field on
    other pages, or of other such fields on their page; and those that were late in the
    refresh before."""
    changed = list(_changed(schema, outcomes))
    usual = {spec.name: norms.usual(_pace_trait(spec)) for spec in schema.fields}
    paces = [one for one in changed if usual[one.spec.name] == _LATE]
    by_field = Counter((one.spec.name, one.pace) for one in paces)
    by_page = Counter((one.page, one.pace) for one in paces)
    for one in changed:
        name, page = one.spec.name, outcomes[one.page]
        in_time = by_field[name, _IN_TIME] + by_page[one.page, _IN_TIME]
        late = by_field[name, _LATE] + by_page[one.page, _LATE]
        is_alone = one.pace == usual[name] == _LATE and in_time > late - 2
        tallies.add(
            Sign.UNTIMELY,
            name,
            one.page,
            has_sign=is_alone or _is_late_again(one.spec, page),
            expected=page.previous[0].get(name),
            got=page.values[0].get(name),
        )


def _changed(
    schema: RecordSchema, outcomes: Sequence[PageOutcome]
) -> Iterator[_Changed]:
    """All values that several readers say are other ones."""
    for page, outcome in enumerate(outcomes):
        for spec in schema.fields:
            pace = _pace(spec, outcome)
            if pace is not None:
                yield _Changed(page, spec, pace)


def _is_late_again(spec: FieldSpec, outcome: PageOutcome) -> bool:
    """Whether an earlier refresh read the new value as well, and a kind still says the
    known one."""
    return outcome.read_records[0].votes[spec.name].late is not None and _was_said(
        spec, outcome
    )


def _was_said(spec: FieldSpec, outcome: PageOutcome) -> bool:
    """Whether an earlier refresh read the value of a page's one record, too."""
    now = outcome.values[0].get(spec.name)
    return any(same(one.get(spec.name), now, spec) for one in outcome.said_before)


def _pace(spec: FieldSpec, outcome: PageOutcome) -> str | None:
    """Whether a kind is late with the new value of the one known record of a page, or
    was when it was read first; None if nothing is new, or one reader alone says it."""
    records = (outcome.read_records, outcome.values, outcome.previous)
    if set(map(len, records)) != {1}:
        return None
    vote = outcome.read_records[0].votes.get(spec.name)
    now, known = (one[0].get(spec.name) for one in (outcome.values, outcome.previous))
    if vote is None or vote.live_readers < 2 or known is None or same(now, known, spec):
        return None
    if vote.late is not None or _ahead(spec, outcome) is not None:
        return _LATE
    return None if _was_said(spec, outcome) else _IN_TIME


def _count_confirmed(
    schema: RecordSchema, outcome: PageOutcome, tallies: Tallies
) -> None:
    """Count the values of a page that were late in an earlier refresh, as it turns
    out."""
    for spec in schema.fields:
        tally = tallies.get(Sign.LATE, spec.name)
        if tally is not None and _ahead(spec, outcome) is not None:
            tally.confirmed += 1


def _trait(spec: FieldSpec) -> str:
    return f"fresher:{spec.name}"


def _pace_trait(spec: FieldSpec) -> str:
    return f"pace:{spec.name}"


def _ahead(spec: FieldSpec, outcome: PageOutcome) -> Kind | None:
    """The kind that said in an earlier refresh what both say now of the one record of a
    page, while the other one said what was known."""
    if not _is_read_again(outcome) or _is_split(spec, outcome):
        return None
    said = _said_then(spec, outcome)
    now, known = outcome.values[0], outcome.previous[0]
    return kind_ahead(spec, said, now.get(spec.name), [known.get(spec.name)])


def kind_ahead(
    spec: FieldSpec, said: Mapping[Kind, Value], now: Value, before: Sequence[Value]
) -> Kind | None:
    """The one of two kinds that said what is so now, while the other one said what was so
    `before`."""
    ahead, late = (_kinds_saying(values, said, spec) for values in ([now], before))
    if len(ahead) != 1 or len(late) != 1 or ahead == late:
        return None
    return ahead[0]


def _is_read_again(outcome: PageOutcome) -> bool:
    """Whether a page has one record, which is known, and an earlier refresh read it and
    did not publish it."""
    counts = (
        len(outcome.values),
        len(outcome.previous),
        len(outcome.said_before),
        len(outcome.against_before),
    )
    return set(counts) == {1}


def _said_then(spec: FieldSpec, outcome: PageOutcome) -> dict[Kind, Value]:
    """What each kind said of a field in the earlier refresh; {} if they agreed."""
    against = outcome.against_before[0].get(spec.name, {})
    of_kind = {Kind(kind): value for kind, value in against.items()}
    return said_by_kind(outcome.said_before[0].get(spec.name), of_kind)


def _kinds_saying(
    values: Sequence[Value], said: Mapping[Kind, Value], spec: FieldSpec
) -> list[Kind]:
    """The kinds that say one of some values; none say that there is nothing."""
    asked = [value for value in values if value is not None]
    return [
        kind
        for kind, one in said.items()
        if any(same(one, each, spec) for each in asked)
    ]


def _is_split(spec: FieldSpec, outcome: PageOutcome) -> bool:
    """Whether two kinds contradict each other of a field now."""
    votes = (record.votes.get(spec.name) for record in outcome.read_records)
    return any(vote is not None and bool(vote.against) for vote in votes)
