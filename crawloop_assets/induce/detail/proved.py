"""Which candidates really give a known value on its page."""

from collections.abc import Iterable
from typing import Any

from crawloop_assets.crawler.read import Scope, to_value, transformed_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_FIRST = 3  # texts that tell most readers of something else


def proved(
    candidates: Iterable[CandidateReader],
    document: Document,
    value: Value,
    spec: FieldSpec,
) -> list[CandidateReader]:
    """The candidates that read a value on a page, in their order."""
    return list(filter(_Known(document, value, spec).is_read_by, candidates))


class _Known:
    """A value that is known of a page, by its form: it is held against many readers."""

    def __init__(self, document: Document, value: Value, spec: FieldSpec):
        """`value` is one of the field, or all of a list."""
        self._scope, self._spec = Scope(document), spec
        self._form: Any = canonical(value, spec)  # of a list the tuple of its items'

    def is_read_by(self, candidate: CandidateReader) -> bool:
        """Whether a candidate reads the value on the page."""
        texts = transformed_texts(candidate.reader, self._scope)
        return self._may_be(texts) and self._read_as(texts) == self._form

    def _may_be(self, texts: list[str]) -> bool:
        """False for the texts of a list of which the first are none of its items: there
        is no need to read the others."""
        if self._spec.shape is Shape.ONE:
            return True
        return set(self._read_as(texts[:_FIRST]) or ()).issubset(self._form or ())

    def _read_as(self, texts: list[str]) -> Any:
        """The form of what texts are read as."""
        value = to_value(texts, self._spec, self._scope.document.base_url)
        return canonical(value, self._spec)
