"""Pages that say by signs what a first version has to read, from few examples."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Cabin",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="sauna", kind=FieldKind.BOOLEAN, required=True),
        FieldSpec(name="stars", kind=FieldKind.INTEGER, required=True),
        FieldSpec(name="code", required=True),
    ),
)
SAUNAS = [True, False, True, False, False, True, False, True, True, False]
STARS = [3, 1, 4, 2, 5, 3, 2, 4, 1, 5]
WORDS = ["Oak", "Ash", "Elm", "Fir", "Yew", "Box", "Bay", "Fig", "Ivy", "Gum"]
ROWS: list[dict[str, Value]] = [
    {
        "name": f"{word} House",
        "sauna": sauna,
        "stars": stars,
        "code": f"{4000 + 7 * at}",
    }
    for at, (word, sauna, stars) in enumerate(zip(WORDS, SAUNAS, STARS, strict=True))
]
TICK = '<i class="tick"></i>'


def page(row: dict[str, Value], sauna: str) -> Page:
    mark = f"<dl><dt>Bastu</dt><dd>{sauna}</dd><dt>Bad</dt><dd>{TICK}</dd></dl>"
    stars = '<b class="st"></b>' * int(str(row["stars"]))
    body = f"<html><body><main><h1>{row['name']}</h1><p class='rate'>{stars}</p>{mark}</main></body></html>"
    url = f"https://cabins.example/c/red-house-{row['code']}"
    return Page(url=url, body=body.encode(), headers={"content-type": "text/html"})


def made(pages: Sequence[Page], count: int) -> Compiled:
    known = [Example(page=at, records=(ROWS[at],)) for at in range(count)]
    return compile_program(SCHEMA, pages, known)


def test_a_tick_as_many_stars_and_the_address_are_read_on_all_pages() -> None:
    pages = [page(row, TICK * bool(row["sauna"])) for row in ROWS]
    program = made(pages, 4).program
    assert program is not None
    read = [run(program, Document(one)).records[0].values for one in pages]
    assert [{name: one.get(name) for name in ROWS[0]} for one in read] == ROWS


def test_a_flag_whose_sign_bears_no_name_waits_for_a_person() -> None:
    pages = [page(row, TICK * bool(row["sauna"])) for row in ROWS]
    program = made(pages, 4).program
    assert program is not None
    known = [Example(page=at, records=(ROWS[at],)) for at in range(4)]
    sheet = prove_first(SCHEMA, program, pages, known)
    assert sheet.passed and sheet.probation
    assert "sauna" in sheet.unnamed
    assert "a sign stands for sauna on the pages of the examples" in sheet.reason


def test_of_two_flags_that_two_pages_tell_alike_each_has_its_tick() -> None:
    """Where a person looks: a tick at one label says as much as none at the other."""
    patio = FieldSpec(name="patio", kind=FieldKind.BOOLEAN, required=True)
    schema = RecordSchema(name="Cabin", fields=(*SCHEMA.fields[:2], patio))
    flags = [(True, False), (False, True), *[(True, True), (False, False)] * 4]
    rows: list[dict[str, Value]] = [
        {"name": f"{word} House", "sauna": one, "patio": two}
        for word, (one, two) in zip(WORDS, flags, strict=True)
    ]
    pages = [
        page(
            {"name": row["name"], "stars": 1, "code": at},
            f"{TICK * bool(row['sauna'])}</dd><dt>Altan</dt><dd>{TICK * bool(row['patio'])}",
        )
        for at, row in enumerate(rows)
    ]
    known = [Example(page=at, records=(rows[at],)) for at in range(2)]
    assert compile_program(schema, pages, known).program is None
    program = compile_program(schema, pages, known, may_guess=True).program
    assert program is not None
    read = [run(program, Document(one)).records[0].values for one in pages]
    assert read == rows
    assert {"sauna", "patio"} <= {*prove_first(schema, program, pages, known).unnamed}


def test_a_sign_and_words_that_differ_elsewhere_tell_nothing() -> None:
    """Of the known pages both fit, and one of them is another thing's."""
    shades = [*SAUNAS[:4], *(not one for one in SAUNAS[4:])]
    pages = [
        page(
            {
                **row,
                "name": f"{row['name']}</h1><p>Läge: {'Sol' if sun else 'Skugga'}</p><h1>",
            },
            TICK * bool(row["sauna"]),
        )
        for row, sun in zip(ROWS, shades, strict=True)
    ]
    compiled = made(pages, 4)
    assert compiled.program is None
    assert [one.field for one in compiled.scores.fields if not one.readers] == ["sauna"]
    known = [Example(page=at, records=(ROWS[at],)) for at in range(4)]
    guessed = compile_program(SCHEMA, pages, known, may_guess=True).program
    assert guessed is not None
    assert "sauna" in prove_first(SCHEMA, guessed, pages, known).unnamed


@pytest.mark.parametrize("required", [True, False])
def test_two_flags_that_one_place_may_be_are_left_out_or_a_person_is_told(
    required: bool,
) -> None:
    pages = [
        page(row, "Rökfritt" if row["sauna"] else "Rökning tillåten") for row in ROWS
    ]
    flags = [
        FieldSpec(name=name, kind=FieldKind.BOOLEAN, required=required)
        for name in ("smoker", "patio")
    ]
    known = [Example(page=0, records=(ROWS[0] | {"smoker": False, "patio": False},))]
    for count in (1, 2):
        schema = RecordSchema(name="Cabin", fields=(SCHEMA.fields[0], *flags[:count]))
        compiled = compile_program(schema, pages, known, may_guess=True)
        assert compiled.program is not None
        read = [one.spec.name for one in compiled.program.fields]
        fewer = 0 if required else 2 * (count == 2)
        assert read == ["name", "smoker", "patio"][: 1 + count - fewer]
        without = [one.field for one in compiled.scores.fields if not one.readers]
        assert without == ["smoker", "patio"][:fewer]
        sheet = prove_first(schema, compiled.program, pages, known)
        assert ("smoker and patio are read in one place" in sheet.reason) is (
            required and count == 2
        )
