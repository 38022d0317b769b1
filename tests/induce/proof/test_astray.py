"""A field that reads something else on all pages."""

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import Boundary, BoundaryMode, FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.astray import why_astray
from crawloop_assets.induce.proof.twins import KnownAndRead
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.document.build import document
from tests.induce.proof.test_twins import DIFFERING, EQUAL, ONE_CELL, records

VIEWS = FieldSpec(name="views", kind=FieldKind.INTEGER, volatile=True)
ROWS = Boundary(mode=BoundaryMode.NODES, at="li")
KNOWN = [300, 700, 1200, 310, 720, 1240]


def pages(shown: str) -> list[tuple[Document, Value]]:
    return [
        (document(f"<body>{shown.format(one + 9, one // 7)}</body>"), one)
        for one in KNOWN
    ]


def why(shown: str, now: list[int], kind: FamilyKind = FamilyKind.DETAIL) -> str:
    read = [KnownAndRead({"views": one}, ExtractedRecord(values={})) for one in KNOWN]
    return why_astray(
        VIEWS,
        Program(
            kind=kind, fields=(), record=ROWS if kind is FamilyKind.LISTING else None
        ),
        read,
        pages(shown),
        list[Value | None](now),
    )


def test_a_count_is_another_where_each_page_says_one_near_the_known_one() -> None:
    """After a redesign the last number of a page is that of those who watch it."""
    both, watched = (
        "<p>Seen {0} times</p><p>Watched by {1}</p>",
        [one // 7 for one in KNOWN],
    )
    assert why(both, watched).startswith("each page says a number near the known one")
    assert why(both, [one + 9 for one in KNOWN]) == ""
    assert why("<p>Watched by {1}</p>", watched) == "", "it may have begun anew"
    assert why(both, watched, FamilyKind.LISTING) == "", "rows have those of others"


def test_it_is_another_fields_that_is_read_in_its_place() -> None:
    spec = ONE_CELL.fields[0].spec
    said = why_astray(spec, ONE_CELL, records(EQUAL, DIFFERING), [], [])
    assert said == "it is read where `sell` stands"
