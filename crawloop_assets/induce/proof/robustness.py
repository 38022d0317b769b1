"""How much of what a program reads survives mechanical changes of the markup."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.document.perturbations import CHANGES, REORDERING, perturbed
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.proof.match import match_records
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.value import Value

_PAGES = 2
_STRONG = 0.8  # with more than one reader: what the publishing gate takes for certain

Pair = tuple[Mapping[str, Value], ExtractedRecord | None]


class Survival(NamedTuple):
    """Of `total` values read before the changes: how many were read again, how many
    turned wrong by a strong vote.

    What is not read any more, or is a list that lost items, is neither.
    """

    kept: int = 0
    total: int = 0
    wrong: int = 0

    @property
    def share(self) -> float:
        """How much was read again."""
        return round(self.kept / self.total, 4) if self.total else 0.0


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
    for document, extraction in list(zip(documents, extractions, strict=True))[:_PAGES]:
        if document.is_json or not extraction.records:
            continue
        for before, after in _met_again(schema, program, document, extraction):
            for spec in schema.fields:
                wanted = before.get(spec.name)
                if wanted is not None:
                    got = after.values.get(spec.name) if after else None
                    kept = same(got, wanted, spec)
                    wrong = (
                        not kept
                        and _contradicts(got, wanted, spec)
                        and _strong(after, spec.name)
                    )
                    seen = found.get(spec.name, Survival())
                    found[spec.name] = Survival(
                        seen.kept + kept, seen.total + 1, seen.wrong + wrong
                    )
    return found


def _met_again(
    schema: RecordSchema, program: Program, document: Document, extraction: Extraction
) -> Iterator[Pair]:
    """Every record of a page with what a changed copy gives for it, copy by copy."""
    detail = program.kind is FamilyKind.DETAIL
    # What order the blocks of a listing are in may be its records' order, or the group they are in.
    names = [name for name in CHANGES if detail or name != REORDERING]
    records = [
        record.values
        for record in (extraction.records[:1] if detail else extraction.records)
    ]
    for page in perturbed(document, names).values():
        rows = run(program, Document(page)).records
        if detail:
            yield records[0], rows[0] if rows else None
        else:
            for wanted, got in match_records(schema, records, rows):
                yield (
                    wanted,
                    got if got and _is_the_record(schema, wanted, got) else None,
                )


def _is_the_record(
    schema: RecordSchema, wanted: Mapping[str, Value], got: ExtractedRecord
) -> bool:
    """Whether most values agree: another record may share a date with one that was
    lost."""
    specs = [spec for spec in schema.fields if wanted.get(spec.name) is not None]
    return 2 * sum(
        same(got.values.get(spec.name), wanted[spec.name], spec) for spec in specs
    ) > len(specs)


def _contradicts(got: Value, wanted: Value, spec: FieldSpec) -> bool:
    """Whether a value says what the page did not: a list that lost items does not."""
    if got is None:
        return False
    if (
        spec.shape is Shape.ONE
        or not isinstance(got, list)
        or not isinstance(wanted, list)
    ):
        return True
    known = {canonical(item, item_spec(spec)) for item in wanted}
    return any(canonical(item, item_spec(spec)) not in known for item in got)


def _strong(record: ExtractedRecord | None, name: str) -> bool:
    vote = record.votes.get(name) if record else None
    return vote is not None and vote.agreement >= _STRONG and vote.live_readers > 1
