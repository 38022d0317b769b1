"""What a person says of a word that stands where a program reads its field, and that it does
not know: the number 0 of "Sold out", the flag of "On request".

Nothing has to be found for it: the word stands in the place where the program reads other
records, and is what was said from then on.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.crawler.interpreter import run_placed, vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import read, transformed_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.decision import FieldDecision, HealDecision
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.locate.choice_texts import is_choice, may_be_choice
from crawloop_assets.induce.locate.number_words import KnownNumber, with_number_words
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_ORACLE = "what a person said"
_WHY = "words stand for it, as a person said"


def learned_words(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
) -> HealedProgram | None:
    """The program with the words that are what was said; None where something was said that
    no word of its place is."""
    names = dict.fromkeys(map(attrgetter("field"), lessons))
    said_of = partial(_with_words, schema, program, pages, known, lessons)
    fields = dict(zip(names, map(said_of, names), strict=True))
    if None in fields.values():
        return None
    made = tuple(fields.get(one.spec.name) or one for one in program.fields)
    decision = FieldDecision(decision=HealDecision.REALIGNED, reason=_WHY)
    scores = [FieldScore(field=name, readers=1, reason=_WHY) for name in names]
    return HealedProgram(
        program=program.model_copy(update={"fields": made}),
        fields=dict.fromkeys(names, decision),
        scores=ScoreSheet(
            fields=tuple(scores),
            pages=len(pages),
            records=len(lessons),
            oracle=_ORACLE,
            passed=True,
            reason=_WHY,
        ),
    )


def _with_words(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
    name: str,
) -> FieldProgram | None:
    """A field with the words that were taught, if all that was said of it is read so, and
    was not before."""
    field = program.field(name)
    values = {(one.page, one.row): one.value for one in lessons if one.field == name}
    if field is None or None in values.values():
        return None
    spec = schema.field(name)
    said, others = _rows(schema, program, pages, known, spec, values)
    made = _knowing(field, said, others)
    is_new = not any(map(partial(_is_read, field), said))
    are_read = all(map(partial(_is_read, made), [*said, *others]))
    return made if is_new and are_read and len(said) == len(values) else None


def _knowing(
    field: FieldProgram, said: Sequence[KnownNumber], others: Sequence[KnownNumber]
) -> FieldProgram:
    """The field, whose readers know the words that they find where something was said."""
    if not is_choice(field.spec):
        return with_number_words(field, [*said, *others], fewest=1)
    readers = tuple(map(partial(_with_meaning, field.spec, said), field.readers))
    return field.model_copy(update={"readers": readers})


def _with_meaning(
    spec: FieldSpec, said: Sequence[KnownNumber], reader: Reader
) -> Reader:
    """The reader of a choice or a flag with what its words mean where it reads none."""
    unread = [pair for pair in said if read(reader, pair[0], spec) is None]
    meant = [
        Step(op=Op.MAP, args=(text, str(value)))
        for scope, value in unread
        for text in filter(may_be_choice, transformed_texts(reader, scope)[:1])
    ]
    pipe = (*reader.pipe, *dict.fromkeys(meant))
    return reader.model_copy(update={"pipe": pipe})


def _is_read(field: FieldProgram, known: KnownNumber) -> bool:
    """Whether a field is read as it is known in a record."""
    value, _ = vote_on(field, known[0])
    return same(value, known[1], field.spec)


def _rows(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    spec: FieldSpec,
    values: Mapping[tuple[int, int], Value],
) -> tuple[list[KnownNumber], list[KnownNumber]]:
    """The rows of pages of which something was said of a field, and those others of which it
    is read as it is known: another one has moved."""
    before = records_by_page(known)
    said, others = list[KnownNumber](), list[KnownNumber]()
    for at, page in enumerate(pages):
        extraction, places = run_placed(program, Document(page))
        if program.record is None and (at, 0) in values:
            # The page is the row, whether anything is known of it or not.
            said += zip(places, [values[at, 0]], strict=False)
            continue
        matched = match_records(schema, before.get(at, ()), extraction.records)
        for row, (record, found) in enumerate(matched):
            read = found or NOTHING_READ
            value = read.values.get(spec.name)
            if found and (at, row) in values:
                said.append((places[read.row], values[at, row]))
            elif found and same(value, record.get(spec.name), spec):
                others.append((places[read.row], value))
    return said, others
