"""Flags that pages of one record say by words where they are true, or where they are not, and
by nothing else: "with a case"; or by an icon.

No place of the page has a text for either. Words, or a sign, that stand on just the pages of
which the flag is known are its mark, where so many pages are known that none would by chance.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope, read, select
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.by_signs import by_signs
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.marks import mark_steps
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.stream import texts_and_signs
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.induce.trust import tuned
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_FRAMES = ("main", "article", "body")


class _Flagged(NamedTuple):
    """A page and the flag that is known of it."""

    document: Document
    flag: bool


def may_be_marked(spec: FieldSpec) -> bool:
    """Whether a mark may say a field: a flag that does not change every day, for where the
    site says it in other words all pages say the same."""
    is_flag = (spec.kind, spec.shape) == (FieldKind.BOOLEAN, Shape.ONE)
    return is_flag and not spec.volatile


def with_marked(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
) -> Program:
    """The program of pages of one record, with each flag read by its mark of which that
    reads more known ones than the program does."""
    if program.kind is not FamilyKind.DETAIL:
        return program
    documents = list(map(Document, pages))
    made = []
    for spec in filter(may_be_marked, schema.fields):
        flagged = list(_flagged(spec.name, documents, known))
        readers = _mark_of(spec, flagged) or _signs_of(spec, flagged, documents)
        old = program.field(spec.name)
        if _right(spec, readers, flagged) > _right_now(old, flagged):
            made.append(FieldProgram(spec=spec, readers=tuple(readers)))
    names = frozenset(field.spec.name for field in made)
    kept = program.without(names).fields
    return program.model_copy(update={"fields": (*kept, *made)})


def _flagged(
    name: str, documents: Sequence[Document], known: Sequence[Example]
) -> Iterator[_Flagged]:
    """The pages of which a flag is known."""
    for example in known:
        flags = (record.get(name) for record in example.records[:1])
        for flag in flags:
            if isinstance(flag, bool):
                yield _Flagged(documents[example.page], flag)


def _signs_of(
    spec: FieldSpec, flagged: Sequence[_Flagged], documents: Sequence[Document]
) -> list[Reader]:
    """What reads a flag by an icon, or another sign without words, that stands on just those
    pages; none where so few are known that one would by chance."""
    flags = list(map(attrgetter("flag"), flagged))
    if comb(len(flags), flags.count(True)) < tuned("marks.ways"):
        return []
    indexes = map(Index, map(attrgetter("document"), flagged))
    known = list(map(KnownValue, indexes, flags))
    return [one.candidate.reader for one in by_signs(known, spec, documents)]


def _mark_of(spec: FieldSpec, flagged: Sequence[_Flagged]) -> list[Reader]:
    """What reads a flag by its mark, in the part of the pages that is about the record; as a
    list, empty if there is no mark."""
    documents = list(map(attrgetter("document"), flagged))
    for frame in filter(partial(_are_in, documents), _FRAMES):
        said = [(_texts(frame, document), flag) for document, flag in flagged]
        if steps := mark_steps(said, spec):
            place = Reader(src=Source.CSS, at=frame, get="text", kin=Kin.TAG)
            weight = round(tuned("marks.trust") ** 2, 4)
            return [place.model_copy(update={"pipe": steps, "weight": weight})]
    return []


def _are_in(documents: Sequence[Document], frame: str) -> bool:
    """Whether each page has one element of a name."""
    return all(len(document.by_tag.get(frame, ())) == 1 for document in documents)


def _texts(frame: str, document: Document) -> list[str]:
    """The texts of the only element of a name."""
    (number,) = select(Scope(document), frame)
    return list(texts_and_signs(Scope(document, (number,))))


def _right(
    spec: FieldSpec, readers: Sequence[Reader], flagged: Sequence[_Flagged]
) -> int:
    """How many known flags the first reader reads."""
    return sum(
        is_right(read(reader, Scope(document), spec), flag, spec)
        for reader in readers[:1]
        for document, flag in flagged
    )


def _right_now(field: FieldProgram | None, flagged: Sequence[_Flagged]) -> int:
    """How many known flags a field of a program reads."""
    fields = [field] if field is not None else []
    return sum(
        is_right(vote_on(one, Scope(document))[0], flag, one.spec)
        for one in fields
        for document, flag in flagged
    )
