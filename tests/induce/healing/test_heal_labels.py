"""Fields found again beside labels that nothing else names."""

from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same
from tests.induce.pages import page

_LAMP = RecordSchema(
    name="Lamp",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
        FieldSpec(name="currency"),
        FieldSpec(name="image", kind=FieldKind.URL),
        FieldSpec(name="category", shape=Shape.SET),
        FieldSpec(name="ingredients", shape=Shape.LIST, aliases=("parts",)),
    ),
)
_LAMPS: list[dict[str, Any]] = [
    {
        "title": "Harbour reading lamp",
        "price": "41.50",
        "currency": "€",
        "image": "https://x.example/pictures/harbour-7731.jpg",
        "category": ["desk", "brass", "dimmable"],
        "ingredients": ["one brass foot", "two metres of cable", "a linen shade"],
    },
    {
        "title": "Meadow floor lamp",
        "price": "129.00",
        "currency": "€",
        "image": "https://x.example/pictures/meadow-2210.jpg",
        "category": ["floor"],
        "ingredients": ["an oak tripod", "a paper shade", "one socket", "a switch"],
    },
]


def _bare(lamp: dict[str, Any]) -> Page:
    """A page that names nothing but by labels beside its values."""

    def block(name: str, inner: str) -> str:
        return f"<div><div><span>{name}</span></div><div><div>{inner}</div></div></div>"

    def several(values: list[str]) -> str:
        return "".join(f"<div>{value}</div>" for value in values)

    tags = lamp["category"]
    body = block("Price", lamp["price"]) + block("Currency", lamp["currency"])
    body += block("Image", f"<img src='{lamp['image']}'>")
    body += block("Category", several(tags) if len(tags) > 1 else tags[0])
    body += block("Parts", several(lamp["ingredients"]))
    return page(0, f"<h1>{lamp['title']}</h1>{body}")


def _marked(lamp: dict[str, Any]) -> Page:
    """The page before: classes say what everything is."""
    parts = "".join(f"<li>{one}</li>" for one in lamp["ingredients"])
    tags = "".join(f"<a class=category>{one}</a>" for one in lamp["category"])
    return page(
        0,
        f"<h1>{lamp['title']}</h1><b class=price>{lamp['price']}</b><i class=currency>{lamp['currency']}</i>"
        f"<img class=image src='{lamp['image']}'><p>{tags}</p><ul class=parts>{parts}</ul>",
    )


def test_pictures_signs_and_lists_are_found_again_beside_bare_labels() -> None:
    known = [Example(page=0, records=(_LAMPS[0],))]
    old = compile_program(_LAMP, [_marked(_LAMPS[0])], known, FamilyKind.DETAIL).program
    assert old is not None
    healed = heal_program(_LAMP, old, [_bare(_LAMPS[0])], known)
    assert healed.program is not None
    values = run(healed.program, Document(_bare(_LAMPS[1]))).records[0].values
    for name in ("price", "currency", "image", "category", "ingredients"):
        assert same(values.get(name), _LAMPS[1][name], _LAMP.field(name)), name
