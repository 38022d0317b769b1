"""Which candidates really give a known value on its page."""

from collections.abc import Iterable

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
    scope = Scope(document)
    found: list[CandidateReader] = []
    for candidate in candidates:
        if same(read(candidate.reader, scope, spec), value, spec):
            found.append(candidate)
    return found
