"""Signs that records show by themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.forms import numeral_form, text_form
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.record_signs import count_record_signs
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.schema import FieldSpec
from tests.drift.small import (
    IMAGE,
    LIST_PRICE,
    PRICE,
    SKU,
    STATE,
    STOCK,
    TAGS,
    TITLE,
    WEIGHT,
    counted,
    facts,
    family,
    outcome,
    schema,
)


def signs(*pages: PageOutcome, fields: tuple[FieldSpec, ...], **past) -> Tallies:
    tallies = Tallies()
    norms = Norms([BatchStats(version=1, **past)], version=1)
    count_record_signs(schema(*fields), family(), pages, norms, tallies)
    return tallies


def shown(tallies: Tallies, sign: Sign, subject: str) -> list[Hit]:
    tally = tallies.get(sign, subject)
    assert tally is not None
    return tally.hits


def test_optional_fields_may_be_missing_required_ones_are_not_counted():
    pages = [
        outcome({"sku": "1", "title": "Kettle", "state": ""}),
        outcome({"title": None}),
    ]
    tallies = signs(*pages, fields=(SKU, TITLE, STATE))
    found = counted(tallies)
    assert found[Sign.MISSING, "title"] == (1, 2)
    assert found[Sign.SCARCE, "state"] == (2, 2)
    assert (Sign.MISSING, "sku") not in found
    assert shown(tallies, Sign.MISSING, "title") == [Hit(1, "a value", None)]


@pytest.mark.parametrize(
    ("text", "placeholder", "garbled"),
    [
        ("Copper Kettle", False, False),
        ("undefined", True, False),
        ("Caf\u00c3\u00a9", False, True),
        ("\ufffd?", False, True),
        ("Kettle &amp; Pot", False, True),
        ("Kettle <b>now</b>", False, True),
        ("Kettle < Pot & Lid", False, False),
        ("Café größer", False, False),
    ],
)
def test_damaged_texts(text, placeholder, garbled):
    found = counted(signs(outcome({"title": text}), fields=(TITLE,)))
    assert found[Sign.PLACEHOLDER, "title"] == (placeholder, 1)
    assert found[Sign.GARBLED, "title"] == (garbled, 1)


def test_any_item_of_a_list_may_be_damaged():
    page = outcome({"tags": ["stove", "N/A"]})
    found = counted(signs(page, fields=(TAGS,)))
    assert found[Sign.PLACEHOLDER, "tags"] == (1, 1)
    assert found[Sign.GARBLED, "tags"] == (0, 1)
    assert (Sign.OFF_URL, "tags") not in found


@pytest.mark.parametrize(
    ("number", "whole"), [("12", True), ("12.00", True), ("12.50", False), (7, True)]
)
def test_decimals_of_steady_numbers(number, whole):
    page = outcome({"weight": number, "price": number})
    found = counted(signs(page, fields=(WEIGHT, PRICE)))
    assert found[Sign.WHOLE, "weight"] == (whole, 1)
    assert found[Sign.BROKEN, "weight"] == (not whole, 1)
    assert (Sign.WHOLE, "price") not in found


ANSWERS = {
    text_form("Kettle"): True,
    text_form("Pot"): False,
    numeral_form("12"): True,
    numeral_form("15"): False,
}


def test_values_are_looked_up_on_their_page():
    pages = [
        outcome({"title": title, "price": price}, facts=facts(stands=ANSWERS))
        for title, price in (("Kettle", "12"), ("Pot", "15"), ("Lid", "99"))
    ]
    tallies = signs(*pages, fields=(TITLE, PRICE))
    found = counted(tallies)
    assert found[Sign.UNGROUNDED, "title"] == (1, 2)
    assert found[Sign.UNGROUNDED, "price"] == (1, 2)
    assert shown(tallies, Sign.UNGROUNDED, "title") == [
        Hit(1, "a value of the page", "Pot")
    ]


def test_another_versions_values_are_not_looked_up():
    page = outcome({"price": "12"}, facts=facts(stands=ANSWERS), version=2)
    found = counted(signs(page, fields=(PRICE,)))
    assert (Sign.UNGROUNDED, "price") not in found


def test_texts_that_are_not_in_the_title_or_the_url():
    page = outcome(
        {"title": "Copper Kettle", "sku": "ab-7", "state": "★"},
        url="https://shop.example/copper-pan",
        facts=facts(title="COPPER kettle | Shop"),
    )
    found = counted(signs(page, fields=(SKU, TITLE, STATE)))
    assert found[Sign.OFF_TITLE, "title"] == (0, 1)
    assert found[Sign.OFF_TITLE, "sku"] == (1, 1)
    assert found[Sign.OFF_URL, "title"] == (0, 1)
    assert (Sign.OFF_URL, "sku") not in found, "no word of three letters"
    assert (Sign.OFF_TITLE, "state") not in found, "no letters"
    stranger = outcome({"title": "Garden Hose"}, url="https://shop.example/c")
    found = counted(signs(stranger, fields=(TITLE,)))
    assert found[Sign.OFF_URL, "title"] == (1, 1)
    assert (Sign.OFF_TITLE, "title") not in found, "the title is not known"


def test_shapes_not_seen_before():
    past = {"categories": {"shape:sku": {"a-9": 90}}}
    pages = [outcome({"sku": "KT-7"}), outcome({"sku": "77"})]
    tallies = signs(*pages, fields=(SKU,), **past)
    assert counted(tallies)[Sign.SHAPE, "sku"] == (1, 2)
    assert shown(tallies, Sign.SHAPE, "sku") == [Hit(1, "", "77")]
    assert (Sign.SHAPE, "sku") not in counted(signs(*pages, fields=(SKU,)))


def test_keys_of_records_do_not_repeat():
    pages = [outcome({"sku": "1"}, {"sku": "2"}), outcome({"sku": "1"}, {"sku": None})]
    tallies = signs(*pages, fields=(SKU,))
    assert counted(tallies)[Sign.DUPLICATE, "key"] == (1, 3)
    assert [hit.page for hit in shown(tallies, Sign.DUPLICATE, "key")] == [1]


PRICES = (PRICE, LIST_PRICE)
MORE, LESS, SAME = (
    (Sign.ABOVE, "price is more than list_price"),
    (Sign.ABOVE, "price is less than list_price"),
    (Sign.EQUAL, "price equals list_price"),
)


@pytest.mark.parametrize(
    ("price", "list_price", "relation"),
    [("9", "12", LESS), ("12", "9", MORE), ("12", "12.00", SAME)],
)
def test_numbers_whose_names_share_a_word_are_compared(price, list_price, relation):
    page = outcome({"price": price, "list_price": list_price})
    found = counted(signs(page, fields=(*PRICES, STOCK)))
    for other in (MORE, LESS, SAME):
        assert found[other] == (other == relation, 1)
    assert not [name for _, name in found if "stock" in name and " " in name]


@pytest.mark.parametrize("record", [{"price": "9"}, {"list_price": "9"}])
def test_one_number_is_compared_with_nothing(record):
    assert LESS not in counted(signs(outcome(record), fields=PRICES))


@given(st.integers(1, 999), st.integers(1, 999))
def test_of_the_relations_of_two_numbers_one_holds(first: int, second: int):
    page = outcome({"price": first, "list_price": second})
    found = counted(signs(page, fields=PRICES))
    assert sum(found[relation][0] for relation in (MORE, LESS, SAME)) == 1


def batch(field: str, *values: object) -> list[PageOutcome]:
    return [outcome({field: value}) for value in values]


def test_the_commonest_value_is_copied_and_repeated_ones_are_shared():
    pages = batch("title", "Kettle", "Pot", "kettle ", "Lid", "Lid", "Kettle")
    tallies = signs(*pages, fields=(TITLE,))
    found = counted(tallies)
    assert found[Sign.COPIED, "title"] == (3, 6)
    assert found[Sign.SHARED, "title"] == (5, 6)
    assert shown(tallies, Sign.COPIED, "title")[0] == Hit(
        0, "a value of its own", "Kettle"
    )


def test_few_values_are_not_compared():
    assert (Sign.COPIED, "title") not in counted(
        signs(*batch("title", *["Kettle"] * 4, None), fields=(TITLE,))
    )
    assert counted(signs(*batch("title", *["Kettle"] * 5), fields=(TITLE,)))[
        Sign.COPIED, "title"
    ] == (5, 5)


def test_different_values_are_not_copied():
    found = counted(signs(*batch("title", *"abcde"), fields=(TITLE,)))
    assert found[Sign.COPIED, "title"] == found[Sign.SHARED, "title"] == (0, 5)


@pytest.mark.parametrize(("equal", "copied"), [(3, 0), (4, 4), (5, 5)])
def test_volatile_texts_are_copied_if_nearly_all_are_the_same(equal, copied):
    values = ["in stock"] * equal + ["sold", "soon"][: 5 - equal]
    found = counted(signs(*batch("state", *values), fields=(STATE,)))
    assert found[Sign.COPIED, "state"] == (copied, 5)
    assert (Sign.SHARED, "state") not in found


def test_volatile_numbers_are_copied_from_two_on():
    found = counted(signs(*batch("price", 1, 2, 3, 4, 4), fields=(PRICE,)))
    assert found[Sign.COPIED, "price"] == (2, 5)


def test_reduced_prices_repeat():
    reduced = [outcome({"price": "5", "list_price": "9"}) for _ in range(5)]
    full = [
        outcome({"price": "5", "list_price": low}) for low in ("5", "4", "0", "", "x")
    ]
    assert (Sign.COPIED, "price") not in counted(signs(*reduced, fields=PRICES))
    assert counted(signs(*full, fields=PRICES))[Sign.COPIED, "price"] == (5, 5)
    unrelated = [outcome({"price": "5", "stock": 9}) for _ in range(5)]
    found = counted(signs(*unrelated, fields=(PRICE, STOCK)))
    assert found[Sign.COPIED, "price"] == (5, 5)


def test_urls_are_compared_and_lists_are_not():
    pages = [outcome({"image": "https://a.example/x.jpg", "tags": ["a"]})] * 5
    found = counted(signs(*pages, fields=(IMAGE, TAGS, STOCK)))
    assert found[Sign.COPIED, "image"] == (5, 5)
    assert (Sign.COPIED, "tags") not in found
