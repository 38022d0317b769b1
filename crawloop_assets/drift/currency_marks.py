"""The signs and codes of currencies in a text: which one its prices are in, and how many
there are."""

import re
from collections import Counter
from string import ascii_uppercase

_CURRENCY_CODES = [
    "EUR",
    "USD",
    "GBP",
    "CHF",
    "JPY",
    "CNY",
    "PLN",
    "SEK",
    "NOK",
    "DKK",
    "CZK",
    "AUD",
    "CAD",
    "INR",
    "BRL",
    "RUB",
    "TRY",
]
_CURRENCY_SIGNS = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY", "$": "USD",
    "₩": "₩", "฿": "฿", "₫": "₫", "₴": "₴", "₪": "₪",
}  # fmt: skip
_NOT_CURRENCY = bytes(
    code for code in range(128) if chr(code) not in f"${ascii_uppercase}"
)
"""Characters of ASCII that are in no code and no sign of a currency."""

_IN_WORD = re.compile(r"\w")


def main_currency(line: bytes, text: str) -> str:
    """The currency most prices of a text are in, "" if there is none; `line` is it as
    bytes."""
    counts = _counts(line, text)
    return min(counts, key=lambda code: (-counts[code], code)) if counts else ""


def count_marks(text: str) -> int:
    """How many signs and codes of currencies a text has."""
    return _counts(text.encode(errors="ignore"), text).total()


def _counts(line: bytes, text: str) -> Counter[str]:
    """Currency -> how often it is named, without those that are not."""
    # Without what is in no currency there is a tenth as much to look through.
    telling = line.translate(None, _NOT_CURRENCY).decode()
    counts: Counter[str] = Counter()
    for sign, code in _CURRENCY_SIGNS.items():
        counts[code] += telling.count(sign)
    for code in _CURRENCY_CODES:
        if code in telling:
            counts[code] += _count_word(code, text)
    return +counts


def _count_word(word: str, text: str) -> int:
    """How often a text has a word that is not a part of another one."""
    count, start = 0, text.find(word)
    while start >= 0:
        end = start + len(word)
        is_begun_before = start > 0 and _IN_WORD.match(text, start - 1)
        if not is_begun_before and not _IN_WORD.match(text, end):
            count += 1
        start = text.find(word, end)
    return count
