"""What a page states to machines only, with no example."""

import json

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

SHOWN = "The harbour opens again after two years of work."
STATED = "Harbour news: when it opens, and all that visitors need to know."


def article(stated: str, shown: str = f"<p class='lead'>{SHOWN}</p>") -> Page:
    data = {"@type": "NewsArticle", "headline": "Harbour", "description": stated}
    head = f"<script type='application/ld+json'>{json.dumps(data)}</script>"
    html = f"<html><head>{head}</head><body><h1>Harbour</h1>{shown}</body></html>"
    return Page(
        url="https://paper.example/1",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def read(page: Page, spec: FieldSpec, *known: Value) -> Value:
    """The value of a field on the page a program was made of, with no example or one."""
    title = FieldSpec(name="title", required=True)
    schema = RecordSchema(name="Article", fields=(title, spec))
    records = [{"title": "Harbour", spec.name: value} for value in known]
    examples = [Example(page=0, records=(record,)) for record in records]
    program = compile_program(schema, [page], examples).program
    assert program is not None
    return run(program, Document(page)).records[0].values.get(spec.name)


@pytest.mark.parametrize("name", ["summary", "dek", "teaser"])
def test_a_summary_that_nobody_is_shown_is_not_taken_for_the_one_that_is(
    name: str,
) -> None:
    spec = FieldSpec(name=name)
    assert read(article(STATED), spec) != STATED
    assert read(article(SHOWN), spec) == SHOWN
    many = FieldSpec(name=name, shape=Shape.LIST)
    assert read(article(STATED), many) is None
    assert read(article(SHOWN), many) == [SHOWN]


def test_the_next_statement_that_is_shown_stands_in() -> None:
    tag = f"<meta property='og:description' content='{SHOWN}'><p>{SHOWN}</p>"
    assert read(article(STATED, tag), FieldSpec(name="summary")) == SHOWN


def test_what_is_asked_for_by_its_name_or_by_an_example_is_read() -> None:
    assert read(article(STATED), FieldSpec(name="description")) == STATED
    assert read(article(STATED), FieldSpec(name="summary"), STATED) == STATED
