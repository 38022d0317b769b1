"""Pages that are new while a field is in doubt: served without it, and no evidence of anything until it is read."""

from pathlib import Path
from typing import Any

from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.store.published import published_rows
from tests.heal.town import GOODS, MAKERS, NAMES, Town, _page, old

TITLES = (*NAMES, "Cedar box", "Felt slipper", "Tin whistle")
MADE_BY = (*MAKERS, "Tarn Works", "Ondine", "Pell & Co")
KNOWN = len(NAMES)


def good(at: int) -> dict[str, str]:
    return {"title": TITLES[at], "price": f"{at + 3}.50", "maker": MADE_BY[at]}


def moved(at: int) -> Page:
    """The maker stands under the title, and nothing names it."""
    of = {name: value.replace("&", "&amp;") for name, value in good(at).items()}
    head = f"<h1 class='head-line'>{of['title']}</h1><p class='by'>{of['maker']}</p>"
    price = f"<dl><dt>Price</dt><dd class='price-now'>${of['price']}</dd></dl>"
    return _page(GOODS, at, f"<main class='sheet'>{head}{price}</main>")


def makers(town: Town) -> dict[str, Any]:
    rows = published_rows(town.store.publish(), "good")
    return {row["title"]: (row["maker"], row["_kept"]) for row in rows}


def test_they_are_served_at_once_and_hinder_no_heal(tmp_path: Path) -> None:
    town = Town(tmp_path)
    first = [old(GOODS, at, good(at)) for at in range(KNOWN)]
    town.learn(GOODS, first, [good(at) for at in range(3)])
    town.read(GOODS, first)
    pages = [moved(at) for at in range(len(TITLES))]
    for _ in range(2):
        assert town.read(GOODS, pages).judgement.drifted
        found = makers(town)
        assert [found[name] for name in TITLES[KNOWN:]] == [(None, {"maker": None})] * 3
    assert town.regenerate(GOODS).outcome is RegenerationOutcome.PROMOTED
    assert not town.read(GOODS, pages).judgement.drifted
    assert makers(town) == {
        name: (maker, None) for name, maker in zip(TITLES, MADE_BY, strict=True)
    }
