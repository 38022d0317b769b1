"""A field that reads something else on all pages."""

import pytest

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


CODES = ["3edE7d", "1469fb", "b11a3c", "d14f4d"]


@pytest.mark.parametrize(
    ("known", "now", "is_astray"),
    [
        (CODES, ["970", "665", "1604", "1924"], True),
        (CODES, ["970", None, "1604", "1924"], True),
        (CODES, ["970", None, None, "1924"], False),  # too few
        (CODES, ["970", "665", "1604", "d14f4e"], False),
        (CODES, ["aa", "bb", "cc", "dd"], False),  # other words are news
        (
            ["KX-970", "KX-665", "KX-1604", "KX-1924"],
            ["970", "665", "1604", "7"],
            False,
        ),
        (["970", "665", "1604"], ["red", "green", "blue"], True),
        (["970", "665", "1604"], ["71", "72", "73"], False),
    ],
)
def test_numbers_where_words_were_are_something_else(
    known: list[str], now: list[str | None], *, is_astray: bool
) -> None:
    spec = FieldSpec(name="checksum")
    page = document("<body></body>")
    pages_of = [(page, one) for one in known]
    program = Program(fields=())
    read = [
        KnownAndRead({"checksum": one}, ExtractedRecord(values={})) for one in known
    ]
    said = why_astray(spec, program, read, list[tuple[Document, Value]](pages_of), now)
    assert bool(said) is is_astray
    views = spec.model_copy(update={"kind": FieldKind.NUMBER})
    assert not why_astray(
        views, program, read, list[tuple[Document, Value]](pages_of), now
    )


def test_seconds_where_minutes_were_are_something_else() -> None:
    known: list[Value] = ["0", "5", "10", "3"]
    said = why_astray(
        FieldSpec(name="delay", kind=FieldKind.INTEGER, volatile=True),
        Program(fields=()),
        [KnownAndRead({"delay": one}, ExtractedRecord(values={})) for one in known],
        [(document("<body></body>"), one) for one in known],
        [0, 300, 600, 180],
    )
    assert said == "numbers are so many times what they were, in another unit"
