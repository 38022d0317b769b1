"""How much of what a program reads survives mechanical changes of the markup."""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.document.perturbations import CHANGES, REORDERING, perturbed
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.value import Value

_PAGES = 2  # more would cost more time than they tell

_Pair = tuple[Mapping[str, Value], ExtractedRecord]
"""The values of a record, and the record that a changed copy gives for it."""


class Survival(NamedTuple):
    """Of `total` values read before the changes: how many were read again, how many
    turned wrong by a strong vote.

    What is not read any more, or is a list that lost items, is neither.
    """

    kept: int = 0
    total: int = 0
    wrong: int = 0

    def plus(self, other: "Survival") -> "Survival":
        """Both counts together."""
        return Survival(
            kept=self.kept + other.kept,
            total=self.total + other.total,
            wrong=self.wrong + other.wrong,
        )

    @property
    def share(self) -> float:
        """How much was read again."""
        return round(self.kept / max(1, self.total), 4)


def robustness(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    extractions: Sequence[Extraction],
) -> dict[str, Survival]:
    """Per field, over changed copies of the first pages: what became of the values that
    are read now.

    A record of a listing that is not met again has lost its values, but none of them
    has turned wrong.
    """
    found: dict[str, Survival] = {}
    pages = list(zip(documents, extractions, strict=True))
    for document, extraction in pages[:_PAGES]:
        if document.is_json or not extraction.records:
            continue
        for before, after in _met_again(schema, program, document, extraction):
            for name, survival in _survivals(schema, before, after):
                found[name] = found.get(name, Survival()).plus(survival)
    return found


def _survivals(
    schema: RecordSchema, before: Mapping[str, Value], after: ExtractedRecord
) -> Iterator[tuple[str, Survival]]:
    """What became of each value of a record, by field."""
    for spec in schema.fields:
        wanted = before.get(spec.name)
        if wanted is not None:
            yield spec.name, _survival(wanted, after, spec)


def _survival(wanted: Value, record: ExtractedRecord, spec: FieldSpec) -> Survival:
    """What became of one value."""
    got = record.values.get(spec.name)
    if same(got, wanted, spec):
        return Survival(kept=1, total=1)
    is_wrong = _contradicts(got, wanted, spec) and _is_strong(record, spec.name)
    return Survival(total=1, wrong=int(is_wrong))


def _met_again(
    schema: RecordSchema, program: Program, document: Document, extraction: Extraction
) -> Iterator[_Pair]:
    """Every record of a page with what a changed copy gives for it, copy by copy."""
    is_detail = program.kind is FamilyKind.DETAIL
    changes = list(CHANGES)
    if not is_detail:
        # The order of a listing's blocks may be that of its records, or of groups.
        changes.remove(REORDERING)
    before = list(map(attrgetter("values"), extraction.records))
    for page in perturbed(document, changes).values():
        after = run(program, Document(page)).records
        if is_detail:
            yield before[0], next(iter(after), NOTHING_READ)
        else:
            yield from _recognised(schema, before, after)


def _recognised(
    schema: RecordSchema,
    before: Sequence[Mapping[str, Value]],
    after: Sequence[ExtractedRecord],
) -> Iterator[_Pair]:
    """Every record of a listing with the same one after a change, if it is not
    lost."""
    for wanted, best in match_records(schema, before, after):
        got = best or NOTHING_READ
        if _is_the_record(schema, wanted, got):
            yield wanted, got
        else:
            yield wanted, NOTHING_READ


def _is_the_record(
    schema: RecordSchema, wanted: Mapping[str, Value], got: ExtractedRecord
) -> bool:
    """True if most values agree: another record may share a date with one that was
    lost."""
    agreeing = total = 0
    for spec in schema.fields:
        value = wanted.get(spec.name)
        if value is not None:
            total += 1
            agreeing += same(got.values.get(spec.name), value, spec)
    return 2 * agreeing > total


def _contradicts(got: Value, wanted: Value, spec: FieldSpec) -> bool:
    """True if a value says what the page did not: a list that lost items does not."""
    if got is None:
        return False
    if spec.shape is Shape.ONE:
        return True
    if not isinstance(got, list) or not isinstance(wanted, list):
        return True
    single = item_spec(spec)
    known = _canonical_items(wanted, single)
    return not _canonical_items(got, single) <= known


def _canonical_items(items: list[Value], spec: FieldSpec) -> set[object]:
    """The items in the form in which they are compared."""
    return {canonical(item, spec) for item in items}


def _is_strong(record: ExtractedRecord, name: str) -> bool:
    """True for a vote that the publishing gate takes for certain."""
    vote = record.votes.get(name)
    return vote is not None and vote.is_certain
