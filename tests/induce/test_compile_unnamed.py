"""Pages on which nothing has a name: what three of them, known, are enough for."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

CARS = [
    ("Fir hatchback", "12.990 €", "84.500 km · 03/2019 · Petrol · 55 kW", "Amber"),
    ("Elm estate", "8.450 €", "121.000 km · 11/2016 · Diesel · 81 kW", "Slate"),
    ("Yew coupe", "31.200 €", "9.300 km · 06/2022 · Hybrid · 110 kW", "Ivory"),
    ("Ash van", "17.770 €", "63.400 km · 01/2020 · Diesel · 96 kW", "Coral"),
]
CAR = RecordSchema(
    name="Car",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True),
        FieldSpec(name="mileage", kind=FieldKind.INTEGER, required=True),
        FieldSpec(name="fuel"),
        FieldSpec(name="paint"),
        FieldSpec(name="town"),
    ),
)


def car_page(at: int) -> Page:
    """Nothing but blocks: no class, no label, no heading."""
    title, price, facts, paint = CARS[at]
    other = CARS[at - 1]
    body = f"""<html lang="de"><body><div><div>{other[0]} <b>{other[1]}</b></div><div>
    <div>{title}</div><div>{price}</div><div>{facts}</div><div>{paint}</div>
    <div>by <b>Haus {at}</b>, Town{chr(65 + at)}</div></div></div></body></html>"""
    return Page(
        url=f"https://cars.example/{at}",
        body=body.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def car(at: int) -> dict[str, str | int]:
    title, price, facts, paint = CARS[at]
    return {
        "title": title,
        "price": price.removesuffix(" €").replace(".", ""),
        "mileage": int(facts.partition(" km")[0].replace(".", "")),
        "fuel": facts.split(" · ")[2],
        "paint": paint,
        "town": f"Town{chr(65 + at)}",
    }


def test_three_known_pages_are_enough_where_nothing_has_a_name() -> None:
    known = [Example(page=at, records=(car(at),)) for at in range(3)]
    compiled = compile_program(CAR, [car_page(at) for at in range(3)], known)
    assert compiled.program is not None, compiled.scores.reason
    values = run(compiled.program, Document(car_page(3))).records[0].values
    # As they are written: no comma of what stands before the town.
    assert values == car(3)
