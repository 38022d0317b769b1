"""Numbers in one unit where pages say them in several."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

WEIGHTS = ("284 g", "863 g", "783 g", "2 kg", "1.5 kg", "90 g")
GRAMS = (284, 863, 783, 2000, 1500, 90)


def page(at: int, text: str) -> Page:
    terms = f"<dl><dt>Weight</dt><dd>{text}</dd><dt>Maker</dt><dd>Farm {at}</dd></dl>"
    body = f"<html><body><main><h1>Jar {at}</h1>{terms}</main></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url=f"https://jars.test/{at}", body=body.encode(), headers=headers)


def read(texts: tuple[str, ...], known: tuple[int, ...]) -> list[Value]:
    pages = [page(at, text) for at, text in enumerate(texts)]
    spec = FieldSpec(name="weight", kind=FieldKind.INTEGER, required=True)
    rows = [{"weight": one} for one in known]
    examples = [Example(page=at, records=(row,)) for at, row in enumerate(rows)]
    schema = RecordSchema(name="Jar", fields=(spec,))
    made = compile_program(schema, pages, examples, FamilyKind.DETAIL)
    assert made.program is not None
    found = [run(made.program, Document(one)).records for one in pages]
    return [records[0].values.get("weight") if records else None for records in found]


@pytest.mark.parametrize("known", [1, 2, 3, 5])
def test_a_number_is_read_in_the_unit_that_is_known(known: int) -> None:
    assert read(WEIGHTS, GRAMS[:known]) == list(GRAMS)


def test_where_all_pages_say_one_unit_nothing_is_converted() -> None:
    texts = tuple(text for text in WEIGHTS if not text.endswith("kg"))
    assert read(texts, (284, 863)) == [284, 863, 783, 90]


def test_what_is_no_unit_parts_nothing() -> None:
    texts = ("12 left", "7 left", "3 sold", "5 sold")
    assert read(texts, (12, 7)) == [12, 7, 3, 5]


@pytest.mark.parametrize("known", [2, 3, 4])
def test_a_number_that_stands_nowhere_as_it_is_is_found_in_its_unit(known: int) -> None:
    texts = ("6 let", "5 měsíců", "3 roky", "1 rok", "11 měsíců", "12 let")
    months = (72, 5, 36, 12, 11, 144)
    assert read(texts, months[:known]) == list(months)
