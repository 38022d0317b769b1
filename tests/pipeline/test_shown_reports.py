"""Reports under the address of the UI: those that there are, and no other file."""

import asyncio
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.pipeline.guard import AsgiScope, Guard, Receive, Send, names_of
from crawloop_assets.pipeline.shown_reports import ShownReports
from crawloop_assets.report.html import write_page
from crawloop_assets.report.shelf import Reports, wave_address
from crawloop_assets.store import Store


async def _behind(scope: AsgiScope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"the UI"})


async def _nothing() -> MutableMapping[str, Any]:
    return {"type": "http.request", "body": b""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shelf = Reports(tmp_path / "var")
    write_page(shelf.of_wave("shop/product", "heal-1"), "what happened")
    write_page(shelf.folder / "shop__product" / "notes.txt", "not shown")
    write_page(tmp_path / "var" / "secret.html", "secret")
    return shelf.folder


def ask(
    folder: Path, path: str, host: str = "127.0.0.1:3000"
) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of an answer, behind the guard."""
    sent: list[MutableMapping[str, Any]] = []
    scope: AsgiScope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "client": ("127.0.0.1", 5),
        "headers": [(b"host", host.encode())],
    }

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    guard = Guard(ShownReports(_behind, folder), names_of(3000))
    asyncio.run(guard(scope, _nothing, send))
    start, body = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], headers, body["body"].decode()


def test_a_report_is_shown_where_links_lead_and_runs_nothing(folder: Path) -> None:
    status, headers, text = ask(folder, wave_address("shop/product", "heal-1"))
    assert (status, text) == (200, "what happened")
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "sandbox" in policy.split("; ")
    assert headers["x-content-type-options"] == "nosniff"
    assert ask(folder, "/assets/inbox")[2] == "the UI"


@pytest.mark.parametrize(
    "path",
    [
        wave_address("shop/product", "heal-2"),
        "/reports/",
        "/reports/../secret.html",
        "/reports/shop__product/../../secret.html",
        "/reports/shop__product/notes.txt",
        "/reports//etc/passwd",
        "/reports/shop__product/%2e%2e",
    ],
)
def test_nothing_else_is(folder: Path, path: str) -> None:
    status, _, text = ask(folder, path)
    assert status == 404 and "There is no such report" in text


def test_who_may_not_use_the_ui_sees_no_report(folder: Path) -> None:
    address = wave_address("shop/product", "heal-1")
    assert ask(folder, address, host="evil.test")[0] == 421


def test_the_store_and_the_server_mean_the_same_folder(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    assert Reports(store.var).folder == Reports(tmp_path / "var").folder
