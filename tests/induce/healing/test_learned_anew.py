"""Fields that a listing program was made without, learned from known records that it still reads."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.learned_anew import learned_anew
from crawloop_assets.induce.healing.listing import heal_listing
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

NAMES = ("title", "maker", "place")
SPECS = tuple(FieldSpec(name=name, required=True) for name in NAMES)
UNTIL = FieldSpec(name="until", kind=FieldKind.DATE)
SCHEMA = RecordSchema(name="Good", fields=(*SPECS, UNTIL))
PROGRAM = Program(
    kind=FamilyKind.LISTING,
    record=Boundary(mode=BoundaryMode.NODES, at="li", keep_if=NAMES, half_of=NAMES),
    fields=tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=f".{spec.name}"),))
        for spec in SPECS
    ),
)
ROWS = 8


def good(at: int) -> dict[str, str]:
    made = {name: f"{name} number {at}" for name in NAMES}
    return made | {"until": f"2026-12-{at + 3:02}"}


def document(saying: int, shift: int = 0, rest: int = 0) -> Document:
    """A list of which so many rows say until when, with a shift of another one; with a rest of rows of which nothing is
    known."""
    rows = ""
    for at in range(ROWS + rest):
        texts = "".join(f"<p class={name}>{good(at)[name]}</p>" for name in NAMES)
        day = good((at + shift) % ROWS)["until"] if at < saying else "soon"
        rows += f"<li>{texts}<i>{day}</i></li>"
    return Document(
        Page(
            url="http://town.test/",
            body=f"<html><body><ul>{rows}</ul></body></html>".encode(),
            headers={"content-type": "text/html"},
        )
    )


KNOWN = [Example(page=0, records=tuple(map(good, range(ROWS))))]


@pytest.mark.parametrize("saying", [5, ROWS])
def test_known_values_in_most_of_the_rows_are_learned(saying: int) -> None:
    learned = learned_anew(SCHEMA, PROGRAM, [document(saying)], KNOWN)
    assert learned is not None
    assert [one.spec.name for one in learned.fields] == [*NAMES, "until"]
    assert learned.record == PROGRAM.record, "nothing more is asked of a row"
    healed = heal_listing(SCHEMA, PROGRAM, [document(saying)], KNOWN)
    assert (healed.program, healed.kept) == (learned, frozenset(NAMES))
    assert healed.fields == {*NAMES, "until"}


@pytest.mark.parametrize(("saying", "shift"), [(3, 0), (0, 0), (ROWS, 1)])
def test_few_of_them_or_those_of_other_rows_are_not(saying: int, shift: int) -> None:
    assert learned_anew(SCHEMA, PROGRAM, [document(saying, shift)], KNOWN) is None


@pytest.mark.parametrize("rest", [ROWS, ROWS + 1])
def test_half_of_all_rows_have_to_have_it(rest: int) -> None:
    """Where few do, it may be another thing."""
    learned = learned_anew(SCHEMA, PROGRAM, [document(ROWS, 0, rest)], KNOWN)
    assert (learned is None) is (rest > ROWS)


def test_a_field_of_which_nothing_is_known_is_not_looked_for() -> None:
    rows = tuple({name: good(at)[name] for name in NAMES} for at in range(ROWS))
    known = [Example(page=0, records=rows)]
    assert learned_anew(SCHEMA, PROGRAM, [document(ROWS)], known) is None
