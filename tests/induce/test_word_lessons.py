"""What a person says of a word in the place of a number, a flag or a choice."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.induce.word_lessons import learned_words
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.proof.test_worded import (
    KINDS,
    SCHEMA,
    Known,
    compiled,
    free_of,
    new,
)


def case(kind: FamilyKind, family: object) -> tuple[Program, list[Page], Known]:
    """A program that nobody said the word to, and what was known before it came up."""
    assert callable(family)
    pages, known = family(new)
    lasting = [
        Example(page=one.page, records=tuple(dict(row) for row in one.records))
        for one in known
    ]
    for one in lasting:
        for row in one.records:
            if not row["free"]:
                del row["free"]
    program = compiled(kind, pages, lasting)
    for one in lasting:
        for row in one.records:
            row.setdefault("free", 3)
    return program, pages, lasting


@pytest.mark.parametrize(("kind", "family"), KINDS, ids=["detail", "listing"])
def test_none_is_taught_where_words_stand_for_it(
    kind: FamilyKind, family: object
) -> None:
    program, pages, known = case(kind, family)
    is_detail = kind is FamilyKind.DETAIL
    lesson = Lesson(page=int(is_detail), row=int(not is_detail), field="free", value=0)
    made = learn_lessons(SCHEMA, program, pages, known, [lesson])
    assert made.program is not None, made.scores.reason
    assert None in free_of(program, pages)
    assert None not in free_of(made.program, pages)
    assert free_of(made.program, pages).count(0) == free_of(program, pages).count(None)
    assert made.fields["free"].reason == "words stand for it, as a person said"


@pytest.mark.parametrize(
    ("field", "value", "row"),
    [
        ("free", None, 1),
        ("free", 5, 0),
        ("name", "Boat Ada of 3", 0),
        ("free", 0, 99),
    ],
    ids=["none", "a number stands there", "a text", "no such row"],
)
def test_what_is_no_word_for_a_number_is_learned_otherwise(
    field: str, value: object, row: int
) -> None:
    program, pages, known = case(*KINDS[1])
    lesson = Lesson(page=0, row=row, field=field, value=value)
    assert learned_words(SCHEMA, program, pages, known, [lesson]) is None


def test_a_field_that_the_program_does_not_read_has_no_place_for_words() -> None:
    program, pages, known = case(*KINDS[1])
    lesson = Lesson(page=0, row=1, field="free", value=0)
    without = program.without({"free"})
    assert learned_words(SCHEMA, without, pages, known, [lesson]) is None


FLAG = FieldSpec(name="open", kind=FieldKind.BOOLEAN)
SHAPE = FieldSpec(name="shape", kind=FieldKind.CHOICE, choices=("round", "square"))
NAME = FieldSpec(name="name", required=True)


@pytest.mark.parametrize(
    ("spec", "words", "word", "value"),
    [
        (FLAG, {}, "On request", False),
        (FLAG, {"Offen": "True", "Zu": "False"}, "Bald", True),
        (SHAPE, {}, "Oval", "round"),
    ],
    ids=["of everybody", "of the site", "a choice"],
)
def test_a_word_in_the_place_of_a_flag_or_a_choice_is_what_a_person_says(
    spec: FieldSpec, words: dict[str, str], word: str, value: object
) -> None:
    pipe = tuple(Step(op=Op.MAP, args=pair) for pair in words.items())
    place = Reader(src=Source.CSS, at="i", get="text", pipe=pipe)
    title = Reader(src=Source.CSS, at="b", get="text")
    program = Program(
        fields=(
            FieldProgram(spec=NAME, readers=(title,)),
            FieldProgram(spec=spec, readers=(place,)),
        )
    )
    pages = [
        Page(url=f"http://town.test/{one}", body=f"<b>{one}</b><i>{one}</i>".encode())
        for one in (word, word, "another")
    ]
    schema = RecordSchema(name="Room", fields=(NAME, spec))
    lesson = Lesson(page=0, field=spec.name, value=value)
    made = learned_words(schema, program, pages, [], [lesson])
    assert made is not None and made.program is not None
    read = [
        run(made.program, Document(page)).records[0].values.get(spec.name)
        for page in pages
    ]
    assert read == [value, value, None]
    other = Lesson(page=1, field=spec.name, value=not value)
    assert learned_words(schema, program, pages, [], [lesson, other]) is None


def test_a_word_that_is_known_is_no_other_one_by_a_lesson() -> None:
    place = Reader(src=Source.CSS, at="i", get="text")
    program = Program(fields=(FieldProgram(spec=FLAG, readers=(place,)),))
    schema = RecordSchema(name="Room", fields=(FLAG,))
    page = Page(url="http://town.test/1", body=b"<i>yes</i>")
    lesson = Lesson(page=0, field="open", value=False)
    assert learned_words(schema, program, [page], [], [lesson]) is None
