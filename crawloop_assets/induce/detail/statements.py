"""What is made of the texts of a statement (a property of structured data, a meta tag)
to get the value of a field."""

import re
from collections.abc import Sequence

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.context import names_site, site_of
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.induce.words.vocabulary import COMMA_SEPARATED, JOINED
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

_LONGEST_ITEM = 250  # characters; longer ones are a whole list in one text
_ADDRESS = re.compile(r"(?:https?://|/|#)\S*")
_BEFORE_SITE = re.compile(r"(?:\s[|｜–—·:•»-]{1,2}|:)\s")


def is_address(value: Value, spec: FieldSpec) -> bool:
    """True for a url, a path or a fragment where a text is wanted: it leads to what is
    meant and is not it."""
    if spec.kind is not FieldKind.TEXT:
        return False
    items = value if isinstance(value, list) else [value]
    return all(_ADDRESS.fullmatch(str(item)) for item in items)


def is_one_block(value: Value, spec: FieldSpec) -> bool:
    """True for a list that is one long text: the page does not say where its items
    end."""
    if spec.shape is not Shape.LIST or not isinstance(value, list):
        return False
    return len(value) == 1 and len(str(value[0])) > _LONGEST_ITEM


def pipe_for(texts: Sequence[str], name: str, spec: FieldSpec) -> tuple[Step, ...]:
    """The step that makes items of one text, or one text of parts, as statements of
    this name are written."""
    if spec.kind is not FieldKind.TEXT:
        return ()
    if spec.shape is not Shape.ONE:
        return (Step(op=Op.SPLIT, args=(",",)),) if name in COMMA_SEPARATED else ()
    if name in JOINED and len(texts) > 1:
        return (Step(op=Op.JOIN, args=(", ",)),)
    return ()


def pipe_without_site(
    document: Document, texts: Sequence[str], spec: FieldSpec, words: Words
) -> tuple[Step, ...]:
    """The step that cuts the site's name off the end of a title."""
    if "og:title" not in words.meta or spec.shape is not Shape.ONE or not texts:
        return ()
    title = texts[0]
    gaps = list(_BEFORE_SITE.finditer(title))
    if not gaps or not gaps[-1].start():
        return ()
    if not names_site(title[gaps[-1].end() :], site_of(document)):
        return ()
    suffix = title[gaps[-1].start() :].rstrip()
    return (Step(op=Op.STRIP_SUFFIX, args=(suffix,)),)
