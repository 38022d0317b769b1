"""Which currency the prices of a text are in."""

import pytest

from crawloop_assets.drift.currency_marks import count_marks, main_currency


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("12 TRY", "TRY"),
        ("INDUSTRY and COUNTRY, 5 EUR", "EUR"),
        ("TRY_1 12EUR EURO", ""),
        ("EUR", "EUR"),
        ("3 € or $4, then € 5", "EUR"),
        ("Size S, U.S. D", ""),
        ("٣ ₹ and ₹7", "INR"),
    ],
)
def test_the_currency_is_the_one_most_prices_are_in(text: str, currency: str) -> None:
    assert main_currency(text.encode(), text) == currency


def test_all_marks_of_a_text_are_counted() -> None:
    assert count_marks("3 € or $4, then 5 EUR; no TRY_1") == 3
    assert count_marks("INDUSTRY") == 0
