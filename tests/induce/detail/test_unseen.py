"""Fields that no known page shows, by the names that pages give them."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.unseen import unseen_candidates
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

COST = FieldSpec(name="cost", kind=FieldKind.NUMBER)
CURRENCY = FieldSpec(name="currency")
SCHEMA = RecordSchema(
    name="Lamp",
    fields=(FieldSpec(name="title", required=True), COST, CURRENCY),
)
SOLD_OUT = "<p class='note'>Not made any more</p>"
SHOWN = "<p class='lamp-price'>€ 41.50</p>"


def lamp(title: str, body: str) -> Page:
    html = f"<html><body><h1>{title}</h1>{body}</body></html>"
    return Page(
        url="https://lamps.example/1",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def read(learned: str, shown: str, *examples: Example) -> dict[str, Value]:
    page = lamp("Harbour lamp", learned)
    program = compile_program(SCHEMA, [page], examples).program
    assert program is not None
    (record,) = run(program, Document(lamp("Meadow lamp", shown))).records
    assert not any(record.votes[name].is_certain for name in ("cost", "currency"))
    return record.values


@pytest.mark.parametrize(
    "examples", [(), (Example(page=0, records=({"title": "Harbour lamp"},)),)]
)
def test_a_price_that_the_learned_page_lacks_is_read_where_another_names_it(
    examples: tuple[Example, ...],
) -> None:
    values = read(SOLD_OUT, SHOWN, *examples)
    assert values == {"title": "Meadow lamp", "cost": "41.50", "currency": "€"}
    assert read(SOLD_OUT, SOLD_OUT, *examples) == {"title": "Meadow lamp"}


def test_what_the_learned_page_has_under_that_name_is_something_else() -> None:
    of_others = f"{SOLD_OUT}<p>Others like</p><p class='price'>12.00</p><p class='price'>9.90</p>"
    known = Example(page=0, records=({"title": "Harbour lamp"},))
    assert "cost" not in read(of_others, SHOWN, known)


def test_only_numbers_and_currencies_are_read_by_a_name_alone() -> None:
    places = [each.reader.at for each in unseen_candidates(COST)]
    assert '[class*="cost"]' in places and '[itemprop="price"]' in places
    for spec in (
        FieldSpec(name="brand"),
        FieldSpec(name="price", kind=FieldKind.NUMBER, shape=Shape.LIST),
        FieldSpec(name="made", kind=FieldKind.DATE),
    ):
        assert unseen_candidates(spec) == []
    odd = FieldSpec(name='a"b', kind=FieldKind.NUMBER)
    assert unseen_candidates(odd) == []
