"""The records a listing program reads, and how they compare to known ones."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.rows import (
    alive_fields,
    all_records,
    asking_for,
    field_names,
    filled_anywhere,
    forms_of,
    has_nearly_all,
    rows_read,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import css, field
from tests.induce.lamps import BY_COUNT, LAMPS, ROWS, listing, rows_read_by
from tests.induce.pages import page

GOOD = rows_read_by("div.row", BY_COUNT)
DOCUMENT = Document(listing())


def asking(
    program: Program, keep_if: tuple[str, ...], half_of: tuple[str, ...] = ()
) -> Program:
    """The program with records that need these fields."""
    record = Boundary(
        mode=BoundaryMode.NODES, at="div.row", keep_if=keep_if, half_of=half_of
    )
    return program.model_copy(update={"record": record})


def broken(*names: str) -> Program:
    """A program that no longer reads some fields."""
    return rows_read_by("div.row", BY_COUNT | dict.fromkeys(names, (".gone",)))


def test_rows_are_the_values_of_each_record() -> None:
    assert rows_read(GOOD, DOCUMENT) == ROWS
    assert field_names(GOOD) == {"name", "maker", "made", "code"}
    known = [Example(page=0, records=(ROWS[0],)), Example(page=2, records=(ROWS[1],))]
    assert [dict(row) for row in all_records(known)] == ROWS[:2]


def test_fields_are_found_filled_even_where_a_row_lacks_what_makes_it_a_record() -> (
    None
):
    program = asking(broken("code"), ("name", "code"), ("maker", "code"))
    assert rows_read(program, DOCUMENT) == []
    assert filled_anywhere(program, [DOCUMENT]) == {"name", "maker", "made"}
    assert filled_anywhere(program, []) == frozenset()


def test_a_program_asks_only_for_fields_that_are_read() -> None:
    program = asking(GOOD, ("made", "name", "code"), ("maker", "code"))
    loose = asking_for(program, frozenset(("name", "made", "maker")))
    assert loose.record is not None
    assert loose.record.keep_if == ("made", "name")
    assert loose.record.half_of == ("maker",)
    assert loose.fields == program.fields
    detail = Program(fields=GOOD.fields)
    assert asking_for(detail, frozenset()) is detail


def test_a_field_is_alive_if_every_page_fills_it_as_known_records_do() -> None:
    assert alive_fields(GOOD, [DOCUMENT], ROWS) == field_names(GOOD)
    assert alive_fields(broken("code"), [DOCUMENT], ROWS) == {"name", "maker", "made"}
    empty = Document(page(1, "<html><body><p>nothing</p></body></html>"))
    assert alive_fields(GOOD, [DOCUMENT, empty], ROWS) == frozenset()


def shelf(count: int, priced: int, price: str = "{}.50") -> Document:
    """Rows of which only the first ones have a price."""
    rows = ""
    for at in range(count):
        cell = f"<b>{price.format(at + 2)}</b>" if at < priced else ""
        rows += f"<li><i>Tea number {at}</i>{cell}</li>"
    return Document(page(0, f"<html><body><ul>{rows}</ul></body></html>"))


NAME = FieldSpec(name="name")
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
PRICED = Program.model_validate(
    {
        "kind": "listing",
        "record": {"mode": "nodes", "at": "li"},
        "fields": (field(NAME, *css("i")), field(PRICE, *css("b"))),
    }
)


@pytest.mark.parametrize(
    ("priced", "known_priced", "alive"),
    [(10, 10, True), (9, 10, True), (8, 10, False), (4, 5, False), (5, 5, True)],
)
def test_nine_in_ten_of_the_usual_share_are_enough(
    priced: int, known_priced: int, alive: bool
) -> None:
    known: list[dict[str, Value]] = []
    for at in range(10):
        row: dict[str, Value] = {"name": f"Tea number {at}"}
        known.append(row | ({"price": f"{at}.50"} if at < known_priced else {}))
    found = alive_fields(PRICED, [shelf(10, priced)], known)
    assert ("price" in found) is alive
    assert "name" in found


def test_a_field_no_record_had_is_alive_if_it_is_read() -> None:
    known: list[dict[str, Value]] = [{"name": f"Tea number {at}"} for at in range(4)]
    assert "price" in alive_fields(PRICED, [shelf(4, 1)], known)
    assert "price" not in alive_fields(PRICED, [shelf(4, 0)], known)


def test_texts_have_to_look_like_those_before() -> None:
    known: list[dict[str, Value]] = [{"name": f"Paper kite {at}"} for at in range(10)]
    only_names = PRICED.model_copy(update={"fields": PRICED.fields[:1]})
    other = Document(
        page(
            0,
            "<html><body><ul>"
            + "".join(f"<li><i>{'?' * at}!</i></li>" for at in range(1, 9))
            + "</ul></body></html>",
        )
    )
    assert alive_fields(only_names, [other], known) == frozenset()
    numbers = PRICED.fields[1].model_copy(update={"spec": PRICE})
    assert numbers.spec.kind is FieldKind.NUMBER
    assert LAMPS.fields[0].kind is FieldKind.TEXT


def test_forms_compare_what_values_mean() -> None:
    one = forms_of(PRICED, {"name": "Tea", "price": "1.50"})
    assert one == forms_of(PRICED, {"price": "1.5", "name": "Tea"})
    assert one != forms_of(PRICED, {"name": "Tea", "price": "1.51"})
    assert forms_of(PRICED, {"other": "x"}) == {("other", "'x'")}


def numbered(count: int) -> frozenset[tuple[str, str]]:
    return frozenset((f"field{at}", "x") for at in range(count))


@pytest.mark.parametrize(
    ("shared", "wanted", "enough"),
    [
        (2, 2, True),
        (1, 1, False),
        (1, 2, False),
        (2, 3, False),
        (7, 10, True),
        (6, 10, False),
    ],
)
def test_a_row_needs_seven_tenths_and_at_least_two_of_the_values(
    shared: int, wanted: int, enough: bool
) -> None:
    assert has_nearly_all(numbered(shared), numbered(wanted)) is enough


def test_a_flag_whose_mark_no_row_has_any_more_is_not_alive() -> None:
    spec = FieldSpec(name="dim", kind=FieldKind.BOOLEAN)

    def alive(words: str, *known: bool) -> bool:
        step = Step(op=Op.HAS, args=(words, 1))
        place = Reader(src=Source.CSS, at=".", get="text", pipe=(step,))
        marked = FieldProgram(spec=spec, readers=(place,))
        program = GOOD.model_copy(update={"fields": (*GOOD.fields, marked)})
        records = [{**ROWS[0], "dim": flag} for flag in known]
        return "dim" in alive_fields(program, [DOCUMENT], records)

    assert not alive("can be dimmed", True, False, False, False)
    assert alive("can be dimmed", False, False, False, False)
    assert alive(str(ROWS[0]["name"]), True, False, False, False)


@pytest.mark.parametrize(
    ("before", "alive"),
    [([3, 7, 0, 12, 5, 9], False), ([0, 0, 0, 7, 0, 5], True), ([7] * 6, True)],
)
def test_a_number_that_all_rows_say_alike_is_anothers_where_the_known_ones_differ(
    before: list[int], alive: bool
) -> None:
    known: list[dict[str, Value]] = [
        {"name": f"Tea number {at}", "price": str(one)} for at, one in enumerate(before)
    ]
    rows = [f"<li><i>Tea number {at}</i><b>0</b></li>" for at in range(6)]
    for count, is_so in ((6, alive), (4, True)):  # of few rows it may be chance
        body = f"<html><body><ul>{''.join(rows[:count])}</ul></body></html>"
        found = alive_fields(PRICED, [Document(page(0, body))], known)
        assert ("price" in found) is is_so
