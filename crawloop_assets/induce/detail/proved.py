"""Which candidates really give a known value on its page."""

from collections.abc import Iterable
from functools import partial

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


def proved(
    candidates: Iterable[CandidateReader],
    document: Document,
    value: Value,
    spec: FieldSpec,
) -> list[CandidateReader]:
    """The candidates that read a value on a page, in their order."""
    gives = partial(_gives, Scope(document), value, spec)
    return list(filter(gives, candidates))


def _gives(
    scope: Scope, value: Value, spec: FieldSpec, candidate: CandidateReader
) -> bool:
    """Whether a candidate reads a value on a page."""
    return same(read(candidate.reader, scope, spec), value, spec)
