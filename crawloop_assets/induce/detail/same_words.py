"""Places by position that lead into another line on some pages: where a page lacks the line
of the calories, its first line is that of the protein.

What stands around a number says so: on all known pages the same words, on another page
none of them.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import filterfalse

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import tokens

_SAID_ITSELF = (FieldKind.TEXT, FieldKind.CHOICE, FieldKind.URL, FieldKind.OBJECT)
"""Kinds whose words are the value."""
_FEWEST = 2  # known pages


def in_same_words(
    tried: Sequence[Tried],
    known: Sequence[KnownValue],
    spec: FieldSpec,
    documents: Sequence[Document],
) -> list[Tried]:
    """Those that read a value among the same words wherever they read one, but for
    readers that something names."""
    if spec.kind in _SAID_ITSELF or spec.shape is not Shape.ONE:
        return list(tried)
    pages = pages_with_value(known)
    around = _Around(spec, [page.document for page in pages], documents)
    return list(filterfalse(around.changes, tried))


class _Around:
    """The words around what readers of a field read, on known pages and all."""

    def __init__(
        self,
        spec: FieldSpec,
        known: Sequence[Document],
        documents: Sequence[Document],
    ):
        """`known` are pages on which the field has a value."""
        self._spec, self._known, self._documents = spec, known, documents

    def changes(self, tried: Tried) -> bool:
        """Whether a reader by position reads a value among other words on some page."""
        reader = tried.candidate.reader
        if reader.kin is not Kin.PATH or len(self._known) < _FEWEST:
            return False
        said = list(self._words(reader, self._known))
        shared = reduce(frozenset.intersection, said) if said else frozenset[str]()
        elsewhere = self._words(reader, self._documents)
        return bool(shared) and any(map(shared.isdisjoint, elsewhere))

    def _words(
        self, reader: Reader, documents: Sequence[Document]
    ) -> Iterator[frozenset[str]]:
        """The words of the text on each page that gives a value."""
        for scope in map(Scope, documents):
            if read(reader, scope, self._spec) is not None:
                text = " ".join(read_texts(reader, scope)[:1])
                yield frozenset(filter(str.isalpha, tokens(text)))
