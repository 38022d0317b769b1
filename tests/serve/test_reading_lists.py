"""What is read of lists and of fields that the model no longer has, by real workers."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.commit import served_page
from crawloop_assets.serve.reading import PageReader, Reading
from crawloop_assets.store import BatchCommit, Store
from crawloop_assets.store.published import published_rows
from tests.serve.readings import page_of, visit_of
from tests.serve.test_reading import ITEM, SHOP, version


class Tagged(BaseModel):
    """Lists that have to be read, that may be missing, and that nothing reads."""

    title: str
    sizes: list[str]
    tags: list[str] = []
    notes: list[str] = Field(default_factory=lambda: ["none"])


TAGGED = Family.model_validate(
    {
        "family": "shop/tagged",
        "schema": "tests.serve.test_reading_lists:Tagged",
        "discover": {},
    }
)


def list_program() -> str:
    """A program that reads all but the notes."""
    places = {"title": "h1", "sizes": ".sizes li", "tags": ".tags li"}
    fields = [
        FieldProgram(
            spec=TAGGED.schema_spec().field(name),
            readers=(Reader(src=Source.CSS, at=at),),
        )
        for name, at in places.items()
    ]
    return Program(fields=tuple(fields)).to_json()


def lists_read(body: str) -> Reading:
    """What a real worker reads on a page of a Tagged."""
    visit = replace(visit_of(1), page=page_of(1, body))
    reader = PageReader(TAGGED, default_pool(), [version(1, list_program())], 1)
    (reading,) = asyncio.run(reader.read([visit]))
    return reading


SIZES = "<ul class=sizes><li>S</li></ul>"


@pytest.mark.parametrize(
    ("body", "sizes", "tags"),
    [
        (f"{SIZES}<ul class=tags><li>new</li></ul>", ["S"], ["new"]),
        (f"{SIZES}<ul class=tags></ul>", ["S"], []),
        (SIZES, ["S"], None),
        (f"{SIZES}<ul class=tags><i>new</i></ul>", ["S"], None),
        ("<ul class=sizes></ul>", [], None),
    ],
)
def test_a_list_in_the_table_is_null_unless_the_page_shows_that_it_is_empty(
    tmp_path: Path, body: str, sizes: list[str], tags: list[str] | None
) -> None:
    reading = lists_read(f"<h1>Tea</h1>{body}")
    assert reading.good, reading.findings
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    commit = BatchCommit(
        family=TAGGED, batch="000001", run_id="r1", served=[served_page(reading)]
    )
    store.commit_batch(commit)
    (row,) = published_rows(store.publish(), "tagged", ["sizes", "tags", "notes"])
    assert row == {"sizes": sizes, "tags": tags, "notes": None}


def test_a_list_that_has_to_be_read_and_was_not_is_drift() -> None:
    reading = lists_read("<h1>Tea</h1><ul class=tags></ul>")
    assert (reading.verdict, reading.records) == (Verdict.DRIFT, ())
    assert "sizes" in {each.field for each in reading.findings}


class Variant(BaseModel):
    """A nested record with a list that somebody reads, and one that nobody does."""

    name: str
    sizes: list[str] = ["any"]
    notes: list[str] = ["none"]


class Varied(BaseModel):
    """A product of several variants."""

    title: str
    variants: list[Variant] = []


class Sized(Variant):
    """A variant that has a size if anybody reads its sizes."""

    sizes: list[str] = Field(default=["any"], min_length=1)


class Measured(BaseModel):
    """A product whose variants have sizes."""

    title: str
    variants: list[Sized] = []


VARIANTS = (
    "<ul><li class=var><b>Red</b><ol><li>S</li></ol></li>"
    "<li class=var><b>Blue</b><ol></ol></li>"
    "<li class=var><b>Green</b></li></ul>"
)


def variants_read(model: str) -> tuple[Family, Reading]:
    """What a real worker reads of a product with three variants."""
    family = Family.model_validate(
        {
            "family": "shop/varied",
            "schema": f"tests.serve.test_reading_lists:{model}",
            "discover": {},
        }
    )
    title, variants = family.schema_spec().fields
    parts = zip(variants.fields, ("b", "ol li", ""), strict=True)
    items = FieldProgram(
        spec=variants,
        items=Boundary(mode=BoundaryMode.NODES, at=".var"),
        fields=tuple(
            FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=at),))
            for spec, at in parts
            if at
        ),
    )
    heading = FieldProgram(spec=title, readers=(Reader(src=Source.CSS, at="h1"),))
    program = Program(fields=(heading, items)).to_json()
    visit = replace(visit_of(1), page=page_of(1, f"<h1>Tea</h1>{VARIANTS}"))
    reader = PageReader(family, default_pool(), [version(1, program)], 1)
    (reading,) = asyncio.run(reader.read([visit]))
    return family, reading


@pytest.mark.parametrize(("model", "none"), [("Varied", []), ("Measured", None)])
def test_a_list_inside_a_record_is_null_unless_the_page_shows_that_it_is_empty(
    tmp_path: Path, model: str, none: list[str] | None
) -> None:
    """A model that takes no empty list there is given none."""
    family, reading = variants_read(model)
    assert reading.good, reading.findings
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    served = [served_page(reading)]
    commit = BatchCommit(family=family, batch="000001", run_id="r1", served=served)
    store.commit_batch(commit)
    (row,) = published_rows(store.publish(), model.lower(), ["variants"])
    assert [one["sizes"] for one in row["variants"]] == [["S"], none, None]
    assert {str(one["notes"]) for one in row["variants"]} == {"None"}


class Strict(BaseModel, extra="forbid"):
    """A product whose price nobody wants any more."""

    title: str


def test_a_field_that_was_removed_from_the_model_is_read_by_nobody() -> None:
    of = SHOP.model_copy(
        update={"record_schema": "tests.serve.test_reading_lists:Strict"}
    )
    reader = PageReader(of, default_pool(), [version(1, ITEM)], 1)
    (reading,) = asyncio.run(reader.read([visit_of(1)]))
    assert reading.good, reading.findings
    assert reading.values == ({"title": "Tea"},)
