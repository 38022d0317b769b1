"""What the version before reads beside a candidate: a part of a text is no whole one."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.before import (
    ReadTwice,
    carried_fields,
    cut_short,
    read_before,
    same_words,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(name="Lamp", fields=(FieldSpec(name="maker"),))


def record(maker: str) -> ExtractedRecord:
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1)
    return ExtractedRecord(values={"maker": maker}, votes={"maker": vote})


def cut(body: str, *rows: tuple[str, str, str]) -> int:
    """Of rows of what is known, what is read, and what the version before reads."""
    page = Document(Page(url="https://shop.example/1", body=body.encode()))
    twice = [
        ReadTwice(page, {"maker": known}, record(read), record(before))
        for known, read, before in rows
    ]
    return cut_short(SCHEMA, twice).get("maker", 0)


RENAMED = "<p>Birka Home</p><p>Isola</p>"
HEADLINE = "What the harbour master saw on the night of the great storm"
TITLED = f"<title>{HEADLINE} - The Daily Tide</title>"


@pytest.mark.parametrize(
    ("body", "rows", "expected"),
    [
        (RENAMED, [("Birka", "Birka", "Birka Home"), ("Isola",) * 3], 1),
        # Also of all that there are, but for a label.
        ("<p>New Birka</p>", [("Birka", "Birka", "New Birka")] * 2, 2),
        ("<p>Made by: Birka</p>", [("Birka", "Birka", "Made by: Birka")] * 2, 0),
        ("<p>Maker Birka</p>", [("Birka", "Birka", "Maker Birka")] * 2, 0),
        # It stands whole elsewhere, or in JSON.
        (
            RENAMED + "<b>Birka</b>",
            [("Birka", "Birka", "Birka Home"), ("Isola",) * 3],
            0,
        ),
        (
            RENAMED + '<script type="application/ld+json">{"@type": "Product", "brand": "Birka"}</script>',
            [("Birka", "Birka", "Birka Home"), ("Isola",) * 3],
            0,
        ),
        # However long it is, and whatever stands in it; what only an attribute says is no text of the page.
        (
            TITLED + f"<h1>{HEADLINE.replace('on the', 'on<br> <em>the</em>')}</h1>",
            [(HEADLINE, HEADLINE, f"{HEADLINE} - The Daily Tide")],
            0,
        ),
        (
            TITLED + f"<img alt='{HEADLINE}'>",
            [(HEADLINE, HEADLINE, f"{HEADLINE} - The Daily Tide")],
            1,
        ),
        # The one before reads less, or another value.
        (RENAMED, [("Birka Home", "Birka Home", "Birka"), ("Isola",) * 3], 0),
        (RENAMED, [("Birka", "Birka", "Isola"), ("Isola",) * 3], 0),
        # What is read is not what was known.
        (RENAMED, [("Birka Home", "Birka", "Birka Home"), ("Isola",) * 3], 0),
    ],
)  # fmt: skip
def test_a_part_of_what_the_version_before_reads_whole_is_cut(
    body: str, rows: list[tuple[str, str, str]], expected: int
) -> None:
    assert cut(body, *rows) == expected


def test_a_field_is_carried_that_is_read_in_its_row_as_before() -> None:
    def made(kind: FamilyKind, **ats: str) -> Program:
        fields = [
            FieldProgram(
                spec=FieldSpec(name=name),
                readers=(Reader(src=Source.JSON, at=at, get="value", weight=len(ats)),),
            )
            for name, at in ats.items()
        ]
        record = Boundary(mode=BoundaryMode.JSON, at="body.items[*]")
        is_list = kind is not FamilyKind.DETAIL
        return Program(
            fields=tuple(fields), kind=kind, record=record if is_list else None
        )

    before = made(FamilyKind.JSON, maker="$.maker", name="$.name")
    now = made(FamilyKind.JSON, maker="$.maker", name="$.title", size="$.size")
    assert carried_fields(now, before) == {"maker"}
    detail = made(FamilyKind.DETAIL, maker="$.maker")
    assert carried_fields(detail, detail) == frozenset()


WORDS = (Step(op=Op.MAP, args=("voll", "False")),)


def hut(at: str, source: Source = Source.JSON, *, is_moving: bool = True) -> Program:
    """A page of one record with a flag that is read in a word."""
    spec = FieldSpec(name="free", kind=FieldKind.BOOLEAN, volatile=is_moving)
    get = "value" if source is Source.JSON else "text"
    reader = Reader(src=source, at=at, get=get, pipe=WORDS)
    return Program(fields=(FieldProgram(spec=spec, readers=(reader,)),))


def test_a_flag_of_one_record_is_carried_by_the_name_of_its_place() -> None:
    key = hut("body.free")
    assert carried_fields(key, key) == {"free"}
    assert carried_fields(hut("body.open"), key) == frozenset()
    lasting = hut("body.free", is_moving=False)
    assert carried_fields(lasting, lasting) == frozenset()
    placed = hut("p", Source.CSS)
    assert carried_fields(placed, placed) == frozenset()


def test_words_that_the_version_before_knew_are_learned_from_no_page() -> None:
    assert same_words(hut("body.open"), hut("body.free")) == {"free"}
    none = Program(fields=())
    assert same_words(hut("body.open"), none) == frozenset()


TOWN, MAKER, STARS = (FieldSpec(name=name) for name in ("town", "maker", "stars"))


def test_a_row_that_is_read_mostly_otherwise_is_another_one() -> None:
    """Its columns have changed places: that some row has each number of stars is no loss."""
    schema = RecordSchema(name="Inn", fields=(TOWN, MAKER, STARS))
    cells = {"town": 1, "maker": 2, "stars": 3}
    old = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="tr"),
        fields=tuple(
            FieldProgram(
                spec=schema.field(name),
                readers=(Reader(src=Source.CSS, at=f"td:nth-of-type({at})"),),
            )
            for name, at in cells.items()
        ),
    )
    known = [
        {"town": town, "maker": maker, "stars": stars}
        for town, maker, stars in (("Roe", "Birka", "4"), ("Ulm", "Isola", "3"))
    ]

    def right(*rows: tuple[str, ...]) -> dict[str, int]:
        """What the version before reads right of a table."""
        table = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows)
        body = f"<table>{table}</table>".encode()
        page = Document(Page(url="https://inns.example/", body=body))
        return dict(
            read_before(schema, old, [page], {0: known}, [record("")] * 2).right
        )

    assert right(("Roe", "Birka", "4"), ("Ulm", "Isola", "3")) == dict.fromkeys(
        cells, 2
    )
    assert right(("Birka", "Roe", "4"), ("Isola", "Ulm", "3")) == {}
    assert right(("Roe", "Birka", "5"), ("Ulm", "Isola", "3"))["town"] == 2
