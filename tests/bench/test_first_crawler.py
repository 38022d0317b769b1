"""The bench of first crawlers: the same figures from a cassette as from an endpoint, and a count of what was counted."""

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from bench import first_crawler
from bench.first_crawler import halved, interval
from crawloop_assets.eval.pack import load_pack
from tests.heal.test_first_by_model import NAMES, Endpoint, brand, page, price

PAGES = 8


def pack(folder: Path) -> Path:
    """A site of our own as captured pages with labels."""
    captures = []
    for at in range(PAGES):
        (folder / f"{at}.html").write_text(page(at))
        record = {"title": NAMES[at], "price": f"{price(at)} EUR", "brand": brand(at)}
        captures.append(
            {"id": str(at), "file": f"{at}.html", "url": "http://a.test/ware"}
            | {"records": [record]}
        )
    family = {"family": "ware/own", "schema": "Ware", "kind": "detail"}
    family |= {"fields": dict.fromkeys(("title", "price", "brand"), "text")}
    index = {"format": 1, "families": [family | {"pages": captures}]}
    (folder / "index.json").write_text(json.dumps(index))
    return folder


def table(
    capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch, *said: str
) -> str:
    patch.setattr("sys.argv", ["first_crawler", *said])
    first_crawler.main()
    return capsys.readouterr().out


def test_a_cassette_gives_the_figures_again_without_an_endpoint(
    tmp_path: Path,
    httpserver: HTTPServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    endpoint = Endpoint(httpserver)
    (tmp_path / "pack").mkdir()
    data = str(pack(tmp_path / "pack"))
    tape = ("--cassette", str(tmp_path / "tape"))
    empty = table(capsys, monkeypatch, data, *tape)
    assert "n = 0 of 1 sites" in empty and not endpoint.calls
    base = httpserver.url_for("/v1")
    asked = table(capsys, monkeypatch, data, *tape, "--api-base", base)
    assert endpoint.calls == 3
    assert "n = 1 of 1 sites" in asked
    assert "crawler 1.000, reader 1.000, difference +0.000" in asked
    assert table(capsys, monkeypatch, data, *tape) == asked
    assert endpoint.calls == 3


def test_halves_share_no_site_and_leave_none_out(tmp_path: Path) -> None:
    (site,) = load_pack(pack(tmp_path))
    sites = [site.model_copy(update={"family": f"s/{at}"}) for at in range(7)]
    first, second = (halved(sites, 18, half) for half in ("first", "second"))
    assert (len(first), len(second)) == (4, 3)
    named = {one.family for one in (*first, *second)}
    assert named == {one.family for one in halved(sites, 18, "all")}


def test_the_interval_holds_the_mean_and_is_the_same_every_time() -> None:
    differences = [-0.1, 0.0, 0.02, 0.0, 0.1, -0.02]
    low, high = interval(differences, 18)
    assert low < 0 < high and (low, high) == interval(differences, 18)
    assert interval([0.0, 0.0], 18) == (0.0, 0.0)
