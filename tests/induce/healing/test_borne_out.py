"""Rows that nobody knows serve where they bear each other out as the known ones did."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.listing import HealedListing, heal_listing
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.listing.build import induce_listing

SCHEMA = RecordSchema(
    name="Ruling",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="docket_number"),
        FieldSpec(name="date", kind=FieldKind.DATE),
        FieldSpec(name="url", kind=FieldKind.URL),
    ),
)
WHO = ("Abel", "Brandt", "Calder", "Dunmore", "Eastman", "Fenwick", "Garrow", "Hollis")


def rulings(first: int, year: int) -> list[dict[str, Value]]:
    return [
        {
            "name": f"State v. {who}",
            "docket_number": f"{year % 100}-CA-{first + at}",
            "date": f"{year}-03-{at + 10}",
            "url": f"http://court.example/r/{first + at}.pdf",
        }
        for at, who in enumerate(WHO)
    ]


KNOWN = rulings(310, 2021)
OLD = (
    "<li class='ruling'><a href='{url}'>{name}</a> <b>{docket_number}</b> "
    "<i>{date}</i></li>"
)
HEADS = "<tr><th>Date filed</th><th>Case name</th><th>Docket no.</th><th>{}</th></tr>"
ROW = (
    "<tr><td>{date}</td><td>{name}</td><td>{docket_number}</td>"
    "<td><a href='#window' data-document='{url}'>Read</a></td></tr>"
)
MORE = ROW.replace("</tr>", "<td>{later}</td></tr>")


def page(rows: list[dict[str, Value]], row: str, box: str, head: str = "") -> Page:
    shown = "".join(
        row.format(**one, later=str(one["date"]).replace("-03-", "-05-"), at=at)
        for at, one in enumerate(rows)
    )
    body = f"<html><body><h1>Rulings</h1><{box}>{head}{shown}</{box}></body></html>"
    return Page(
        url="http://court.example/",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def healed(*shown: Page) -> HealedListing:
    known = [Example(page=0, records=tuple(KNOWN))]
    old = page(KNOWN, OLD, "ul")
    program = induce_listing(SCHEMA, [old], known)[0].program
    documents = list(map(Document, shown))
    assert not any(run(program, document).records for document in documents)
    return heal_listing(SCHEMA, program, documents, known)


def test_each_field_that_is_tied_or_alone_is_vouched_for() -> None:
    later = rulings(520, 2024)
    shown = page(later, ROW, "table", HEADS.format("Document"))
    made = healed(shown)
    assert made.borne_out and made.program is not None
    assert made.fields == {"name", "docket_number", "date", "url"}
    assert [one.values for one in run(made.program, Document(shown)).records] == later


BLIND = ROW.replace("{url}", "http://court.example/r/x{at}.pdf")
CASE_PAGE = ROW.replace("{url}", "http://court.example/case/{docket_number}")
UNDATED = "".join(
    f"<tr><td></td><td>State v. {who}</td><td>24-CA-{700 + at}</td>"
    f"<td><a href='#window' data-document='http://court.example/r/{700 + at}.pdf'>Read</a></td></tr>"
    for at, who in enumerate(WHO[:4])
)
NO_NAME = ROW.replace("<td>{name}</td>", "<td></td>")


@pytest.mark.parametrize(
    ("row", "head"),
    [
        pytest.param(BLIND, HEADS.format("Document"), id="addresses bear out nothing"),
        pytest.param(
            MORE,
            HEADS.format("Document</th><th>Date argued"),
            id="two columns may be the date",
        ),
        pytest.param(
            MORE,
            HEADS.format("Document</th><th>Closed"),
            id="another column has days",
        ),
        pytest.param(
            ROW,
            HEADS.format("Document").replace("Case name", "Who"),
            id="nothing is called as the name is",
        ),
        pytest.param(CASE_PAGE, HEADS.format("Document"), id="other documents"),
        pytest.param(
            ROW, f"{HEADS.format('Document')}{UNDATED}", id="a third has no day"
        ),
        pytest.param(NO_NAME, HEADS.format("Document"), id="a field is lost"),
    ],
)
def test_where_one_field_is_not_vouched_for_none_is(row: str, head: str) -> None:
    made = healed(page(rulings(520, 2024), row, "table", head))
    assert not made.borne_out


def test_every_page_has_to_vouch_for_every_field() -> None:
    first = page(rulings(520, 2024), ROW, "table", HEADS.format("Document"))
    unnamed = [
        one | {"name": f"{7000 + at}"} for at, one in enumerate(rulings(640, 2023))
    ]
    assert healed(first).borne_out
    for rows, row in ((unnamed, ROW), (rulings(620, 2023), BLIND)):
        other = page(rows, row, "table", HEADS.format("Document"))
        assert not healed(first, other).borne_out


def test_rows_that_bear_each_other_out_go_before_half_read_ones_of_another_list() -> (
    None
):
    """The old readers still find names and links, of cases that wait."""
    rows = rulings(520, 2024)
    pending = "".join(
        f"<li class='ruling'><a href='http://court.example/w/{at}.pdf'>State v. {who}</a></li>"
        for at, who in enumerate(WHO[:6])
    )
    vouched = page(rows, ROW, "table", f"{HEADS.format('Document')}")
    blind = page(rows, BLIND, "table", HEADS.format("Document"))
    known = [Example(page=0, records=tuple(KNOWN))]
    program = induce_listing(SCHEMA, [page(KNOWN, OLD, "ul")], known)[0].program
    for shown, expected in ((vouched, rows), (blind, None)):
        body = shown.body.replace(b"<table>", f"<ul>{pending}</ul><table>".encode())
        document = Document(shown.model_copy(update={"body": body}))
        made = heal_listing(SCHEMA, program, [document], known)
        assert made.borne_out is (expected is not None)
        if made.program is None:
            assert made.kept == {"name", "url"}
        else:
            read = run(made.program, document).records
            assert [one.values for one in read] == expected


NAMED = (
    "<li class='ruling'><a class='case-name' href='{url}'>{name}</a> "
    "<b class='docket-number'>{docket_number}</b> <u class='date-filed'>{date}</u></li>"
)


def test_new_rows_of_the_list_that_is_still_read_vouch_for_its_lost_field() -> None:
    """Their look alone would leave it to a person."""
    known = [Example(page=0, records=tuple(KNOWN))]
    program = induce_listing(SCHEMA, [page(KNOWN, OLD, "ul")], known)[0].program
    rows = rulings(520, 2024)
    document = Document(page(rows, NAMED, "ul"))
    made = heal_listing(SCHEMA, program, [document], known)
    assert made.borne_out and made.program is not None
    assert [one.values for one in run(made.program, document).records] == rows
