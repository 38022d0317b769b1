import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.pages import (
    PRODUCTS,
    SCHEMA,
    after,
    before,
    example,
    lost,
)


def program() -> Program:
    made = compile_program(
        SCHEMA,
        [before(0), before(1)],
        [example(0, 0), example(1, 1)],
        FamilyKind.DETAIL,
    ).program
    assert made is not None
    return made


PAGES = [before(0), before(1), before(2)]
KNOWN = [example(0, 0), example(1, 1), example(2, 2)]


def test_a_sound_program_passes_with_counts() -> None:
    sheet = prove(SCHEMA, program(), PAGES, KNOWN, None)
    assert sheet.passed, sheet.reason
    assert not sheet.probation
    assert sheet.deterministic
    assert (sheet.pages, sheet.records) == (3, 3)
    title = sheet.field("title")
    assert title is not None
    assert (title.right, title.wrong, title.silent) == (3, 0, 0)
    assert title.robust is not None
    assert "| **title** |" in score_sheet_markdown(sheet)


def test_values_that_are_read_right_say_how_they_are_read() -> None:
    """Those that are not known, or wrong, teach nothing."""
    sheet = prove(SCHEMA, program(), PAGES, KNOWN, None)
    readers = {name: sum(of.values()) for name, of in sheet.traits.items()}
    assert readers["reader:title"] == readers["words:price"] == 3
    wrong = Example(page=2, records=({**KNOWN[2].records[0], "title": "Another"},))
    sheet = prove(SCHEMA, program(), PAGES, [KNOWN[0], wrong], None)
    assert sum(sheet.traits["reader:title"].values()) == 1
    assert sum(sheet.traits["reader:price"].values()) == 2


def test_two_pages_are_probation() -> None:
    assert prove(SCHEMA, program(), PAGES[:2], KNOWN[:2], None).probation


def test_a_program_whose_maker_has_seen_all_pages_is_on_probation() -> None:
    assert prove(SCHEMA, program(), PAGES, KNOWN, None, shown=3).probation
    assert not prove(SCHEMA, program(), PAGES, KNOWN, None, shown=2).probation


def test_pages_that_the_maker_has_not_seen_count_apart() -> None:
    other = KNOWN[2].model_copy(
        update={"records": ({**PRODUCTS[2], "brand": "Lamp shop"},)}
    )
    sheet = prove(SCHEMA, program(), PAGES, [*KNOWN[:2], other], None, shown=2)
    brand, title = sheet.field("brand"), sheet.field("title")
    assert brand is not None and title is not None
    assert (brand.right, brand.wrong, brand.held_out) == (2, 1, 0.0)
    assert (title.right, title.held_out) == (3, 1.0)
    seen = prove(SCHEMA, program(), PAGES, KNOWN, None, shown=3).field("title")
    assert seen is not None and seen.held_out is None


def test_a_field_read_wrong_fails() -> None:
    made = program()
    wrong = FieldProgram(
        spec=SCHEMA.field("brand"), readers=(Reader(src=Source.CSS, at="nav a"),)
    )
    fields = tuple(
        wrong if field.spec.name == "brand" else field for field in made.fields
    )
    sheet = prove(
        SCHEMA, made.model_copy(update={"fields": fields}), PAGES, KNOWN, None
    )
    assert not sheet.passed
    assert "brand wrong on 3 of 3" in sheet.reason
    assert (
        "brand was right on 3 page(s) before"
        in prove(
            SCHEMA, made.model_copy(update={"fields": fields}), PAGES, KNOWN, made
        ).reason
    )


def test_a_value_that_changed_on_the_page_proves_nothing_against_it() -> None:
    stale = example(0, 0).model_copy(
        update={"records": ({**PRODUCTS[0], "price": "77.77"},)}
    )
    sheet = prove(SCHEMA, program(), PAGES, [stale, *KNOWN[1:]], None)
    assert sheet.passed, sheet.reason


def test_what_too_few_readers_stand_behind_is_not_read() -> None:
    made = program()
    field = made.field("brand")
    assert field is not None
    away = [Reader(src=Source.CSS, at=f".away-{at}", weight=0.9) for at in range(2)]
    weak = field.readers[0].model_copy(update={"weight": 0.2})
    fields = tuple(
        one.model_copy(update={"readers": (weak, *away)}) if one is field else one
        for one in made.fields
    )
    alone = made.model_copy(update={"fields": fields})
    brand = prove(SCHEMA, alone, PAGES, KNOWN, None).field("brand")
    assert brand is not None
    assert (brand.right, brand.silent, brand.missed) == (0, 3, True)


def test_missing_records_and_required_fields_fail() -> None:
    assert (
        "no record" in prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).reason
        or not prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).passed
    )
    assert not prove(
        SCHEMA, program(), [after(0), after(1), after(2)], KNOWN, None
    ).passed


# -- gone -------------------------------------------------------------------------------------------------------------

SALE = RecordSchema(
    name="ware",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True),
        FieldSpec(name="was", kind=FieldKind.NUMBER, volatile=True),
    ),
)


def on_sale(moved_by: int) -> ScoreSheet:
    """Six wares whose former price is read no more, and whose price has moved."""
    readers = {"title": "h1", "price": "b", "was": "s"}
    fields = tuple(
        FieldProgram(spec=SALE.field(name), readers=(Reader(src=Source.CSS, at=at),))
        for name, at in readers.items()
    )
    pages, known = [], []
    for at in range(6):
        price, title = 31 + 7 * at, f"Lamp {chr(65 + at)}"
        body = f"<h1>{title}</h1><b>{price + moved_by}.20</b>"
        pages.append(Page(url=f"http://shop.test/{at}", body=body.encode()))
        record = {"title": title, "price": f"{price}.20", "was": f"{price + 40}.65"}
        known.append(Example(page=at, records=(record,)))
    return prove(SALE, Program(fields=fields), pages, known, None)


@pytest.mark.parametrize(("moved_by", "is_gone"), [(0, True), (300, False)])
def test_nothing_volatile_is_gone_where_all_amounts_have_moved(
    moved_by: int, is_gone: bool
) -> None:
    was = on_sale(moved_by).field("was")
    assert was is not None and (was.changed, was.silent) == (6, 0)
    assert (was.gone, was.missed) == (is_gone, not is_gone)


@pytest.mark.parametrize("kind", [FieldKind.INTEGER, FieldKind.NUMBER])
@pytest.mark.parametrize(("said", "is_gone"), [("", True), ("{} reads", False)])
def test_a_count_that_the_pages_still_name_has_moved_and_is_not_gone(
    said: str, is_gone: bool, kind: FieldKind
) -> None:
    title = FieldSpec(name="title", required=True)
    reads = FieldSpec(name="reads", kind=kind, volatile=True)
    reader = Reader(src=Source.CSS, at="h1")
    pages, known = [], []
    for at in range(6):
        name = f"Story {chr(65 + at)}"
        body = f"<h1>{name}</h1><p>{said.format(0)}</p>"
        pages.append(Page(url=f"http://news.test/{at}", body=body.encode()))
        known.append(Example(page=at, records=({"title": name, "reads": 313 + at},)))
    program = Program(fields=(FieldProgram(spec=title, readers=(reader,)),))
    schema = RecordSchema(name="story", fields=(title, reads))
    found = prove(schema, program, pages, known, None).field("reads")
    assert found is not None and found.changed == 6
    assert (found.gone, found.missed) == (is_gone, not is_gone)


@pytest.mark.parametrize(("moved_by", "is_gone"), [(9, False), (4000, True)])
def test_a_count_that_all_pages_say_somewhere_has_moved_and_is_not_gone(
    moved_by: int, is_gone: bool
) -> None:
    """No page says the name, no place says the number alone, and no other field moved."""
    title = FieldSpec(name="title", required=True)
    reads = FieldSpec(name="reads", kind=FieldKind.INTEGER, volatile=True)
    reader = Reader(src=Source.CSS, at="h1")
    pages, known = [], []
    for at in range(6):
        name, count = f"Story {chr(65 + at)}", 313 + 200 * at
        people = f"{at + 2} friends and {count + moved_by:,} people looked"
        body = f"<h1>{name}</h1><p>{people}</p>"
        pages.append(Page(url=f"http://news.test/{at}", body=body.encode()))
        known.append(Example(page=at, records=({"title": name, "reads": count},)))
    program = Program(fields=(FieldProgram(spec=title, readers=(reader,)),))
    schema = RecordSchema(name="story", fields=(title, reads))
    found = prove(schema, program, pages, known, None).field("reads")
    assert found is not None and (found.changed, found.gone) == (6, is_gone)


@pytest.mark.parametrize(
    ("kind", "is_gone"), [(FieldKind.DATETIME, False), (FieldKind.TEXT, True)]
)
def test_a_time_that_is_another_one_every_day_is_not_gone_for_that(
    kind: FieldKind, is_gone: bool
) -> None:
    """All pages say another one at once, under a name that nobody knows."""
    title = FieldSpec(name="title", required=True)
    checked = FieldSpec(name="checked", kind=kind, volatile=True)
    reader = Reader(src=Source.CSS, at="h1")
    pages, known = [], []
    for at in range(6):
        name = f"Mast {chr(65 + at)}"
        body = f"<h1>{name}</h1><p>Visit: 5 March 2026, {at + 8}:30</p>"
        pages.append(Page(url=f"http://masts.test/{at}", body=body.encode()))
        record = {"title": name, "checked": f"2026-03-04T{at + 8:02}:15:00"}
        known.append(Example(page=at, records=(record,)))
    program = Program(fields=(FieldProgram(spec=title, readers=(reader,)),))
    schema = RecordSchema(name="mast", fields=(title, checked))
    found = prove(schema, program, pages, known, None).field("checked")
    assert found is not None and found.changed == 6
    assert (found.gone, found.missed) == (is_gone, not is_gone)


# -- changed copies ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pages", "changed", "gone"), [(1, 1, False), (2, 2, False), (3, 3, True)]
)
def test_one_or_two_pages_are_too_few_to_tell_that_a_field_is_gone(
    pages: int, changed: int, gone: bool
) -> None:
    """The brand is read on no page, and known of some of them."""
    schema = RecordSchema(
        name="ware",
        fields=(FieldSpec(name="title", required=True), FieldSpec(name="brand")),
    )
    title = FieldProgram(
        spec=schema.field("title"), readers=(Reader(src=Source.CSS, at="h1"),)
    )
    shown = [
        Page(url=f"http://shop.test/{at}", body=f"<h1>Lamp {at}</h1>".encode())
        for at in range(pages)
    ]
    known = [
        Example(page=at, records=({"title": f"Lamp {at}", "brand": "Nordlys"},))
        for at in range(changed)
    ]
    found = prove(schema, Program(fields=(title,)), shown, known, None).field("brand")
    assert found is not None
    assert (found.changed, found.gone) == (changed, gone)


# -- the reasons, in words --------------------------------------------------------------


def without(made: Program, name: str) -> Program:
    fields = tuple(field for field in made.fields if field.spec.name != name)
    return made.model_copy(update={"fields": fields})


def with_readers(made: Program, name: str, *ats: str) -> Program:
    readers = tuple(Reader(src=Source.CSS, at=at) for at in ats)
    changed = FieldProgram(spec=SCHEMA.field(name), readers=readers)
    fields = tuple(
        changed if field.spec.name == name else field for field in made.fields
    )
    return made.model_copy(update={"fields": fields})


def test_a_sound_program_says_on_how_many_pages_it_is_proved() -> None:
    sheet = prove(SCHEMA, program(), PAGES, KNOWN, program())
    assert sheet.reason == "proved on 3 page(s)"
    assert sheet.oracle == "known records"
    assert prove(SCHEMA, program(), PAGES, [], None).oracle == "none"
    title = sheet.field("title")
    assert title is not None
    assert title.agreement == 1.0
    assert title.readers == len(program().field("title").readers)
    assert title.kins


def test_a_required_field_that_is_not_read_is_missed_on_every_page() -> None:
    sheet = prove(SCHEMA, without(program(), "price"), PAGES, KNOWN, program())
    price = sheet.field("price")
    assert price is not None
    assert (price.right, price.wrong, price.silent) == (0, 0, 3)
    assert (price.agreement, price.held_out, price.robust) == (0.0, 0.0, None)
    assert (price.readers, price.kins) == (0, ())
    assert price.reason == (
        "nothing is read where '49.90' stands on https://shop.example/p/0; not read"
    )
    assert sheet.reason == (
        "required price silent where its value stands on the page (3); "
        "price was right on 3 page(s) before, now 0; "
        "required price missing on https://shop.example/p/0 and 2 more page(s)"
    )


def test_a_field_that_need_not_be_read_may_be_silent() -> None:
    sheet = prove(SCHEMA, without(program(), "brand"), PAGES, KNOWN, None)
    assert sheet.passed
    brand = sheet.field("brand")
    assert brand is not None and brand.silent == 3


def test_values_that_no_longer_occur_are_counted_apart() -> None:
    stale = example(0, 0).model_copy(
        update={"records": ({**PRODUCTS[0], "brand": "Somebody else"},)}
    )
    brand = prove(SCHEMA, program(), PAGES, [stale, *KNOWN[1:]], None).field("brand")
    assert brand is not None
    assert (brand.right, brand.wrong, brand.silent) == (2, 0, 0)
    assert brand.held_out == 1.0
    assert "1 known value(s) no longer stand on their page" in brand.reason


def test_a_field_with_one_reader_leans_on_it() -> None:
    lone = with_readers(program(), "brand", ".brand-link")
    brand = prove(SCHEMA, lone, PAGES, KNOWN, None).field("brand")
    assert brand is not None and brand.right == 3
    assert brand.reason.startswith("leans on one reader; survives ")


def test_a_single_wrong_value_is_enough_on_few_pages() -> None:
    wrong = with_readers(program(), "brand", "nav a")
    sheet = prove(SCHEMA, wrong, PAGES[:1], KNOWN[:1], None)
    assert "brand wrong on 1 of 1" in sheet.reason


def test_a_required_field_may_not_be_silent_where_its_value_occurs() -> None:
    here = before(0).model_copy(
        update={"body": before(0).body.replace(b"price-now", b"price-then")}
    )
    lone = with_readers(program(), "price", ".price-now")
    sheet = prove(SCHEMA, lone, [here, *PAGES[1:]], KNOWN, None)
    price = sheet.field("price")
    assert price is not None
    assert (price.right, price.silent) == (2, 1)
    assert (
        "required price silent where its value stands on the page (1)" in sheet.reason
    )
    assert price.held_out == round(2 / 3, 4)


def test_values_that_are_not_known_prove_nothing() -> None:
    partial = {name: value for name, value in PRODUCTS[0].items() if name != "brand"}
    known = [example(0, 0).model_copy(update={"records": (partial,)}), *KNOWN[1:]]
    brand = prove(SCHEMA, program(), PAGES, known, program()).field("brand")
    assert brand is not None
    assert (brand.right, brand.wrong, brand.silent) == (2, 0, 0)


def test_what_is_read_of_whole_records_that_lack_it_is_wrong() -> None:
    partial = {name: value for name, value in PRODUCTS[0].items() if name != "brand"}
    known = [example(0, 0).model_copy(update={"records": (partial,)}), *KNOWN[1:]]
    made = program()
    brand = made.field("brand")
    assert brand is not None
    unnamed = brand.model_copy(
        update={"readers": tuple(one for one in brand.readers if one.src is Source.CSS)}
    )
    others = [field for field in made.fields if field.spec.name != "brand"]
    made = made.model_copy(update={"fields": (*others, unnamed)})
    sheet = prove(SCHEMA, made, PAGES, known, made, whole=True)
    score = sheet.field("brand")
    assert score is not None
    assert (score.right, score.wrong) == (2, 1)
    assert "has nothing known" in score.reason
    assert "brand wrong on 1 of 3" in sheet.reason
