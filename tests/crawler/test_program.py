import pytest
from pydantic import ValidationError

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
from crawloop_assets.schema import FieldKind, FieldSpec


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


def test_steps_are_written_for_people() -> None:
    assert str(Step(op=Op.STRIP_SUFFIX, args=(" | Shop",))) == "strip_suffix(' | Shop')"
    assert FieldKind.NUMBER in FieldKind
