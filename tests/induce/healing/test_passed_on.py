"""Known values that another field has now."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.induce.detail.structured import main_roots
from crawloop_assets.induce.healing.passed_on import KnownRecord
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import css, document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
FORMER = FieldSpec(name="list_price", kind=FieldKind.NUMBER, volatile=True)
WEIGHT = FieldSpec(name="weight", kind=FieldKind.NUMBER)
LEFT = FieldSpec(name="left", kind=FieldKind.INTEGER, volatile=True)
SCHEMA = RecordSchema(name="Product", fields=(PRICE, FORMER, WEIGHT, LEFT))
PROGRAM = Program(
    fields=(
        FieldProgram(spec=PRICE, readers=css(".price")),
        FieldProgram(spec=FORMER, readers=css(".was")),
        FieldProgram(spec=WEIGHT, readers=css(".weight")),
    )
)
SALE = {"price": "12.50", "list_price": "18.40", "weight": "18.40"}


def record(body: str) -> KnownRecord:
    page = document(body)
    index = Index(page, SCHEMA.name, main_roots([page], SCHEMA))
    return KnownRecord(SCHEMA, PROGRAM, index, SALE)


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("<b class='price'>18.40</b>", None),
        ("<b class='price'>18.40</b> <i class='now'>12.50</i>", "18.40"),
        ("<b class='price'>19.10</b>", "18.40"),
        ("<b class='was'>18.40</b> <b class='price'>12.50</b>", "18.40"),
        ("<p>18.40</p>", "18.40"),
    ],
)
def test_the_former_price_of_a_sale_that_is_over_is_the_price(
    body: str, known: str | None
) -> None:
    """Where the sale price still stands it is not over: the page was made anew."""
    assert record(body).value("list_price") == known


def test_what_hardly_ever_changes_is_not_passed_on() -> None:
    over = record("<b class='price'>18.40</b>")
    assert over.value("weight") == "18.40"
    assert over.value("price") == "12.50"
    assert KnownRecord(SCHEMA, PROGRAM, over.index, {}).value("price") is None


def test_what_other_fields_are_read_as_is_taken_for_one_that_has_none() -> None:
    over = record("<b class='price'>18.40</b> <i class='weight'>18.4</i>")
    assert list(map(str, over.taken("list_price"))) == ["18.40", "18.4"]
    assert over.taken("price") == (), "it has one of its own"


@pytest.mark.parametrize(
    ("body", "left"),
    [("<p>Left: 13</p>", 13), ("<p>Left: 15</p>", 15), ("<p>13 pieces</p>", 15)],
)
def test_a_count_is_known_as_it_is_now(body: str, left: int) -> None:
    index = record(body).index
    known = KnownRecord(SCHEMA, PROGRAM, index, {"left": 15})
    assert known.value("left") == left


@pytest.mark.parametrize(
    ("body", "known", "kept"),
    [
        ("<i class='by'>Ada Brandt</i>", {"authors": ["Ada Brandt"]}, True),
        ("<i class='by'>Ada Brandt</i>", {"authors": ["Ada Brandt", "Ivo"]}, False),
        ("<i class='by'>Ivo Kessel</i>", {"authors": ["Ada Brandt"]}, False),
        ("<p>Ada Brandt</p>", {"authors": ["Ada Brandt"]}, False),
        ("<i class='by'>Ada Brandt</i>", {}, False),
    ],
)
def test_a_text_that_two_fields_had_is_kept_where_one_still_has_it(
    body: str, known: dict[str, Value], kept: bool
) -> None:
    by = FieldSpec(name="author")
    authors = FieldSpec(name="authors", shape=Shape.LIST)
    schema = RecordSchema(name="Article", fields=(by, authors))
    program = Program(fields=(FieldProgram(spec=by, readers=css(".by")),))
    values: dict[str, Value] = {"author": "Ada Brandt", **known}
    story = KnownRecord(schema, program, Index(document(body)), values)
    assert story.is_kept_in_another("authors") is kept
