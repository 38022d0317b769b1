"""Forms in which values are looked up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.forms import (
    is_net,
    is_struck,
    net_form,
    numeral_form,
    numeral_forms,
    struck_form,
    text_form,
)


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
        ("span", "price", False),
        ("b", "golden wasabi", False),
    ],
)
def test_what_crosses_a_number_out(tag: str, classes: str, struck: bool):
    assert is_struck(tag, classes) is struck


def test_a_struck_number_has_a_form_of_its_own():
    assert struck_form("12.50") == "struck#12.5"
