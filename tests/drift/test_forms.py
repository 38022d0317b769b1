"""Forms in which values are looked up."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.forms import (
    is_net,
    is_struck,
    net_form,
    numeral_form,
    numeral_forms,
    stated_forms,
    struck_form,
    text_form,
)
from crawloop_assets.values.numbers import parse_number


def test_a_text_is_looked_up_by_its_letters():
    assert text_form("Copper  Kettle!") == text_form("copper kettle") == "copperkettle"


@pytest.mark.parametrize(
    ("number", "form"),
    [
        ("12.50", "#12.5"),
        ("12.00", "#12"),
        (100, "#100"),
        ("0.5", "#0.5"),
        ("-3", "#-3"),
    ],
)
def test_a_number_is_looked_up_without_idle_zeros(number, form):
    assert numeral_form(number) == form
    assert net_form(number) == "net" + form


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("12.50", ("#12.5",)),
        ("£12.50 or 7", ("#12.5", "#7")),
        ("1,234", ("#1234",)),
        ("no number", ()),
        ("7" + " " * 299, ("#7",)),
        ("7" + " " * 300, ()),
    ],
)
def test_the_numbers_of_a_short_text(text, forms):
    assert numeral_forms(text) == forms


@given(st.integers(1, 999), st.integers(0, 99))
def test_a_plain_number_is_found_in_its_own_text(whole: int, cents: int):
    text = f"{whole}.{cents:02}"
    assert numeral_forms(text) == (numeral_form(text),)
    assert numeral_forms(f"only {text} now") == (numeral_form(text),)


@pytest.mark.parametrize(
    ("text", "points", "forms"),
    [
        ("1.234 kg", (".",), ("#1.234",)),
        ("1.234 kg", (",",), ("#1234",)),
        ("1.234 kg", ("",), ("#1234",)),
        ("1,234 kg", (",",), ("#1.234",)),
        ("12.50", (",",), ()),
        ("12.50", (",", "."), ("#12.5",)),
        ("1.234", (",", "."), ("#1234", "#1.234")),
    ],
)
def test_a_number_is_read_by_the_point_of_its_field(text, points, forms):
    assert numeral_forms(text, points) == forms


UNITS = st.sampled_from(["", " kg", " €", "%", " each"])


@given(
    st.sampled_from(["", ".", ","]),
    st.decimals(0, 999_999, places=3),
    st.integers(0, 3),
    st.booleans(),
    UNITS,
)
def test_a_number_has_the_form_of_the_value_that_is_read_of_its_text(
    point: str, number: Decimal, places: int, grouped: bool, unit: str
):
    """However a family writes it: what the page holds is what the program reads there."""
    text = f"{number:,.{places}f}" if grouped else f"{number:.{places}f}"
    if point == ",":
        text = text.translate(str.maketrans(",.", ".,"))
    value = parse_number(text + unit, decimal=point)
    assert value is not None
    assert numeral_forms(text + unit, (point,)) == (numeral_form(value),)
    if point:
        assert value == Decimal(f"{number:.{places}f}")


@given(st.decimals(0, 999, places=3))
def test_what_a_machine_wrote_is_found_as_it_means_it(number: Decimal):
    assert numeral_form(number) in stated_forms(str(number))
    assert set(stated_forms("1.234 kg")) == {"#1234"}


@pytest.mark.parametrize(
    ("text", "net"),
    [
        ("excl. VAT", True),
        ("plus VAT", True),
        ("Netto", True),
        ("zzgl. 19 % MwSt.", True),
        ("hors taxe", True),
        ("incl. VAT", False),
        ("networks", False),
        ("tax included", False),
        ("größe", False),
    ],
)
def test_words_for_without_tax(text, net):
    assert is_net(text) is net


@pytest.mark.parametrize(
    ("tag", "classes", "struck"),
    [
        ("s", "", True),
        ("del", "price", True),
        ("span", "old-price", True),
        ("span", "price price--was", True),
        ("span", "altpreis", True),
        ("span", "price", False),
        ("ul", "product-list", False),
        ("b", "golden wasabi", False),
    ],
)
def test_what_crosses_a_number_out(tag: str, classes: str, struck: bool):
    assert is_struck(tag, classes) is struck


def test_a_struck_number_has_a_form_of_its_own():
    assert struck_form("12.50") == "struck#12.5"
