"""A page speaks for its own record only: real stores, real workers, whole batches."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.drift.check import CheckName
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, FrontierUrl, NewCrawler, Store
from tests.serve.readings import SITE, keyed_program

FAMILY = Family.model_validate(
    {
        "family": "shop/stock",
        "schema": "tests.models:Numbered",
        "key": ["sku"],
        "discover": {"seeds": [f"{SITE}/"], "include": ["^/[0-9]"]},
    }
)
PAGES = 40


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(store)
    return store


def add_version(store: Store, **selectors: str) -> None:
    body = keyed_program(**selectors).to_json()
    version = store.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    store.promote(FAMILY.family, version, why="a test")


def page(
    number: int,
    *,
    sku: int | None = None,
    struck: int | None = None,
    title: str = "",
    price: str = "",
    name: str = "",
    url: str = "",
) -> Page:
    """A product page; `name` is its canonical url."""
    head = f"<link rel='canonical' href='{name}'>" if name else ""
    code = number if sku is None else sku
    other = code if struck is None else struck
    body = (
        f"<head>{head}</head><i>sku-{code}</i><s>sku-{other}</s>"
        f"<h1>{title or f'Lamp {number}'}</h1><b>{price or f'{number}.50'}</b>"
    )
    return Page(
        url=url or f"{SITE}/{number}",
        body=f"<!DOCTYPE html><html>{body}</html>".encode(),
        headers={"content-type": "text/html"},
    )


def visit(
    store: Store, page: Page, final_url: str = "", *, for_good: bool = False
) -> Visit:
    """A visit just made, which was led to `final_url`."""
    return _visited(store, page, known(store, [page])[page.url], final_url, for_good)


def visits(store: Store, pages: Sequence[Page]) -> list[Visit]:
    """Visits to pages, of which the store is told at once."""
    entries = known(store, pages)
    return [_visited(store, each, entries[each.url]) for each in pages]


def known(store: Store, pages: Sequence[Page]) -> dict[str, FrontierUrl]:
    """What the store has of the urls of pages."""
    store.add_urls(FAMILY, [FoundUrl(each.url) for each in pages])
    return {each.url: each for each in store.frontier(FAMILY.family)}


def _visited(
    store: Store,
    page: Page,
    entry: FrontierUrl,
    final_url: str = "",
    for_good: bool = False,
) -> Visit:
    shown = page.model_copy(update={"final_url": final_url or page.url})
    store.bodies.put(page.body)
    fetched = Fetched(
        url=page.url,
        verdict=Verdict.OK,
        reason="",
        page=shown,
        status=200,
        redirects=(final_url,) if final_url else (),
        permanent_redirect=for_good,
    )
    return Visit(entry, shown, Verdict.OK, fetched=fetched)


def gone(visit: Visit) -> Visit:
    return replace(visit, page=None, verdict=Verdict.GONE)


def serve(
    store: Store, visits: Sequence[Visit], run: str, batch: str = "000001"
) -> ServedBatch:
    made = BatchServer(FAMILY, store, default_pool(), run)
    return asyncio.run(made.serve(batch, visits))


def serve_shop(store: Store, run: str = "run-1") -> ServedBatch:
    return serve(store, visits(store, [page(n) for n in range(PAGES)]), run)


def urls_by_sku(store: Store) -> dict[str, str]:
    return {
        str(rows[0]["sku"]): url.removeprefix(SITE)
        for url, rows in store.known(FAMILY).items()
    }


def why_held(store: Store) -> dict[str, str]:
    return {
        held.url.removeprefix(SITE): held.reasons[0].message
        for held in store.quarantine(FAMILY.family)
    }


def test_a_page_that_states_the_key_of_another_is_held(store: Store) -> None:
    serve_shop(store)
    rival = visit(store, page(90, sku=3, title="Chair", price="9.90"))
    served = serve(store, [rival], "run-2", "000002")
    assert urls_by_sku(store)["sku-3"] == "/3"
    (held,) = store.quarantine(FAMILY.family)
    assert held.reasons[0].check == CheckName.CONSISTENCY
    message = why_held(store)["/90"]
    assert f"sku sku-3 is known from {SITE}/3" in message and "release" in message
    assert served.counts.held == 1
    entry = store.url(FAMILY.family, f"{SITE}/90")
    assert entry is not None and entry.verdict is Verdict.DRIFT, "asked for in full"


def test_it_is_held_beside_its_owner_in_the_same_batch(store: Store) -> None:
    serve_shop(store)
    pages = [page(n) for n in range(PAGES)] + [page(90, sku=3, title="Chair")]
    served = serve(store, visits(store, pages), "run-2")
    assert urls_by_sku(store)["sku-3"] == "/3" and set(why_held(store)) == {"/90"}
    assert store.known(FAMILY)[f"{SITE}/3"][0]["title"] == "Lamp 3"
    (check,) = [c for c in served.judgement.checks if c.name is CheckName.CONSISTENCY]
    assert not check.passed and not check.is_drift


def test_of_two_unknown_pages_the_first_has_the_key(store: Store) -> None:
    serve(
        store,
        [visit(store, page(1)), visit(store, page(2, sku=1, title="Chair"))],
        "run-1",
    )
    assert urls_by_sku(store) == {"sku-1": "/1"} and set(why_held(store)) == {"/2"}


def test_a_page_that_names_another_record_keeps_its_row_as_stale(store: Store) -> None:
    serve_shop(store)
    odd = [page(n, sku=n + 500) if n == 5 else page(n) for n in range(PAGES)]
    served = serve(store, visits(store, odd), "run-2")
    assert served.counts.removed == 0 and served.counts.stale == 1
    assert urls_by_sku(store)["sku-5"] == "/5" and "sku-505" not in urls_by_sku(store)
    assert "known for sku sku-5 and names sku-505 now" in why_held(store)["/5"]


def test_a_third_of_the_pages_with_other_keys_lose_no_row(store: Store) -> None:
    serve_shop(store)
    odd = [page(n, sku=n + 500) if n % 3 == 0 else page(n) for n in range(PAGES)]
    served = serve(store, visits(store, odd), "run-2")
    assert served.judgement.drifted and len(urls_by_sku(store)) == PAGES


def test_keys_that_two_pages_exchange_are_held(store: Store) -> None:
    serve_shop(store)
    skus = {3: 4, 4: 3}
    odd = [page(n, sku=skus.get(n, n)) for n in range(PAGES)]
    serve(store, visits(store, odd), "run-2")
    assert set(why_held(store)) == {"/3", "/4"}
    assert urls_by_sku(store)["sku-3"] == "/3"


def test_the_same_record_at_another_url_stays_with_its_own(store: Store) -> None:
    serve_shop(store)
    copy = page(90, sku=3, title="Lamp 3", price="3.20")
    served = serve(store, [visit(store, copy)], "run-2", "000002")
    assert urls_by_sku(store)["sku-3"] == "/3"
    assert why_held(store) == {} and not served.judgement.drifted
    assert store.known(FAMILY)[f"{SITE}/3"][0]["price"] == "3.5"


def test_a_person_gives_a_key_to_another_page(store: Store) -> None:
    serve_shop(store)
    serve(store, [visit(store, page(5, sku=505))], "run-2")
    (held,) = store.quarantine(FAMILY.family)
    store.release(FAMILY, [held.id], "ann")
    assert urls_by_sku(store)["sku-505"] == "/5" and "sku-5" not in urls_by_sku(store)
    serve(store, [visit(store, page(5, sku=505))], "run-3")
    assert why_held(store) == {}


def test_a_url_that_is_gone_leaves_its_key(store: Store) -> None:
    serve_shop(store)
    left = gone(visit(store, page(3)))
    heir = visit(store, page(90, sku=3, title="Lamp 3, 2nd edition"))
    serve(store, [left, heir], "run-2")
    assert urls_by_sku(store)["sku-3"] == "/90" and why_held(store) == {}


@pytest.mark.parametrize("for_good", [True, False])
def test_a_url_that_leads_to_another_leaves_its_key_to_it(
    store: Store, for_good: bool
) -> None:
    serve_shop(store)
    moved = page(90, sku=3, title="Lamp 3 new")
    old = visit(
        store,
        moved.model_copy(update={"url": f"{SITE}/3"}),
        moved.url,
        for_good=for_good,
    )
    serve(store, [visit(store, moved), old], "run-2")
    assert urls_by_sku(store)["sku-3"] == "/90" and why_held(store) == {}


def test_a_redirect_seen_in_the_last_run_counts(store: Store) -> None:
    serve_shop(store)
    target = f"{SITE}/90"
    serve(store, [visit(store, page(3), target)], "run-2")
    serve(store, [visit(store, page(90, sku=3, title="Lamp 3 new"))], "run-3")
    assert urls_by_sku(store)["sku-3"] == "/90" and why_held(store) == {}


def test_another_scheme_is_the_same_page(store: Store) -> None:
    serve_shop(store)
    secure = page(3, title="Lamp three", url=f"{SITE}/3".replace("http:", "https:"))
    serve(store, [visit(store, secure)], "run-2")
    assert urls_by_sku(store)["sku-3"] == secure.url and why_held(store) == {}


def test_a_page_that_calls_itself_by_its_owner_is_another_name(store: Store) -> None:
    serve_shop(store)
    pages = [page(n) for n in range(PAGES)]
    twin = page(90, sku=3, title="Lamp 3", price="3.50", name=f"{SITE}/3")
    serve(store, visits(store, [*pages, twin]), "run-2")
    entry = store.url(FAMILY.family, f"{SITE}/90")
    assert entry is not None and entry.alias_of == f"{SITE}/3"
    assert urls_by_sku(store)["sku-3"] == "/3" and why_held(store) == {}


def test_a_name_alone_gives_no_page_the_record_of_another(store: Store) -> None:
    serve_shop(store)
    liar = page(90, sku=3, title="Chair", name=f"{SITE}/3")
    serve(store, [visit(store, liar)], "run-2")
    assert urls_by_sku(store)["sku-3"] == "/3" and set(why_held(store)) == {"/90"}


def test_another_version_may_name_another_record_of_the_same_document(
    store: Store,
) -> None:
    pages = [page(n, struck=505 if n == 5 else None) for n in range(PAGES)]
    serve(store, visits(store, pages), "run-1")
    add_version(store, sku="s")
    serve(store, visits(store, pages), "run-2")
    assert why_held(store) == {}
    assert urls_by_sku(store)["sku-505"] == "/5"
    assert "sku-5" not in urls_by_sku(store)
