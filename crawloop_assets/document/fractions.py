"""Amounts whose fraction is set as a superscript: €61 and a raised 88 is 61.88.

The raised digits stand directly behind the others, so without a mark between them the
text of the page would say another number.
"""

import re
from collections.abc import Sequence

from crawloop_assets.values.currencies import currency_code

_WHOLE = re.compile(r"(?<![\d.,])\d{1,3}(?:([.,])?\d{3})*$")
_RAISED = re.compile(r"\s*\d\d\s*")
_LONGEST = 24
"""Characters of an amount with its currency."""
RAISED = "sup"
"""The tag of an element that raises its text."""
_OTHER_MARK = {".": ",", ",": "."}


def marked_fractions(
    texts: list[str],
    first: Sequence[int],
    last: Sequence[int],
    parent: Sequence[int],
    raising: Sequence[int],
) -> None:
    """Put a decimal mark before the raised fractions of amounts, in place.

    `texts` are the pieces of a page, `first` and `last` tell by element which are
    inside of it, `raising` are the elements that raise their text.
    """
    for number in raising:
        at, around = first[number], parent[number]
        before = "".join(texts[first[around] : at]).rstrip()
        raised = "".join(texts[at : last[number]])
        behind = "".join(texts[last[number] : last[around]])
        mark = _mark(before, raised, behind)
        if mark:
            texts[at] = mark + texts[at].strip()


def _mark(before: str, raised: str, behind: str) -> str:
    """The mark of an amount whose fraction is raised; "" where it is none."""
    whole, amount = _WHOLE.search(before), (before + raised + behind).strip()
    if whole is None or len(amount) > _LONGEST or not _RAISED.fullmatch(raised):
        return ""
    return _OTHER_MARK.get(whole[1] or "", ".") if currency_code(amount) else ""
