"""Values that their form tells apart from all else on a page: telephone numbers and web
addresses that are written out."""

import re
from collections.abc import Container, Mapping

from crawloop_assets.document.document import Document
from crawloop_assets.induce.words.anchors import Words

_PHONE = re.compile(
    r"(?:(?:(?:tele)?phone|tel|call|ph)\b[.:\s]{0,3}+)?+"
    r"(\+?+(?:[\s()./\u2010-\u2013-]{0,3}+\d){9,15}+)",
    re.I,
)
_WEBSITE = re.compile(r"((?:https?://|www\.)[\w-]+(?:\.[\w-]+)+/?)", re.I)
_NOTHING = re.compile(r"(?!)")
_FORMS: Mapping[str, re.Pattern[str]] = {"telephone": _PHONE, "website": _WEBSITE}


def texts_of_form(
    document: Document, numbers: Container[int], words: Words
) -> list[str]:
    """The different texts right in some elements that are what the words say: telephone
    numbers, of which digits alone are none, or addresses of other sites; none for fields
    that have no such form."""
    form = _FORMS.get(next(filter(_FORMS.__contains__, words.plain), ""), _NOTHING)
    host = document.base_url.partition("//")[2].partition("/")[0].removeprefix("www.")
    found: dict[str, None] = {}
    for piece, text in enumerate(document.columns.texts):
        match = form.fullmatch(text.strip())
        if match and document.piece_parent(piece) in numbers:
            found[match[1]] = None
    return [text for text in found if not text.isdigit() and host not in text]
