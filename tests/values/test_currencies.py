"""The currency of a price: by code, else by sign."""

import pytest

from crawloop_assets.values.currencies import (
    currency_code,
    may_be_one,
    written_currency,
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("USD 5", "USD"),
        ("5 SEK", "SEK"),
        ("$5", "USD"),
        ("US$ 5", "USD"),
        ("NZ$5", "NZD"),
        ("1.299,00 €", "EUR"),
        ("12 Kč", "CZK"),
        ("129 ر.س", "SAR"),
        ("Rs 635,000", "INR"),
        ("300 грн.", "UAH"),
        ("2,900원", "KRW"),
        ("회원 12", None),  # members, not won
        ("Fr 12", "CHF"),
        ("12,50zł/noc", "PLN"),
        ("99EUR", "EUR"),
        ("EUR99", "EUR"),
        ("5000 Ft", "HUF"),
        ("6ft", None),  # feet
        ("CAD $5", "CAD"),  # a code says more than a sign
        ("5", None),
        ("XUSDX 5", None),  # inside a word it is no code
        ("frank 5", None),
        ("ab$5", None),  # somebody's dollar, but nobody knows whose
    ],
)
def test_a_code_or_a_sign_names_the_currency(text: str, code: str | None) -> None:
    assert currency_code(text) == code


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("12.50 €", "EUR"),
        ("$12.50", "$"),
        ("CAD 12.50", "CAD"),
        ("$12.50 CAD", "CAD"),
        ("¥ 1200", "¥"),
        ("Fr 12", "fr"),
        ("12", ""),
        ("ab$5", ""),
    ],
)
def test_a_sign_of_several_currencies_stays_a_sign(text: str, written: str) -> None:
    assert written_currency(text) == written


@pytest.mark.parametrize(
    ("one", "other", "may_be"),
    [
        ("EUR", "EUR", True),
        ("EUR", "USD", False),
        ("$", "CAD", True),
        ("CAD", "$", True),
        ("$", "$", True),
        ("$", "EUR", False),
        ("¥", "CNY", True),
        ("USD", "CAD", False),
    ],
)
def test_a_sign_may_be_any_of_its_currencies(
    one: str, other: str, may_be: bool
) -> None:
    assert may_be_one(one, other) is may_be
