"""Numbers as all locales of CLDR write them are read as what they mean, or not at all."""

from decimal import Decimal

import pytest
from babel import Locale, localedata
from babel.numbers import format_currency, format_decimal
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crawloop_assets.values.numbers import parse_whole_number

INVENTED = ("tok",)  # groups digits as no other notation does


def written(value: Decimal, locale: str) -> str:
    return format_decimal(value, locale=locale, numbering_system="default")


def priced(value: Decimal, locale: str, currency: str) -> str:
    return format_currency(value, currency, locale=locale, numbering_system="default")


def point_of(locale: str) -> str:
    """The decimal point that a locale writes, "" if it can mean nothing else."""
    found = [char for char in written(Decimal("0.5"), locale) if char in ".,"]
    return found[0] if found else ""


LOCALES = [
    name
    for name in sorted(localedata.locale_identifiers())
    if Locale.parse(name).language not in INVENTED
]


def test_there_are_enough_of_them() -> None:
    assert len({Locale.parse(name).language for name in LOCALES}) >= 100


@pytest.mark.parametrize("locale", LOCALES)
def test_each_locale_is_read(locale: str) -> None:
    point = point_of(locale)
    for text in ("1234567.5", "-1234567.5", "-12.25", "0.5", "1234", "999999.99"):
        value = Decimal(text)
        assert parse_whole_number(written(value, locale)) == value
        for currency in ("EUR", "CHF", "INR", "USD"):
            price = priced(value, locale, currency)
            read = parse_whole_number(price, point)
            shown = value.quantize(Decimal("0.01"))
            assert read == shown or (read is None and value < 0), ascii(price)


amounts = st.decimals(-(10**9), 10**9, places=2)
thousandths = st.decimals(-(10**6), 10**6, places=3)
locales = st.sampled_from(LOCALES)
currencies = st.sampled_from(["EUR", "USD", "CHF", "INR", "BRL", "THB", "SEK", "PLN"])
"""Of another code "TOP-5" is no price: a minus behind it is a dash."""


@settings(deadline=None, max_examples=1_500)
@given(amounts, locales)
def test_no_locale_needs_a_hint_for_hundredths(value: Decimal, locale: str) -> None:
    assert parse_whole_number(written(value, locale)) == value


@settings(deadline=None, max_examples=1_500)
@given(thousandths, locales)
@example(Decimal("1.234"), "en")
@example(Decimal("1.234"), "de")
def test_the_point_of_the_locale_tells_thousandths(value: Decimal, locale: str) -> None:
    text = written(value, locale)
    assert parse_whole_number(text, point_of(locale)) == value


@settings(deadline=None, max_examples=1_500)
@given(amounts, locales, currencies)
def test_a_price_is_read_right_or_not_at_all(
    value: Decimal, locale: str, currency: str
) -> None:
    text = priced(value, locale, currency)
    read = parse_whole_number(text, point_of(locale))
    assert read in (value, None), ascii(text)
    assert value < 0 or read == value, ascii(text)
