"""What a version makes of the pages of its examples."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.induce.proof.examples import preview, prove_first, read_page
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import (
    ScoreSheet,
    WhyUnread,
    score_sheet_markdown,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

TITLE = FieldSpec(name="title", required=True)
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
MAKER = FieldSpec(name="maker")
TAGS = FieldSpec(name="tags", shape=Shape.SET)
URL = FieldSpec(name="url", kind=FieldKind.URL)
SCHEMA = RecordSchema(name="Good", fields=(URL, TITLE, PRICE, MAKER, TAGS))
NAMES = ("Walnut lamp", "Oak shelf", "Brass hook")


def page(at: int, price: str = "") -> Page:
    body = f"""<html><body><h1>{NAMES[at]}</h1><b>{price or f"{at + 3}.50"}</b>
    <i>Officina Otto</i><p>Filed under: oak, brass</p></body></html>"""
    return Page(
        url=f"https://shop.test/{at}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def read(spec: FieldSpec, at: str) -> FieldProgram:
    return FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=at),))


PROGRAM = Program(fields=(read(TITLE, "h1"), read(PRICE, "b"), read(MAKER, "i")))


def example(at: int, **more: object) -> Example:
    values = {"title": NAMES[at], "price": f"{at + 3}.50"} | more
    return Example(page=at, records=(values,))


def proved(*examples: Example, pages: list[Page] | None = None) -> ScoreSheet:
    shown = pages or [page(0), page(1), page(2)]
    return prove_first(SCHEMA, PROGRAM, shown, examples)


def test_what_is_read_as_the_examples_say_passes() -> None:
    address = {"url": "https://shop.test/0"}
    sheet = proved(example(0, maker="Officina Otto", **address), example(1))
    assert sheet.passed, sheet.reason
    assert sheet.unread == ()


@pytest.mark.parametrize(
    ("more", "field", "why", "got"),
    [
        ({"tags": ["oak", "brass"]}, "tags", WhyUnread.NO_READER, ""),
        ({"maker": "Walnut lamp"}, "maker", WhyUnread.READ_ELSE, "Officina Otto"),
        ({"maker": "Nordlys"}, "maker", WhyUnread.NOT_ON_PAGE, "Officina Otto"),
        ({"tags": ["elm", "ash"]}, "tags", WhyUnread.NOT_ON_PAGE, ""),
        ({"title": "Nothing"}, "title", WhyUnread.NOT_ON_PAGE, "Walnut lamp"),
    ],
)
def test_one_value_that_is_not_read_is_red_and_says_what_to_write(
    more: dict[str, object], field: str, why: WhyUnread, got: str
) -> None:
    sheet = proved(example(0, **more), example(1), example(2))
    assert not sheet.passed
    (unread,) = sheet.unread
    assert (unread.field, unread.why, unread.got) == (field, why, got)
    assert unread.url == "https://shop.test/0"
    assert unread.write
    assert f"not read on the example's own page: {field} (1)" in sheet.reason
    shown = score_sheet_markdown(sheet)
    assert "**Not read on the pages of the examples**" in shown
    assert f"| {field} | https://shop.test/0 |" in shown


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Saturday, 5 December", WhyUnread.NO_DAY),
        ("2026-12-05", WhyUnread.NOT_ON_PAGE),
    ],
)
def test_of_a_day_without_its_year_that_is_said(said: str, why: WhyUnread) -> None:
    day = FieldSpec(name="day", kind=FieldKind.DATE)
    schema = RecordSchema(name="Lamp", fields=(TITLE, PRICE, MAKER, day))
    (unread,) = prove_first(schema, PROGRAM, [page(0)], [example(0, day=said)]).unread
    assert (unread.field, unread.why) == ("day", why)
    assert ("year" in unread.write) == (why is WhyUnread.NO_DAY)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ((False, False), WhyUnread.ALL_ALIKE),
        ((True, False), WhyUnread.NOT_ON_PAGE),
    ],
)
def test_of_a_flag_that_all_examples_say_alike_another_one_is_asked_for(
    said: tuple[bool, ...], why: WhyUnread
) -> None:
    flag = FieldSpec(name="electric", kind=FieldKind.BOOLEAN)
    schema = RecordSchema(name="Lamp", fields=(TITLE, PRICE, MAKER, flag))
    examples = [example(at, electric=one) for at, one in enumerate(said)]
    unread = prove_first(schema, PROGRAM, [page(0), page(1)], examples).unread
    assert {(one.field, one.why) for one in unread} == {("electric", why)}


def test_known_records_of_a_heal_may_have_changed() -> None:
    pages = [page(0), page(1), page(2)]
    known = [example(0, maker="Nordlys"), example(1), example(2)]
    sheet = prove(SCHEMA, PROGRAM, pages, known, None)
    assert sheet.passed, sheet.reason
    assert sheet.unread == ()


def test_a_volatile_value_may_have_changed_since_its_example_was_written() -> None:
    changed = [page(0, price="99.00"), page(1), page(2)]
    assert proved(example(0), example(1), pages=changed).passed
    # Where none is read right, nothing says that the reader is one of prices.
    assert not proved(example(0), pages=changed).passed
    steady = example(0, maker="Nordlys", price="99.00")
    assert not proved(steady, example(1, maker="Officina Otto"), pages=changed).passed


def test_a_preview_shows_the_first_rows_cut() -> None:
    long = Page(
        url="https://shop.test/0",
        body=page(0).body.replace(b"Walnut lamp", b"W" * 80),
        headers={"content-type": "text/html"},
    )
    sheet = proved(example(0, title="W" * 80), example(1), pages=[long, page(1)])
    first, second = sheet.preview
    assert first.cells["title"] == "W" * 39 + "…"
    assert second.cells == {
        "title": "Oak shelf",
        "price": "4.50",
        "maker": "Officina Otto",
    }
    shown = score_sheet_markdown(sheet)
    # The url of the page fills the field `url`, which no reader looks for.
    assert "\n| title | price | maker | tags | on |" in shown
    assert all(score.field != "url" for score in sheet.fields)
    of = "https://shop.test/1"
    assert f"\n| Oak shelf | 4.50 | Officina Otto | - | {of} |" in shown


def test_a_preview_shows_first_what_no_example_says() -> None:
    sheet = proved(example(1), pages=[page(0), page(1), page(2)])
    assert [row.url[-1] for row in sheet.preview] == ["0", "2", "1"]


def test_a_preview_shows_first_what_a_doubted_field_may_be() -> None:
    said = ("", "", "", "", "<i>Solo</i>")
    body = "".join(f"<li><b>Good {at}</b>{mark}</li>" for at, mark in enumerate(said))
    shown = Page(url="https://shop.test/all", body=f"<ul>{body}</ul>".encode())
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("title",)),
        fields=(read(TITLE, "b"), read(MAKER, "i")),
    )
    pages = [read_page(program, shown)]
    titles = [row.cells["title"] for row in preview(pages, {}, ["maker"])]
    assert titles == ["Good 0", "Good 4", "Good 1", "Good 2"]
    assert len(preview(pages, {})) == 3


# -- rows -----------------------------------------------------------------------------

ROW = RecordSchema(name="Row", fields=(TITLE, PRICE))


def shelf(*classes: str) -> Page:
    rows = "".join(
        f"<li class='{name}'><a>Good {at}</a> <b>{at}.50</b></li>"
        for at, name in enumerate(classes)
    )
    body = f"<html><body><ul>{rows}<li><i>More</i></li></ul></body></html>"
    return Page(
        url="https://shop.test/list",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def rows(at: str) -> Program:
    return Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at=at, keep_if=("title",)),
        fields=(read(TITLE, "a"), read(PRICE, "b")),
    )


def listing_proof(program: Program, *numbers: int, **changed: str) -> ScoreSheet:
    records = [{"title": f"Good {at}", "price": f"{at}.50"} for at in numbers]
    known = Example(page=0, records=tuple(record | changed for record in records))
    shown = shelf(*["row"] * 12, *["row sale"] * 8)
    return prove_first(ROW, program, [shown], [known])


def test_elements_that_look_like_rows_and_are_none_are_counted() -> None:
    sheet = listing_proof(rows("li[class='row']"), 0, 1, 2)
    said = "12 of 20 row-like elements are read on https://shop.test/list"
    assert said in sheet.reason
    assert sheet.passed and not sheet.few_rows, "more than half are read"
    assert said not in listing_proof(rows("li"), 0, 1, 2).reason
    assert [row.cells["title"] for row in sheet.preview] == [
        "Good 3",
        "Good 4",
        "Good 5",
    ]


def test_a_record_of_an_example_that_is_no_row_is_red_once() -> None:
    sheet = listing_proof(rows("li[class='row']"), 0, 1, 15)
    (unread,) = sheet.unread
    assert (unread.why, unread.expected) == (WhyUnread.NO_RECORD, "Good 15")


def test_a_version_that_leaves_most_rows_out_is_in_doubt() -> None:
    sheet = listing_proof(rows("li.sale"), 12, 13, 14)
    assert "8 of 20 row-like elements are read" in sheet.reason
    assert sheet.passed and sheet.few_rows


def test_what_too_few_readers_stand_behind_is_not_read() -> None:
    """It would not be published, so the version must not be."""
    readers = tuple(
        Reader(src=Source.CSS, at=at, weight=weight)
        for at, weight in (("i", 0.1), ("h6", 0.2))
    )
    weak = PROGRAM.model_copy(
        update={
            "fields": (*PROGRAM.fields[:2], FieldProgram(spec=MAKER, readers=readers))
        }
    )
    known = [example(0, maker="Officina Otto")]
    sheet = prove_first(SCHEMA, weak, [page(0), page(1)], known)
    assert not sheet.passed
    (unread,) = sheet.unread
    assert (unread.field, unread.why) == ("maker", WhyUnread.NO_READER)
    assert not any("maker" in row.cells for row in sheet.preview)


@pytest.mark.parametrize(("lacking", "waits"), [(0, False), (1, False), (2, True)])
def test_a_version_that_reads_a_required_field_on_few_pages_waits(
    lacking: int, waits: bool
) -> None:
    whole = [page(at % 3) for at in range(5)]
    body = whole[0].body.replace(b"Officina Otto", b"")
    bare = [whole[0].model_copy(update={"body": body}) for _ in range(lacking)]
    pages = [*whole[: 5 - lacking], *bare]
    maker = MAKER.model_copy(update={"required": True})
    named = Reader(src=Source.CSS, at="i", kin=Kin.LABEL)
    fields = (*PROGRAM.fields[:2], FieldProgram(spec=maker, readers=(named, named)))
    program = PROGRAM.model_copy(update={"fields": fields})
    schema = RecordSchema(name="Good", fields=(URL, TITLE, PRICE, maker, TAGS))
    sheet = prove_first(schema, program, pages, [example(0, maker="Officina Otto")])
    assert ("maker" in sheet.unnamed) is waits


def rows_page(at: int, tagged: int) -> Page:
    """Three rows, of which the first so many have a tag."""
    rows = (
        f"<li><h2>{NAMES[row]} {at}</h2>{'<u>oak</u>' * (row < tagged)}</li>"
        for row in range(3)
    )
    body = f"<html><body><ul>{''.join(rows)}</ul></body></html>".encode()
    return page(at).model_copy(update={"body": body})


@pytest.mark.parametrize(("tagged", "waits"), [((3, 3, 3), False), ((3, 2, 2), True)])
def test_a_list_with_rows_on_most_pages_that_lack_what_is_required_waits(
    tagged: tuple[int, ...], waits: bool
) -> None:
    tags = TAGS.model_copy(update={"required": True})
    by_label = Reader(src=Source.CSS, at="u", kin=Kin.LABEL)
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="li"),
        fields=(
            read(TITLE, "h2"),
            FieldProgram(spec=tags, readers=(by_label, by_label)),
        ),
    )
    schema = RecordSchema(name="Good", fields=(TITLE, tags))
    known = Example(
        page=0,
        records=tuple({"title": f"{NAMES[row]} 0", "tags": ["oak"]} for row in (0, 1)),
    )
    pages = [rows_page(at, count) for at, count in enumerate(tagged)]
    sheet = prove_first(schema, program, pages, [known])
    assert not sheet.unread
    assert ("tags" in sheet.unnamed) is waits
    assert ("has none of tags" in sheet.reason) is waits
