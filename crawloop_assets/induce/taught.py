"""What a person says of rows, beside what is known of them."""

from collections.abc import Mapping, Sequence
from operator import attrgetter

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value


class Lesson(BaseModel):
    """One value of one field: of which page, and of which of its known records; None
    says that there is none.

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
    as it is known confirms the rest, and that one row has none says nothing of it."""
    names = taught_otherwise(known, lessons)
    left = [
        example.model_copy(
            update={"records": tuple(_lacking(row, names) for row in example.records)}
        )
        for example in known
    ]
    none = [one for one in lessons if one.value is None]
    pages = set(map(attrgetter("page"), left))
    return list(with_lessons(left, [one for one in none if one.page in pages]))


def taught_otherwise(known: Sequence[Example], lessons: Sequence[Lesson]) -> set[str]:
    """The fields of which a person says another value than is known."""
    rows = dict(map(attrgetter("page", "records"), known))
    said = [one for one in lessons if one.value is not None]
    return {one.field for one in said if not _confirms(one, rows.get(one.page, ()))}


def known_lacking(known: Sequence[Example], lessons: Sequence[Lesson]) -> list[Lesson]:
    """That there is none, of each taught field in the known rows that have none beside
    others that do; nobody says so, and it holds as long as nobody says otherwise."""
    rows = [
        (example.page, at, row)
        for example in known
        for at, row in enumerate(example.records)
    ]
    found: list[Lesson] = []
    for name in dict.fromkeys(map(attrgetter("field"), lessons)):
        cells = [
            Lesson(page=page, field=name, value=row.get(name), row=at)
            for page, at, row in rows
        ]
        lacking = list(filter(_says_nothing, cells))
        found += lacking if len(lacking) < len(cells) else []
    said = set(map(_CELL_OF, lessons))
    return [one for one in found if _CELL_OF(one) not in said]


_CELL_OF = attrgetter("page", "row", "field")


def _says_nothing(lesson: Lesson) -> bool:
    return lesson.value is None


def with_lessons(
    known: Sequence[Example], lessons: Sequence[Lesson]
) -> tuple[Example, ...]:
    """What is known, with what was said of the rows it was said of."""
    rows = {example.page: list(example.records) for example in known}
    for lesson in lessons:
        records = rows.setdefault(lesson.page, [])
        records.extend({} for _ in range(lesson.row + 1 - len(records)))
        row = _lacking(records[lesson.row], {lesson.field})
        if lesson.value is not None:
            row[lesson.field] = lesson.value
        records[lesson.row] = row
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
