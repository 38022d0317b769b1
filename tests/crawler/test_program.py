import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from crawloop_assets.crawler import formats
from crawloop_assets.crawler.own_part import OwnPart
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
    diff,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.errors import ConfigError
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

FORMATS = sorted((Path(__file__).parent / "programs").glob("format_*.json"))
STORED = {
    (file.stem, kind): entry
    for file in FORMATS
    for kind, entry in json.loads(file.read_text(encoding="utf-8")).items()
}


def program(at: str = "h1", **more: object) -> Program:
    spec = FieldSpec(
        name="title", required=True, aliases=("name",), description="what it is called"
    )
    readers = (
        Reader(src=Source.CSS, at=at),
        Reader(src=Source.JSON, at="ld:Product.name", get="value", weight=2),
    )
    return Program(fields=(FieldProgram(spec=spec, readers=readers),), **more)


def test_a_program_is_named_by_what_it_does() -> None:
    assert program().sha256 == program().sha256
    assert program().sha256 != program(".title").sha256
    spec = FieldSpec(name="title", required=True)
    same = Program(
        fields=(FieldProgram(spec=spec, readers=program().fields[0].readers),)
    )
    assert (
        same.sha256 == program().sha256
    )  # aliases and descriptions do not change what it does


def test_a_program_reads_fields_as_another_one_does_that_has_them() -> None:
    both = (*program("h1").fields, *named("price", "b").fields)
    mixed = Program(fields=both).as_in(named("title", "h2"))
    read_at = {one.spec.name: one.readers[0].at for one in mixed.fields}
    assert read_at == {"title": "h2", "price": "b"}
    assert program("h1").as_in(None) == program("h1")


def test_fields_of_another_program_are_read_in_the_part_of_a_page_they_were_made_of() -> (
    None
):
    whole, apart = program("h1"), named("price", "b")
    apart = apart.model_copy(update={"part": OwnPart(at=".box", own=".own")})
    made = whole.joined([*whole.fields, *apart.fields], apart)
    assert made.part == apart.part
    assert [one.spec.name for one in made.fields] == ["title", "price"]
    own = whole.model_copy(update={"part": OwnPart(at=".card")})
    assert own.joined(apart.fields, apart).part == own.part


def named(name: str, at: str) -> Program:
    spec, readers = FieldSpec(name=name), (Reader(src=Source.CSS, at=at),)
    return Program(fields=(FieldProgram(spec=spec, readers=readers),))


def test_a_program_survives_json() -> None:
    text = program().to_json()
    assert Program.from_json(text) == program()
    assert Program.from_json(text).to_json() == text


def test_a_diff_names_the_reader_that_changed() -> None:
    changes = diff(program(), program(".title"))
    assert "-  - css h1 -> text  [other 1]" in changes
    assert "+  - css .title -> text  [other 1]" in changes
    assert diff(program(), program()) == ""
    assert "+title: text, required" in diff(None, program())


@pytest.mark.parametrize(
    "reader",
    [
        {"src": "css", "at": "h1[["},
        {"src": "css", "at": "h1", "get": "eval"},
        {"src": "css", "at": "h1", "get": "@"},
        {"src": "json", "at": "ld:X.["},
        {"src": "json", "at": "ld:X.a", "get": "text"},
        {"src": "xpath", "at": "document('x')"},
        {"src": "label", "at": "price", "get": "text"},
        {"src": "css", "at": "h1", "weight": 0},
        {"src": "css", "at": "h1", "code": "import os"},
        {"src": "css", "at": "h1", "pipe": [{"op": "exec", "args": ["1"]}]},
        {"src": "css", "at": "h1", "pipe": [{"op": "split", "args": []}]},
        {"src": "css", "at": "h1", "pipe": [{"op": "nth", "args": ["1"]}]},
        {"src": "css", "at": "h1", "pipe": [{"op": "regex", "args": ["(a+)+$"]}]},
        {"src": "css", "at": "x" * 700},
    ],
)
def test_what_is_outside_the_vocabulary_is_refused(reader: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Reader.model_validate(
            {"get": "value" if reader["src"] == "json" else "text", **reader}
        )


def test_a_listing_needs_a_boundary() -> None:
    with pytest.raises(ValidationError):
        program(kind=FamilyKind.LISTING)
    with pytest.raises(ValidationError):
        Boundary(mode=BoundaryMode.NODES, at="li:::")


@pytest.mark.parametrize("at", ["h1", ".", "h1 > b", "[data-x]"])
@pytest.mark.parametrize("get", ["text", "own", "span", "@data-x"])
def test_the_vocabulary_of_elements(at: str, get: str) -> None:
    for source in (Source.CSS, Source.INHERIT, Source.GROUP):
        assert Reader(src=source, at=at, get=get).get == get


def test_only_elements_have_attributes_and_labels_lead_to_addresses() -> None:
    for source, at in ((Source.JSON, "$.a"), (Source.LABEL, "price")):
        with pytest.raises(ValidationError, match="is not one of"):
            Reader(src=source, at=at, get="@alt")
    with pytest.raises(ValidationError, match="is not one of"):
        Reader(src=Source.JSON, at="$.a", get="@href")
    for get in ("@href", "@src", "parts", "row"):
        assert Reader(src=Source.LABEL, at="photo", get=get).get == get


def test_a_boundary_is_a_selector_or_a_path() -> None:
    assert Boundary(mode=BoundaryMode.JSON, at="body.rows[*]")
    with pytest.raises(ValidationError):
        Boundary(mode=BoundaryMode.JSON, at="body.[")
    with pytest.raises(ValidationError):
        Boundary(mode=BoundaryMode.RUN, at=".")


def test_a_field_is_found_by_its_name() -> None:
    title = program().fields[0]
    assert program().field("title") == title
    assert program().field("price") is None


def nested() -> Program:
    """A listing of objects in objects."""
    cost = FieldProgram(
        spec=FieldSpec(name="cost", kind=FieldKind.NUMBER, shape=Shape.LIST),
        readers=(Reader(src=Source.CSS, at="i", pipe=(Step(op=Op.NTH, args=(1,)),)),),
    )
    offers = FieldProgram(
        spec=FieldSpec(name="offers", kind=FieldKind.OBJECT, fields=(cost.spec,)),
        readers=(Reader(src=Source.CSS, at="b", weight=0.5),),
        items=Boundary(mode=BoundaryMode.RUN, at="h2"),
        fields=(cost,),
    )
    return Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("url", "name")),
        next=Reader(src=Source.CSS, at="a.next", get="@href"),
        fields=(offers,),
    )


def test_a_program_is_read_by_people_line_by_line() -> None:
    assert nested().readable() == [
        "kind: listing",
        "records: nodes li keep if url, name",
        "next: css a.next -> @href  [other 1]",
        "offers: object",
        "  items: run h2",
        "  - css b -> text  [other 0.5]",
        "  cost: list of number",
        "    - css i -> text | nth(1)  [other 1]",
    ]


def test_the_readers_of_parts_are_readers_of_the_field() -> None:
    (offers,) = nested().fields
    assert [reader.at for reader in offers.all_readers] == ["b", "i"]


def test_a_program_says_its_kind_and_its_format_whatever_they_are() -> None:
    data = json.loads(program().to_json())
    assert (data["program"], data["kind"]) == (1, "detail")
    assert "record" not in data
    assert ": " not in program().to_json()


@pytest.mark.parametrize(("form", "kind"), STORED, ids="-".join)
def test_a_program_of_every_format_is_read_for_ever(form: str, kind: str) -> None:
    entry = STORED[form, kind]
    stored = Program.from_json(json.dumps(entry["program"]))
    assert stored.kind == kind
    assert stored.sha256 == entry["sha256"]
    assert json.loads(stored.to_json()) == entry["program"]


def test_there_is_a_stored_program_of_every_format_and_kind() -> None:
    assert {form for form, _ in STORED} == {"format_1", "format_2"}
    assert {kind for _, kind in STORED} == set(FamilyKind)


def test_a_program_without_a_format_is_of_the_first() -> None:
    data = json.loads(program().to_json())
    del data["program"]
    assert Program.from_json(json.dumps(data)).sha256 == program().sha256


@pytest.mark.parametrize("number", [6, 99])
def test_a_program_of_a_newer_format_is_no_wrong_program_but_asks_for_an_upgrade(
    number: int,
) -> None:
    text = json.dumps({"program": number, "steps": ["what nobody here knows"]})
    with pytest.raises(ConfigError, match=f"format {number}.*newer version") as caught:
        Program.from_json(text)
    assert caught.value.field == "program"


@pytest.mark.parametrize("number", [0, -1, "1", "2", None, [1], 1.5])
def test_what_is_no_format_is_no_program(number: object) -> None:
    data = {**json.loads(program().to_json()), "program": number}
    with pytest.raises(ValidationError):
        Program.from_json(json.dumps(data))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "null"])
def test_what_is_no_object_is_no_program(text: str) -> None:
    with pytest.raises(ValidationError):
        Program.from_json(text)


def test_an_older_format_is_upgraded_step_by_step_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def from_format_0(data: dict[str, Any]) -> dict[str, Any]:
        return {"program": 1, "fields": data["columns"]}

    monkeypatch.setitem(formats.UPGRADES, 0, from_format_0)
    data = json.loads(program().to_json())
    old = {"program": 0, "columns": data["fields"]}
    assert Program.from_json(json.dumps(old)) == program()
