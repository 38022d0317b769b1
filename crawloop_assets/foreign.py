"""What others say (pages, sites, models), where people read it: nothing in it is obeyed
by a terminal, by a chat or mail program, or by what shows Markdown."""

import re

_CONTROLS = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
)
_OBEYED = re.compile(f"[{_CONTROLS}]")
_GAPS = re.compile(f"[{_CONTROLS}\\t\\n\u200b-\u200d]+")
_LIVELY = str.maketrans(
    {"<": "‹", ">": "›", "@": "＠", "`": "'", "*": "∗", "[": "(", "]": ")"}
)
_MARKS = re.compile(r"([\\`\[\]<>|])")
_TICKS = re.compile("`{3,}")
_MOST = 1500


def printable(text: str) -> str:
    """A text for a terminal: lines stay lines, and what would move the cursor, colour
    the screen or turn the writing round is seen as a sign."""
    return _OBEYED.sub("�", text)


def harmless(text: str) -> str:
    """One line for a chat or a mail: it rings no bell and makes no link."""
    return _GAPS.sub(" ", text[: 2 * _MOST]).translate(_LIVELY)[:_MOST]


def in_markdown(text: str) -> str:
    """One line of Markdown, or a cell of a table: it makes no link, no picture and no
    tag, so that showing it asks for nothing."""
    return _MARKS.sub(r"\\\1", _GAPS.sub(" ", text[: 2 * _MOST])[:_MOST])


def code_block(text: str, language: str = "") -> str:
    """A block of Markdown that holds a text as it is, whatever fences are in it."""
    longest = max(map(len, _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{printable(text)}\n{fence}"
