"""A small pack on disk: one shop before and after a redesign, and one listing of talks."""

import json
from pathlib import Path
from typing import Any

import pytest

_OLD = """<html><body><div class='product'><h1>{name}</h1>
<span class='price'>${price}</span><b class='brand'>{brand}</b></div></body></html>"""
_NEW = """<html><body><main><h2 class='title'>{name}</h2>
<p>Brand: <i class='maker'>{brand}</i></p><em class='amount'>{price} $</em></main></body></html>"""
_GOODS = [
    ("Red kettle", "12.50", "Acme"),
    ("Blue pan", "31.00", "Bolt"),
    ("Green lid", "7.25", "Crux"),
]


def capture(
    folder: Path, page: str, html: str, records: list[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    """Write one capture and return its index entry."""
    file = folder / f"{page}.html"
    file.write_text(html)
    return {
        "id": page,
        "file": file.name,
        "url": f"https://shop.example/{page}",
        "records": records,
        **more,
    }


def shop(folder: Path) -> dict[str, Any]:
    """A product family with two layouts of three pages each."""
    pages = []
    for at, (name, price, brand) in enumerate(_GOODS):
        record = {"price": price, "brand": brand}
        in_dom = {"price": 1.0, "brand": 1.0}
        html = _OLD.format(name=name, price=price, brand=brand)
        pages.append(
            capture(folder, f"old{at}", html, [record], layout="a", in_dom=in_dom)
        )
        html = _NEW.format(name=name, price=price, brand=brand)
        pages.append(
            capture(folder, f"new{at}", html, [record], layout="b", in_dom=in_dom)
        )
    pairs = [[f"old{at}", f"new{at}"] for at in range(3)]
    redesign = {
        "before": [a for a, _ in pairs],
        "after": [b for _, b in pairs],
        "same_page": pairs,
    }
    return {
        "family": "shop",
        "schema": "Product",
        "kind": "detail",
        "pages": pages,
        "redesigns": [redesign],
    }


def quotes(folder: Path) -> dict[str, Any]:
    """A listing of eight quotes."""
    records = [
        {"text": f"Saying number {n} of many", "author": f"Person {chr(65 + n)}"}
        for n in range(8)
    ]
    rows = "".join(
        f"<div class='quote'><q>{r['text']}</q> <small>{r['author']}</small></div>"
        for r in records
    )
    page = capture(
        folder, "quotes", f"<html><body><h1>Quotes</h1>{rows}</body></html>", records
    )
    return {"family": "quotes", "schema": "Quote", "kind": "listing", "pages": [page]}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The folder of a valid pack."""
    families = [shop(tmp_path), quotes(tmp_path)]
    (tmp_path / "index.json").write_text(
        json.dumps({"format": 1, "families": families})
    )
    return tmp_path
