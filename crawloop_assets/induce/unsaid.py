"""What becomes of the fields that nobody said anything of, while others are taught."""

from collections.abc import Sequence
from itertools import product, starmap
from operator import itemgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.pointed_cells import found_rows, known_rows
from crawloop_assets.induce.healing.decision import FieldDecision, HealDecision
from crawloop_assets.induce.healing.heal import FamilyPast, heal_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.present import present


def healed_without(
    rest: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    older: Sequence[Program],
    captures: Sequence[Page] = (),
) -> HealedProgram:
    """The fields of a program and a schema without the taught ones; rows are learned anew
    from what is known of them, where that is enough."""
    rows = found_rows(program, list(map(Document, pages)))
    if program.kind is not FamilyKind.DETAIL:
        compiled = compile_program(rest, pages, known, program.kind)
        if compiled.program is not None:
            made, scores = compiled.program, compiled.scores
            if _are_in_one_place(made, program):
                made = _with_kept(made, program)
            elif 2 * len(known_rows(rows, known, rest)) > len(rows):
                made = program  # what is known of other fields has moved on
            return HealedProgram(program=made, fields={}, scores=scores)
    healed = heal_program(
        rest, program, pages, known, FamilyPast(older, captures=captures)
    )
    if healed.program is None and rows:
        # Nothing is to be healed of rows that are read as ever, though all of them are new.
        return healed.model_copy(update={"program": program})
    if healed.partial is not None and _are_read_on(rest, program, pages, healed):
        return healed.model_copy(update={"program": healed.partial})
    return healed


def _are_read_on(
    rest: RecordSchema, program: Program, pages: Sequence[Page], healed: HealedProgram
) -> bool:
    """Whether of the required fields that nothing vouches for something is read on every page
    as it is: a number that was taught the day before, and has moved since, stands there and
    stays. Pages on which hardly another field is found are others."""
    lost = [name for name, made in healed.fields.items() if _is_open(made)]
    needed = present(map(program.field, filter(rest.requires, lost)))
    votes = starmap(vote_on, product(needed, map(Scope, map(Document, pages))))
    is_said = None not in map(itemgetter(0), votes)
    return bool(needed) and is_said and 2 * len(lost) <= len(healed.fields)


def _is_open(made: FieldDecision) -> bool:
    """Whether nothing was found of a field."""
    return made.decision is HealDecision.ABSTAINED


def _are_in_one_place(made: Program, before: Program) -> bool:
    """Whether rows are found where they were, whatever a row has to have."""
    if made.record is None or before.record is None:
        return False
    asked = {name: getattr(before.record, name) for name in ("keep_if", "half_of")}
    return made.record.model_copy(update=asked) == before.record


def _with_kept(made: Program, before: Program) -> Program:
    """What was made, with the fields that it has no reader of as before: what is known
    of them may have moved on."""
    kept = before.without({field.spec.name for field in made.fields}).fields
    fields = (*made.fields, *kept)
    return made.model_copy(update={"fields": fields, "record": before.record})
