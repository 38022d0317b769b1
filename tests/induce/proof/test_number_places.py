"""The places of a record that have numbers, and what they are called."""

from typing import Any

from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.proof.number_places import numbers_in, words_of_place
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)


def field(*pipe: Step) -> FieldProgram:
    reader = Reader(src=Source.JSON, at="$.a", get="value", pipe=pipe)
    return FieldProgram(spec=PRICE, readers=(reader,))


def of_json(data: Any) -> Scope:
    return Scope(document("<p></p>"), data=data)


def test_the_numbers_of_json_are_read_in_the_unit_of_the_field() -> None:
    row = of_json({"a": 900, "b": {"c": 750}, "name": "Pot"})
    cents = field(Step(op=Op.SCALE, args=(-2,)))
    assert numbers_in(PRICE, cents, row) == {
        ("$.a", 0): "9.00",
        ("$.b.c", 0): "7.50",
    }


def test_the_numbers_of_markup_stand_in_elements_that_hold_no_others() -> None:
    page = document("<ul><li><i class=x>9 €</i><i class=x>7 €</i><b>Pot</b></li></ul>")
    row = Scope(page, nodes=tuple(page.by_tag["li"]))
    assert numbers_in(PRICE, field(), row) == {("i.x", 0): "9", ("i.x", 1): "7"}


def test_a_part_of_a_number_is_none() -> None:
    for amount in ("<i>9</i><i>.</i><i>50</i>", "<i>9</i><sup>50</sup>"):
        page = document(f"<ul><li>{amount}<i> €</i> <b>7.25</b></li></ul>")
        row = Scope(page, nodes=tuple(page.by_tag["li"]))
        assert numbers_in(PRICE, field(), row) == {("b.", 0): "7.25"}


def test_the_day_of_a_date_in_parts_is_no_number() -> None:
    for parts in (("<i>9</i><i>May</i><i>2026</i>"), ("<i>May</i><i>9</i><i>2026</i>")):
        page = document(f"<ul><li><p>{parts}</p><b>7.25</b></li></ul>")
        row = Scope(page, nodes=tuple(page.by_tag["li"]))
        assert numbers_in(PRICE, field(), row) == {("b.", 0): "7.25"}
    for cells in ("<i>9</i><i>May</i><i>7</i>", "<i>9</i><i>7</i><b>9 May 2026</b>"):
        page = document(f"<ul><li><p>{cells}</p></li></ul>")
        row = Scope(page, nodes=tuple(page.by_tag["li"]))
        assert {"9", "7"} <= {*numbers_in(PRICE, field(), row).values()}


def test_a_place_is_called_by_its_path_and_by_what_stands_beside_it() -> None:
    rows = [of_json({"prices": [{"kind": "original", "sum": 9}, {"sum": 7}]})] * 2
    assert words_of_place(("$.prices[*].sum", 0), rows) == {"original"}
    assert words_of_place(("$.prices[*].sum", 2), rows) == frozenset()


def test_what_it_is_called_in_some_records_only_is_no_name() -> None:
    rows = []
    for label in ("Was", "Old"):
        page = document(f"<ul><li>{label} <i>9 €</i></li></ul>")
        rows.append(Scope(page, nodes=tuple(page.by_tag["li"])))
    assert words_of_place(("i.", 0), rows[:1]) == {"was"}
    assert words_of_place(("i.", 0), rows) == frozenset()
