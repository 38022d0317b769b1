"""What a person says of a number that its page says in words."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.induce.word_lessons import learned_words
from crawloop_assets.page import Page
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
