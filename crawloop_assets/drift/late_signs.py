"""Which kind of evidence is fresher, learned field by field; and how often one is late.

A page on which two kinds contradict each other is held. If a later refresh of it has
both say what one of them said then, while the other one said the value that was known,
that one was ahead. So much is counted with a batch that nobody doubts, and once ten
such pages agree, nearly all of them, the kind is fresher in this family.
"""

from collections.abc import Iterator, Mapping, Sequence

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.fresher import said_by_kind
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


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


def count_late_signs(
    schema: RecordSchema, outcomes: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Count LATE, of the values of which several readers spoke.

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


def _ahead(spec: FieldSpec, outcome: PageOutcome) -> Kind | None:
    """The kind that said in an earlier refresh what both say now of the one record of a
    page, while the other one said what was known."""
    if not _is_read_again(outcome) or _is_split(spec, outcome):
        return None
    said = _said_then(spec, outcome)
    now, known = outcome.values[0], outcome.previous[0]
    ahead = _kinds_saying(now.get(spec.name), said, spec)
    late = _kinds_saying(known.get(spec.name), said, spec)
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
    value: Value, said: Mapping[Kind, Value], spec: FieldSpec
) -> list[Kind]:
    """The kinds that say a value; none say that there is nothing."""
    if value is None:
        return []
    return [kind for kind, one in said.items() if same(one, value, spec)]


def _is_split(spec: FieldSpec, outcome: PageOutcome) -> bool:
    """Whether two kinds contradict each other of a field now."""
    votes = (record.votes.get(spec.name) for record in outcome.read_records)
    return any(vote is not None and bool(vote.against) for vote in votes)
