"""What rows say otherwise."""

import json
from decimal import Decimal

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.otherwise import otherwise_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

CHOICES = ("In stock", "Sold out")
STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=CHOICES)
IN, OUT = CHOICES


def rows(*words: str) -> Document:
    return document(
        "".join(f"<li><b>Ware {word}</b><i>{word}</i></li>" for word in words)
    )


def cells(page: Document, *values: str) -> list[KnownCell]:
    return [KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)]


def told(page: Document, *values: str) -> list[list[object]]:
    samples = cells(page, *values)
    scopes: list[Scope] = [sample.scope for sample in samples]
    found = otherwise_readers(STATE, samples, ())
    return [[read(one.reader, each, STATE) for each in scopes] for one in found]


def test_each_word_stands_for_one_choice() -> None:
    page = rows("Lager", "Lager", "Ausverkauft", "Lager")
    answers = told(page, IN, IN, OUT, IN)
    assert answers and all(each == [IN, IN, OUT, IN] for each in answers)


def test_few_rows_tell_nothing() -> None:
    assert told(rows("Lager", "Weg", "Weg"), IN, OUT, OUT) == []


PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
PRICES = (Decimal("12.90"), Decimal("4.05"), Decimal(210))


def prices(scopes: list[Scope]) -> list[list[Decimal]]:
    samples = [KnownCell(one, price) for one, price in zip(scopes, PRICES, strict=True)]
    found = otherwise_readers(PRICE, samples, ())
    return [
        [Decimal(str(read(one.reader, scope, PRICE))) for scope in scopes]
        for one in found
    ]


def test_numbers_of_rows_are_read_in_the_old_unit() -> None:
    page = rows("1290 cents", "405 cents", "21000 cents")
    answers = prices([scope(page, "li", at) for at in range(3)])
    assert answers and all(tuple(one) == PRICES for one in answers)


def test_numbers_of_json_as_well_but_no_words() -> None:
    said = [{"id": at, "minor": cents} for at, cents in enumerate((1290, 405, 21000))]
    page = document(json.dumps(said), kind="application/json")
    scopes = [Scope(page, (0,), row) for row in said]
    (answer,) = prices(scopes)
    assert tuple(answer) == PRICES
    cells = [KnownCell(one, IN if at else OUT) for at, one in enumerate(scopes * 2)]
    assert list(otherwise_readers(STATE, cells, ())) == []
