"""Rows that stand elsewhere, of which none is known, and each is what it was."""

import json
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.listing import heal_listing
from crawloop_assets.induce.healing.moved_rows import carried_rows, moved_rows
from crawloop_assets.induce.proof.gauntlet import prove
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


STOCK = FieldSpec(name="stock", kind=FieldKind.INTEGER, required=True, volatile=True)
GOODS = RecordSchema(
    name="Lamp",
    fields=(
        FieldSpec(name="sku", required=True),
        FieldSpec(name="name", required=True),
        STOCK,
        FieldSpec(name="was", kind=FieldKind.NUMBER),
    ),
)


def goods(moved: int = 0) -> list[dict[str, Value]]:
    return [
        {
            "sku": f"L-{2000 + at}",
            "name": f"Lamp {chr(65 + at)}",
            "stock": (3 * at + moved) % 17,
            **({"was": f"{at}9.50"} if at < 2 else {}),
        }
        for at in range(9)
    ]


def api(rows: list[dict[str, Value]], key: str, **beside: object) -> Page:
    told = json.dumps({key: rows, "total": len(rows), **beside})
    headers = {"content-type": "application/json"}
    return Page(url="https://api.example/lamps", body=told.encode(), headers=headers)


def of_goods() -> Program:
    known = [Example(page=0, records=tuple(goods()))]
    return induce_listing(GOODS, [api(goods(), "products")], known)[0].program


def test_a_list_under_another_key_keeps_its_readers() -> None:
    known = [Example(page=0, records=tuple(goods()))]
    now = Document(api(goods(moved=5), "items", brands=[{"sku": "x"}, {"sku": "y"}]))
    carried = carried_rows(of_goods(), [now], known)
    assert carried is not None and carried.record is not None
    assert carried.record.at == "body.items[*]"
    assert carried.fields == of_goods().fields
    healed = heal_listing(GOODS, of_goods(), [now], known)
    assert (healed.program, healed.reason) == (carried, "its rows, in another place")
    stocks = [record.values["stock"] for record in run(carried, now).records]
    assert stocks == [row["stock"] for row in goods(moved=5)]


def test_a_list_that_is_told_in_groups_keeps_its_readers() -> None:
    known, rows = [Example(page=0, records=tuple(goods()))], goods(moved=5)
    rooms = [("hall", rows[:4]), ("bath", rows[4:5]), ("attic", rows[5:])]
    groups: list[dict[str, Any]] = [
        {"room": room, "lamps": inside} for room, inside in rooms
    ]
    now = Document(api(groups, "rooms"))
    carried = carried_rows(of_goods(), [now], known)
    assert carried is not None and carried.record is not None
    assert carried.record.at == "body.rooms[*].lamps[*]"
    assert [one.values["sku"] for one in run(carried, now).records] == [
        row["sku"] for row in rows
    ]


def shelf(box: str, name: str, stock: str) -> Page:
    """Lamps whose links are what they were, whatever the build calls the rest."""
    rows = "".join(
        f"<li class='{box}'><a class='{name}' href='/lamp/{one['sku']}'>{one['name']}</a> "
        f"<{stock}><i class='{name}-s'>{one['stock']} left</i></{stock}></li>"
        for one in goods()
    )
    html = f"<html><body><ul><li><a href='/'>Home</a></li></ul><ol>{rows}</ol></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url="https://lamps.example/", body=html.encode(), headers=headers)


def test_rows_of_another_build_that_one_reader_fits_are_learned_anew() -> None:
    link = FieldSpec(name="url", kind=FieldKind.URL, required=True)
    schema = RecordSchema(name="Lamp", fields=(link, *GOODS.fields[1:3]))
    known: list[dict[str, Value]] = [
        {
            "url": f"https://lamps.example/lamp/{one['sku']}",
            "name": one["name"],
            "stock": one["stock"],
        }
        for one in goods()
    ]
    examples = [Example(page=0, records=tuple(known))]
    before = shelf("old", "of-lamp", "em")
    program = induce_listing(schema, [before], examples)[0].program
    readers = {reader.at for reader in program.fields[0].all_readers}
    assert 'a[href*="/lamp/"]' in readers
    # Of the stock a tag is left: with it all are read, without its tag one in five is.
    now = Document(shelf("new", "title", "b"))
    assert carried_rows(program, [now], examples) is None
    moved = Document(shelf("new", "title", "em"))
    assert carried_rows(program, [moved], examples) is not None


def test_rows_that_say_something_else_are_not_carried() -> None:
    known = [Example(page=0, records=tuple(goods()))]
    twice = Document(api(goods(), "products", items=goods()))
    assert carried_rows(of_goods(), [twice], known) is None, "they are where they were"
    others = [{**row, "name": "x", "sku": f"Z{row['sku']}"} for row in goods()]
    assert carried_rows(of_goods(), [Document(api(others, "items"))], known) is None
    lacking = [{**row, "stock": None} for row in goods()]
    assert carried_rows(of_goods(), [Document(api(lacking, "items"))], known) is None


def test_a_count_that_moved_in_a_list_that_moved_is_no_wrong_one() -> None:
    """What was a row's count yesterday is another row's today."""
    old, known = of_goods(), [Example(page=0, records=tuple(goods()))]
    now = [api(goods(moved=3), "items")]
    carried = carried_rows(old, list(map(Document, now)), known)
    assert carried is not None
    right = {"stock": 3}
    mixed = [
        {**row, "stock": before["stock"]} if at < right["stock"] else row
        for at, (row, before) in enumerate(zip(goods(moved=3), goods(), strict=True))
    ]
    sheet = prove(GOODS, carried, [api(mixed, "items")], known, old)
    stock = sheet.field("stock")
    assert stock is not None and stock.right >= right["stock"]
    assert (stock.wrong, stock.silent) == (0, 0)
    anew = prove(GOODS, carried, [api(mixed, "items")], known, None).field("stock")
    assert anew is not None and anew.wrong > 0, (
        "another reader has to be right more often"
    )
