"""The numbers that one row of a list says."""

from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.locate.row_numbers import (
    is_dearer_only,
    is_former_only,
    says_day,
    says_number,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document, json_document

FREE = FieldSpec(name="free", kind=FieldKind.INTEGER, volatile=True)
RATE = FieldSpec(name="rate", kind=FieldKind.NUMBER, decimal=",")


def test_a_row_of_a_page_says_its_own_numbers() -> None:
    page = document("<ul><li>Mill Lane <b>12 / 30</b></li><li>0,35 €</li></ul>")
    mill, fee = (Scope(page, (row,)) for row in page.by_tag["li"])
    assert says_number(FREE, 12, mill) and says_number(FREE, 30, mill)
    assert not says_number(FREE, 2, mill) and not says_number(FREE, 12, fee)
    assert says_number(RATE, "0.35", fee) and not says_number(RATE, "0.35", mill)


def test_an_object_of_an_api_says_what_is_in_it_however_deep() -> None:
    page = json_document(
        '{"rows": [{"at": {"n": 12, "fee": "3.5"}}, {"at": {"n": 4}}]}'
    )
    first, second = (Scope(page, (0,), row) for row in page.json_nodes("body.rows[*]"))
    assert says_number(FREE, 12, first) and says_number(RATE, "3.5", first)
    assert not says_number(FREE, 12, second)


def test_a_former_price_is_crossed_out_or_behind_a_word_for_it() -> None:
    page = document(
        "<ul><li><s>0,50 €</s> <b>0,35 €</b></li><li><s>0,50 €</s> <b>0,35 €</b> statt 0,50 €</li>"
        "<li>0,50 €</li><li>0,35 € statt 0,50 €</li></ul>"
    )
    begun, twice, usual, worded = (Scope(page, (row,)) for row in page.by_tag["li"])
    assert all(is_former_only(RATE, "0.5", row) for row in (begun, twice, worded))
    assert not is_former_only(RATE, "0.35", begun), "it is the price"
    assert not is_former_only(RATE, "0.7", begun), "it is nowhere"
    assert not is_former_only(RATE, "0.5", usual)
    assert not is_former_only(RATE, "0.5", Scope(page)), "another row has it"


def test_numbers_that_stand_close_are_no_former_ones() -> None:
    page = document("<ul><li><b>AED</b><i>12.07</i><u>12.14</u></li></ul>")
    row = Scope(page, (page.by_tag["li"][0],))
    spec = RATE.model_copy(update={"decimal": "."})
    assert not is_former_only(spec, "12.07", row)


def test_the_former_price_itself_is_no_former_one() -> None:
    page = document("<ul><li><s>0,50 €</s> <b>0,35 €</b></li></ul>")
    row = Scope(page, (page.by_tag["li"][0],))
    listed = RATE.model_copy(update={"name": "list_price"})
    assert is_former_only(RATE, "0.5", row)
    assert is_dearer_only(RATE, "0.5", row) and not is_dearer_only(listed, "0.5", row)


def test_beside_a_lower_number_a_name_says_that_one_is_the_former() -> None:
    page = document(
        "<ul><li><i class='regular-price'>0,50 €</i> <b>0,35 €</b></li>"
        "<li><i class='price'>0,50 €</i> <b>0,35 €</b></li></ul>"
    )
    named, other = (Scope(page, (row,)) for row in page.by_tag["li"])
    assert is_dearer_only(RATE, "0.5", named) and not is_former_only(RATE, "0.5", named)
    assert not is_dearer_only(RATE, "0.5", other)
    assert not is_dearer_only(RATE, "0.7", named), "it is nowhere"


def test_so_does_a_name_in_json_in_whatever_unit() -> None:
    api = json_document(
        '{"rows": [{"listPriceCents": 5000, "priceCents": 3500},'
        ' {"was": 50, "sum": 50}, {"sum": 50}]}'
    )
    cents, twice, other = (
        Scope(api, (0,), row) for row in api.json_nodes("body.rows[*]")
    )
    assert is_dearer_only(RATE, "50", cents)
    assert not is_dearer_only(RATE, "50", twice) and not is_dearer_only(
        RATE, "50", other
    )
    assert not is_dearer_only(RATE, "35", cents)
    assert is_dearer_only(RATE, "50", Scope(json_document('{"was": 50, "now": 35}')))


def test_a_row_says_a_day_or_a_moment_in_whatever_notation() -> None:
    spec = FieldSpec(name="closes", kind=FieldKind.DATETIME, date_order="DMY")
    page = document("<ul><li><b>Pump</b> <i>09/12/2026 17:00</i></li><li>-</li></ul>")
    shown, none = (Scope(page, (row,)) for row in page.by_tag["li"])
    api = json_document('{"at": {"closes": "2026-12-09T17:00:00Z"}}')
    stated = Scope(api, (0,), api.json_nodes("body")[0])
    for place in (shown, stated):
        assert says_day(spec, "2026-12-09T17:00:00+00:00", place)
        assert not says_day(spec, "2026-09-12T17:00:00+00:00", place)
    assert not says_day(spec, "2026-12-09T17:00:00+00:00", none)
