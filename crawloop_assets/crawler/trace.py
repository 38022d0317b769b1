"""How a value came about: every reader of a field, the places it read, and each step
from their text to what it voted for.

It asks the very functions by which pages are read, and keeps what they pass on.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, filterfalse, islice
from operator import attrgetter

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.interpreter import inner_scopes, scopes, vote_on
from crawloop_assets.crawler.own_heading import nearest_above, nearest_of_group
from crawloop_assets.crawler.own_part import own_page
from crawloop_assets.crawler.program import (
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import (
    Scope,
    label_spans,
    read_texts,
    select,
    texts_of,
    to_value,
)
from crawloop_assets.crawler.readable import reader_line
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_elements
from crawloop_assets.document.select import xpath
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.value import Value

_MOST_PLACES = 40
"""Of one reader that are shown."""
_MOST_TEXTS = 200
_MOST_PARTS = 20
_MOST_CHARS = 2_000
_OF_ELEMENT = re.compile(r"/{1,2}(?:@[\w:-]{1,60}|text\(\)(?:\[\d{1,3}\])?)$")
"""The end of an XPath that asks an element for its text or an attribute."""
CHOOSING = frozenset((Op.FIRST, Op.LAST, Op.NTH, Op.TAKE, Op.DEDUPE))
"""Steps that choose among texts, and change none."""
_Texts = tuple[str, ...]


class _Traced(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StepTrace(_Traced):
    """One transform in words, and the texts after it."""

    says: str
    texts: _Texts


class ReaderTrace(_Traced):
    """What one reader read.

    `elements` are the numbers of the elements it read, none for JSON; `texts` what it
    found there, `steps` what became of that, `value` what it voted for and `agrees`
    whether that is the value.
    """

    line: str
    source: Source
    get: str
    kind: Kind
    weight: float
    elements: tuple[int, ...]
    texts: _Texts
    steps: tuple[StepTrace, ...]
    value: Value
    agrees: bool

    @property
    def is_on_page(self) -> bool:
        """Whether an element shows what it read."""
        return bool(self.elements)


_PROMINENCE = attrgetter("is_on_page", "weight")


class FieldTrace(_Traced):
    """All readers of a field in one record, and how they voted."""

    name: str
    value: Value
    vote: FieldVote
    readers: tuple[ReaderTrace, ...]

    @property
    def winner(self) -> ReaderTrace | None:
        """The reader that is shown first: of those for the value the one with the most
        weight that read an element; else one that read JSON."""
        own = filter(attrgetter("agrees"), self.readers)
        return max(own, key=_PROMINENCE, default=None)

    def says_by_kind(self) -> Iterator[tuple[Kind, Value, float, int]]:
        """What each kind of evidence says, with the weight and the number of its
        readers."""
        said: dict[tuple[Kind, str], list[ReaderTrace]] = {}
        for one in self.readers:
            if one.value is not None:
                said.setdefault((one.kind, str(one.value)), []).append(one)
        for (kind, _), group in sorted(said.items()):
            weight = sum(map(attrgetter("weight"), group))
            yield kind, group[0].value, weight, len(group)


class RecordTrace(_Traced):
    """One record of a page; `matching` is how many of the values asked for it has."""

    row: int = 0
    rows: int = 0
    matching: int = 0
    fields: tuple[FieldTrace, ...] = ()


def trace_record(
    program: Program, document: Document, known: Mapping[str, Value], field: str = ""
) -> RecordTrace:
    """How the record came about that has the most of the `known` values; of one field
    only, if one is named."""
    places = _places(program, document)
    if not places:
        return RecordTrace()
    counts = [_matching(program.fields, place, known) for place in places]
    row = counts.index(max(counts))
    chosen = program.fields
    if field:
        chosen = tuple(filter(None, [program.field(field)]))
    traced = chain.from_iterable(_traced(one, places[row]) for one in chosen)
    return RecordTrace(
        row=row, rows=len(places), matching=counts[row], fields=tuple(traced)
    )


def _places(program: Program, document: Document) -> list[Scope]:
    """Where the records of the page are."""
    own = own_page(document, program.part)
    if own is None:
        return []
    return scopes(own, program.record) if program.record else [Scope(own)]


def _matching(
    fields: Sequence[FieldProgram], place: Scope, known: Mapping[str, Value]
) -> int:
    """How many known values are read at a place."""
    asked = (field for field in fields if known.get(field.spec.name) is not None)
    return sum(
        same(vote_on(field, place)[0], known[field.spec.name], field.spec)
        for field in asked
    )


def _traced(
    field: FieldProgram, scope: Scope, prefix: str = ""
) -> Iterator[FieldTrace]:
    """The trace of a field, or of each part of an object."""
    if field.fields:
        yield from _traced_parts(field, scope, prefix)
        return
    value, vote = vote_on(field, scope)
    yield FieldTrace(
        name=prefix + field.spec.name,
        value=value,
        vote=vote,
        readers=tuple(_reader(one, field.spec, scope, value) for one in field.readers),
    )


def _traced_parts(
    field: FieldProgram, scope: Scope, prefix: str
) -> Iterator[FieldTrace]:
    """The parts of the first nested records, each by its path: `offers[0].price`."""
    name = prefix + field.spec.name
    if field.items is None:
        inner = [(f"{name}.", scope)]
    else:
        found = islice(inner_scopes(scope, field.items), _MOST_PARTS)
        inner = [(f"{name}[{at}].", place) for at, place in enumerate(found)]
    for path, place in inner:
        for part in field.fields:
            yield from _traced(part, place, path)


def _reader(
    reader: Reader, spec: FieldSpec, scope: Scope, winner: Value
) -> ReaderTrace:
    """What one reader read, step by step."""
    texts = read_texts(reader, scope)
    steps: list[StepTrace] = []
    found = texts
    for step in reader.pipe:
        found = step(found) if found else found
        steps.append(StepTrace(says=str(step), texts=_short(found)))
    value = to_value(found, spec, scope.document.base_url)
    return ReaderTrace(
        line=reader_line(reader),
        source=reader.src,
        get=reader.get,
        kind=kind_of(reader),
        weight=reader.weight,
        elements=tuple(_decisive(reader, spec, scope, value)[:_MOST_PLACES]),
        texts=_short(texts),
        steps=tuple(steps),
        value=value,
        agrees=value is not None and _is_same(value, winner, spec),
    )


def _decisive(
    reader: Reader, spec: FieldSpec, scope: Scope, value: Value
) -> Sequence[int]:
    """The elements that a reader read; of several those that give the one value by
    themselves, if any does."""
    elements = _ELEMENTS[reader.src](reader, scope)
    if len(elements) < 2 or spec.shape is not Shape.ONE or reader.get == "span":
        return elements
    alone = []
    for number in elements[:_MOST_PLACES]:
        if _is_same(_alone(reader, spec, scope, number), value, spec):
            alone.append(number)
    return alone or elements


def _alone(reader: Reader, spec: FieldSpec, scope: Scope, number: int) -> Value:
    """What a reader would read, had it found one element only."""
    steps = list(filterfalse(_is_choosing, reader.pipe))
    texts = texts_of(scope.document, number, reader.get)
    return to_value(apply(steps, texts), spec, scope.document.base_url)


def _is_choosing(step: Step) -> bool:
    """Whether a step chooses among texts, and changes none."""
    return step.op in CHOOSING


def _is_same(value: Value, winner: Value, spec: FieldSpec) -> bool:
    """Whether a reader voted for the value that won."""
    form = canonical(value, spec)
    return form is not None and form == canonical(winner, spec)


def _short(texts: Sequence[str]) -> _Texts:
    """As many texts, and as much of each, as a person looks at."""
    return tuple(text[:_MOST_CHARS] for text in texts[:_MOST_TEXTS])


def _css_elements(reader: Reader, scope: Scope) -> list[int]:
    """What a selector matches; a span is of the whole record."""
    return list(scope.nodes) if reader.get == "span" else select(scope, reader.at)


def _xpath_elements(reader: Reader, scope: Scope) -> list[int]:
    """The elements that an XPath finds, or whose text or attribute it finds; none for
    one that makes texts itself."""
    expression = _OF_ELEMENT.sub("", reader.at)
    elements: list[int] = []
    for node in scope.nodes:
        found = xpath(scope.document, expression or ".", node)
        elements += filter(_is_number, found)  # type: ignore[arg-type]
    return elements


def _is_number(found: int | str) -> bool:
    """Whether an element was found, not a text."""
    return isinstance(found, int)


def _label_elements(reader: Reader, scope: Scope) -> list[int]:
    """What stands beside the label."""
    return label_elements(scope.document, reader.at, reader.get, label_spans(scope))


def _inherited(reader: Reader, scope: Scope) -> list[int]:
    """The nearest match before the record."""
    return nearest_above(scope.document, reader.at, scope.nodes[0])


def _of_group(reader: Reader, scope: Scope) -> list[int]:
    """The nearest match in the heading of the record's own group."""
    return nearest_of_group(scope.document, reader.at, scope.nodes[0])


def _no_elements(_reader: Reader, _scope: Scope) -> list[int]:
    """JSON is in no element of its own."""
    return []


_ELEMENTS: Mapping[Source, Callable[[Reader, Scope], list[int]]] = {
    Source.JSON: _no_elements,
    Source.CSS: _css_elements,
    Source.XPATH: _xpath_elements,
    Source.LABEL: _label_elements,
    Source.INHERIT: _inherited,
    Source.GROUP: _of_group,
}
"""The elements that a reader of each source reads."""
