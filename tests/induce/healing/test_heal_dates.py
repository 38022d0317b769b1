"""Stories with a day, of which a redesign writes the day otherwise or not at all."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import FamilyPast, heal_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.pages import page

STORY = RecordSchema(
    name="Story",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="published", kind=FieldKind.DATE),
    ),
)


def story(day: int, written: str) -> Page:
    """A page of the 2nd to the 28th of a month, in English."""
    body = f"<h1>The bridge of the {day}th</h1><p class='by'>Ann <time>{written}</time></p>"
    return page(day, f"<html lang='en'><body><main>{body}</main></body></html>")


def test_dates_that_a_redesign_writes_by_numbers_are_read_in_its_order() -> None:
    days = (2, 5, 13, 21, 28)
    known = [
        Example(
            page=at,
            records=(
                {
                    "title": f"The bridge of the {day}th",
                    "published": f"2026-09-{day:02}",
                },
            ),
        )
        for at, day in enumerate(days)
    ]
    old = [story(day, f"{day} September 2026") for day in days]
    new = [story(day, f"{day:02}/09/2026") for day in days]
    made = compile_program(STORY, old, known[:2], FamilyKind.DETAIL).program
    assert made is not None

    def read(program: Program | None) -> list[object]:
        assert program is not None
        records = [run(program, Document(one)).records[0] for one in new]
        return [record.values.get("published") for record in records]

    wanted = [known.records[0]["published"] for known in known]
    assert read(made) != wanted
    assert read(heal_program(STORY, made, new, known).program) == wanted
    # Known days tell it too, where no date can be read in one way only.
    early = heal_program(STORY, made, new[:2], known[:2]).program
    assert read(early) == wanted
    # A version that reads them in the other order is put right.
    assert early is not None
    spec = STORY.field("published").model_copy(update={"date_order": "MDY"})
    fields = [
        field.model_copy(update={"spec": spec})
        if field.spec.name == spec.name
        else field
        for field in early.fields
    ]
    other = early.model_copy(update={"fields": tuple(fields)})
    assert read(heal_program(STORY, other, new, known).program) == wanted


def test_a_field_that_no_version_finds_keeps_no_more_readers_than_it_may_have() -> None:
    """Else the program is none, and the heal ends with an error and no question."""

    def reading(name: str) -> Program:
        readers = [Reader(src=Source.CSS, at=f".{name}-{at}") for at in range(5)]
        title = FieldProgram(
            spec=STORY.fields[0], readers=(Reader(src=Source.CSS, at="h1"),)
        )
        date = FieldProgram(spec=STORY.fields[1], readers=tuple(readers))
        return Program(kind=FamilyKind.DETAIL, fields=(title, date))

    pages = [story(day, "some day") for day in (2, 3, 4)]
    known = [
        Example(
            page=at,
            records=(
                {"title": f"The bridge of the {at + 2}th", "published": "2026-01-05"},
            ),
        )
        for at in range(3)
    ]
    past = FamilyPast((reading("older"), reading("oldest")))
    healed = heal_program(STORY, reading("own"), pages, known, past)
    made = healed.program or healed.partial
    assert made is not None
    kept = made.field("published")
    assert kept is not None and kept.readers == reading("own").fields[1].readers
    assert Program.from_json(made.to_json()) == made
