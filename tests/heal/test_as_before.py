"""What may serve although no known value confirms it."""

from typing import Any

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.heal.as_before import may_serve_unconfirmed
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldSpec


def program(at: str, *places: str) -> Program:
    readers = tuple(Reader(src=Source.CSS, at=place) for place in places)
    name = FieldProgram(spec=FieldSpec(name="name", required=True), readers=readers)
    return Program(record=Boundary(mode=BoundaryMode.NODES, at=at), fields=(name,))


BEFORE = program("div.old > p", "a", ".name")
MOVED = program("div.new > p", "a", ".name")
MADE = program("div.new > p", "b", ".name")


def sheet(**counts: Any) -> ScoreSheet:
    usual = {"found": 10, "readers": 2}
    return ScoreSheet(fields=(FieldScore(field="name", **(usual | counts)),))


def healed(made: Program, *, borne_out: bool = False) -> HealedProgram:
    return HealedProgram(program=made, fields={}, scores=sheet(), borne_out=borne_out)


def serves(candidate: Program, proof: ScoreSheet) -> bool:
    return may_serve_unconfirmed(BEFORE, candidate, healed(candidate), proof)


def test_the_same_readers_in_many_rows_elsewhere_are_believed() -> None:
    assert serves(MOVED, sheet())


def cut(made: Program, op: Op, *args: str) -> Program:
    """The program whose readers have one step more."""
    (field,) = made.fields
    pipe = (Step(op=op, args=args),)
    readers = tuple(one.model_copy(update={"pipe": pipe}) for one in field.readers)
    fields = (field.model_copy(update={"readers": readers}),)
    return made.model_copy(update={"fields": fields})


def test_words_that_are_cut_off_leave_the_same_readers() -> None:
    assert serves(cut(BEFORE, Op.STRIP_SUFFIX, " - Published"), sheet())
    assert serves(cut(MOVED, Op.STRIP_PREFIX, "No. "), sheet())
    assert not serves(cut(MOVED, Op.AFTER, "No. "), sheet()), "another part of it"
    assert not serves(cut(MADE, Op.STRIP_PREFIX, "No. "), sheet())


def test_few_rows_are_not() -> None:
    assert not serves(MOVED, sheet(found=9))


def test_nor_are_readers_that_were_made_for_the_page_or_that_nobody_counted() -> None:
    assert not serves(MADE, sheet())
    assert not serves(MOVED, ScoreSheet())


def test_rows_that_bear_each_other_out_are_believed_as_they_were_made() -> None:
    made = healed(MADE, borne_out=True)
    assert may_serve_unconfirmed(BEFORE, MADE, made, sheet())
    assert not may_serve_unconfirmed(BEFORE, MADE, made, sheet(found=9))
    # What somebody else has made or mended of it is another version.
    other = program("div.new > p", "i", ".name")
    assert not may_serve_unconfirmed(BEFORE, other, made, sheet())
