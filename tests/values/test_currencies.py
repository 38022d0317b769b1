"""The currency of a price: by code, else by sign."""

import pytest

from crawloop_assets.values.currencies import currency_code


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
        ("Fr 12", "CHF"),
        ("CAD $5", "CAD"),  # a code says more than a sign
        ("5", None),
        ("XUSDX 5", None),  # inside a word it is no code
        ("frank 5", None),
        ("ab$5", None),  # somebody's dollar, but nobody knows whose
    ],
)
def test_a_code_or_a_sign_names_the_currency(text: str, code: str | None) -> None:
    assert currency_code(text) == code
