"""Days of which other pages write a span: "3 May 2026" here, "12–14 June 2026" there."""

from collections.abc import Collection, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import SPAN
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.spans import spelled_out
from crawloop_assets.values.text import tokens, word_set

_ENDS = word_set("end ends ending until till deadline close closing closes last to")
"""Words of a field that is the last of several days."""


def with_spans(
    field: FieldProgram, places: Sequence[Scope], known: Collection[object] = ()
) -> FieldProgram:
    """The field with readers that read one of the days where a page or row has a span, the
    first one unless it is named as an end: as it is read, a span has its last day only.
    It stays as it is where `known` days are the last of spans."""
    spec = field.spec
    if (spec.kind, spec.shape) != (FieldKind.DATE, Shape.ONE):
        return field
    if any(_are_last(reader, places, spec, known) for reader in field.readers):
        return field
    readers = tuple(_with_span(reader, places, spec) for reader in field.readers)
    return field.model_copy(update={"readers": readers})


def _are_last(
    reader: Reader, places: Sequence[Scope], spec: FieldSpec, known: Collection[object]
) -> bool:
    """Whether what is known is the last day of a span of a place, neither the first day of
    one nor the only day of another place."""
    if reader.pipe:
        return False
    first = [read(_first_day(reader), place, spec) for place in places]
    last = [read(reader, place, spec) for place in places]
    return not set(last).difference(first, [None]).isdisjoint(known)


def _first_day(reader: Reader) -> Reader:
    """The reader of the first day of a span."""
    return reader.model_copy(update={"pipe": (SPAN, Step(op=Op.DATE, args=(0,)))})


def _with_span(reader: Reader, places: Sequence[Scope], spec: FieldSpec) -> Reader:
    """The reader with the step that writes both days in full, if it takes a text as it is
    or one of its days, and some page or row has a span there."""
    first = reader.pipe[:1]
    if not {Op.DATE}.issuperset(map(attrgetter("op"), first)):
        return reader
    place = reader.model_copy(update={"pipe": ()})
    if not any(map(partial(_has_span, place), places)):
        return reader
    days = first or (Step(op=Op.DATE, args=(-_is_end(spec),)),)
    return reader.model_copy(update={"pipe": (SPAN, *days, *reader.pipe[1:])})


def _has_span(place: Reader, scope: Scope) -> bool:
    """Whether the first text of a place has a span of days."""
    return any(spelled_out(text) != text for text in read_texts(place, scope)[:1])


def _is_end(spec: FieldSpec) -> bool:
    """Whether a field is called the last day of several."""
    return not _ENDS.isdisjoint(tokens(spec.name))
