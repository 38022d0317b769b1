"""The currency of a price, by the code or the sign that is written with it.

Some signs are those of several currencies: a page that writes "$" and one that writes
"CAD" may mean the same.
"""

import re

_CURRENCIES = {
    "$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "zł": "PLN",
    "kč": "CZK", "ft": "HUF", "lei": "RON", "₺": "TRY", "r$": "BRL", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "nz$": "NZD", "s$": "SGD", "hk$": "HKD", "nt$": "TWD", "₪": "ILS", "฿": "THB", "₫": "VND",
    "₴": "UAH", "₱": "PHP", "₦": "NGN", "₸": "KZT", "₾": "GEL", "₼": "AZN", "fr": "CHF", "rs": "INR",
    "руб": "RUB", "грн": "UAH", "лв": "BGN", "원": "KRW", "円": "JPY", "元": "CNY",
    "ر.س": "SAR", "د.إ": "AED", "ج.م": "EGP", "د.ك": "KWD", "ر.ق": "QAR",
}  # fmt: skip
_CODES = (
    "USD|EUR|GBP|JPY|INR|RUB|KRW|PLN|CZK|HUF|RON|TRY|BRL|AUD|CAD|NZD|ILS|THB|VND|UAH|CHF|SEK|NOK|DKK|CNY|HKD|SGD|MXN|"
    "ZAR|AED|SAR|BGN|PKR|LKR|NPR|EGP|KWD|QAR|TWD|PHP|NGN|KZT|GEL|AZN|IDR|MYR"
)
_NO_LETTER_BEFORE, _NO_LETTER_BEHIND = r"(?<![^\W\d_])", r"(?![^\W\d_])"
"""Where a word begins and ends, also beside a digit: "12,50zł", "EUR99"; "6ft" is a size."""
_CODE = re.compile(rf"{_NO_LETTER_BEFORE}(?:{_CODES}){_NO_LETTER_BEHIND}")
_SHARED = {
    "$": frozenset(("$", "ARS", "AUD", "CAD", "CLP", "COP", "HKD", "MXN", "NZD", "SGD", "TWD", "USD", "UYU")),
    "¥": frozenset(("¥", "CNY", "JPY")),
    "£": frozenset(("£", "EGP", "GBP", "LBP", "SYP")),
    "fr": frozenset(("fr", "CHF", "XAF", "XOF")),
    "rs": frozenset(("rs", "INR", "LKR", "MUR", "NPR", "PKR")),
    "元": frozenset(("元", "CNY", "TWD")),
    "lei": frozenset(("lei", "MDL", "RON")),
}  # fmt: skip
"""What a sign may mean that several currencies share."""
_WRITTEN = (
    r"[€£¥₹₽₩₺₪฿₫₴₱₦₸₾₼]|ر\.س|د\.إ|ج\.م|د\.ك|ر\.ق"
    rf"|{_NO_LETTER_BEFORE}[원円元]{_NO_LETTER_BEHIND}"
)
"""Signs that stand for themselves; of those that are letters too, no part of a word."""
_SIGN = re.compile(
    rf"[^\W\d_]{{0,2}}\$|{_WRITTEN}|\bft\b"
    rf"|{_NO_LETTER_BEFORE}(?:zł|kč|lei|fr|rs|руб|грн|лв){_NO_LETTER_BEHIND}",
    re.IGNORECASE,
)

SIGN_BESIDE_PRICE = (
    rf"(?:\b[A-Z]{{1,2}})?\$|{_WRITTEN}"
    rf"|{_NO_LETTER_BEFORE}(?:zł|Kč|lei|kr|Rs|руб|грн|лв){_NO_LETTER_BEHIND}"
)
"""A pattern of what pages write before or after a price."""


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


def written_currency(text: str) -> str:
    """The code of the currency that a text names, or its sign where several currencies
    have that; "" if it names none."""
    code = _CODE.search(text)
    if code:
        return code[0]
    sign = _SIGN.search(text)
    if sign is None:
        return ""
    written = sign[0].casefold()
    return written if written in _SHARED else _CURRENCIES.get(written, "")


def may_be_one(one: str, other: str) -> bool:
    """Whether two codes or signs may stand for the same currency."""
    return bool(_meanings(one) & _meanings(other))


def _meanings(written: str) -> frozenset[str]:
    """The codes that a code or a sign may stand for."""
    return _SHARED.get(written, frozenset((written,)))
