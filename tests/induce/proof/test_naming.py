"""Required fields of which nothing on the page says that they are read."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.induce.proof.naming import unnamed_fields
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, required=True)
TITLE = FieldSpec(name="title", required=True)


def css(at: str, kin: Kin) -> Reader:
    return Reader(src=Source.CSS, at=at, kin=kin)


def unnamed(spec: FieldSpec, *readers: Reader) -> list[str]:
    program = Program(fields=(FieldProgram(spec=spec, readers=readers),))
    return list(unnamed_fields(RecordSchema(name="Thing", fields=(spec,)), program))


@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (css("main > div:nth-of-type(2)", Kin.PATH), ["price"]),
        (css("div b", Kin.TAG), ["price"]),
        (css(".css-1dbjc4n", Kin.CLASS), ["price"]),
        (css(".sc-bdVaJa b", Kin.CLASS), ["price"]),
        (css(".cell b", Kin.CLASS), []),
        (css(".price > b:nth-of-type(2)", Kin.PATH), []),
        (css("#buy b", Kin.ID), []),
        (css("[itemprop]", Kin.MICRO), []),
        (Reader(src=Source.LABEL, at="now", get="next", kin=Kin.LABEL), []),
        (Reader(src=Source.JSON, at="ld:Thing.a", get="value", kin=Kin.JSONLD), []),
    ],
)
def test_a_position_or_the_class_of_a_build_names_nothing(
    reader: Reader, expected: list[str]
) -> None:
    assert unnamed(PRICE, reader) == expected
    assert unnamed(PRICE.model_copy(update={"required": False}), reader) == []


def test_two_readers_and_telling_tags_are_named_enough() -> None:
    path, tag = css("main > div:nth-of-type(2)", Kin.PATH), css("div b", Kin.TAG)
    assert unnamed(PRICE, path, tag) == []
    assert unnamed(TITLE, css("h1", Kin.TAG)) == []
    assert unnamed(TITLE, css("h2", Kin.TAG)) == ["title"]
    assert unnamed(PRICE) == []
