"""What a page states for machines and no longer keeps up: its JSON still says what was known
of the page, and the person who looks at it another number.

Of such JSON no number that moves is read where the page shows it as well: by chance it is
still what was known, and tomorrow it is wrong.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import Example, records_by_page
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.perturbations import silenced
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.healing.heal import FamilyPast
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.induce.unsaid import healed_without
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_OPEN = HealDecision.ABSTAINED
_NAME = attrgetter("spec.name")
_NOTHING = Program(fields=())


def stale_roots(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
) -> frozenset[str]:
    """The names of the JSON where a program reads of a page what is known of it, and a
    person says another number of one that moves. Rows of a list are no pages."""
    if program.kind is not FamilyKind.DETAIL:
        return frozenset()
    rows = records_by_page(known)
    still_said = partial(_still_said, schema, program, pages, rows)
    return frozenset(map(_root, chain.from_iterable(map(still_said, lessons))))


def _still_said(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    rows: Mapping[int, Sequence[Mapping[str, Any]]],
    lesson: Lesson,
) -> Iterator[Reader]:
    """The readers of JSON that read of a lesson's page what was known there."""
    field, spec = program.field(lesson.field), schema.field(lesson.field)
    row: Mapping[str, Any] = next(iter(rows.get(lesson.page, ())), {})
    before = row.get(spec.name)
    is_other = spec.volatile and not same(before, lesson.value, spec)
    if field is None or not is_other:
        return iter(())
    scope = Scope(Document(pages[lesson.page]))
    return filter(partial(_says, spec, scope, before), filter(_root, field.readers))


def _says(spec: FieldSpec, scope: Scope, value: Any, reader: Reader) -> bool:
    """Whether a reader gives a value."""
    said, _ = vote_on(FieldProgram(spec=spec, readers=(reader,)), scope)
    return said is not None and same(said, value, spec)


def healed_elsewhere(
    rest: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    past: FamilyPast,
    stale: Collection[str],
) -> HealedProgram:
    """The fields that nobody said anything of (`healed_without`); of those that move none
    reads of what is `stale` what it reads as well where that is not there."""
    healed = healed_without(rest, program, pages, known, past.older, past.captures)
    if not stale or healed.program is None:
        return healed
    hushed, deaf = partial(silenced, roots=stale), partial(_deaf, stale=stale)
    shown, captures = list(map(hushed, pages)), list(map(hushed, past.captures))
    older = list(map(deaf, past.older))
    again = healed_without(rest, deaf(program), shown, known, older, captures)
    lost = {name for name, one in again.fields.items() if one.decision is _OPEN}
    other = (again.program or _NOTHING).without(lost)
    leaning = filter(partial(_leans, stale), healed.program.fields)
    moved = frozenset(map(_NAME, leaning)).intersection(map(_NAME, other.fields))
    unmoved = frozenset(map(_NAME, other.fields)) - moved
    fields = healed.program.without(moved).fields + other.without(unmoved).fields
    made = healed.program.model_copy(update={"fields": fields})
    return healed.model_copy(update={"program": made, "elsewhere": moved})


def _deaf(program: Program, stale: Collection[str]) -> Program:
    """A program without what reads some JSON of numbers that move."""
    fields = tuple(map(partial(_without, stale), program.fields))
    return program.model_copy(update={"fields": fields})


def _without(stale: Collection[str], field: FieldProgram) -> FieldProgram:
    """A field without its readers of some JSON, if it moves."""
    if not _leans(stale, field):
        return field
    left = filterfalse(partial(_reads, stale), field.readers)
    return field.model_copy(update={"readers": tuple(left)})


def _leans(stale: Collection[str], field: FieldProgram) -> bool:
    """Whether what moves is read of some JSON."""
    return field.spec.volatile and any(map(partial(_reads, stale), field.readers))


def _reads(stale: Collection[str], reader: Reader) -> bool:
    """Whether a reader reads some JSON."""
    return _root(reader) in stale


def _root(reader: Reader) -> str:
    """The name of the JSON of a page that a reader reads; "" for one of markup."""
    return reader.at.partition(".")[0] * (reader.src is Source.JSON)
