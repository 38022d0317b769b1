"""Pages of rows in a design of redesign_pages.py."""

import json
from collections.abc import Sequence
from typing import Any

from tests.heal.redesign_pages import Design, Frame, labelled
from tests.heal.redesign_shop import Truth

_ROW = ("name", "brand", "price", "was", "availability", "material")


def rows_page(wares: Sequence[Truth], design: Design, title: str) -> str:
    """A page of rows."""
    rows = [_ROWS[design.frame](ware, design, at) for at, ware in enumerate(wares, 1)]
    if design.adverts:
        rows[1:1] = [_advert(design)]
    listed = "\n".join(rows)
    if design.frame is Frame.TABLE:
        listed = f"<table>{_header(design)}{listed}</table>"
    elif design.frame is Frame.BLOCKS:
        listed = f'<ul class="{design.box("wares")}">{listed}</ul>'
    else:
        listed = f"<div>{listed}</div>"
    linked = (
        f'<script type="application/ld+json">{json.dumps(_item_list(wares))}</script>'
    )
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>
{linked if design.linked else ""}</head><body>
<header><a href="/">Wares</a> <nav><a href="/new">New</a> <a href="/help">Help and delivery</a></nav></header>
<h1>{title}</h1>
{listed}
<footer>Everything is sent within two days. Returns within 30 days, whatever the reason is.</footer></body></html>"""


def _cells(ware: Truth, design: Design) -> list[tuple[str, str]]:
    """The fields of a row in their order, with their elements."""
    cells = []
    for name in [each for each in ("name", *design.order) if each in _ROW]:
        made = design.element(ware, name)
        if name == "name":
            made = f'<a href="{ware["url"]}">{made}</a>'
        cells.append((name, made))
    return cells


def _item(ware: Truth, design: Design, at: int) -> str:
    cells = "".join(f"<p>{made}</p>" for _, made in _cells(ware, design) if made)
    return f'<li class="{design.box("ware")}">{cells}</li>'


def _card_row(ware: Truth, design: Design, at: int) -> str:
    cells = ""
    for name, made in _cells(ware, design):
        label = f"<h5>{labelled(name, design)}</h5>" if name in design.labels else ""
        cells += f"<div>{label}{made}</div>" if made else ""
    return f'<article class="{design.box("tile")}">{cells}</article>'


def _bare_row(ware: Truth, design: Design, at: int) -> str:
    cells = "".join(f"<div>{made}</div>" for _, made in _cells(ware, design) if made)
    return f"<div>{cells}</div>"


def _table_row(ware: Truth, design: Design, at: int) -> str:
    cells = "".join(f"<td>{made}</td>" for _, made in _cells(ware, design))
    number = f"<td>{at}</td>" if design.numbered else ""
    return f"<tr>{number}{cells}</tr>"


_ROWS = {
    Frame.BLOCKS: _item,
    Frame.DL: _card_row,
    Frame.CARDS: _card_row,
    Frame.BARE: _bare_row,
    Frame.TABLE: _table_row,
}


def _header(design: Design) -> str:
    names = [each for each in ("name", *design.order) if each in _ROW]
    labels = {"name": "Ware", **design.labels}
    said = ["No."] if design.numbered else []
    said += [labels.get(name, "") for name in names]
    tag = design.header
    return "<tr>" + "".join(f"<{tag}>{each}</{tag}>" for each in said) + "</tr>"


def _advert(design: Design) -> str:
    """A card of somebody else that looks like the others: it links elsewhere and has no price."""
    said = f'<a href="https://ads.example/go?7">{_span(design, "Fresh coffee every morning")}</a>'
    if design.frame is Frame.TABLE:
        return f"<tr><td>{said}</td><td>Sponsored</td></tr>"
    if design.frame is Frame.BLOCKS:
        return f'<li class="ware"><p>{said}</p><p>Sponsored</p></li>'
    return f'<article class="tile"><div>{said}</div><div>Sponsored</div></article>'


def _span(design: Design, text: str) -> str:
    return f"<span{design.mark('name')}>{text}</span>"


def _item_list(wares: Sequence[Truth]) -> dict[str, Any]:
    items = [
        {
            "@type": "ListItem",
            "position": at,
            "item": {
                "@type": "Product",
                "name": ware["name"],
                "url": ware["url"],
                "offers": {
                    "@type": "Offer",
                    "price": float(ware["price"]),
                    "priceCurrency": "EUR",
                },
            },
        }
        for at, ware in enumerate(wares, 1)
    ]
    return {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "itemListElement": items,
    }
