"""Words of another field: the yes and no of one key fit the few choices of another field on
as few pages as a heal sees, by chance.

A key or a label by whose name one field is read as it stands speaks of that one. No other
field is learned there in words that stand for its choices. Nor does a name alone make a new
field of what is another one's: a price is not the net price as well.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, compress, filterfalse, starmap
from operator import attrgetter, eq, is_not

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.decision import FieldDecision, HealDecision
from crawloop_assets.values.text import letters

_NAMED = (Source.JSON, Source.LABEL)
_Place = tuple[Source, str, str]


def own_fields(
    program: Program,
    fields: Sequence[FieldProgram],
    decisions: Mapping[str, FieldDecision],
    documents: Sequence[Document],
) -> list[FieldProgram]:
    """The healed fields of a `program` that are no other field's."""
    own = list(without_borrowed(program, fields))
    return list(without_echoes(_vouched(program, decisions), own, documents))


def without_borrowed(
    program: Program, fields: Sequence[FieldProgram]
) -> Iterator[FieldProgram]:
    """The healed fields of a `program`, but for readers that make words of another field's
    place their choices, in which they were not read before; those that have no others are
    left out."""
    for field in fields:
        others = filter(partial(is_not, field), fields)
        taken = set(map(_place, filter(_is_as_it_stands, _readers(others))))
        known = _readers(filter(None, [program.field(field.spec.name)]))
        is_borrowed = partial(_is_borrowed, taken - set(map(_place, known)))
        readers = tuple(filterfalse(is_borrowed, field.readers))
        made = field.model_copy(update={"readers": readers})
        if readers or not field.readers:
            yield made


def _vouched(program: Program, decisions: Mapping[str, FieldDecision]) -> set[str]:
    """The fields that a program had, or whose known values were found again: a name alone
    makes no new one."""
    again = (
        name
        for name, made in decisions.items()
        if made.decision is HealDecision.REALIGNED
    )
    return {*map(attrgetter("spec.name"), program.fields), *again}


def without_echoes(
    vouched: Collection[str],
    fields: Sequence[FieldProgram],
    documents: Sequence[Document],
) -> Iterator[FieldProgram]:
    """The healed fields, but for those that nothing has `vouched` for and that say what
    another one says wherever they say something."""
    said = [tuple(map(partial(_said, field), documents)) for field in fields]
    for field, own in zip(fields, said, strict=True):
        alike = sum(map(partial(_repeats, own), said))  # itself among them
        if field.spec.name in vouched or alike <= 1:
            yield field


def _said(field: FieldProgram, document: Document) -> str:
    """The letters of what a field says of a page, "" for nothing."""
    value, _ = vote_on(field, Scope(document))
    return letters("" if value is None else str(value))


def _repeats(own: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one says something, and all that it says another one says as well."""
    pairs = compress(zip(own, other, strict=True), own)
    return set(starmap(eq, pairs)) == {True}


def _is_borrowed(taken: Collection[_Place], reader: Reader) -> bool:
    """Whether a reader makes words of a `taken` place choices."""
    return _place(reader) in taken and Op.MAP in map(attrgetter("op"), reader.pipe)


def _readers(fields: Iterable[FieldProgram]) -> Iterator[Reader]:
    """All readers of some fields."""
    return chain.from_iterable(map(attrgetter("all_readers"), fields))


def _place(reader: Reader) -> _Place:
    """Where a reader reads."""
    return reader.src, reader.at, reader.get


def _is_as_it_stands(reader: Reader) -> bool:
    """Whether a reader takes what stands under a name as it is."""
    return reader.src in _NAMED and not reader.pipe
