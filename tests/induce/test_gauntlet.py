from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.program import FieldProgram, PageKind, Program, Reader, Source
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.gauntlet import prove
from crawloop_assets.induce.perturb import perturbed
from crawloop_assets.induce.scores import score_sheet_markdown
from tests.induce.pages import PRODUCTS, SCHEMA, after, before, example, lost


def program() -> Program:
    made = compile_program(SCHEMA, [before(0), before(1)], [example(0, 0), example(1, 1)], PageKind.DETAIL).program
    assert made is not None
    return made


PAGES = [before(0), before(1), before(2)]
KNOWN = [example(0, 0), example(1, 1), example(2, 2)]


def test_a_sound_program_passes_with_counts() -> None:
    sheet = prove(SCHEMA, program(), PAGES, KNOWN, None)
    assert sheet.passed, sheet.reason
    assert not sheet.probation
    assert sheet.deterministic
    title = sheet.field("title")
    assert title is not None
    assert (title.right, title.wrong, title.silent) == (3, 0, 0)
    assert title.robust is not None
    assert "| **title** |" in score_sheet_markdown(sheet)


def test_two_pages_are_probation() -> None:
    assert prove(SCHEMA, program(), PAGES[:2], KNOWN[:2], None).probation


def test_a_field_read_wrong_fails() -> None:
    made = program()
    wrong = FieldProgram(spec=SCHEMA.field("brand"), readers=(Reader(src=Source.CSS, at="nav a"),))
    fields = tuple(wrong if field.spec.name == "brand" else field for field in made.fields)
    sheet = prove(SCHEMA, made.model_copy(update={"fields": fields}), PAGES, KNOWN, None)
    assert not sheet.passed
    assert "brand wrong on 3 of 3" in sheet.reason
    assert (
        "brand was right on 3 page(s) before"
        in prove(SCHEMA, made.model_copy(update={"fields": fields}), PAGES, KNOWN, made).reason
    )


def test_a_value_that_changed_on_the_page_proves_nothing_against_it() -> None:
    stale = example(0, 0).model_copy(update={"records": ({**PRODUCTS[0], "price": "77.77"},)})
    sheet = prove(SCHEMA, program(), PAGES, [stale, *KNOWN[1:]], None)
    assert sheet.passed, sheet.reason


def test_missing_records_and_required_fields_fail() -> None:
    assert (
        "no record" in prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).reason
        or not prove(SCHEMA, program(), [*PAGES, lost()], KNOWN, None).passed
    )
    assert not prove(SCHEMA, program(), [after(0), after(1), after(2)], KNOWN, None).passed


def test_changed_copies_differ_from_the_page_and_are_repeatable() -> None:
    document = Document(before(0))
    first, second = perturbed(document), perturbed(document)
    assert [page.body for page in first.values()] == [page.body for page in second.values()]
    assert len({page.body for page in first.values()}) == len(first)
