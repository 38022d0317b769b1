"""All readers that give a known value on one page, and those of them that give it by no
chance."""

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.json_readers import (
    json_candidates,
    json_list_candidates,
)
from crawloop_assets.induce.detail.lists import list_candidates
from crawloop_assets.induce.detail.singles import SELF_NAMED, dom_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.induce.locate.fit import low_entropy
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_NAMED = 0.3  # of the field's words; with fewer a short value may be there by chance


def candidates(index: Index, value: Value, spec: FieldSpec) -> list[CandidateReader]:
    """Readers that give the value on one page, of which what they lean on says that it
    is no chance."""
    found = possible_candidates(index, value, spec)
    if not low_entropy(value, spec) and not _is_title(index.document, value, spec):
        return found
    named = [candidate for candidate in found if candidate.named >= _NAMED]
    if named or spec.kind is not FieldKind.MINUTES:
        return named
    return [candidate for candidate in found if candidate.named >= SELF_NAMED]


def possible_candidates(
    index: Index, value: Value, spec: FieldSpec
) -> list[CandidateReader]:
    """All readers that give the value on one page, by chance or not."""
    context = field_context(index, value, spec)
    if spec.shape is Shape.ONE:
        found = json_candidates(index, value, spec, context)
        found += dom_candidates(index, value, spec, context)
    else:
        items = list(value) if isinstance(value, list | tuple) else [value]
        found = json_list_candidates(index, items, spec, context)
        found += list_candidates(index, items, spec, context)
    return [candidate for candidate in found if candidate.prior > 0]


def _is_title(document: Document, value: Value, spec: FieldSpec) -> bool:
    """True for a single tag that is part of the page's title: it is found there whether
    or not it is a tag."""
    if spec.shape is not Shape.SET or not isinstance(value, list) or len(value) != 1:
        return False
    form = letters(str(value[0]))
    for tag in ("title", "h1"):
        for number in document.by_tag.get(tag, [])[:1]:
            if form in letters(document.text(number)):
                return True
    return False
