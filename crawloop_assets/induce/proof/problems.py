"""What speaks against the promotion of a candidate, and what to know of its evidence, in
words."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.before import Before
from crawloop_assets.induce.proof.field_tally import FieldTally
from crawloop_assets.induce.proof.robustness import Survival
from crawloop_assets.induce.proof.scores import FieldScore
from crawloop_assets.schema import RecordSchema


def field_problems(
    score: FieldScore, before: Before, turned_wrong: bool
) -> Iterator[str]:
    """What speaks against promotion in the evidence of one field."""
    if not score.is_forgiven:
        total = score.right + score.wrong + score.silent
        yield f"{score.field} wrong on {score.wrong} of {total}"
    if score.required and score.silent > 0:
        yield (
            f"required {score.field} silent where its value stands on the page "
            f"({score.silent})"
        )
    if cut := before.cut.get(score.field):
        yield f"{score.field} is cut on {cut}: the version before reads all of it"
    if score.lost:
        right_before = score.right + score.lost
        yield (
            f"{score.field} was right on {right_before} page(s) before, "
            f"now {score.right}"
        )
    if turned_wrong:
        yield f"{score.field} turns wrong when the markup changes"


def missing_required(
    schema: RecordSchema, runs: Iterable[tuple[Document, Extraction]]
) -> Iterator[str]:
    """Required fields that some record of a page lacks, each with the first such page."""
    read = list(runs)
    for spec in filter(attrgetter("required"), schema.fields):
        lacking = [
            document.page.url
            for document, extraction in read
            if not all_have(extraction.records, spec.name)
        ]
        for first in lacking[:1]:
            more = f" and {len(lacking) - 1} more page(s)" * bool(lacking[1:])
            yield f"required {spec.name} missing on {first}{more}"


def all_have(records: Sequence[ExtractedRecord], field: str) -> bool:
    """True if no record lacks the field, also of no records."""
    return all(field in record.values for record in records)


def are_same_bytes(one: Sequence[Extraction], other: Sequence[Extraction]) -> bool:
    """Whether two runs are stored as the same bytes."""
    stored = Extraction.model_dump_json
    return list(map(stored, one)) == list(map(stored, other))


def field_reason(
    field: FieldProgram | None, tally: FieldTally, survival: Survival
) -> str:
    """What to know of a field's evidence, in words."""
    notes = [tally.against] if tally.against else []
    if field is None:
        notes.append("not read")
    elif len(field.all_readers) == 1:
        notes.append("leans on one reader")
    if tally.worded:
        notes.append(f"{tally.worded} known number(s) are said in words, if at all")
    if tally.changed > 0:
        notes.append(f"{tally.changed} known value(s) no longer stand on their page")
    if survival.kept < survival.total:
        notes.append(
            f"survives {survival.kept} of {survival.total} times on changed copies"
        )
    return "; ".join(notes)
