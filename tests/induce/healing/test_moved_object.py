"""Data of a record that is elsewhere: an API puts what it says into an envelope, and prices move that day."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import Example
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
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.healing.moved_object import with_moved_object
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

TITLE, MAKER = FieldSpec(name="title", required=True), FieldSpec(name="maker")
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True)
SCHEMA = RecordSchema(name="Part", fields=(TITLE, MAKER, PRICE))
PRICES = (1240, 4800, 3710, 9500, 1600)


def program(*at: str) -> Program:
    """What reads the three fields at these paths."""
    fields = tuple(
        FieldProgram(
            spec=spec,
            readers=(Reader(src=Source.JSON, at=path, get="value", kin=Kin.JSON),),
        )
        for spec, path in zip(SCHEMA.fields, at, strict=True)
    )
    return Program(kind=FamilyKind.DETAIL, fields=fields)


OLD = program("body.part.title", "body.part.maker", "body.part.price")


def part(at: int, price: float = 0) -> dict[str, Any]:
    return {
        "title": f"Valve {at} of brass",
        "maker": f"{'ABCDE'[at]}nders & Sons",
        "price": price or PRICES[at],
    }


def pages(*bodies: Any) -> list[Page]:
    kind = {"content-type": "application/json"}
    return [
        Page(
            url=f"http://parts.test/{at}", body=json.dumps(body).encode(), headers=kind
        )
        for at, body in enumerate(bodies)
    ]


KNOWN = [Example(page=at, records=(part(at),)) for at in range(len(PRICES))]


def paths(wrapped: Any, before: Program = OLD, known: Any = KNOWN) -> list[str]:
    """What a program reads once pages say their record so."""
    documents = list(map(Document, pages(*map(wrapped, range(len(PRICES))))))
    made = with_moved_object(before, documents, known)
    return [field.readers[0].at for field in made.fields]


def moved(at: int) -> dict[str, Any]:
    return part(at, PRICES[at] * 1.5)


def other(names: Mapping[str, str], at: int) -> dict[str, Any]:
    return {names.get(name, name): value for name, value in moved(at).items()}


SAME = ["body.part.title", "body.part.maker", "body.part.price"]


@pytest.mark.parametrize(
    ("wrapped", "now"),
    [
        (lambda at: {"found": {"entry": moved(at)}}, "body.found.entry.price"),
        (moved, "body.price"),
        (
            lambda at: {"data": other({"title": "name", "maker": "brand"}, at)},
            "body.data.price",
        ),
        (lambda at: {"data": other({"price": "cost"}, at)}, SAME[2]),
    ],
)
def test_what_moves_is_read_by_its_old_key_in_the_object_of_the_known_values(
    wrapped: Any, now: str
) -> None:
    """All else is found by what is known of it."""
    assert paths(wrapped) == [*SAME[:2], now]


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda at: {"part": moved(at)},
        lambda at: {"data": part(at), "part": moved(at)},
        lambda at: {"parts": [moved(at), moved((at + 1) % 5)]},
        lambda at: {"data": {"title": part(at)["title"], "price": PRICES[at]}},
        lambda at: {"data": moved((at + 1) % 5)},
        lambda at: {
            "shipping": {"price": 5},
            "data": other({"price": "cost"}, at),
            "part": {"title": ""},
        },
    ],
)
def test_what_is_no_object_of_the_known_record_is_not_read(wrapped: Any) -> None:
    """Nor what is still where it was, one of a list, or with one known value alone."""
    assert paths(wrapped)[2] == SAME[2]


def test_the_object_that_holds_most_of_the_record_is_it() -> None:
    """A summary of it may still say the price of the day before; of equal ones that with more of the keys is."""
    coded = [
        Example(page=at, records=(part(at) | {"code": f"code {at}"},))
        for at in range(len(PRICES))
    ]
    code = FieldProgram(
        spec=FieldSpec(name="code"),
        readers=(Reader(src=Source.JSON, at="body.part.code", get="value"),),
    )
    before = OLD.model_copy(update={"fields": (*OLD.fields, code)})

    def summed_up(at: int) -> dict[str, Any]:
        whole = other({"price": "cost"}, at) | {"number": f"code {at}"}
        return {"seo": part(at), "result": whole}

    assert paths(summed_up, before, coded)[2] == SAME[2]
    beside = lambda at: {"crumb": part(at) | {"price": {}}, "found": moved(at)}  # noqa: E731
    assert paths(beside)[2] == "body.found.price"


@pytest.mark.parametrize("maker", [None, "LG"])
def test_what_says_little_or_nothing_is_no_known_value(maker: str | None) -> None:
    known = [
        Example(page=at, records=({"title": part(at)["title"], "maker": maker},))
        for at in range(len(PRICES))
    ]

    def wrapped(at: int) -> dict[str, Any]:
        return {"data": {"title": part(at)["title"], "note": str(maker), "price": 3}}

    assert paths(wrapped, known=known) == ["body.part.title", *SAME[1:]]


@pytest.mark.parametrize(
    ("price", "now"),
    [
        ({"price": {"amount": 7, "currency": "EUR"}}, "body.data.price.amount"),
        ({"cost": 7, "amount": 3}, "body.part.price.amount"),
    ],
)
def test_an_amount_inside_the_object_goes_with_it_under_all_of_its_keys(
    price: dict[str, Any], now: str
) -> None:
    """How many there are is called an amount as well."""
    before = program("body.part.title", "body.part.maker", "body.part.price.amount")

    def wrapped(at: int) -> dict[str, Any]:
        rest = {name: part(at)[name] for name in ("title", "maker")}
        return {"data": rest | price}

    assert paths(wrapped, before)[2] == now


def test_of_one_path_alone_nobody_knows_which_part_is_the_object() -> None:
    css = Reader(src=Source.CSS, at="h1")
    fields = [one.model_copy(update={"readers": (css,)}) for one in OLD.fields[:2]]
    before = OLD.model_copy(update={"fields": (*fields, OLD.fields[2])})
    assert paths(lambda at: {"data": moved(at)}, before)[2] == SAME[2]


def test_without_known_values_nothing_is_said_of_where_it_is() -> None:
    assert paths(lambda at: {"data": moved(at)}, known=[]) == SAME


def test_a_price_that_moved_with_the_envelope_is_read_and_nobody_is_asked() -> None:
    now = pages(*({"found": {"entry": moved(at)}} for at in range(len(PRICES))))
    made = heal_program(SCHEMA, OLD, now, KNOWN).program
    assert made is not None
    read = [run(made, Document(one)).records[0].values for one in now]
    assert [float(str(one["price"])) for one in read] == [1.5 * one for one in PRICES]
    assert [one["title"] for one in read] == [part(at)["title"] for at in range(5)]
