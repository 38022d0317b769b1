"""Lists of objects inside the rows of an API."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.listing.row_objects import with_objects
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from tests.induce.listing.documents import document

LEG = (FieldSpec(name="flight"), FieldSpec(name="origin"))
LEGS = FieldSpec(
    name="legs", kind=FieldKind.OBJECT, shape=Shape.LIST, required=True, fields=LEG
)
SCHEMA = RecordSchema(
    name="Offer",
    fields=(FieldSpec(name="offer", required=True), FieldSpec(name="cabin"), LEGS),
)
COUNTS = (2, 1, 3, 2, 1, 3)
ROWS: list[dict[str, Any]] = [
    {
        "offer": f"of_{100 + at}",
        "cabin": f"Row {'ABCDEF'[at]}",
        "legs": [
            {
                "flight": f"ZX{at}{leg}7",
                "origin": ("Oslo", "Rome", "Bern")[(at + leg) % 3],
            }
            for leg in range(count)
        ],
    }
    for at, count in enumerate(COUNTS)
]


def api(rows: Sequence[Mapping[str, Any]]) -> Document:
    offers = [
        {
            "id": row["offer"],
            "seat": {"name": row["cabin"]},
            "trip": {
                "parts": [
                    {"no": leg["flight"], "from": {"city": leg["origin"]}, "seq": at}
                    for at, leg in enumerate(row["legs"])
                ]
            },
        }
        for row in rows
    ]
    return document(json.dumps({"offers": offers}), kind="application/json")


def compiled(page: Document, known: int) -> Program | None:
    examples = [Example(page=0, records=tuple(ROWS[:known]))]
    return compile_program(SCHEMA, [page.page], examples, FamilyKind.JSON).program


def test_the_objects_of_all_rows_are_read() -> None:
    page = api(ROWS)
    program = compiled(page, 3)
    assert program is not None
    assert [one.values for one in run(program, page).records] == ROWS


def test_rows_that_do_not_show_the_objects_have_none() -> None:
    other = [{**row, "legs": [{"flight": "-", "origin": "-"}]} for row in ROWS]
    assert compiled(api(other), 3) is None, "a required field is not read"


def test_a_field_that_is_read_already_stays_as_it_is() -> None:
    page = api(ROWS)
    program = compiled(page, 3)
    assert program is not None
    examples = [Example(page=0, records=tuple(ROWS[:3]))]
    assert with_objects(SCHEMA, program, [page], examples) == program


SHARED = [{**row, "legs": ROWS[len(row["legs"]) % 2]["legs"]} for row in ROWS]
"""The trips of which several have the same legs, as books have the same author."""


@pytest.mark.parametrize("known_rows", [ROWS, SHARED])
def test_the_objects_of_rows_under_other_keys_are_found_again(
    known_rows: Sequence[Mapping[str, Any]],
) -> None:
    before = api(ROWS)
    program = compiled(before, 3)
    assert program is not None
    offers = [
        {
            "ref": row["offer"],
            "cabinName": row["cabin"],
            "stretches": [
                {"flightNo": leg["flight"], "start": leg["origin"]}
                for leg in row["legs"]
            ],
        }
        for row in known_rows
    ]
    after = document(json.dumps({"data": offers}), kind="application/json")
    known = [Example(page=0, records=tuple(known_rows))]
    healed = heal_program(SCHEMA, program, [after.page], known).program
    assert healed is not None
    assert [one.values for one in run(healed, after).records] == known_rows
