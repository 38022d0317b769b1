"""Amounts whose fraction is set as a superscript: €61 and a raised 88 is 61.88.

The raised digits stand directly behind the others, so without a mark between them the
text of the page would say another number.
"""

import re
from collections.abc import Iterator, Sequence

from crawloop_assets.values.currencies import currency_code

_RAISED = re.compile(r"\s*\d\d\s*")
_WHOLE = re.compile(r"(?<![\d.,])\d{1,3}(?:([.,])?\d{3})*$")
_LONGEST = 24
"""Characters of an amount with its currency."""
_TAG = "sup"
_OTHER_MARK = {".": ",", ",": "."}


def marked_fractions(
    texts: list[str],
    first: Sequence[int],
    last: Sequence[int],
    parent: Sequence[int],
    tags: Sequence[str],
) -> None:
    """Put a decimal mark before the raised fractions of amounts, in place.

    `texts` are the pieces of a page, `first` and `last` tell by element which are
    inside of it.
    """
    if _TAG not in tags:
        return
    for number in _raised(texts, first, last, tags):
        at, around = first[number], parent[number]
        amount = "".join(texts[first[around] : last[around]]).strip()
        whole = _WHOLE.search(texts[at - 1])
        if whole and len(amount) <= _LONGEST and currency_code(amount):
            mark = _OTHER_MARK.get(whole[1] or "", ".")
            texts[at] = mark + texts[at].strip()


def _raised(
    texts: Sequence[str],
    first: Sequence[int],
    last: Sequence[int],
    tags: Sequence[str],
) -> Iterator[int]:
    """The superscripts of two digits that something stands before."""
    for number, tag in enumerate(tags):
        at = first[number]
        if tag == _TAG and at > 0 and last[number] - at == 1:
            if _RAISED.fullmatch(texts[at]):
                yield number
