"""What becomes of the fields that nobody said anything of, while others are taught."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.pointed_cells import found_rows, known_rows
from crawloop_assets.induce.healing.heal import FamilyPast, heal_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema


def healed_without(
    rest: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    older: Sequence[Program],
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
    healed = heal_program(rest, program, pages, known, FamilyPast(older))
    if healed.program is None and rows:
        # Nothing is to be healed of rows that are read as ever, though all of them are new.
        return healed.model_copy(update={"program": program})
    return healed


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
