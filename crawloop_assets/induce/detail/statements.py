"""What is made of the texts of a statement (a property of structured data, a meta tag)
to get the value of a field."""

import re
from collections.abc import Sequence

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.context import names_site, site_of
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.induce.words.vocabulary import COMMA_SEPARATED, JOINED, MANY_PARTS
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value, as_list

_LONGEST_ITEM = 250  # characters; longer ones are a whole list in one text
_SPLITS = dict.fromkeys(COMMA_SEPARATED, (Step(op=Op.SPLIT, args=(",",)),))
_JOINS = dict.fromkeys(JOINED, (Step(op=Op.JOIN, args=(", ",)),))
_ADDRESS = re.compile(r"(?:https?://|/|#)\S*")
_BEFORE_SITE = re.compile(r"(?:\s[|｜–—·:•»-]{1,2}|:)\s|\s?：\s?")


def is_address(value: Value, spec: FieldSpec) -> bool:
    """True for a url, a path or a fragment where a text is wanted: it leads to what is
    meant and is not it."""
    if spec.kind is not FieldKind.TEXT:
        return False
    return all(map(_ADDRESS.fullmatch, map(str, as_list(value))))


def is_one_block(value: Value, spec: FieldSpec, path: str) -> bool:
    """True for a list that is one long text, or any one of a property of many parts:
    the page does not say where its items end."""
    items = as_list(value)
    if spec.shape is not Shape.LIST or len(items) != 1:
        return False
    return path in MANY_PARTS or len(str(items[0])) > _LONGEST_ITEM


def pipe_for(texts: Sequence[str], name: str, spec: FieldSpec) -> tuple[Step, ...]:
    """The step that makes items of one text, or one text of parts, as statements of
    this name are written."""
    if spec.kind is not FieldKind.TEXT:
        return ()
    if spec.shape is not Shape.ONE:
        return _SPLITS.get(name, ())
    if len(texts) > 1:
        return _JOINS.get(name, ())
    return ()


def pipe_without_site(
    document: Document, texts: Sequence[str], spec: FieldSpec, words: Words
) -> tuple[Step, ...]:
    """The step that cuts the site's name off the end of a title."""
    if spec.shape is not Shape.ONE or not is_title(words):
        return ()
    title = next(iter(texts), "")
    start, end = _last_gap(title)
    if not start:
        return ()
    if not names_site(title[end:], site_of(document)):
        return ()
    suffix = title[start:].rstrip()
    return (Step(op=Op.STRIP_SUFFIX, args=(suffix,)),)


def _last_gap(title: str) -> tuple[int, int]:
    """Start and end of the last gap that may separate the site's name; (0, 0) if there
    is none."""
    span = (0, 0)
    for gap in _BEFORE_SITE.finditer(title):
        span = gap.span()
    return span


def is_title(words: Words) -> bool:
    """True for the words of the field that names the record; meta tags often write the
    site's name behind it."""
    return "og:title" in words.meta
