"""A family as people have decided it: its file, completed by what they taught."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family, FamilyExample
from crawloop_assets.induce.taught import Lesson, untaught, with_lessons
from crawloop_assets.serve.accepted import as_accepted
from crawloop_assets.store import Store, TaughtLesson


def as_decided(family: Family, store: Store) -> Family:
    """The family with what people taught as examples of the operator, in the place of
    what its file says of the same values, and without what they accepted as gone."""
    family = as_accepted(family, store)
    examples = {example.url: example for example in family.examples}
    for url, lessons in _by_url(valid_lessons(family, store)).items():
        rows = _rows(family, store, url, examples.get(url))
        examples[url] = _example(url, rows, lessons)
    return family.model_copy(update={"examples": tuple(examples.values())})


def _by_url(lessons: Sequence[TaughtLesson]) -> dict[str, list[TaughtLesson]]:
    """The lessons of each page, in the order in which they were given."""
    of_url: defaultdict[str, list[TaughtLesson]] = defaultdict(list)
    for lesson in lessons:
        of_url[lesson.url].append(lesson)
    return of_url


def valid_lessons(family: Family, store: Store) -> list[TaughtLesson]:
    """What people taught of pages that are still the ones they looked at: of other
    bytes nothing was said."""
    found = []
    for lesson in store.questions.lessons(family.family):
        entry = store.url(family.family, lesson.url)
        if entry is not None and entry.page_sha256 == lesson.page_sha256:
            found.append(lesson)
    return found


def as_lesson(taught: TaughtLesson, page: int) -> Lesson:
    """The lesson as the compiler takes it, of the page at a position."""
    return Lesson(
        page=page,
        field=taught.field,
        value=taught.value,
        at=taught.at,
        row=taught.row,
    )


def _rows(
    family: Family, store: Store, url: str, written: FamilyExample | None
) -> tuple[dict[str, Any], ...]:
    """What the file says of a page, else the rows that are known of it if there are
    several: one taught value alone does not tell which row it is of."""
    if written is not None:
        return written.all
    rows = store.known(family, [url]).get(url, [])
    return tuple(rows) if len(rows) > 1 else ({},)


def _example(
    url: str, rows: tuple[dict[str, Any], ...], lessons: Sequence[TaughtLesson]
) -> FamilyExample:
    """The rows of a page with what people said of them."""
    said = [as_lesson(lesson, 0) for lesson in lessons]
    known = untaught([Example(page=0, records=rows)], said)
    (example,) = with_lessons(known, said)
    return FamilyExample(url=url, records=example.records)
