"""Rows that stand elsewhere, of which none is known, and each is what it was."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.listing import heal_listing
from crawloop_assets.induce.healing.moved_rows import moved_rows
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.listing.build import induce_listing

SCHEMA = RecordSchema(
    name="Ruling",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="docket", required=True),
        FieldSpec(name="filed", kind=FieldKind.DATE),
    ),
)
ROW = (
    "<p class='{name}'><a class='case' href='/r/{at}.pdf'>State v. {who}</a>, "
    "<b class='no'>{year}{at}-CA</b>, Filed <i class='day'>2{year}-03-{at}</i></p>"
)


def rulings(first: int, year: str) -> list[dict[str, Value]]:
    return [
        {
            "name": f"State v. {chr(65 + at)}son{first}",
            "docket": f"{year}{first + at}-CA",
            "filed": f"2{year}-03-{first + at}",
        }
        for at in range(9)
    ]


def page(first: int, year: str, box: str, row: str = ROW, name: str = "row") -> Page:
    rows = "".join(
        row.format(who=f"{chr(65 + at)}son{first}", at=first + at, year=year, name=name)
        for at in range(9)
    )
    menu = "<ul><li><a href='/'>Home</a></li><li><a href='/courts'>Courts</a></li></ul>"
    body = f"<html><body>{menu}<div class='{box}'>{rows}</div></body></html>"
    return Page(
        url="https://court.example/",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


BEFORE = page(10, "021", "padding", name="old-row")
KNOWN = rulings(10, "021")


def program() -> Program:
    examples = [Example(page=0, records=tuple(KNOWN))]
    made = induce_listing(SCHEMA, [BEFORE], examples)[0].program
    record = made.record
    assert record is not None
    boxed = record.model_copy(update={"at": "div.padding > p.old-row"})
    return made.model_copy(update={"record": boxed})


def test_the_readers_of_before_find_their_rows_in_another_box() -> None:
    now = Document(page(12, "024", "pb-4"))
    assert not run(program(), now).records
    known = [Example(page=0, records=tuple(KNOWN))]
    healed = heal_listing(SCHEMA, program(), [now], known)
    assert healed.reason == "its rows, elsewhere on the page"
    assert healed.program is not None
    assert healed.program.fields == program().fields
    read = [record.values for record in run(healed.program, now).records]
    assert read == rulings(12, "024")


OTHER_INSIDE = "<p><a href='/r/{at}.pdf'>State v. {who}</a> {year}{at}-CA</p>"
OTHER_LOOK = ROW.replace("{year}{at}-CA", "pending")


@pytest.mark.parametrize("row", [OTHER_INSIDE, OTHER_LOOK])
def test_rows_of_another_inside_or_look_are_none(row: str) -> None:
    now = Document(page(12, "024", "pb-4", row))
    assert moved_rows(program(), [now], KNOWN) is None


def test_where_one_of_several_readers_is_left_nothing_is_sure() -> None:
    alone = ROW.replace("<b class='no'>", "<b>").replace("<i class='day'>", "<u>")
    now = Document(page(12, "024", "pb-4", alone.replace("</i>", "</u>")))
    assert moved_rows(program(), [now], KNOWN) is None


def test_every_page_has_to_have_them() -> None:
    documents = [Document(page(12, "024", "pb-4")), Document(page(12, "024", "x", ""))]
    assert moved_rows(program(), documents[:1], KNOWN) is not None
    assert moved_rows(program(), documents, KNOWN) is None


def test_rows_beside_a_larger_list_of_another_inside_are_not_the_list() -> None:
    """A box of the old look is left beside the list, which has another."""
    box = page(12, "024", "most-read").body.decode().partition("</ul>")[2]
    now = page(30, "024", "list", OTHER_INSIDE * 3)
    body = now.body.decode().replace("</body></html>", "") + box
    assert moved_rows(program(), [Document(now)], KNOWN) is None
    beside = Document(now.model_copy(update={"body": body.encode()}))
    assert moved_rows(program(), [beside], KNOWN) is None
