"""What a person says of rows, beside what is known of them."""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value


class Lesson(BaseModel):
    """One value of one field: of which page, and of which of its known records.

    `at` is the place that was pointed at, "" for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: int
    field: str
    value: Value
    at: str = ""
    row: int = 0


def rows_said(lessons: Sequence[Lesson]) -> tuple[Example, ...]:
    """What was said alone: the rows of which nothing was said are not known."""
    return tuple(
        example.model_copy(update={"records": tuple(filter(None, example.records))})
        for example in with_lessons((), lessons)
    )


def untaught(known: Sequence[Example], lessons: Sequence[Lesson]) -> list[Example]:
    """What is known, without the fields of which a person says otherwise: what they say
    as it is known confirms the rest."""
    rows = dict(map(attrgetter("page", "records"), known))
    names = {one.field for one in lessons if not _confirms(one, rows.get(one.page, ()))}
    return [
        example.model_copy(
            update={"records": tuple(_lacking(row, names) for row in example.records)}
        )
        for example in known
    ]


def with_lessons(
    known: Sequence[Example], lessons: Sequence[Lesson]
) -> tuple[Example, ...]:
    """What is known, with what was said of the rows it was said of."""
    rows = {example.page: list(example.records) for example in known}
    for lesson in lessons:
        records = rows.setdefault(lesson.page, [])
        records.extend({} for _ in range(lesson.row + 1 - len(records)))
        records[lesson.row] = records[lesson.row] | {lesson.field: lesson.value}
    return tuple(
        Example(page=page, records=tuple(records))
        for page, records in sorted(rows.items())
    )


def _confirms(lesson: Lesson, records: Sequence[Mapping[str, Value]]) -> bool:
    """Whether a person says what is known of the row."""
    known = dict(enumerate(records)).get(lesson.row, {}).get(lesson.field)
    return known is not None and letters(str(known)) == letters(str(lesson.value))


def _lacking(row: dict[str, Value], names: set[str]) -> dict[str, Value]:
    """A row without some of its fields."""
    rest = dict(row)
    for name in names.intersection(rest):
        del rest[name]
    return rest
