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
from crawloop_assets.heal.as_before import reads_as_before
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldSpec


def program(at: str, *places: str) -> Program:
    readers = tuple(Reader(src=Source.CSS, at=place) for place in places)
    name = FieldProgram(spec=FieldSpec(name="name", required=True), readers=readers)
    return Program(record=Boundary(mode=BoundaryMode.NODES, at=at), fields=(name,))


BEFORE = program("div.old > p", "a", ".name")
MOVED = program("div.new > p", "a", ".name")


def sheet(**counts: Any) -> ScoreSheet:
    usual = {"found": 10, "readers": 2}
    return ScoreSheet(fields=(FieldScore(field="name", **(usual | counts)),))


def test_the_same_readers_in_many_rows_elsewhere_are_believed() -> None:
    assert reads_as_before(BEFORE, MOVED, sheet())


def test_few_rows_are_not() -> None:
    assert not reads_as_before(BEFORE, MOVED, sheet(found=9))


def test_nor_are_readers_that_were_made_for_the_page_or_that_nobody_counted() -> None:
    assert not reads_as_before(BEFORE, program("div.new > p", "b", ".name"), sheet())
    assert not reads_as_before(BEFORE, MOVED, ScoreSheet())
