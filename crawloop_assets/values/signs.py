"""Numbers that are shown by as many signs: "★★★☆☆"."""

from unicodedata import category

_MOST = 12
"""Characters of such a text."""
_ALSO = "*•"
"""Marks of lists, which may stand for stars as well."""


def counted_signs(text: str) -> list[str]:
    """The signs of a text that has nothing but one or two of them, the first one first;
    none of a text with letters, digits, dots or dashes."""
    shown = text.strip()
    signs = list(dict.fromkeys(shown.replace(" ", "")))
    if not 0 < len(shown) <= _MOST or len(signs) > 2:
        return []
    return signs if all(map(_is_sign, signs)) else []


def _is_sign(char: str) -> bool:
    """Whether a character is a symbol, such as a star, a heart or that of a currency."""
    return char in _ALSO or category(char).startswith("S")
