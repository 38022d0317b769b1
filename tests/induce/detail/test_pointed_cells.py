"""One value of one row that a person says, read in all rows."""

import json
from collections.abc import Sequence

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.pointed_cells import (
    FoundRow,
    TaughtCell,
    found_rows,
    pointed_cell,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

TITLE = FieldSpec(name="title", required=True)
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
SCHEMA = RecordSchema(name="Good", fields=(TITLE, PRICE))
GOODS = [("Lamp", "3.75", "9.10"), ("Shelf", "4.80", "8.20"), ("Hook", "5.85", "7.30")]


def listing() -> list[FoundRow]:
    rows = "".join(
        f"<li><b>{title}</b><i>{price}</i><i>{other}</i></li>"
        for title, price, other in GOODS
    )
    return found("text/html", f"<ul>{rows}</ul>", BoundaryMode.NODES, "li", "b")


def api() -> list[FoundRow]:
    rows = [
        {"t": title, "n": {"new": float(price), "x": float(other)}}
        for title, price, other in GOODS
    ]
    return found(
        "application/json", json.dumps(rows), BoundaryMode.JSON, "body[*]", "$.t"
    )


def found(
    kind: str, body: str, mode: BoundaryMode, rows: str, title: str
) -> list[FoundRow]:
    is_json = mode is BoundaryMode.JSON
    source, get = (Source.JSON, "value") if is_json else (Source.CSS, "text")
    reader = Reader(src=source, at=title, get=get)
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=mode, at=rows),
        fields=(FieldProgram(spec=TITLE, readers=(reader,)),),
    )
    page = Page(
        url="http://shop.test/", body=body.encode(), headers={"content-type": kind}
    )
    return found_rows(program, [Document(page)])


def prices(rows: list[FoundRow], said: TaughtCell) -> list[object]:
    made = pointed_cell(SCHEMA, PRICE, rows, [said])
    assert made.reason == "", made.reason
    (reader,) = made.program.readers
    return [float(str(read(reader, row.scope, PRICE))) for row in rows]


def test_a_cell_of_one_row_is_read_in_all() -> None:
    said = TaughtCell(0, 1, {"title": "Shelf"}, "4.80")
    for rows in (listing(), api()):
        assert [row.values["title"] for row in rows] == ["Lamp", "Shelf", "Hook"]
        assert prices(rows, said) == [3.75, 4.8, 5.85]


def test_without_anything_known_the_position_tells_the_row() -> None:
    assert prices(listing(), TaughtCell(0, 2, {}, "5.85")) == [3.75, 4.8, 5.85]


MAKER = FieldSpec(name="maker")


def test_a_cell_is_the_place_and_not_the_row_whose_first_number_it_is() -> None:
    """Another row has a number in its title."""
    goods = [("Lamp", "€3.75"), ("Shelf", "€4.80"), ("Hook 12", "€5.85")]
    rows = "".join(
        f"<tr><td>{title}</td><td>{price}</td><td>€9.10</td></tr>"
        for title, price in goods
    )
    listed = found(
        "text/html", f"<table>{rows}</table>", BoundaryMode.NODES, "tr", "td"
    )
    said = TaughtCell(0, 1, {"title": "Shelf"}, "4.80")
    assert prices(listed, said) == [3.75, 4.80, 5.85]


def made_by(*makers: str) -> list[FoundRow]:
    rows = "".join(f"<li><b>x</b> ({maker} - new)</li>" for maker in makers)
    return found("text/html", f"<ul>{rows}</ul>", BoundaryMode.NODES, "li", "b")


def test_what_stands_in_one_row_alone_was_said_of_that_one() -> None:
    rows = made_by("Orrin", "Thule", "Maro")
    made = pointed_cell(SCHEMA, MAKER, rows, [TaughtCell(0, 0, {}, "Thule")])
    (reader,) = made.program.readers
    assert [read(reader, row.scope, MAKER) for row in rows] == [
        "Orrin",
        "Thule",
        "Maro",
    ]
    several = made_by("Orrin", "Thule", "Thule")
    refused = [
        (several, TaughtCell(0, 0, {}, "Thule")),
        (rows, TaughtCell(0, 0, {}, "aro")),
        (rows, TaughtCell(0, 9, {}, "Thule")),
        (api(), TaughtCell(0, 0, {}, "8.20")),
    ]
    for of_page, said in refused:
        made = pointed_cell(SCHEMA, MAKER, of_page, [said])
        assert made.reason and not made.program.readers


def test_a_row_that_is_not_there_teaches_nothing() -> None:
    for said in (
        TaughtCell(0, 0, {"title": "Kite"}, "3.75"),
        TaughtCell(0, 9, {}, "3.75"),
        TaughtCell(1, 0, {"title": "Lamp"}, "3.75"),
    ):
        made = pointed_cell(SCHEMA, PRICE, listing(), [said])
        assert made.reason.startswith("the rows of the page are not found")
    made = pointed_cell(SCHEMA, PRICE, listing(), [TaughtCell(0, 0, {}, "99")])
    assert made.reason.startswith("what was said does not stand")
    assert found_rows(None, []) == []


def test_a_cell_may_be_a_part_of_a_text() -> None:
    rows = "".join(f"<li><b>{good}</b><i>by {good} Inc</i></li>" for good, *_ in GOODS)
    maker = FieldSpec(name="maker")
    schema = RecordSchema(name="Good", fields=(TITLE, maker))
    of_page = found("text/html", f"<ul>{rows}</ul>", BoundaryMode.NODES, "li", "b")
    said = TaughtCell(0, 1, {"title": "Shelf"}, "Shelf Inc")
    (reader,) = pointed_cell(schema, maker, of_page, [said]).program.readers
    assert read(reader, of_page[2].scope, maker) == "Hook Inc"


def _sales() -> list[FoundRow]:
    """Rows of which some have a former price before theirs, and one a count behind."""
    rows = "".join(
        f"<li><b>{title}</b><i>{price}</i>{'<i>' + former + '</i>' if former else ''}</li>"
        for title, price, former in (
            ("Lamp", "3.75", "9.10"),
            ("Shelf", "4.80", ""),
            ("Hook", "5.85", "7.30"),
        )
    )
    return found("text/html", f"<ul>{rows}</ul>", BoundaryMode.NODES, "li", "b")


def test_a_row_that_has_none_tells_a_neighbours_reader() -> None:
    rows, said = _sales(), TaughtCell(0, 0, {"title": "Lamp"}, "9.10")
    shelf = TaughtCell(0, 1, {"title": "Shelf"}, None)

    def reads(*cells: TaughtCell, lacking: Sequence[TaughtCell] = ()) -> list[object]:
        made = pointed_cell(SCHEMA, PRICE, rows, [said, *cells], lacking)
        (reader,) = made.program.readers
        return [read(reader, row.scope, PRICE) for row in rows]

    assert reads() == ["9.10", "4.80", "7.30"], "the fullest place, the last number"
    assert reads(shelf) == ["9.10", None, "7.30"]
    assert reads(shelf._replace(known={})) == ["9.10", None, "7.30"], "by its position"
    assert reads(lacking=[shelf]) == ["9.10", None, "7.30"]


def test_where_every_reader_reads_an_empty_row_there_is_none() -> None:
    said = TaughtCell(0, 1, {"title": "Shelf"}, "4.80")
    none = TaughtCell(0, 0, {"title": "Lamp"}, None)
    assert "in any place" in pointed_cell(SCHEMA, PRICE, _sales(), [said, none]).reason
    assert "2 places" in pointed_cell(SCHEMA, PRICE, _sales(), [said], [none]).reason


def test_the_second_of_a_class_is_as_whole_as_a_place() -> None:
    """A place by position moves with what is missing before it, a class does not."""
    rows = "".join(
        f"<li><b>{at}x</b>{'<i>new</i>' * (at % 2)}<i class=n>{at} wait</i><i class=n>{at}5 free</i></li>"
        for at in range(1, 5)
    )
    cells = found("text/html", f"<ul>{rows}</ul>", BoundaryMode.NODES, "li", "b")
    free = FieldSpec(name="free", kind=FieldKind.INTEGER)
    made = pointed_cell(SCHEMA, free, cells, [TaughtCell(0, 0, {"title": "1x"}, 15)])
    (reader,) = made.program.readers
    assert [read(reader, row.scope, free) for row in cells] == [15, 25, 35, 45]


def test_a_number_that_rows_say_in_another_unit_is_read_of_its_cell() -> None:
    cells = "".join(
        f"<li><b>{title}</b><p>No. {at}</p><p>{price.replace('.', '')} c</p></li>"
        for at, (title, price, _) in enumerate(GOODS)
    )
    rows = found("text/html", f"<ul>{cells}</ul>", BoundaryMode.NODES, "li", "b")
    said = TaughtCell(0, 2, {"title": "Hook"}, "5.85")
    assert prices(rows, said) == [3.75, 4.8, 5.85]
