"""The form of a text, whatever its letters and digits are."""

from itertools import groupby

from crawloop_assets.values.short_texts import remembered


def text_kind(text: str) -> str:
    """0 for a text of digits, a for one of letters, a space for one of spaces, else the
    text itself."""
    if text.isdigit():
        return "0"
    if text.isalpha():
        return "a"
    return " " if text.isspace() else text


@remembered(16_384)
def shape_of(text: str) -> str:
    """The kinds of character in a text, runs collapsed: "$12.50" -> "$0.0"."""
    return "".join(kind for kind, _ in groupby(map(text_kind, text)))
