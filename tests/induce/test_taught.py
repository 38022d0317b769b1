"""What a person says of rows takes the place of what was known."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.taught import (
    Lesson,
    known_lacking,
    rows_said,
    taught_otherwise,
    untaught,
    with_lessons,
)


def test_what_is_known_of_taught_fields_gives_way() -> None:
    known = [Example(page=0, records=({"title": "a", "price": "1"}, {"price": "2"}))]
    lessons = [Lesson(page=0, field="price", value="3", row=1)]
    rest = untaught(known, lessons)
    assert rest[0].records == ({"title": "a"}, {})
    (example,) = with_lessons(rest, lessons)
    assert example.records == ({"title": "a"}, {"price": "3"})
    (alone,) = with_lessons([], lessons)
    assert alone.records == ({}, {"price": "3"})
    # The rows before the one of which something was said are not known to be empty.
    (said,) = rows_said(lessons)
    assert said.records == ({"price": "3"},)


def test_who_says_what_is_known_confirms_the_rest() -> None:
    known = [
        Example(page=0, records=({"title": "Oak shelf"},)),
        Example(page=1, records=({"title": "Lamp"},)),
    ]
    says = Lesson(page=0, field="title", value="oak shelf")
    assert untaught(known, [says]) == known
    another = says.model_copy(update={"value": "Shelf"})
    assert [one.records for one in untaught(known, [another])] == [({},), ({},)]
    of_another_row = says.model_copy(update={"row": 1})
    assert [one.records for one in untaught(known, [of_another_row])] == [({},), ({},)]


def test_that_a_row_has_none_says_nothing_of_the_others() -> None:
    rows = ({"title": "a", "price": "1"}, {"title": "b", "price": "2"}, {"title": "c"})
    known = [Example(page=0, records=rows)]
    none = Lesson(page=0, field="price", value=None, row=1)
    assert taught_otherwise(known, [none]) == set()
    (left,) = untaught(known, [none])
    assert left.records == (rows[0], {"title": "b"}, rows[2])
    assert with_lessons([left], [none])[0].records == left.records
    elsewhere = none.model_copy(update={"page": 7})
    assert untaught(known, [elsewhere]) == known, "nothing is known of that page"
    another = Lesson(page=0, field="price", value="9", row=0)
    assert taught_otherwise(known, [none, another]) == {"price"}


def test_rows_that_have_none_beside_others_are_known_to_lack_it() -> None:
    rows = ({"title": "a", "price": "1"}, {"title": "b"}, {"title": "c"})
    known = [Example(page=0, records=rows)]
    said = [Lesson(page=0, field="price", value="9", row=1)]
    assert [(one.row, one.value) for one in known_lacking(known, said)] == [(2, None)]
    never = [Lesson(page=0, field="size", value="9", row=1)]
    assert known_lacking(known, never) == [], "no row had any"
