"""Which numbers may be what a thing cost before."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.former import may_be_former
from crawloop_assets.induce.proof.numbers_beside import KnownInPlace
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import json_document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
KNOWN = (90, 80, 70, 60, 50, 40)
TODAY = (90, 75, 70, 55, 50, 40)
IN_CENTS = (Step(op=Op.SCALE, args=(-2,)),)

Row = tuple[int, Any, Any]  # known, first number, second number


def rows(first: Sequence[Any], second: Sequence[Any]) -> list[Row]:
    return list(zip(KNOWN, first, second, strict=True))


def made(scope: Scope, known: Any, reader: Reader, **others: Any) -> KnownInPlace:
    values = {"price": read(reader, scope, PRICE), **others}
    return KnownInPlace(scope, {"price": known}, ExtractedRecord(values=values))


def page(body: str) -> Document:
    headers = {"content-type": "text/html"}
    return Document(Page(url="https://shop.test/", body=body.encode(), headers=headers))


def in_json(every: Sequence[Row], scale: int = 1, **others: Any) -> list[KnownInPlace]:
    """Records of an API, of which the first number is read."""
    reader = Reader(
        src=Source.JSON, at="$.a.sum", get="value", pipe=IN_CENTS * (scale > 1)
    )
    found = []
    for known, first, second in every:
        both = {"a": {"sum": first * scale}, "b": {"sum": second * scale}}
        scope = Scope(page("<p></p>"), data=both)
        also = dict.fromkeys(others, second)
        found.append(made(scope, known, reader, **also))
    return found


def in_markup(every: Sequence[Row]) -> list[KnownInPlace]:
    """Rows of a list, of which the first number is read."""
    reader = Reader(src=Source.CSS, at=".a", get="text")
    row = "<li><b>Pot</b> <i class=a>{:.2f} €</i> <i class=b>{:.2f} €</i></li>"
    body = "".join(row.format(first, second) for _, first, second in every)
    document = page(f"<ul>{body}</ul>")
    places = [at for at, tag in enumerate(document.tags) if tag == "li"]
    return [
        made(Scope(document, nodes=(at,)), known, reader)
        for at, (known, _, _) in zip(places, every, strict=True)
    ]


def is_former(
    found: Sequence[KnownInPlace], spec: FieldSpec = PRICE, pipe: Any = ()
) -> bool:
    reader = Reader(src=Source.CSS, at=".a", get="text", pipe=pipe)
    return may_be_former(spec, FieldProgram(spec=spec, readers=(reader,)), found)


def test_a_price_beside_a_lower_one_that_often_is_the_known_one_may_be_the_former() -> (
    None
):
    assert is_former(in_json(rows(KNOWN, TODAY)))
    assert is_former(in_markup(rows(KNOWN, TODAY)))
    assert is_former(in_json(rows(KNOWN, TODAY), 100), pipe=IN_CENTS)


def test_on_a_page_of_one_record_its_numbers_are_compared() -> None:
    reader = Reader(src=Source.CSS, at=".a", get="text")
    shown = "<main><i class=a>{} €</i> <i class=b>{} €</i></main>"
    found = [
        made(Scope(page(shown.format(first, second))), known, reader)
        for known, first, second in rows(KNOWN, TODAY)
    ]
    assert is_former(found)


def test_an_answer_of_an_api_with_one_record_has_no_elements() -> None:
    reader = Reader(src=Source.JSON, at="body.now", get="value")
    found = [
        made(
            Scope(json_document(json.dumps({"now": first, "then": second}))),
            known,
            reader,
        )
        for known, first, second in rows(KNOWN, TODAY)
    ]
    assert [one.record.values["price"] for one in found] == list(map(str, KNOWN))
    assert is_former(found)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (TODAY, KNOWN),  # the former price beside today's
        (KNOWN, (72, 64, 56, 48, 40, 32)),  # without the tax: never the known one
        (KNOWN, (90, 85, 60, 60, 50, 40)),  # now higher, now lower
        (KNOWN, (90, 75, 70, 60, 50, 40)),  # one alone
        (KNOWN, KNOWN),
    ],
)
def test_other_numbers_beside_a_price_say_nothing(
    first: Sequence[int], second: Sequence[int]
) -> None:
    assert not is_former(in_json(rows(first, second)))


def test_where_another_field_is_read_there_it_is_known_what_that_is() -> None:
    assert not is_former(in_json(rows(KNOWN, TODAY), member_price=None))


@pytest.mark.parametrize(
    "other", [{"volatile": False}, {"name": "list_price"}, {"kind": FieldKind.TEXT}]
)
def test_other_fields_are_not_asked(other: dict[str, Any]) -> None:
    found = in_json(rows(KNOWN, TODAY))
    spec = PRICE.model_copy(update=other)
    renamed = [
        one._replace(
            known={spec.name: one.known["price"]},
            record=ExtractedRecord(values={spec.name: one.record.values["price"]}),
        )
        for one in found
    ]
    assert not is_former(renamed, spec)


def test_of_few_records_and_of_none_nothing_is_said() -> None:
    found = in_json(rows(KNOWN, TODAY))
    assert not is_former(found[:4])
    assert not may_be_former(PRICE, None, found)


def test_names_tell_a_former_price_whatever_was_known() -> None:
    lower = (80, 70, 60, 50, 40, 30)

    def called(then: str, now: str, numbers: Sequence[int] = lower) -> bool:
        found = []
        for known, number in zip(KNOWN, numbers, strict=True):
            reader = Reader(src=Source.JSON, at=f"$.{then}", get="value")
            scope = Scope(page("<p></p>"), data={then: known, now: number})
            found.append(made(scope, known, reader))
        return is_former(found)

    assert called("was", "now") and called("list_price", "price")
    assert not called("price", "now") and not called("was", "x")
    assert called("price", "x", TODAY) and not called("price", "member_price", TODAY)
    assert called("was", "member_price", TODAY), "today's may be nowhere"
