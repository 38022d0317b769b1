"""Known texts that stand on a page whatever it states: the name of its site, and the
paragraph that a summary was taken from.

What a page states as its description is written for searches, and often is its first
paragraph as well. A site that writes another one leaves the paragraph where it is: what
people read there speaks against no statement, as long as nothing states it any more.
"""

from collections.abc import Iterator
from itertools import chain
from operator import methodcaller

from crawloop_assets.document.document import Document
from crawloop_assets.document.site_names import site_names
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_DESCRIPTION = "description"
_LONGEST = 3_000
"""Longer statements are no summaries."""


def is_bystander(spec: FieldSpec, document: Document, known: Value) -> bool:
    """Whether a known text stands on a page as the name of its site, or is a summary that
    the page shows and states no more."""
    if spec.kind is not FieldKind.TEXT:
        return False
    texts = set(map(letters, map(str, as_list(known))))
    return texts <= site_names(document.page.url) or _is_summary_of_old(
        spec, document, texts
    )


def _is_summary_of_old(spec: FieldSpec, document: Document, texts: set[str]) -> bool:
    """Whether a field is a summary of the page, and no statement of it has one of the
    known texts, given by their letters."""
    if _DESCRIPTION not in words_of(spec).meta:
        return False
    return texts.isdisjoint(map(letters, _stated(document)))


def _stated(document: Document) -> Iterator[str]:
    """What a page states to machines: the texts of its JSON, and of its head."""
    tags = map(document.elements.__getitem__, document.by_tag.get("meta", ()))
    head = map(methodcaller("get", "content", ""), tags)
    return filter(_is_short, chain(head, *document.leaves.values()))


def _is_short(text: str) -> bool:
    """Whether a statement may be a summary."""
    return len(text) <= _LONGEST
