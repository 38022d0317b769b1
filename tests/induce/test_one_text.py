"""A text of two fields, of which a page may say one alone."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.one_text import each_its_own
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.detail.documents import by_css, document

FEE = FieldSpec(name="fee", kind=FieldKind.NUMBER, required=True)
REDUCED = FieldSpec(name="reduced", kind=FieldKind.NUMBER)
STARTS = FieldSpec(name="starts", kind=FieldKind.DATE, required=True)
ENDS = FieldSpec(name="ends", kind=FieldKind.DATE)
LAST = Step(op=Op.NUMBER, args=(-1, ""))
TWO = document("<p class='fee'>152 € (for pupils 132 €)</p>")
ONE = document("<p class='fee'>148 €</p>")
THREE = document("<p class='fee'>152 € (for pupils 132 €, for members 120 €)</p>")


def program(reduced: FieldSpec = REDUCED, beside: str = ".fee") -> Program:
    """Both numbers of one text, as two examples that have both teach them."""
    last = by_css(".fee").model_copy(update={"pipe": (LAST,)})
    first = FieldProgram(spec=FEE, readers=(by_css(beside),))
    return Program(fields=(first, FieldProgram(spec=reduced, readers=(last,))))


def read(made: Program, page: Document) -> dict[str, object]:
    return dict(run(made, page).records[0].values)


def test_an_optional_number_is_absent_where_the_text_has_one_alone() -> None:
    made = each_its_own(program(), [TWO, ONE])
    assert read(made, TWO) == {"fee": "152", "reduced": "132"}
    assert read(made, ONE) == {"fee": "148"}
    assert read(program(), ONE) == {"fee": "148", "reduced": "148"}


def test_the_only_number_is_both_where_a_record_says_so() -> None:
    known = [{"fee": "152", "reduced": "132"}, {"fee": "148", "reduced": "148"}]
    made = each_its_own(program(), [TWO, ONE], known)
    assert read(made, ONE) == {"fee": "148", "reduced": "148"}
    assert each_its_own(program(), [TWO, ONE], known[:1]) != made


@pytest.mark.parametrize(
    ("made", "pages"),
    [
        (program(REDUCED.model_copy(update={"required": True})), [TWO]),
        (program(beside="p"), []),
        (program(beside="h1"), [TWO, document("<p class='fee'>148 €</p><h1>9</h1>")]),
        (program(), [TWO, THREE]),
    ],
    ids=["required", "no page", "no other field of the text", "last of three"],
)
def test_it_stays_where_it_may_be_the_only_one(
    made: Program, pages: list[Document]
) -> None:
    assert each_its_own(made, pages) == made


DAYS = (
    ("15–18 Aug 2026", "2026-08-15", "2026-08-18"),
    ("30 Sep – 2 Oct 2026", "2026-09-30", "2026-10-02"),
    ("4 Nov 2026", "2026-11-04", None),
    ("7–9 May 2026", "2026-05-07", "2026-05-09"),
)


def day_page() -> Page:
    rows = "".join(
        f"<li class='ev'><b>Fair {at}</b><i class='when'>{when}</i></li>"
        for at, (when, _, _) in enumerate(DAYS * 3)
    )
    return Page(
        url="https://fairs.example/", body=f"<main><ul>{rows}</ul></main>".encode()
    )


def test_a_row_with_a_single_day_has_no_last_one() -> None:
    name = FieldSpec(name="name", kind=FieldKind.TEXT, required=True)
    schema = RecordSchema(name="Fair", fields=(name, STARTS, ENDS))
    known = [
        {"name": f"Fair {at}", "starts": starts, "ends": ends}
        for at, (_, starts, ends) in enumerate(DAYS[:2])
    ]
    page = day_page()
    examples = [Example(page=0, records=tuple(known))]
    made = compile_program(schema, [page], examples, FamilyKind.LISTING).program
    assert made is not None
    rows = [record.values for record in run(made, Document(page)).records]
    found = [(row["starts"], row.get("ends")) for row in rows]
    assert found == [(starts, ends) for _, starts, ends in DAYS * 3]


def test_the_first_day_of_a_span_is_read_of_rows_whose_examples_have_one_day() -> None:
    name = FieldSpec(name="name", kind=FieldKind.TEXT, required=True)
    schema = RecordSchema(name="Fair", fields=(name, STARTS))
    page = day_page()
    known = ({"name": f"Fair {at}", "starts": "2026-11-04"} for at in (2, 6))
    examples = [Example(page=0, records=tuple(known))]
    made = compile_program(schema, [page], examples, FamilyKind.LISTING).program
    assert made is not None
    rows = [record.values for record in run(made, Document(page)).records]
    assert [row["starts"] for row in rows] == [starts for _, starts, _ in DAYS * 3]
