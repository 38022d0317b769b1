"""What a person says of one field makes a program of pages that nothing else healed.

The taught fields are read at the places where their values stand; all others are healed
as ever. Rows of a listing are learned anew from what is known of them, with what was
said in the place of what was known.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice
from operator import attrgetter, methodcaller

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.pointed import PointedField, pointed_fields
from crawloop_assets.induce.detail.pointed_cells import (
    FoundRow,
    TaughtCell,
    found_rows,
    known_among,
    pointed_cell,
)
from crawloop_assets.induce.healing.decision import FieldDecision, HealDecision
from crawloop_assets.induce.healing.heal import NO_PAST, FamilyPast
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.listing.row_forms import texts_formed
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.notation import noted_as_read
from crawloop_assets.induce.proof.examples import read_page, unread_examples
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.induce.settled import SettledField, rows_to_settle, settled_field
from crawloop_assets.induce.stale_json import healed_elsewhere, stale_roots
from crawloop_assets.induce.taught import (
    Lesson,
    known_lacking,
    rows_said,
    untaught,
    with_lessons,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.twin_lessons import twin_lessons
from crawloop_assets.induce.word_lessons import learned_words
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, noted
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

ANOTHER_ROW = "say the same of another row, or more of it"
MORE_OF_IT = "say more of the same one"
"""What helps where one row, or one value of it, does not tell the others."""
_ORACLE = "what a person said, and last known good"
_OF_A_ROW = 2  # fields of which something has to be said to find rows by it
_MOST_LEAVES = 20_000


def learn_lessons(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
    past: FamilyPast = NO_PAST,
) -> HealedProgram:
    """A program that reads what was said; None if it, or another required field, is not
    found.

    `known` are last known good records; of the taught fields they are no witness.
    """
    if in_words := learned_words(schema, program, pages, known, lessons):
        return in_words
    made = _learned(schema, program, pages, known, lessons, past)
    if made.anew and made.program is not None:
        made = _counted(schema, made, made.program, pages, known, lessons)
    if made.program is None:
        return made
    return _settled(schema, made, made.program, pages, known, lessons)


def _learned(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
    past: FamilyPast,
) -> HealedProgram:
    """A program that reads what was said, whatever it reads in other rows."""
    whole, known = known, untaught(known, lessons)
    taught = {one.field for one in lessons if one.value is not None}
    before = program.without(taught)
    beside = past._replace(older=[one.without(taught) for one in past.older])
    stale = stale_roots(schema, program, pages, whole, lessons)
    healed = healed_elsewhere(
        schema.without(taught), before, pages, known, beside, stale
    )
    noted_schema = noted(schema, program.notation.of_texts)
    if program.kind is FamilyKind.DETAIL:
        cells = [*known_lacking(whole, lessons), *lessons]
        now, then = program.as_in(healed.program).fields, past.captures
        found = pointed_fields(noted_schema, pages, known, cells, now, then)
    else:
        rows = found_rows(healed.program, list(map(Document, pages)))
        left = known
        if healed.program is not None and healed.program.record == before.record:
            left = known_among(rows, known, schema)  # else all of them may be new
        found = _pointed_cells(
            noted_schema, rows, left, lessons, known_lacking(whole, lessons)
        )
        is_found = bool(known_among(rows, known, schema))
        if taught and all(map(partial(_is_lost, is_found), found.values())):
            return _of_what_was_said(schema, program, pages, lessons, healed.scores)
    base = healed.program or program
    if base.record == before.record:  # a row has what it always had
        base = base.model_copy(update={"record": program.record})
    joined = _joined(schema, base, healed, found)
    if joined.program is None:
        said = with_lessons(known, lessons)
        return _of_the_whole_row(schema, program, pages, said, joined)
    documents = list(map(Document, pages))
    made = noted_as_read(schema, joined.program, documents, before=program)
    return joined.model_copy(update={"program": made})


def _is_lost(is_known_row_found: bool, field: PointedField) -> bool:
    """Whether what was said of a row tells nothing of the rows that are found: there is no
    such row, or it does not have it, and none of those rows is a known one."""
    return field.is_lost or (field.is_nowhere and not is_known_row_found)


def _settled(
    schema: RecordSchema,
    made: HealedProgram,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
) -> HealedProgram:
    """What was made, if what was said of some rows tells how the taught fields of all
    others are read."""
    documents = list(map(Document, pages))
    reasons = list[str]()
    if made.anew:  # else the proof says so
        reasons += twin_lessons(program, documents, known, lessons)
    rows = rows_to_settle(program, documents)
    known = with_lessons((), lessons) if made.anew else untaught(known, lessons)
    if program.record is None:
        known = ()  # the page is the row
    fields = []
    for field in program.fields:
        found = SettledField(field)
        if cells := _cells_said(field.spec, known, lessons):
            found = settled_field(schema, field, rows, cells)
        fields.append(found.program or field)
        if found.reason:
            reasons.append(f"{field.spec.name}: {found.reason}")
    if not reasons:
        settled = program.model_copy(update={"fields": tuple(fields)})
        return made.model_copy(update={"program": settled})
    scores = {"reason": "; ".join(reasons), "passed": False}
    sheet = made.scores.model_copy(update=scores)
    return made.model_copy(update={"program": None, "scores": sheet})


def _cells_said(
    spec: FieldSpec, known: Sequence[Example], lessons: Sequence[Lesson]
) -> list[TaughtCell]:
    """What was said of a field, with what is known of the rows it was said of."""
    before = records_by_page(known)
    said = []
    for lesson in lessons:
        if lesson.field == spec.name:
            row = dict(enumerate(before.get(lesson.page, ()))).get(lesson.row, {})
            said.append(TaughtCell(lesson.page, lesson.row, row, lesson.value))
    return said


def _of_the_whole_row(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    whole: Sequence[Example],
    refused: HealedProgram,
) -> HealedProgram:
    """Rows of a listing that have both what is known of them and what was said, where
    what is known alone leads to other places of the page; what was `refused` if nothing
    reads all of that."""
    if program.kind is FamilyKind.DETAIL:
        return refused
    compiled = compile_program(schema, pages, whole, program.kind)
    made = compiled.program
    if made is None or not _reads(schema, made, pages, whole):
        return refused
    scores = compiled.scores.model_copy(update={"oracle": _ORACLE})
    return HealedProgram(program=made, fields={}, scores=scores)


def _reads(
    schema: RecordSchema, made: Program, pages: Sequence[Page], rows: Sequence[Example]
) -> bool:
    """Whether a program reads all that is known of rows."""
    read = list(map(partial(read_page, made), pages))
    return not unread_examples(schema, read, records_by_page(rows))


def _of_what_was_said(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    lessons: Sequence[Lesson],
    rest: ScoreSheet,
) -> HealedProgram:
    """Rows like those that a person said something of, where no known row is left to
    find them by; `rest` says why there is none.

    Anything on a page repeats in some way: one value tells no row of several fields.
    """
    rows = rows_said(lessons)
    compiled = compile_program(schema, pages, rows, program.kind)
    made, scores = compiled.program, compiled.scores
    scores = scores.model_copy(update={"oracle": _ORACLE})
    said = set(map(attrgetter("field"), lessons))
    if made and not (
        len(said) >= min(len(program.fields), _OF_A_ROW)
        and _reads(schema, made, pages, rows)
    ):
        made = None
    learned = HealedProgram(program=made, fields={}, scores=scores, anew=True)
    if made is None:
        reason = f"no rows are found, {MORE_OF_IT}: {rest.reason}"
        return _not_enough(schema, learned, pages, lessons, reason)
    return learned


def _counted(
    schema: RecordSchema,
    made: HealedProgram,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
) -> HealedProgram:
    """What was made, if it reads about as many rows of the pages of which something was
    said as those seem to have: one row of many is no list."""
    before = records_by_page(known)
    said = [one for one in lessons if one.value is not None]
    for lesson in filter(partial(_is_written_so, schema), said):
        document = Document(pages[lesson.page])
        rows = before.get(lesson.page, ())
        values = map(str, filter(None, map(methodcaller("get", lesson.field), rows)))
        formed = texts_formed(document, [*values, str(lesson.value)])
        read = len(run(program, document).records)
        if read < tuned("lessons.least_rows") * min(len(rows), formed):
            reason = (
                f"{read} row(s) are read where {len(rows)} were known and {formed} texts look like "
                f"`{lesson.field}`: {ANOTHER_ROW}"
            )
            return _not_enough(schema, made, pages, lessons, reason)
    return made


def _is_written_so(schema: RecordSchema, lesson: Lesson) -> bool:
    """Whether a value stands on pages as it is known, and not in some other notation."""
    return schema.field(lesson.field).kind is FieldKind.TEXT


def _not_enough(
    schema: RecordSchema,
    made: HealedProgram,
    pages: Sequence[Page],
    lessons: Sequence[Lesson],
    reason: str,
) -> HealedProgram:
    """No program, why, and of what was said whether it stands on its page."""
    indexes = [Index(Document(page)) for page in pages]
    fields = tuple(_said_score(schema, lesson, indexes) for lesson in lessons)
    update = {"fields": fields, "reason": reason, "passed": False}
    scores = made.scores.model_copy(update=update)
    return made.model_copy(update={"program": None, "scores": scores})


def _said_score(
    schema: RecordSchema, lesson: Lesson, indexes: Sequence[Index]
) -> FieldScore:
    """Of what was said and is not read, whether it stands on its page."""
    spec = schema.field(lesson.field)
    index = indexes[lesson.page]
    stands = (
        lesson.value is None
        or occurs_on(index, lesson.value, spec)
        or _is_stated(index.document, lesson.value, spec)
    )
    reason = "it stands on the page" if stands else "it is not on the page"
    silent = int(stands)
    return FieldScore(
        field=spec.name, required=spec.required, silent=silent, reason=reason
    )


def _is_stated(document: Document, value: Value, spec: FieldSpec) -> bool:
    """Whether some text of the JSON of a page means a value, however it is written."""
    texts = islice(chain.from_iterable(document.leaves.values()), _MOST_LEAVES)
    values = map(partial(parse_value, spec=spec, base_url=document.base_url), texts)
    return any(map(partial(same, value, spec=spec), filter(None, values)))


def _pointed_cells(
    schema: RecordSchema,
    rows: Sequence[FoundRow],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
    absent: Sequence[Lesson],
) -> dict[str, PointedField]:
    """Each field of which a value was taught, read at the place of it in its row; in the
    rows of which it is known to be `absent` nothing is to be read."""
    found = {}
    for spec in schema.fields:
        said = _cells_said(spec, known, lessons)
        if any(cell.value is not None for cell in said):
            without = _cells_said(spec, known, absent)
            found[spec.name] = pointed_cell(schema, spec, rows, said, without)
    return found


def _joined(
    schema: RecordSchema,
    program: Program,
    healed: HealedProgram,
    found: dict[str, PointedField],
) -> HealedProgram:
    """The healed fields and the taught ones, in the order of the schema."""
    taught = {name: _decision(one) for name, one in found.items()}
    decisions = {**healed.fields, **taught}
    reasons = [f"{name}: {one.reason}" for name, one in found.items() if one.reason]
    if healed.program is None and _is_rest_needed(schema, found):
        reasons.append(healed.scores.reason)
    sheet = ScoreSheet(
        fields=tuple(_scores(schema, healed.scores, decisions)),
        pages=healed.scores.pages,
        records=healed.scores.records,
        oracle=_ORACLE,
        passed=not reasons,
        reason="; ".join(reasons) or "found where a person said that it stands",
    )
    fields = tuple(_fields(schema, healed.program, found))
    made = None if reasons else program.model_copy(update={"fields": fields})
    update = {"program": made, "fields": decisions, "scores": sheet, "partial": None}
    return healed.model_copy(update=update)


def _fields(
    schema: RecordSchema, rest: Program | None, found: dict[str, PointedField]
) -> Iterator[FieldProgram]:
    """The fields that are read, in the order of the schema."""
    for spec in schema.fields:
        field = rest.field(spec.name) if rest else None
        if spec.name in found:
            field = found[spec.name].program
        if field is not None and field.all_readers:
            yield field


def _is_rest_needed(schema: RecordSchema, found: dict[str, PointedField]) -> bool:
    """Whether a required field is left that nobody said anything of."""
    return any(spec.required and spec.name not in found for spec in schema.fields)


def _decision(found: PointedField) -> FieldDecision:
    """What was done about a taught field."""
    if found.reason:
        return FieldDecision(decision=HealDecision.ABSTAINED, reason=found.reason)
    readers = len(found.program.all_readers)
    said = "it stands where a person said"
    return FieldDecision(decision=HealDecision.REALIGNED, reason=said, readers=readers)


def _scores(
    schema: RecordSchema, rest: ScoreSheet, decisions: dict[str, FieldDecision]
) -> Iterator[FieldScore]:
    """What was found of each field, the taught ones as was decided."""
    for spec in schema.fields:
        made, score = decisions.get(spec.name), rest.field(spec.name)
        if made is not None:
            is_gone = score is not None and score.gone
            score = _score(spec, made).model_copy(update={"gone": is_gone})
        if score is not None:
            yield score


def _score(spec: FieldSpec, made: FieldDecision) -> FieldScore:
    """What was decided about a field, as a score sheet has it."""
    reason = f"{made.decision.value}: {made.reason}"
    return FieldScore(
        field=spec.name, required=spec.required, readers=made.readers, reason=reason
    )
