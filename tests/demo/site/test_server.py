import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from crawloop_assets.demo.site import Shop, served


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    with served(Shop()) as shop:
        yield shop


def command(base: str, name: str, **data: Any) -> Any:
    with urlopen(
        Request(f"{base}/_demo/{name}", json.dumps(data).encode(), method="POST")
    ) as answer:
        return json.load(answer)


def read(url: str) -> str:
    with urlopen(url) as answer:
        return str(answer.read().decode())


def test_one_connection_serves_many_requests(shop: Shop) -> None:
    connection = http.client.HTTPConnection(shop.base_url.removeprefix("http://"))
    tags: list[str] = []
    for headers in ({}, {}, {"If-None-Match": "placeholder"}):
        connection.request(
            "GET",
            shop.items[0].path,
            headers={"If-None-Match": tags[0]} if headers else {},
        )
        answer = connection.getresponse()
        body = answer.read()
        tags.append(answer.headers["ETag"])
        assert answer.status == (304 if headers else 200) and bool(body) != bool(
            headers
        )
    connection.request("HEAD", shop.items[0].path)
    answer = connection.getresponse()
    assert answer.read() == b"" and int(answer.headers["Content-Length"]) > 10_000
    connection.close()


def test_the_shop_can_be_driven_from_elsewhere(shop: Shop) -> None:
    page = shop.base_url + shop.items[0].path
    command(shop.base_url, "layout", layout="B")
    assert "data-testid" in read(page)
    command(
        shop.base_url,
        "layout",
        layout="C",
        only={"parts": ["product"], "categories": ["audio"]},
    )
    assert "itemprop" in read(page)
    assert command(shop.base_url, "prices", share=0.5)["changed"]
    command(shop.base_url, "break", **{"break": "login"})
    assert "Log in" in read(page)
    command(shop.base_url, "mend")
    command(shop.base_url, "layout", layout="A")
    assert "product__title" in read(page)
    truth = json.loads(read(f"{shop.base_url}/_demo/truth/Product"))
    assert truth[page][0]["price"] == str(shop.items[0].price)
    assert any(
        hit["path"] == shop.items[0].path
        for hit in json.loads(read(f"{shop.base_url}/_demo/hits"))
    )


@pytest.mark.parametrize(
    ("name", "data", "status"),
    [
        ("layout", {"layout": "Z"}, 400),
        ("layout", {}, 400),
        ("break", {"break": "x"}, 400),
        ("dance", {}, 404),
    ],
)
def test_a_wrong_command_is_refused(
    shop: Shop, name: str, data: dict[str, Any], status: int
) -> None:
    answer = shop.respond("POST", f"/_demo/{name}", {}, json.dumps(data).encode())
    assert answer.status == status and json.loads(answer.body)["error"]


def test_it_runs_by_itself() -> None:
    shop = subprocess.Popen(
        [sys.executable, "-m", "crawloop_assets.demo.site", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert shop.stdout is not None
    try:
        base = shop.stdout.readline().strip()
        assert command(base, "layout", layout="B") == {"ok": True}
        assert "line-through" in read(f"{base}/category/audio")
    finally:
        shop.kill()  # whose parent ignores signals ignores them too
        shop.wait(10)
        shop.stdout.close()
