"""Two fields that stand in one text, of which some pages say one alone: "152 € (reduced
132 €)" here, "152 €" there.

What takes the last number or day of such a text takes the only one, too, if no known
page shows that the other field may be missing. That would be the same value twice: an
optional field is read as the second one, and is absent where there is none. Not so where
a record is known of which both are the same ("11 €" costs 11 at least and at most).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import SPAN
from crawloop_assets.induce.notation import record_places
from crawloop_assets.schema import FieldKind, Shape
from crawloop_assets.values.value import Value

_KINDS = {
    FieldKind.NUMBER: Op.NUMBER,
    FieldKind.INTEGER: Op.NUMBER,
    FieldKind.DATE: Op.DATE,
}
_LAST, _SECOND = -1, 1


def each_its_own(
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Mapping[str, Value]] = (),
) -> Program:
    """The program in which no optional field is what another one is where a text says
    one number or day alone; `documents` are pages that it reads, `known` some records."""
    places = record_places(program, documents)
    fields = tuple(_own(field, program, places, known) for field in program.fields)
    return program.model_copy(update={"fields": fields})


def _own(
    field: FieldProgram,
    program: Program,
    places: Sequence[Scope],
    known: Sequence[Mapping[str, Value]],
) -> FieldProgram:
    """The field with readers of the second of two where another field has the first."""
    spec = field.spec
    if spec.required or spec.shape is not Shape.ONE or spec.kind not in _KINDS:
        return field
    others = [
        one
        for one in program.fields
        if one is not field
        and _are_alike(one, field)
        and not _are_same(one, field, known)
    ]
    beside = list(chain.from_iterable(one.readers for one in others))
    readers = tuple(_second(one, field, beside, places) for one in field.readers)
    return field.model_copy(update={"readers": readers})


def _are_alike(one: FieldProgram, other: FieldProgram) -> bool:
    """Whether two fields are both numbers, or both days."""
    return _KINDS.get(one.spec.kind) is _KINDS[other.spec.kind]


def _are_same(
    one: FieldProgram, other: FieldProgram, known: Sequence[Mapping[str, Value]]
) -> bool:
    """Whether two fields are known to have one value in some record."""
    pairs = (
        (record.get(one.spec.name), record.get(other.spec.name)) for record in known
    )
    return any(value is not None and value == same for value, same in pairs)


def _second(
    reader: Reader,
    field: FieldProgram,
    beside: Sequence[Reader],
    places: Sequence[Scope],
) -> Reader:
    """The reader of the second value of its text, if it takes the last one of a text of
    another field, and never reads another value so where there are two."""
    shown = [one for one in places if read(reader, one, field.spec) is not None]
    if not any(_is_one_text(reader, other, shown) for other in beside):
        return reader
    for steps in _stricter(reader, field):
        second = reader.model_copy(update={"pipe": steps})
        said = [(read(second, one, field.spec), one) for one in shown]
        pairs = [(one, read(reader, place, field.spec)) for one, place in said if one]
        if pairs and all(one == other for one, other in pairs):
            return second
    return reader


def _is_one_text(reader: Reader, other: Reader, places: Sequence[Scope]) -> bool:
    """Whether two readers cut the same text in all places in which the first reads."""
    return bool(places) and all(
        read_texts(reader, one)[:1] == read_texts(other, one)[:1] for one in places
    )


def _stricter(reader: Reader, field: FieldProgram) -> Iterator[tuple[Step, ...]]:
    """The steps that read the second value, for those that read the last one, or for a
    day as it is: of a span that is the last."""
    op = _KINDS[field.spec.kind]
    *first, last = reader.pipe or (None,)
    if last is not None and last.op is op and last.args[0] == _LAST:
        yield (*first, Step(op=op, args=(_SECOND, *last.args[1:])))
    elif last is None and op is Op.DATE:
        yield (SPAN, Step(op=op, args=(_SECOND,)))
