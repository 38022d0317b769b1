"""Data that some pages have and others lack."""

import pytest

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Kin,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.data_of_some import weighed_by_silence
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec

NAME = FieldSpec(name="name", required=True)
DATA = Reader(
    src=Source.JSON, at="ld:Product.name", get="value", kin=Kin.JSONLD, weight=4.0
)
SHOWN = tuple(
    Reader(src=Source.CSS, at=at, kin=Kin.TAG, weight=weight)
    for at, weight in (("h1", 0.8), ("h2", 0.4))
)


def page(*, stated: bool, heading: str = "Oak") -> Document:
    data = '<script type="application/ld+json">{"@type": "Product", "name": "Oak"}</script>'
    body = f"<h1>Oak</h1><h2>{heading}</h2>{data * stated}"
    headers = {"content-type": "text/html"}
    return Document(Page(url="https://a.test/1", body=body.encode(), headers=headers))


def field(*readers: Reader) -> FieldProgram:
    return FieldProgram(spec=NAME, readers=readers)


def test_readers_that_agree_are_believed_where_data_is_silent() -> None:
    made = weighed_by_silence(
        field(DATA, *SHOWN), [page(stated=True), page(stated=False)]
    )
    program = Program(kind=FamilyKind.DETAIL, fields=(made,))
    (record,) = run(program, page(stated=False)).records
    assert record.votes["name"].agreement > 0.6
    assert made.readers[0].weight > sum(one.weight for one in SHOWN), "it leads still"
    assert made.readers[1:] == SHOWN


@pytest.mark.parametrize(
    ("readers", "documents"),
    [
        ((DATA, *SHOWN), [page(stated=True), page(stated=True)]),
        ((DATA, *SHOWN), [page(stated=True), page(stated=False, heading="Elm")]),
        ((DATA, *SHOWN[:1]), [page(stated=False)]),
        ((DATA.model_copy(update={"weight": 1.4}), *SHOWN), [page(stated=False)]),
        ((SHOWN[0].model_copy(update={"weight": 9.0}), *SHOWN), [page(stated=False)]),
    ],
    ids=["never silent", "others differ", "one alone", "light", "no data"],
)
def test_else_all_weigh_what_they_did(
    readers: tuple[Reader, ...], documents: list[Document]
) -> None:
    assert weighed_by_silence(field(*readers), documents) == field(*readers)
