"""What survives on changed copies, field by field."""

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.robustness import Survival, robustness
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from tests.induce.lamps import BY_COUNT, LAMPS, ROWS, SHELL, css, listing, rows_read_by
from tests.induce.pages import page


def survived(schema: RecordSchema, made: Program, of: Page) -> dict[str, Survival]:
    document = Document(of)
    return robustness(schema, made, [document], [run(made, document)])


def test_readers_that_count_blocks_are_told_from_those_that_do_not() -> None:
    boxes = "".join(
        f"<main class='m-{n}'><div class='a'><p>one</p><p>first</p></div><div class='b'><p>two</p><p>second</p></div>"
        "<div class='c'><p>three</p><p>third</p></div></main>"
        for n in range(8)
    )
    counted, title = (
        FieldSpec(name="counted", shape=Shape.LIST),
        FieldSpec(name="title"),
    )
    fields = (
        FieldProgram(
            spec=counted,
            readers=css("main > div:nth-of-type(2) > p", "main > div:nth-child(2) > p"),
        ),
        FieldProgram(spec=title, readers=css("h1")),
    )
    body = page(0, f"<html><body><h1>Lamps</h1>{boxes}</body></html>")
    found = survived(
        RecordSchema(name="Note", fields=(counted, title)), Program(fields=fields), body
    )
    assert found["title"] == (5, 5, 0), "once per kind of change"
    assert found["counted"].share < 1
    assert found["counted"].wrong, "another block stands in its place"


def test_a_list_that_loses_items_is_lost_and_not_wrong() -> None:
    steps = FieldSpec(name="steps", shape=Shape.LIST)
    items = "".join(
        f"<li class='a b c d'><p>Do {at}</p></li><li class='e f g h'><p>Then {at}</p></li>"
        for at in "xyz"
    )
    made = Program(
        fields=(
            FieldProgram(
                spec=steps, readers=css(".a.b.c.d, .e.f.g.h", "li.a.b.c.d, li.e.f.g.h")
            ),
        )
    )
    found = survived(
        RecordSchema(name="Note", fields=(steps,)),
        made,
        page(0, f"<html><body><ol>{items}</ol></body></html>"),
    )
    assert found["steps"].share < 1
    assert found["steps"].wrong == 0


def test_records_that_are_lost_with_their_boundary_are_lost_and_not_wrong() -> None:
    found = survived(
        LAMPS, rows_read_by(f".{SHELL.replace(' ', '.')} > div", BY_COUNT), listing()
    )
    assert all(each.share < 1 and not each.wrong for each in found.values())


def test_a_listing_read_by_what_no_template_changes_survives() -> None:
    found = survived(LAMPS, rows_read_by("div:has(> span)", BY_COUNT), listing())
    assert {name: each.share for name, each in found.items()} == dict.fromkeys(
        ROWS[0], 1.0
    )


def test_a_record_that_shares_a_value_with_a_lost_one_is_not_taken_for_it() -> None:
    made = rows_read_by(
        "div:has(> span)", {**BY_COUNT, "name": (".c-name",), "code": (".c-code",)}
    )
    read = run(made, Document(listing()))
    gone = read.records[0].model_copy(
        update={"values": {**ROWS[0], "name": "Gone", "made": "Gone", "code": "Gone"}}
    )
    found = robustness(
        LAMPS,
        made,
        [Document(listing())],
        [read.model_copy(update={"records": (gone,)})],
    )
    assert found["maker"].kept == found["made"].wrong == 0


def test_json_pages_have_no_markup_to_change() -> None:
    spec = FieldSpec(name="name")
    reader = Reader(src=Source.JSON, at="body.name", get="value")
    made = Program(
        kind=FamilyKind.JSON, fields=(FieldProgram(spec=spec, readers=(reader,)),)
    )
    body = Page(
        url="https://shop.example/api",
        body=b'{"name": "Lamp"}',
        headers={"content-type": "application/json"},
    )
    assert run(made, Document(body)).records
    assert survived(RecordSchema(name="Lamp", fields=(spec,)), made, body) == {}


def test_survivals_add_up() -> None:
    both = Survival(kept=1, total=2, wrong=1).plus(Survival(kept=2, total=4))
    assert both == Survival(kept=3, total=6, wrong=1)
    assert both.share == 0.5
    assert Survival().share == 0.0
    assert Survival(kept=1, total=3).share == 0.3333


def test_only_the_first_two_pages_are_changed() -> None:
    made = rows_read_by("div:has(> span)", BY_COUNT)
    document = Document(listing())
    extraction = run(made, document)

    def total(pages: int) -> int:
        found = robustness(LAMPS, made, [document] * pages, [extraction] * pages)
        return found["name"].total

    assert total(3) == total(2) == 2 * total(1) > 0


def test_a_vote_of_one_reader_is_not_strong_enough_to_be_wrong() -> None:
    boxes = "".join(
        f"<main class='m-{n}'><div class='a'><p>one</p></div><div class='b'><p>two</p></div></main>"
        for n in range(8)
    )
    spec = FieldSpec(name="counted", shape=Shape.LIST)
    body = page(0, f"<html><body>{boxes}</body></html>")

    def wrong(*ats: str) -> int:
        fields = (FieldProgram(spec=spec, readers=css(*ats)),)
        schema = RecordSchema(name="Note", fields=(spec,))
        return survived(schema, Program(fields=fields), body)["counted"].wrong

    at = "main > div:nth-of-type(2) > p"
    assert wrong(at, "main > div:nth-child(2) > p") > 0
    assert wrong(at) == 0
