"""The lines of a program that people read; whole programs are in test_program.py."""

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FieldProgram,
    Kin,
    Reader,
    Source,
)
from crawloop_assets.crawler.readable import boundary_line, field_lines, reader_line
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldSpec

PRICE = Reader(
    src=Source.CSS,
    at=".price",
    pipe=(Step(op=Op.NTH, args=(1,)),),
    kin=Kin.CLASS,
    weight=0.5,
)


def test_a_reader_says_where_it_reads_what_it_does_and_what_it_leans_on() -> None:
    assert reader_line(PRICE) == "css .price -> text | nth(1)  [class 0.5]"


def test_a_boundary_says_what_a_row_needs() -> None:
    rows = Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("name",))
    assert boundary_line(rows) == "nodes li keep if name"


def test_a_field_has_its_readers_below_it() -> None:
    field = FieldProgram(spec=FieldSpec(name="price", required=True), readers=(PRICE,))
    assert field_lines(field, "") == [
        "price: text, required",
        "  - css .price -> text | nth(1)  [class 0.5]",
    ]
