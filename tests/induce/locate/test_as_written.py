"""What a person writes short is what stands on the page."""

from datetime import datetime
from typing import Any

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.locate.as_written import as_on_pages
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.page import Page
from crawloop_assets.record import to_values
from crawloop_assets.schema import schema_of

LIVES = {
    1: "Albert was born in Ulm, in a house that is gone. He later moved.",
    2: "Jane was born in Steventon, as the seventh of eight children.",
    3: "Mark was born in Florida, Missouri, two weeks after a comet.",
}


class Author(BaseModel):
    """Somebody who wrote."""

    name: str
    life: str
    tags: list[str] = []


SCHEMA = schema_of(Author)


def page(number: int, more: str = "") -> Page:
    tags = "".join(
        f"<a class='tag'>{tag}</a> " for tag in ("deep thoughts", f"n{number}")
    )
    body = f"""<html><head><title>Author {number}</title></head><body>
    <h1>Author {number}</h1><div class="tags">Tags: {tags}</div>
    <div class="life">{LIVES[number]}</div>{more}</body></html>"""
    return Page(
        url=f"https://quotes.test/author/{number}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def on_page(record: dict[str, Any], shown: Page) -> dict[str, Any]:
    example = Example(page=0, records=(to_values(record, SCHEMA),))
    (meant,) = as_on_pages(SCHEMA, [example], [shown])
    return dict(meant.records[0])


@pytest.mark.parametrize(
    "cut", ["Albert was born in Ulm, …", "Albert  was born in Ulm..."]
)
def test_a_beginning_stands_for_the_text_that_begins_so(cut: str) -> None:
    assert on_page({"life": cut}, page(1))["life"] == LIVES[1]


@pytest.mark.parametrize(
    ("written", "more"),
    [
        ("Albert was born in Ulm", ""),
        ("Nobody was born in Ulm…", ""),
        ("Albert …", ""),
        ("Albert was born in Ulm…", "<p>Albert was born in Ulm…</p>"),
    ],
    ids=["not cut", "not on the page", "too short", "cut by the page"],
)
def test_else_a_text_means_what_it_says(written: str, more: str) -> None:
    assert on_page({"life": written}, page(1, more))["life"] == written


@pytest.mark.parametrize("line", ["deep thoughts, n1", "deep thoughts;n1"])
def test_a_list_may_be_written_in_one_line(line: str) -> None:
    assert on_page({"tags": line}, page(1))["tags"] == ["deep thoughts", "n1"]


def test_an_item_with_a_comma_stays_one() -> None:
    shown = page(1, "<li>a cup of sugar, sifted</li>")
    assert on_page({"tags": "a cup of sugar, sifted"}, shown)["tags"] == [
        "a cup of sugar, sifted"
    ]


def test_such_examples_compile_and_prove() -> None:
    pages = [page(number) for number in LIVES]
    examples = [
        Example(
            page=at,
            records=(
                to_values(
                    {
                        "name": f"Author {number}",
                        "life": f"{LIVES[number][:30]}…",
                        "tags": f"deep thoughts, n{number}",
                    },
                    SCHEMA,
                ),
            ),
        )
        for at, number in enumerate((1, 2))
    ]
    made = compile_program(SCHEMA, pages, examples)
    assert made.program is not None, made.scores
    assert {one.spec.name for one in made.program.fields} == {"name", "life", "tags"}
    proof = prove_first(SCHEMA, made.program, pages, examples, 2)
    assert proof.unread == () and proof.passed, proof.reason


class Call(BaseModel):
    """What may be bid for."""

    name: str
    closes: datetime
    buyer: Author


def call(number: int, day: str, more: str = "") -> Page:
    shown = page(number).body.replace(
        b"</body>", f"<p>Prazo: <b>{day}</b></p>{more}".encode()
    )
    return page(number).model_copy(update={"body": shown})


@pytest.mark.parametrize(
    ("others", "meant"),
    [
        (("30/11/2026", "22/11/2026"), "2026-12-09"),
        (("11/30/2026", "11/22/2026"), "2026-09-12"),
        (("30/11/2026", "11/22/2026"), "2026-09-12"),  # they do not agree
        (("01/02/2026", "03/11/2026"), "2026-09-12"),  # none tells
    ],
)
def test_a_day_is_meant_as_all_pages_write_it(
    others: tuple[str, str], meant: str
) -> None:
    schema = schema_of(Call)
    days = ("09/12/2026 às 17:00", *others)
    record = to_values({"name": "Call", "closes": days[0]}, schema)
    assert record["closes"] == "2026-09-12T17:00:00"
    pages = [call(at + 1, day) for at, day in enumerate(days)]
    (read,) = as_on_pages(schema, [Example(page=0, records=(record,))], pages)
    assert read.records[0]["closes"] == f"{meant}T17:00:00"


def test_a_moment_is_by_the_clocks_of_the_day_that_is_meant() -> None:
    """Summer time is of May, and no December has it."""
    zone = "Europe/Paris"
    schema = schema_of(Call).model_copy(
        update={
            "fields": tuple(
                one.model_copy(update={"timezone": zone})
                for one in schema_of(Call).fields
            )
        }
    )
    days = ("05/12/2026 à 17h00", "30/11/2026 à 12h00", "22/11/2026 à 12h00")
    record = to_values({"name": "Call", "closes": days[0]}, schema)
    assert record["closes"] == "2026-05-12T17:00:00+02:00"
    pages = [call(at + 1, day) for at, day in enumerate(days)]
    (read,) = as_on_pages(schema, [Example(page=0, records=(record,))], pages)
    assert read.records[0]["closes"] == "2026-12-05T17:00:00+01:00"


class Offers(BaseModel):
    """What was offered, each on its day."""

    offers: list[Call]


def test_a_day_in_a_list_of_records_is_meant_so_too() -> None:
    schema = schema_of(Offers)
    days = ("09/12/2026", "30/11/2026", "22/11/2026")
    known = [Example(page=0, records=({"offers": [{"closes": "2026-09-12"}]},))]
    pages = [call(at + 1, day) for at, day in enumerate(days)]
    (read,) = as_on_pages(schema, known, pages)
    assert read.records[0]["offers"] == [{"closes": "2026-12-09"}]


def test_a_day_is_meant_as_the_family_declares_it() -> None:
    schema = schema_of(Call, "MDY")
    days = ("09/12/2026", "30/11/2026", "22/11/2026")
    pages = [call(at + 1, day) for at, day in enumerate(days)]
    known = [Example(page=0, records=({"closes": "2026-09-12"},))]
    assert as_on_pages(schema, known, pages) == known


def test_a_day_that_stands_there_as_it_was_read_stays() -> None:
    schema = schema_of(Call)
    days = ("09/12/2026", "30/11/2026", "22/11/2026")
    pages = [call(at + 1, day, "<i>12/09/2026</i>") for at, day in enumerate(days)]
    known = [Example(page=at, records=({"closes": "2026-09-12"},)) for at in range(3)]
    assert as_on_pages(schema, known, pages) == known


def test_what_is_written_in_a_record_inside_is_what_stands_on_the_page() -> None:
    record = {"name": "Call", "buyer": {"life": "Albert was born in Ulm, …"}}
    known = Example(page=0, records=(record,))
    (meant,) = as_on_pages(schema_of(Call), [known], [page(1)])
    assert meant.records[0]["buyer"] == {"life": LIVES[1]}
