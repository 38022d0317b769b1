"""A picture in another size is no other picture.

A site delivers one file in many sizes, each under an address of its own, and states one
of them: in another folder, or with its width and height behind its name. After a redesign
it states another one, while the known address is still in the list from which a browser
takes what fits its window.
"""

import re
from urllib.parse import unquote, urlsplit

from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".avif", ".gif")
_TELLING = 8
"""Letters of the name of a file that no other picture of a page has by chance."""
_STATED = ("meta[", "ld:", "md:")
_MEASURES = re.compile(r"[-_]\d{2,4}x\d{2,4}(?=\.[a-z]{3,4}$)")
""""-720x720" in "leek-broth-720x720.jpg"."""


def is_other_size(spec: FieldSpec, known: Value, read: Value, reader: str) -> bool:
    """Whether what a page states as a picture, as its reader says, is the file of the known
    one under another address."""
    name, is_one = _file(known), (spec.kind, spec.shape) == (FieldKind.URL, Shape.ONE)
    is_picture = name.lower().endswith(_PICTURES) and len(letters(name)) >= _TELLING
    is_stated = reader.startswith(_STATED)
    return is_picture and (is_one, is_stated, _file(read)) == (True, True, name)


def _file(address: Value) -> str:
    """The name of the file an address leads to, without its measures; that of none is no
    picture."""
    try:
        name = unquote(urlsplit(str(address)).path).rpartition("/")[2]
    except ValueError:
        return ""
    return _MEASURES.sub("", name)
