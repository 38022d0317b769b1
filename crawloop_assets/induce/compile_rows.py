"""The compiler of pages of many records."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Program, Reader
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.field_scores import no_reader
from crawloop_assets.induce.listing.guess import guess_on
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.row_guesses import with_guesses
from crawloop_assets.induce.listing.row_objects import with_objects
from crawloop_assets.induce.listing.scoring import Scored
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet, kin_names
from crawloop_assets.schema import FieldSpec, RecordSchema

_Made = tuple[Scored, Program]


def compile_rows(
    schema: RecordSchema,
    documents: Sequence[Document],
    examples: Sequence[Example],
    kind: FamilyKind,
    oracle: str,
    may_guess: bool,
) -> Compiled:
    """The best way to read the records, with what can be said for each field; `oracle`
    is whose word the examples are. It `may_guess` as `compile_program` may."""
    if examples:
        candidates = induce_on(schema, documents, examples)
    else:
        candidates = guess_on(schema, documents)
        oracle = "repetition and the words of the schema"
    program, reason = None, "the records are not found"
    completed = partial(_completed, schema, documents, examples)
    made = list(map(completed, candidates[: None if may_guess else 1]))
    if may_guess:
        guessed = partial(with_guesses, schema, documents=documents, examples=examples)
        made = [(one, guessed(program)) for one, program in made]
    if made:
        # Of too few known rows a wrong place may be the best; nothing may be missed there.
        best, program = min(made, key=partial(_count_missing, schema))
        program = program.model_copy(update={"kind": kind})
        reason = f"{best.right:.2f} of known cells right, {best.found} records"
    scores = [_listing_score(spec, program) for spec in schema.fields]
    missing = without_reader(scores)
    reason = missing or reason
    sheet = ScoreSheet(
        fields=tuple(scores),
        pages=len(documents),
        records=sum(len(example.records) for example in examples),
        oracle=oracle,
        passed=program is not None and not missing,
        reason=reason,
    )
    return Compiled(program=program, scores=sheet)


def is_one_of_rows(
    schema: RecordSchema, documents: Sequence[Document], examples: Sequence[Example]
) -> bool:
    """Whether the one known record of each page of JSON is a row among others there: most of
    what is known of it is read inside of the row."""
    for best in induce_on(schema, documents, examples)[:1]:
        readers = map(attrgetter("readers"), best.program.fields)
        inside = list(filter(_are_inside, readers))
        records = chain.from_iterable(map(attrgetter("records"), examples))
        known = set(chain.from_iterable(records))
        return best.found > 1 and 2 * len(inside) > len(known)
    return False


def _are_inside(readers: Sequence[Reader]) -> bool:
    """Whether a field is read inside of its row."""
    return all(reader.at.startswith("$") for reader in readers)


def _completed(
    schema: RecordSchema,
    documents: Sequence[Document],
    examples: Sequence[Example],
    best: Scored,
) -> _Made:
    """What was found, with its program and the lists of objects in its rows."""
    return best, with_objects(schema, best.program, documents, examples)


def _count_missing(schema: RecordSchema, made: _Made) -> int:
    """How many required fields have no reader."""
    required = filter(attrgetter("required"), schema.fields)
    return sum(made[1].field(spec.name) is None for spec in required)


def without_reader(scores: Sequence[FieldScore]) -> str:
    """Which required fields have no reader, in words; "" if all have one."""
    missing = ", ".join(map(attrgetter("field"), filter(_is_missing, scores)))
    return f"no reader for required {missing}" if missing else ""


def _is_missing(score: FieldScore) -> bool:
    """Whether a required field has no reader."""
    return score.required and score.readers == 0


def _listing_score(spec: FieldSpec, program: Program | None) -> FieldScore:
    """The evidence for a field of a listing: how many readers there are."""
    readers: tuple[Reader, ...] = ()
    field = program.field(spec.name) if program else None
    if field is not None:
        readers = field.all_readers
    return FieldScore(
        field=spec.name,
        required=spec.required,
        readers=len(readers),
        kins=kin_names(readers),
        reason=no_reader(readers),
    )
