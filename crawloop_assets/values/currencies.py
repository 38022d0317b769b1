"""The currency of a price, by the code or the sign that is written with it."""

import re

_CURRENCIES = {
    "$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "zł": "PLN",
    "kč": "CZK", "ft": "HUF", "lei": "RON", "₺": "TRY", "r$": "BRL", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "nz$": "NZD", "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH", "fr": "CHF", "rs": "INR",
}  # fmt: skip
_CODES = (
    "USD|EUR|GBP|JPY|INR|RUB|KRW|PLN|CZK|HUF|RON|TRY|BRL|AUD|CAD|NZD|ILS|THB|VND|UAH|CHF|SEK|NOK|DKK|CNY|HKD|SGD|MXN|"
    "ZAR|AED|SAR|BGN"
)
_CODE = re.compile(rf"\b(?:{_CODES})\b")
_SIGN = re.compile(
    r"[^\W\d_]{0,2}\$|[€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|kč|ft|lei|fr|rs)\b", re.IGNORECASE
)


def currency_code(text: str) -> str | None:
    """ISO 4217 code of the currency a text names by code or sign; None if it names
    none. A code goes before a sign."""
    code = _CODE.search(text)
    if code:
        return code[0]
    sign = _SIGN.search(text)
    if sign is None:
        return None
    return _CURRENCIES.get(sign[0].casefold())
