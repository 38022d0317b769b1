"""Values that their form tells apart from all else on a page: telephone numbers and web
addresses that are written out."""

import re
from collections.abc import Container, Mapping

from crawloop_assets.document.document import Document
from crawloop_assets.induce.words.anchors import Words

_PHONE = re.compile(
    r"(?:(?:(?:tele)?phone|tel|call|ph)\b[.:\s]*)?"
    r"((?:\+|(?=[+(]*\d+[\s()./\u2010-\u2013-]))(?:[\s()./\u2010-\u2013-]*\d){9,15})",
    re.I,
)
"""Nine to fifteen digits that are parted or begin with a plus, behind a word for them."""
_WEBSITE = re.compile(r"((?:https?://|www\.)[\w-]+(?:\.[\w-]+)+/?)", re.I)
_NOTHING = re.compile(r"(?!)")
_FORMS: Mapping[str, re.Pattern[str]] = {"telephone": _PHONE, "website": _WEBSITE}


def told_by_form(
    document: Document, numbers: Container[int], words: Words
) -> list[str]:
    """The different texts right in some elements that are what the words say: telephone
    numbers or addresses of other sites; none for fields that have no such form."""
    form = _FORMS.get(next(filter(_FORMS.__contains__, words.plain), ""), _NOTHING)
    host = document.base_url.partition("//")[2].partition("/")[0].removeprefix("www.")
    found: dict[str, None] = {}
    for piece, text in enumerate(document.columns.texts):
        match = form.fullmatch(text.strip())
        if match and document.piece_parent(piece) in numbers and host not in match[1]:
            found[match[1]] = None
    return list(found)
