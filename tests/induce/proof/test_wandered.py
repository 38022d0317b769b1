"""Known rows of a list that stand on another of its pages."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.induce.proof.wandered import (
    as_they_stand,
    where_they_stand,
    with_left_rows,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Tender",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="buyer"),
    ),
)
TITLES = (
    "Walnut benches",
    "Oak shelves",
    "Brass hooks",
    "Paper lanterns",
    "Linen curtains",
    "Stone bowls",
)


def tender(at: int) -> dict[str, str]:
    return {"title": TITLES[at], "buyer": ("Harlow", "Bergen")[at % 2]}


def document(*shown: int) -> Document:
    rows = "".join(
        f"<li><b>{one['title']}</b> {one['buyer']}</li>" for one in map(tender, shown)
    )
    return Document(
        Page(
            url="http://town.test/",
            body=f"<html><body><ul>{rows}</ul></body></html>".encode(),
            headers={"content-type": "text/html"},
        )
    )


def stand(documents: list[Document], *known: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The rows of each page after that, by their number."""
    examples = [
        Example(page=at, records=tuple(map(tender, rows)))
        for at, rows in enumerate(known)
    ]
    found = {
        one.page: one.records for one in where_they_stand(SCHEMA, documents, examples)
    }
    return [
        tuple(TITLES.index(str(row["title"])) for row in found.get(at, ()))
        for at in range(len(documents))
    ]


def test_a_row_that_was_pushed_on_is_one_of_the_next_page() -> None:
    documents = [document(5, 0, 1), document(2, 3, 4)]
    assert stand(documents, (0, 1, 2), (3, 4)) == [(0, 1), (2, 3, 4)]


def test_a_row_that_stands_nowhere_stays_where_it_was_known() -> None:
    documents = [document(0, 1), document(3, 4)]
    assert stand(documents, (0, 1, 2), (3, 4)) == [(0, 1, 2), (3, 4)]


def test_a_row_that_is_still_there_stays_though_others_show_it_too() -> None:
    documents = [document(0, 1, 2), document(2, 3, 4)]
    assert stand(documents, (0, 1, 2), (3, 4)) == [(0, 1, 2), (3, 4)]


def test_a_page_of_which_nothing_was_known_may_have_it_now() -> None:
    documents = [document(5, 0, 1), document(2)]
    assert stand(documents, (0, 1, 2)) == [(0, 1), (2,)]


def test_what_a_row_has_in_common_with_others_tells_nothing() -> None:
    documents = [document(0, 1), document(3, 4)]
    assert stand(documents, (0, 2), (3, 4)) == [(0, 2), (3, 4)]


def settle(documents: list[Document], *known: int) -> list[tuple[int, ...]]:
    """The rows of an example of the first page, by the page of which they are."""
    examples = [Example(page=0, records=tuple(map(tender, known)))]
    pages = [one.page for one in documents]
    found = as_they_stand(SCHEMA, pages, examples)
    return [
        (one.page, *(TITLES.index(str(row["title"])) for row in one.records))
        for one in found
    ]


def test_rows_of_an_example_that_were_pushed_on_are_sought_where_they_are() -> None:
    """Be it some of them, or all."""
    documents = [document(5, 4, 0), document(1, 2, 3)]
    assert settle(documents, 0, 1) == [(0, 0), (1, 1)]
    assert settle(documents, 1, 2) == [(1, 1, 2)]


def test_rows_of_an_example_that_have_left_are_done_without_where_two_are_there() -> (
    None
):
    documents = [document(0, 1), document(3, 4)]
    assert settle(documents, 0, 1, 2) == [(0, 0, 1)]
    assert settle(documents, 0, 2) == [(0, 0, 2)]


def test_a_row_of_which_a_number_is_there_is_none_that_has_left() -> None:
    """What else it says may be a slip of the pen."""
    schema = RecordSchema(
        name="Tender",
        fields=(*SCHEMA.fields, FieldSpec(name="sum", kind=FieldKind.NUMBER)),
    )
    rows = [tender(at) | {"sum": f"{1250 + at}"} for at in range(3)]
    shown = "".join(
        f"<li><b>{one['title']}</b><i>{one['sum']} EUR</i></li>" for one in rows
    )
    page = document().page.model_copy(
        update={"body": f"<html><body><ul>{shown}</ul></body></html>".encode()}
    )
    slip = {**rows[2], "title": "Brass looks"}
    wrong = [Example(page=0, records=(*rows[:2], slip))]
    assert as_they_stand(schema, [page], wrong) == wrong
    gone = [Example(page=0, records=(*rows[:2], slip | {"sum": "99999"}))]
    (left,) = as_they_stand(schema, [page], gone)
    assert list(left.records) == rows[:2]


def test_a_row_of_which_two_texts_are_there_has_not_left_whatever_else_is_not() -> None:
    """An address in parts, a picture by a path."""
    names = ("title", "phone", "street", "town", "image")
    schema = RecordSchema(name="Lesson", fields=tuple(FieldSpec(name=n) for n in names))
    rows = [{name: f"{name} no. {at}" for name in names} for at in range(3)]
    shown = "".join(
        f"<li>{''.join(f'<p>{one[name]}</p>' for name in names[: 2 + 3 * (at < 2)])}</li>"
        for at, one in enumerate(rows)
    )
    page = document().page.model_copy(
        update={"body": f"<html><body><ul>{shown}</ul></body></html>".encode()}
    )
    examples = [Example(page=0, records=tuple(rows))]
    assert as_they_stand(schema, [page], examples) == examples


def test_the_proof_says_how_many_have_left() -> None:
    examples = [Example(page=0, records=tuple(map(tender, range(3))))]
    there = [Example(page=0, records=tuple(map(tender, range(2))))]
    sheet = ScoreSheet(reason="proved")
    assert with_left_rows(sheet, examples, examples) == sheet
    said = with_left_rows(sheet, examples, there).reason
    assert said == "proved; 1 of 3 rows of the examples stand on no page any more"
