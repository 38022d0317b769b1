"""Choices of rows in other words."""

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.choice_texts import worded_choices
from crawloop_assets.induce.listing.locations import KnownCell
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
    found = worded_choices(STATE, samples, ())
    return [[read(one.reader, each, STATE) for each in scopes] for one in found]


def test_each_word_stands_for_one_choice() -> None:
    page = rows("Lager", "Lager", "Ausverkauft", "Lager")
    answers = told(page, IN, IN, OUT, IN)
    assert answers and all(each == [IN, IN, OUT, IN] for each in answers)


def test_few_rows_tell_nothing() -> None:
    assert told(rows("Lager", "Weg", "Weg"), IN, OUT, OUT) == []
