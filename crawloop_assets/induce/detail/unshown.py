"""Summaries that a page states to machines and shows to nobody: they are written for
searches, and no example says that those are meant."""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import as_list

_DESCRIPTION = "description"


def without_unshown(
    index: Index, candidates: Sequence[CandidateReader], spec: FieldSpec
) -> list[CandidateReader]:
    """The candidates for a summary but for those whose text the page shows nowhere; all
    of any other field, and of one that is called a description: that is what pages
    state."""
    if spec.name == _DESCRIPTION or _DESCRIPTION not in words_of(spec).meta:
        return list(candidates)
    return list(filterfalse(partial(_is_unshown, index, spec), candidates))


def _is_unshown(index: Index, spec: FieldSpec, candidate: CandidateReader) -> bool:
    """True for a candidate whose text, or an item of it, is nowhere in the page's."""
    value = read(candidate.reader, Scope(index.document), spec)
    forms = map(letters, map(str, as_list(value)))
    return not all(map(index.holds, forms))
