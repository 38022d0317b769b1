"""A small made-up pack in the format of captured pages, replayed over a real socket."""

import http.client
import json
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.replay.server import ReplayFamily, ReplayServer


def capture(name: str, url: str, **values: Any) -> dict[str, Any]:
    return {
        "id": name,
        "file": f"soup/{name}.html",
        "url": url,
        "records": [{"title": name, **values}],
    }


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    pages = [
        capture(
            "leek-old",
            "https://soups.example/leek?v=1&x=é",
            total_time=30.0,
            category="Soup,Dinner",
        ),
        capture("leek-new", "https://www.soups.example/leek-soup"),
        capture("pea-old", "https://soups.example/pea"),
        capture("nettle-new", "https://soups.example/nettle"),
    ]
    soup = {
        "family": "soup/soups.example",
        "schema": "Recipe",
        "kind": "detail",
        "pages": pages,
        "redesigns": [
            {
                "before": ["leek-old", "pea-old"],
                "after": ["leek-new", "nettle-new"],
                "same_page": [["leek-old", "leek-new"]],
            }
        ],
    }
    listing = soup | {"family": "court/list", "kind": "listing"}
    (tmp_path / "soup").mkdir()
    for page in pages:
        (tmp_path / page["file"]).write_text(f"<h1>{page['id']}</h1>")
    (tmp_path / "index.json").write_text(
        json.dumps({"format": 1, "families": [soup, listing]})
    )
    return tmp_path


def test_pages_are_paired_where_the_pack_says_so(pack: Path) -> None:
    family = ReplayFamily.load(pack, "soup/soups.example")
    shown = [
        (page.url, page.before and page.before.id, page.after and page.after.id)
        for page in family.pages
    ]
    assert shown == [
        ("http://soups.example/leek?v=1&x=%C3%A9", "leek-old", "leek-new"),
        ("http://soups.example/pea", "pea-old", None),
        ("http://soups.example/nettle", None, "nettle-new"),
    ]
    assert family.urls == (shown[0][0], shown[1][0])
    assert family.model.__name__ == "Recipe"


def test_known_records_are_typed(pack: Path) -> None:
    family = ReplayFamily.load(pack, "soup/soups.example")
    before = family.known(after=False)[family.urls[0]]
    assert before == (
        {"title": "leek-old", "total_time": 30, "category": ["Soup", "Dinner"]},
    )
    assert list(family.known(after=True)) == [
        "http://soups.example/leek?v=1&x=%C3%A9",
        "http://soups.example/nettle",
    ]


def test_a_listing_stays_the_same_page(pack: Path) -> None:
    family = ReplayFamily.load(pack, "court/list")
    assert [
        (page.before and page.before.id, page.after and page.after.id)
        for page in family.pages
    ] == [
        ("leek-old", "leek-new"),
        ("pea-old", "nettle-new"),
    ]


def test_what_is_not_there_is_an_error_that_helps(pack: Path) -> None:
    with pytest.raises(ConfigError, match=r"Perhaps: soup/soups\.example"):
        ReplayFamily.load(pack, "x/soups.example")
    with pytest.raises(ConfigError, match="has 1 redesign"):
        ReplayFamily.load(pack, "soup/soups.example", 3)
    with pytest.raises(ConfigError, match="not a pack"):
        ReplayFamily.load(pack / "soup", "soup/soups.example")


def test_the_redesign_happens_on_the_switch(pack: Path) -> None:
    family = ReplayFamily.load(pack, "soup/soups.example")
    with ReplayServer(family).served() as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)

        def get(target: str, host: str = "soups.example") -> tuple[int, str]:
            connection.request("GET", target, headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

        assert server.resolve == ",".join(
            f"{host}=127.0.0.1:{server.port}" for host in family.hosts
        )
        assert family.hosts == ("soups.example", "www.soups.example")
        assert get("/pea") == (200, "<h1>pea-old</h1>")
        assert get("/leek?v=1&x=%C3%A9", f"soups.example:{server.port}") == (
            200,
            "<h1>leek-old</h1>",
        )
        assert (
            get("/pea", "other.example")[0]
            == get("/nettle")[0]
            == get("/leek")[0]
            == 404
        )
        assert "Allow: /" in get("/robots.txt")[1]
        assert (
            "<loc>http://soups.example/leek?v=1&amp;x=%C3%A9</loc>"
            in get("/sitemap.xml")[1]
        )
        server.switch()
        assert (
            get("/leek?v=1&x=%C3%A9")[0] == 302
        )  # it was captured elsewhere, and its relative links count from there
        assert get("/leek-soup", "www.soups.example") == (200, "<h1>leek-new</h1>")
        assert get("/pea")[0] == 404 and get("/nettle")[0] == 200
        assert (
            "nettle" in get("/sitemap.xml")[1] and "pea" not in get("/sitemap.xml")[1]
        )
        server.switch(after=False)
        assert get("/pea")[0] == 200
        assert server.hits["http://soups.example/pea"] == 3
        connection.close()


def test_a_family_without_redesigns_stays_as_it_is(pack: Path) -> None:
    index = json.loads((pack / "index.json").read_text())
    index["families"][0]["redesigns"] = []
    (pack / "index.json").write_text(json.dumps(index))
    family = ReplayFamily.load(pack, "soup/soups.example")
    assert [page.before for page in family.pages] == [
        page.after for page in family.pages
    ]
    assert len(family.urls) == 4
    with pytest.raises(ConfigError, match="0 redesign"):
        ReplayFamily.load(pack, "soup/soups.example", 0)
