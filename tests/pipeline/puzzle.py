"""A redesign of the demo shop that nothing heals: prices have moved, nothing names them, nothing is linked data."""

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.demo.loopback import Reply
from crawloop_assets.demo.site.shop import Shop

_LINKED = re.compile(r"<script type=\"application/ld\+json\">.*?</script>", re.S)
_PRICE = re.compile(
    r"<div class=\"product__price\">.*?</div>\s*<p class=\"product__instalments\">.*?</p>",
    re.S,
)
_SHARES = (118, 83, 121, 82, 117, 84, 119)
"""Hundredths of the known price: farther than prices move that are found by what they were."""


def hide_prices(shop: Shop, patch: pytest.MonkeyPatch) -> None:
    """Move all prices, up and down, and show each as the second of three bare
    numbers; former prices stand where they stood, under their name."""
    for at, (number, item) in enumerate(list(shop._items.items())):
        share = Decimal(_SHARES[at % len(_SHARES)]) / 100
        moved = (item.price * share).quantize(Decimal("0.01"))
        shop._items[number] = replace(item, price=moved)
    shop._touch()
    patch.setattr(shop, "_product_page", _puzzled(shop, shop._product_page))


def _puzzled(shop: Shop, page: Callable[[str], Any]) -> Callable[[str], Reply]:
    def answer(name: str) -> Reply:
        reply, item = page(name), shop._item(name.rpartition("-")[2])
        if reply.status != 200 or item is None:
            return reply
        seed = int(str(item.id)[-3:])
        numbers = (f"{seed % 83 + 11}.10", f"{item.price:.2f}", f"{seed % 37 + 5}.90")
        cells = "".join(f"<li><b>{one}</b></li>" for one in numbers)
        named = "<span class='price price--current'>EUR</span>"
        former = (
            f"<p>List price: <s>{item.list_price:.2f}</s></p>"
            if item.list_price
            else ""
        )
        shown = f"<ul class='q7'>{cells}</ul><p>{named}</p>{former}"
        text = _PRICE.sub(shown, _LINKED.sub("", reply.body.decode()))
        return replace(reply, body=text.encode())

    return answer
