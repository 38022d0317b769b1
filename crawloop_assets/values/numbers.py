"""Numbers as people and machines write them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.values.currencies import currency_code
from crawloop_assets.values.present import present
from crawloop_assets.values.text import sound

_SIGNS = "$\u00a2-\u00a5\u058f\u060b\u07fe\u07ff\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20c0"
"""Signs of currencies, for a class of characters."""
_POINT, _GROUP = "٫", "٬"
"""What Arabic writes, and what it can only mean: the point and between thousands."""
_MARKS = f".,{_POINT}{_GROUP}"
NUMERAL_MARKS = f"{_MARKS}．，"
"""What stands between the digits of one number, for a class of characters: those of Arabic and
of full width as well as the two of ASCII."""
# A numeral reaches as far as digits follow marks: what is left of one is no number.
_TAIL = rf"(?:[{_MARKS}]\d+|'\d{{3}}(?!\d))*"
NO_SPACES = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3"
    "\u0e00-\u0e4e\u0e80-\u0ecd\u1000-\u103f\u1780-\u17d3"
)
"""Han, kana, Hangul, Thai, Lao, Burmese and Khmer, for a class of characters: words stand there side
by side, and a digit behind such a letter is no part of its word ("販売価格1200円")."""
_MANY = dict(zip("十百千万億십백천만억萬亿", (1, 2, 3, 4, 8) * 2 + (4, 8), strict=True))
DIGITS_FOR_MANY = "".join(_MANY)
"""Digits of these scripts that stand behind others, and the power of ten that each is."""
_WHAT_MANY_COUNT = "円元원圓圆日美韩港欧ドユウ人名명件个個개건台대本回회次部冊册字枚張장坪평公キ以余多年년"
"""What may stand right behind those: money, things, people, ways. Before other letters they
begin a word: "2024万圣节" is a feast."""
_LEAD = (
    rf"(?P<sign>[-−+])?\s?(?P<currency>[^\W\d_]{{0,3}}[{_SIGNS}]|[^\W\d_]{{2,3}})?\s?"
)
_NUMBER = re.compile(
    rf"(?:(?<!\w)(?<!\d[{_MARKS}]){_LEAD}|(?<=[{NO_SPACES}]))"
    rf"(?P<body>\d{{1,3}}(?:[ '{_MARKS}]\d{{3}})+(?!\d){_TAIL}|\d+{_TAIL}|[.,{_POINT}]\d+{_TAIL})"
    r"(?:[eE](?P<exponent>[-+]?\d{1,3})(?!\w))?"
    rf"(?P<many>(?:(?:[十百千십백천]?[万萬億亿만억]|[千천])(?=[{_WHAT_MANY_COUNT}\d\W]|$))?)"
)
_FRACTION = re.compile(
    r"(?<!\d)(?:(\d{1,15})\s?)?([\u00bc-\u00be\u2150-\u215e])|(?<!\d)(?:(\d{1,15})\s)?(\d{1,3})\u2044(\d{1,3})(?!\d)"
)
_HAS_NUMBER = re.compile(r"[\d\u00bc-\u00be\u2150-\u215e]")
_DIGIT = re.compile(r"\d")
_LEAD_CHARS = 8
"""So much a number may have before its first digit: a sign, a space, four letters and
signs of currency, a space, a point."""
_MOST_DIGITS = 38
"""No table holds more."""
_PLAIN = re.compile(
    r"-?(?:\d{1,3}(?:\.(?:\d{1,2}|\d{4,9}))?|0\.\d{3}|\d{4,15}(?:\.\d{1,9})?)", re.ASCII
)
"""Numbers as machines write them, but for those that may be a grouped thousand."""
_THREE_DECIMALS = re.compile(r"\s*[-+]?\d+\.\d{3}\s*")
_THOUSANDS = re.compile(r"(?!0[.,])\d{1,3}[.,]\d{3}")
# Before the point: digits, in threes parted by one mark, or as in India in twos.
_WHOLE = re.compile(
    rf"\d*|(?!0\D)\d{{1,3}}([ '.,{_GROUP}])\d{{3}}(?:\1\d{{3}})*|\d{{1,2}}([,{_GROUP}])\d\d(?:\2\d\d)*\2\d{{3}}"
)
_TEN, _THOUSAND = 10, 1000
_NO_DIGIT = re.compile(r"\D")
_MINUSES = ("-", "−")
_CURRENCY_AND_MINUS = re.compile(r"(?<!\w)([^\W\d_]{2,3}\.?)\s?[-−]\s?$")
_UNIT = re.compile(rf"[^\W\d_]+[{_SIGNS}]?")
_CODE = re.compile(r"[A-Z]{3}")
_NUMBER_BEFORE = re.compile(rf"\d\s?[\w{_SIGNS}.%]{{0,4}}\s*$")
_BEFORE_CHARS = 12
_MINUS_BEHIND = re.compile(r"\d[-−]\s*$")
_RANGE = re.compile(
    rf"\s?[\w{_SIGNS}.%]{{0,3}}\s?(?:[-–—~〜～至]|to|bis|\b(?:à|al?|até|hasta|do|až|till?|tot|до|έως|đến)\b)\s?[\w{_SIGNS}]{{0,3}}\s?"
)
_CLOCK = re.compile(r":\d")
_LAST_DIGIT = 0x20000
"""One past the last character of Unicode that is a decimal digit."""
# Each character stands for one, so that numbers keep where they are.
_AS_PLAIN = dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f"), " ")
_AS_PLAIN |= dict.fromkeys(map(ord, "’`´＇"), "'")
_AS_PLAIN |= {
    ord("．"): ".",
    ord("，"): ",",
    ord("،"): ",",
    ord("－"): "-",
    ord("＋"): "+",
}
_AS_PLAIN |= {
    ord(digit): str(unicodedata.decimal(digit))
    for digit in filter(str.isdecimal, map(chr, range(128, _LAST_DIGIT)))
}


class Number(NamedTuple):
    """One number in a text, with where its digits stand."""

    value: Decimal
    start: int
    end: int


def parse_number(text: str, index: int = 0, decimal: str = "") -> Decimal | None:
    """The index-th number of a text (from 0; negative from the end), or None.

    Read are the notations of CLDR: "1,234.50", "1.234,50", "1 234,50", "1’234.50",
    "1,25,000.50", "١٬٢٣٤٫٥٠", "１２．５０", "1億2,800万"; also "1½" and "1e5". `decimal` is the only
    character that may be the decimal point; a numeral that cannot be so is None, as is
    one that no notation writes ("1.2.3"). "1.234" alone is a grouped thousand unless
    `decimal` names its point.
    """
    if index in (0, -1) and decimal != "," and _PLAIN.fullmatch(text):
        return Decimal(text)
    in_text = numerals(text, decimal)
    if -len(in_text) <= index < len(in_text):
        return in_text[index]
    return None


def parse_whole_number(text: str, decimal: str = "") -> Decimal | None:
    """The number that a text is about, its first one; None where the text says two, as
    the ends of a range ("10 - 20") or the parts of a time ("4:20 h"), or writes its
    minus behind ("5-").

    `decimal`: see `parse_number`; a text that is a number as machines write it is read
    as that.
    """
    if _PLAIN.fullmatch(text):
        return Decimal(text)
    text = plainly(text)
    if _MINUS_BEHIND.search(text):
        return None
    slots = _slots_of(text, decimal)
    if _is_range(text, slots) or _is_clock(text, slots):
        return None
    return slots[0].value if slots else None


def numbers(text: str, decimal: str = "") -> Iterator[Number]:
    """All numbers of a text in order, where their digits stand in it.

    "½" and its like count as decimals: from the first of them on positions are those
    in the text with "1½" written as "1.5". `decimal`: see `parse_number`.
    """
    for value, start, end, _ in _slots_of(text, decimal):
        if value is not None:
            yield Number(value, start, end)


def before_many(text: str) -> Iterator[tuple[str, Decimal | None]]:
    """What stands before the digits for many of a text, each with those: 28.1 of "28.1万円"."""
    found = filter(itemgetter("many"), _matches(plainly(text)))
    return ((match["many"], _decimal(match["body"], "")) for match in found)


def numerals(text: str, decimal: str = "") -> list[Decimal | None]:
    """The numbers of a text by their index; None are those that cannot be read."""
    return list(map(attrgetter("value"), _slots_of(text, decimal)))


class _Slot(NamedTuple):
    """One numeral: its value if it has one, where its digits stand, and the power of ten
    that the last of them is in scripts where it is one: 4 of "2,800万"."""

    value: Decimal | None
    start: int
    end: int
    power: int

    def with_rest(self, other: "_Slot") -> "_Slot":
        """The numeral that this and the next one are; without a value where one has none."""
        both = present((self.value, other.value))
        value = sum(both, Decimal(0)) if len(both) > 1 else None
        return other._replace(value=value, start=self.start)


def _slots_of(text: str, decimal: str) -> tuple[_Slot, ...]:
    """The numerals of a text; most texts have none."""
    return _slots(text, decimal) if _HAS_NUMBER.search(text) else ()


@lru_cache(maxsize=4_096)
def _slots(text: str, decimal: str) -> tuple[_Slot, ...]:
    """Remembered: every numeric field of a schema looks through the same texts of a
    page."""
    text = plainly(text)
    slots: list[_Slot] = []
    for match in _matches(text):
        slot = _slot(match, decimal)
        if any(map(partial(_goes_on, text, slot), slots[-1:])):
            slot = slots.pop().with_rest(slot)
        slots.append(slot)
    return tuple(slots)


def _goes_on(text: str, slot: _Slot, before: _Slot) -> bool:
    """Whether a numeral is the rest of the one before: "1億2,800万", "3만 5,000"."""
    gap, rest = text[before.end : slot.start], slot.value or 0
    is_near = gap in ("", " " * (rest >= _THOUSAND))
    return is_near and rest < _TEN**before.power


def _slot(match: re.Match[str], decimal: str) -> _Slot:
    """The numeral that a match of `_NUMBER` is."""
    end = match.end("body") + len(match["many"])
    return _Slot(_value(match, decimal), match.start("body"), end, _power(match))


def _power(match: re.Match[str]) -> int:
    """The power of ten that the digits for many behind others are."""
    return sum(map(_MANY.__getitem__, match["many"]))


def plainly(text: str) -> str:
    """With the digits and marks of ASCII, but for what has a meaning of its own."""
    if text.isascii():
        return text
    return _FRACTION.sub(_as_decimal_text, sound(text).translate(_AS_PLAIN))


def is_falling_pair(text: str) -> bool:
    """Whether the first two numbers of a text stand like the ends of a range and are none,
    as the second is no larger: "29 – 20"."""
    text = plainly(text)
    slots = _slots_of(text, "")
    return _are_joined(text, slots) and not _is_range(text, slots)


def _is_range(text: str, slots: Sequence[_Slot]) -> bool:
    """Whether the first two numbers of a text are the ends of a range; those of
    "2021-03" are none."""
    if not _are_joined(text, slots):
        return False
    low, high = (slot.value or Decimal(0) for slot in slots[:2])
    return abs(low) < abs(high)


def _are_joined(text: str, slots: Sequence[_Slot]) -> bool:
    """Whether the first two numbers of a text are joined as the ends of a range are."""
    return len(slots) > 1 and bool(_RANGE.fullmatch(text, slots[0].end, slots[1].start))


def _is_clock(text: str, slots: Sequence[_Slot]) -> bool:
    """Whether a colon joins the first number of a text to the next: a time or a ratio,
    of which the first part is no value."""
    return any(_CLOCK.match(text, slot.end) for slot in slots[:1])


def _value(match: re.Match[str], decimal: str) -> Decimal | None:
    """What a match of `_NUMBER` means; None for what no notation writes."""
    value = _decimal(match["body"], decimal)
    if value is None:
        return None
    power = int(match["exponent"] or 0) + _power(match)
    if power:
        value = value.scaleb(power)
        if abs(value.adjusted()) > _MOST_DIGITS:
            return None
    return -value if _is_negative(match) else value


def _is_negative(match: re.Match[str]) -> bool:
    """Whether the sign of a number is a minus: before a number with a unit ("-5cm") it
    is a dash, and so is one behind a word that is no currency ("ISO-9001") or between
    a number and a space ("£30 - £42")."""
    if match["sign"]:
        unit = _UNIT.match(match.string, match.end())
        is_dash = unit is not None and not _is_currency(unit[0])
        return match["sign"] in _MINUSES and not (is_dash or _is_between(match))
    return _follows_currency_and_minus(match)


def _is_between(match: re.Match[str]) -> bool:
    """Whether a sign stands behind another number, and before a space.

    Of "£30 - £42", "30 € - 42 €" and "12 % - 15 %" the second is no less than nothing;
    of "52.1 -1.3" it is.
    """
    sign = match.start("sign")
    before = match.string[max(sign - _BEFORE_CHARS, 0) : sign]
    is_apart = match.string[sign + 1 : sign + 2].isspace()
    return is_apart and _NUMBER_BEFORE.search(before) is not None


def _follows_currency_and_minus(match: re.Match[str]) -> bool:
    """Whether it is the number of "CHF-5"."""
    lead = match.string[max(match.start() - _LEAD_CHARS, 0) : match.start("body")]
    if not lead.rstrip().endswith(_MINUSES):
        return False
    currency = _CURRENCY_AND_MINUS.search(lead)
    return currency is not None and currency_code(currency[1]) is not None


def _is_currency(text: str) -> bool:
    """Whether letters right behind a number name a currency: by a code or a sign."""
    return _CODE.fullmatch(text) is not None or currency_code(text) is not None


def _as_decimal_text(fraction: re.Match[str]) -> str:
    """Of "1 ½" it makes "1٫5", which is read the same in every notation."""
    whole, sign, other_whole, above, below = fraction.groups()
    if below and not int(below):
        return fraction[0]
    part = unicodedata.numeric(sign) if sign else int(above) / int(below)
    total = f"{int(whole or other_whole or 0) + part:.4f}"
    return total.rstrip("0").rstrip(".").replace(".", _POINT)


def _matches(text: str) -> Iterator[re.Match[str]]:
    """What `_NUMBER` finds from left to right, looking only where a digit is near:
    prose has few."""
    start = 0
    while digit := _DIGIT.search(text, start):
        match = _NUMBER.search(text, max(start, digit.start() - _LEAD_CHARS))
        if match is None:
            return
        yield match
        start = match.end()


def plain(text: str) -> str:
    """A number written by a machine, so that it reads back as itself: "4.333" is no
    grouped thousand there. Any other text as it is."""
    return f"{text.strip()}0" if _THREE_DECIMALS.fullmatch(text) else text


def _decimal(body: str, decimal: str) -> Decimal | None:
    """The value of digits with their marks; None where no notation writes them so.

    `decimal`: see `parse_number`.
    """
    whole, fraction = body, ""
    point = _point_of(body, decimal)
    if point:
        whole, _, fraction = body.rpartition(point)
    digits = _NO_DIGIT.sub("", whole)
    is_written = _WHOLE.fullmatch(whole) and (decimal or _POINT) not in whole
    if not is_written or len(digits) + len(fraction) > _MOST_DIGITS:
        return None
    return Decimal(f"{digits}.{fraction}")


def _point_of(body: str, decimal: str) -> str:
    """The decimal point of a numeral, "" if it has none.

    The last mark is, if it is written once: of "1.234,50" the comma, of "1.234.567"
    none. "1.234" is a grouped thousand, but "0.234" is not.
    """
    marks = _NO_DIGIT.findall(body)
    last = marks[-1] if marks else ""
    if marks.count(last) != 1:
        return ""
    if last in (_POINT, decimal):
        return last
    is_group = decimal or last not in ".," or _THOUSANDS.fullmatch(body)
    return "" if is_group else last
