"""What the pages of a sample were before."""

from pathlib import Path

import pytest

from crawloop_assets.heal import captures
from crawloop_assets.heal.captures import earlier_captures
from crawloop_assets.page import Page
from crawloop_assets.store import Store
from tests.store.conftest import commit, fetched

URL = "https://shop.test/{}"


def show(store: Store, at: int, *bodies: bytes) -> Page:
    """A url has shown some documents; the page as it is now."""
    url = URL.format(at)
    for number, body in enumerate(bodies):
        sha256 = store.bodies.put(body)
        one = fetched(url, page_sha256=sha256, status=200)
        store.commit_batch(commit(f"r{at}-{number}", fetched=[one]))
    return Page(url=url, body=bodies[-1], headers={})


def captured(store: Store, *pages: Page) -> list[bytes]:
    return [one.body for one in earlier_captures(store, "shop/item", pages)]


def test_the_last_few_documents_of_the_first_few_pages(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    first = show(store, 0, b"a", b"b", b"c", b"d", b"e")
    others = [show(store, at, f"old {at}".encode(), b"a new") for at in range(1, 4)]
    assert captured(store, first) == [b"b", b"c", b"d"]
    assert captured(store, *others, first) == [b"old 1", b"old 2", b"old 3"]
    (url,) = {one.url for one in earlier_captures(store, "shop/item", [first])}
    assert url == first.url


def test_what_is_lost_is_left_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    page = show(store, 0, b"a", b"b", b"c")
    gone, _, _ = store.page_versions("shop/item", page.url)[page.url]
    store.bodies.remove(gone.sha256)
    assert captured(store, page) == [b"b"]


def test_no_more_is_taken_than_is_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    page = show(store, 0, b"larger than now", b"four", b"more", b"a page")
    assert captured(store, page) == [b"four", b"more"]
    monkeypatch.setattr(captures, "_MOST_BYTES", 7)
    assert captured(store, page) == [b"four"]
