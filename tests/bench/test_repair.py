"""The bench of repairs: what a model mends of a redesign that nothing heals, told of pages of our own."""

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from bench import repair
from tests.heal.stuck import price
from tests.heal.test_model_repair import RIGHT, amounts, readers
from tests.heal.town import GOODS, good, old
from tests.llm.conftest import KEY, Model

PAGES = 6
KEPT = (2, 4)
"""Pages on which the price is still the known one."""


def sold(at: int, side: str) -> dict[str, str]:
    """What a page says of a product."""
    known = good(at)
    moved = side == "after" and at not in KEPT
    return {"price": price(at) if moved else known["price"], "brand": known["maker"]}


def pack(folder: Path) -> Path:
    """A family before and after a redesign, with labels."""
    captures, pairs = [], []
    for at in range(PAGES):
        shown = {"before": old(GOODS, at, good(at)), "after": amounts(at, KEPT)}
        for side, page in shown.items():
            name = f"{side}{at}"
            (folder / f"{name}.html").write_bytes(page.body)
            captures.append(
                {"id": name, "file": f"{name}.html", "url": page.url}
                | {"layout": side, "records": [sold(at, side)]}
                | {"in_dom": dict.fromkeys(sold(at, side), 1.0)}
            )
        pairs.append([f"before{at}", f"after{at}"])
    change = {
        side: [f"{side}{at}" for at in range(PAGES)] for side in ("before", "after")
    }
    family = {"family": "town/good", "schema": "Product", "kind": "detail"}
    family |= {"pages": captures}
    family |= {"redesigns": [change | {"overlap": 0.0, "same_page": pairs}]}
    index = {"format": 1, "families": [family]}
    (folder / "index.json").write_text(json.dumps(index))
    return folder


def test_a_repaired_field_is_counted(
    tmp_path: Path,
    httpserver: HTTPServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = Model(httpserver)
    model.says = [readers(price=RIGHT)] * 3
    monkeypatch.setenv("CRAWLOOP_MODEL", "openai/any")
    monkeypatch.setenv("CRAWLOOP_API_BASE", model.url)
    monkeypatch.setenv("CRAWLOOP_API_KEY", KEY)
    monkeypatch.setattr("sys.argv", ["repair", str(pack(tmp_path))])
    repair.main()
    told = capsys.readouterr().out
    assert "1 families: {'promoted': 1}; calls, tokens in and out: [2, " in told, told
    assert "| read by the model's part | helped | 4 | 0 | 0 |" in told
    assert "| by the model | 4 | 0 |\n| of healing alone | 0 | 0 |" in told


@pytest.mark.parametrize(
    ("right", "read", "is_same"),
    [
        (
            "http://a.test/w_320/blue-kettle.jpg",
            "http://a.test/w_64/blue-kettle.jpg",
            True,
        ),
        ("http://a.test/1/main.jpg", "http://a.test/2/main.jpg", False),
        (
            "http://a.test/w_320/blue-kettle.jpg",
            "http://a.test/w_320/red-kettle.jpg",
            False,
        ),
        ("blue-kettle.jpg", "blue-kettle.jpg of last year", False),
    ],
)
def test_a_picture_in_another_size_is_told_apart_from_another_picture(
    right: str, read: str, is_same: bool
) -> None:
    assert repair._is_same_file((right,), read) is is_same
