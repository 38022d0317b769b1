"""Days of which other pages write a span: "3 May 2026" here, "12–14 June 2026" there."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Reader
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import SPAN
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.spans import spelled_out
from crawloop_assets.values.text import tokens, word_set

_ENDS = word_set("end ends ending until till deadline closing closes last to")
"""Words of a field that is the last of several days."""


def with_spans(field: FieldProgram, documents: Sequence[Document]) -> FieldProgram:
    """The field with readers that read one of the days where a page has a span, the first
    one unless it is named as an end: as it is read, a span has its last day only."""
    spec = field.spec
    if (spec.kind, spec.shape) != (FieldKind.DATE, Shape.ONE):
        return field
    readers = tuple(_with_span(reader, documents, spec) for reader in field.readers)
    return field.model_copy(update={"readers": readers})


def _with_span(
    reader: Reader, documents: Sequence[Document], spec: FieldSpec
) -> Reader:
    """The reader with the step that writes both days in full, if it takes a text as it is
    or one of its days, and some page has a span there."""
    first = reader.pipe[:1]
    if not {Op.DATE}.issuperset(map(attrgetter("op"), first)):
        return reader
    place = reader.model_copy(update={"pipe": ()})
    if not any(map(partial(_has_span, place), map(Scope, documents))):
        return reader
    days = first or (Step(op=Op.DATE, args=(-_is_end(spec),)),)
    return reader.model_copy(update={"pipe": (SPAN, *days, *reader.pipe[1:])})


def _has_span(place: Reader, scope: Scope) -> bool:
    """Whether the first text of a place has a span of days."""
    return any(spelled_out(text) != text for text in read_texts(place, scope)[:1])


def _is_end(spec: FieldSpec) -> bool:
    """Whether a field is called the last day of several."""
    return not _ENDS.isdisjoint(tokens(spec.name))
