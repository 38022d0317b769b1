"""Compiling pages of many records, and JSON."""

import json
from dataclasses import replace
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce import compile_rows
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.compile_rows import is_one_of_rows
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value
from tests.induce.brands import cut_of_rows
from tests.induce.pages import lost

ROW = RecordSchema(
    name="Lamp",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
    ),
)
NAMES = ["Walnut lamp", "Oak chair", "Brass desk", "Paper stool", "Glass vase"]


def rows(names: list[str]) -> Page:
    items = "".join(
        f"<li class='lamp'><h3 class='name'>{name}</h3><b class='cost'>{at + 7}.50 €</b></li>"
        for at, name in enumerate(names)
    )
    return Page(
        url="https://shop.example/all",
        body=f"<html><body><ul>{items}</ul></body></html>".encode(),
        headers={"content-type": "text/html"},
    )


def known_rows(count: int) -> Example:
    records = tuple(
        {"title": name, "price": f"{at + 7}.50"}
        for at, name in enumerate(NAMES[:count])
    )
    return Example(page=0, records=records)


def test_a_listing_is_compiled_from_some_of_its_records() -> None:
    compiled = compile_program(ROW, [rows(NAMES)], [known_rows(3)], FamilyKind.LISTING)
    assert compiled.program is not None
    assert compiled.program.kind is FamilyKind.LISTING
    records = run(compiled.program, Document(rows(NAMES[::-1]))).records
    assert [record.values["title"] for record in records] == NAMES[::-1]
    sheet = compiled.scores
    assert (sheet.pages, sheet.records, sheet.oracle) == (1, 3, "examples")
    assert sheet.passed and sheet.reason == "1.00 of known cells right, 5 records"
    title = sheet.field("title")
    assert title is not None and title.readers > 0 and title.kins
    assert title.required and title.readers and title.reason


def test_a_listing_without_examples_is_guessed() -> None:
    compiled = compile_program(ROW, [rows(NAMES)], [], FamilyKind.LISTING)
    assert compiled.scores.oracle == "repetition and the words of the schema"


def test_a_listing_that_lacks_a_required_field_is_no_program() -> None:
    needs = ROW.model_copy(
        update={"fields": (*ROW.fields, FieldSpec(name="maker", required=True))}
    )
    compiled = compile_program(
        needs, [rows(NAMES)], [known_rows(3)], FamilyKind.LISTING
    )
    assert compiled.program is None and not compiled.scores.passed
    assert compiled.scores.reason == "no reader for required maker"


def test_records_that_are_not_on_the_page_give_no_listing() -> None:
    other = Example(page=0, records=({"title": "Sofa", "price": "999"},))
    optional = RecordSchema(name="Lamp", fields=(FieldSpec(name="title"),))
    compiled = compile_program(optional, [lost()], [other], FamilyKind.LISTING)
    assert compiled.program is None
    assert compiled.scores.reason == "the records are not found"
    title = compiled.scores.field("title")
    assert title is not None and title.reason == "no reader gives the known values"


def json_page(data: object) -> Page:
    return Page(
        url="https://shop.example/api",
        body=json.dumps(data).encode(),
        headers={"content-type": "application/json"},
    )


def test_json_of_one_record_is_read_as_a_page_of_one() -> None:
    item = {"title": "Oak chair", "price": 8.5}
    known = Example(page=0, records=({"title": "Oak chair", "price": "8.5"},))
    compiled = compile_program(ROW, [json_page(item)], [known], FamilyKind.JSON)
    assert compiled.program is not None
    assert compiled.program.kind is FamilyKind.DETAIL


def test_json_of_many_records_is_read_as_a_listing() -> None:
    items = [{"title": name, "price": at + 7.5} for at, name in enumerate(NAMES)]
    for data in (items, {"items": items}):
        compiled = compile_program(
            ROW, [json_page(data)], [known_rows(3)], FamilyKind.JSON
        )
        assert compiled.program is not None
        assert compiled.program.kind is FamilyKind.JSON
        records = run(compiled.program, Document(json_page(data))).records
        assert [record.values["title"] for record in records] == NAMES


def test_a_field_of_objects_has_the_evidence_of_its_parts() -> None:
    spec = FieldSpec(
        name="seller",
        kind=FieldKind.OBJECT,
        fields=(FieldSpec(name="name"), FieldSpec(name="city")),
    )
    schema = RecordSchema(name="Offer", fields=(FieldSpec(name="title"), spec))

    def offer(at: int) -> Page:
        data = {
            "@type": "Product",
            "name": NAMES[at],
            "seller": {
                "@type": "Organization",
                "name": f"Shop {NAMES[at]}",
                "city": "Oslo",
            },
        }
        script = f"<script type='application/ld+json'>{json.dumps(data)}</script>"
        return Page(
            url=f"https://shop.example/{at}",
            body=f"<html><head>{script}</head><body><h1>{NAMES[at]}</h1></body></html>".encode(),
            headers={"content-type": "text/html"},
        )

    known = Example(
        page=0,
        records=(
            {
                "title": NAMES[0],
                "seller": {"name": f"Shop {NAMES[0]}", "city": "Oslo"},
            },
        ),
    )
    scores = compile_program(schema, [offer(0)], [known]).scores
    seller = scores.field("seller")
    assert seller is not None
    assert (seller.right, seller.wrong) == (1, 0)
    assert seller.reason == "1 of 1 known values are read right, 2 reader(s)"
    assert seller.readers > 0 and seller.kins


@pytest.mark.parametrize("examples", [2, 3])
@pytest.mark.parametrize(
    ("maker", "label"), [("maker", ""), ("x9", ""), ("mk", "von ")]
)
def test_no_part_of_a_name_outvotes_the_cell_that_is_the_value(
    examples: int, maker: str, label: str
) -> None:
    assert cut_of_rows(examples, maker, label) == []


QUOTE = RecordSchema(
    name="Quote",
    fields=(
        FieldSpec(name="text", required=True),
        FieldSpec(name="author", required=True),
        FieldSpec(name="tags", shape=Shape.LIST),
    ),
)
AUTHORS = ("Ada Byron", "Otto Vela", "Ines Larch", "Jo Marrow")
QUOTES = 24


def quote(at: int) -> dict[str, Value]:
    text = (
        f"“The {chr(97 + at)} of it{' is here' * (at % 3)}{'!' if at == 20 else '.'}”"
    )
    return {"text": text, "author": AUTHORS[at % 4], "tags": [f"t{at}", f"u{at}"]}


def paired_rows() -> Page:
    """A quote in one row of a table, and its tags in the next."""
    rows = ""
    for one in map(quote, range(QUOTES)):
        tags = " ".join(f"<a href='/t'>{tag}</a>" for tag in one["tags"])
        rows += (
            f"<tr style='border: 0'><td>{one['text']} Author: {one['author']}</td></tr>"
        )
        rows += f"<tr style='border: 1px'><td>Tags: {tags}</td></tr>"
    html = f"<html><body><h1>Quotes</h1><table>{rows}</table></body></html>"
    return Page(
        url="https://quotes.test/1",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def test_records_of_two_rows_are_all_read_or_what_is_not_is_said() -> None:
    known = [Example(page=0, records=tuple(map(quote, range(3))))]
    made = compile_program(QUOTE, [paired_rows()], known, FamilyKind.LISTING).program
    assert made is not None
    records = run(made, Document(paired_rows())).records
    wanted = [quote(at) for at in range(QUOTES)]
    for name in ("text", "author"):
        read = [record.values.get(name) for record in records]
        assert read == [one[name] for one in wanted]
    sheet = prove_first(QUOTE, made, [paired_rows()], known)
    is_read = [record.values.get("tags") for record in records] == [
        one["tags"] for one in wanted
    ]
    assert sheet.passed is is_read
    if not is_read:
        assert {one.field for one in sheet.unread} == {"tags"}
        assert "not read on the example's own page: tags (3)" in sheet.reason


LESSON = RecordSchema(
    name="Lesson",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="starts", kind=FieldKind.DATE, required=True),
        FieldSpec(name="free", kind=FieldKind.INTEGER, required=True),
    ),
)


def answer(body: dict[str, object]) -> Page:
    return Page(
        url="https://api.example/lessons",
        body=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )


def lesson(at: int) -> dict[str, Value]:
    return {"title": f"{NAMES[at % 5]} {at}", "starts": f"2026-03-{at + 3:02}"}


def read_from_one(page: Page, known: dict[str, Value]) -> list[dict[str, Value]]:
    examples = [Example(page=0, records=(known,))]
    made = compile_program(LESSON, [page], examples, FamilyKind.JSON, may_guess=True)
    assert made.program is not None, made.scores.reason
    return [dict(row.values) for row in run(made.program, Document(page)).records]


def test_one_known_row_of_an_answer_is_a_row_and_not_the_answer() -> None:
    items = [{**lesson(at), "plekken": {"vrij": 7 * at % 11 + 1}} for at in range(10)]
    said = [{**lesson(at), "free": 7 * at % 11 + 1} for at in range(10)]
    read = read_from_one(answer({"total": 60, "lessen": items}), said[3])
    assert read == said


def test_a_record_that_has_rows_of_its_own_is_the_answer() -> None:
    names = ("title", "teacher", "town", "starts", "hall")
    course = RecordSchema(
        name="Course", fields=tuple(FieldSpec(name=one) for one in names)
    )
    times = [
        {"starts": f"2026-03-{at + 3:02}", "hall": f"Hall {NAMES[at % 5]}"}
        for at in range(6)
    ]
    head = {"title": "Looms of Umber", "teacher": "Kelp Willow", "town": "Zwolle"}
    page = Document(answer({**head, "times": times}))
    example = Example(page=0, records=({**head, **times[0]},))
    assert induce_on(course, [page], [example])[0].found > 1
    assert not is_one_of_rows(course, [page], [example])


INN = RecordSchema(
    name="Inn",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True),
        FieldSpec(name="rating", kind=FieldKind.NUMBER, required=True),
        FieldSpec(name="stars", kind=FieldKind.INTEGER, required=True),
        FieldSpec(name="reviews", kind=FieldKind.INTEGER, required=True),
        FieldSpec(name="breakfast", kind=FieldKind.BOOLEAN, required=True),
    ),
)


def inn(at: int) -> dict[str, Value]:
    rating, has = f"{6 + at % 5 / 2:.1f}", at % 3 % 2 == 0
    title, price = f"Inn {NAMES[at % 5]} {at + 1}", str(95 + 7 * at)
    counts: dict[str, Value] = {"stars": 5 - at % 3, "reviews": 1_952 - 71 * at}
    said: dict[str, Value] = {"title": title, "price": price, "rating": rating}
    return {**said, **counts, "breakfast": has}


def card(at: int) -> str:
    one: dict[str, Any] = inn(at)
    meal = "Breakfast included" if one["breakfast"] else "Room only"
    return (
        f"<div class='card'><a href='/h/{at}'><img src='/i/{at}.jpg'></a><h2>{one['title']}"
        f"<span class='st'>{'★' * (5 - at % 3)}</span></h2>"
        f"<p class='rate'><b>{one['rating']}</b> ({one['reviews']:,} reviews)</p><p>{meal}</p>"
        f"<p class='pr'>from €{one['price']}</p></div>"
    )


def test_of_one_known_row_the_place_that_misses_nothing_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The box around all rows has every text of the known one as well."""
    cards = "".join(map(card, range(12)))
    shown = Page(
        url="https://inns.example/",
        body=f"<main><h1>Inns</h1><div class='grid'>{cards}</div></main>".encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )
    examples = [Example(page=0, records=(inn(0),))]
    kind = FamilyKind.LISTING
    best = induce_on(INN, [Document(shown)], examples)[0]
    # Who breakfasts is guessed, where there are rows to compare.
    unsure = best.program.without({"breakfast"})
    found, rows = replace(best, program=unsure), unsure.record
    assert rows is not None
    update = {"record": rows.model_copy(update={"at": "div.grid"})}
    box = replace(best, program=unsure.model_copy(update=update), found=1)
    monkeypatch.setattr(compile_rows, "induce_on", lambda *_: [box, found])
    made = compile_program(INN, [shown], examples, kind, may_guess=True)
    assert made.program is not None
    read = run(made.program, Document(shown)).records
    assert [row.values["breakfast"] for row in read] == [
        inn(at)["breakfast"] for at in range(12)
    ]
