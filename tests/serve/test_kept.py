"""A redesign that loses one optional field: the rest is served at once; with a real store and real workers."""

import signal
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.serve.kept import records_kept
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FrontierUrl, HeldState, Store
from crawloop_assets.store.published import published_rows
from tests.drift import small
from tests.kept_stores import KeptStores
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed
from tests.serve.wares import (
    FAMILY,
    PAGES,
    add_version,
    brands,
    old,
    price,
    prices,
    refresh,
    refresh_batch,
    rows,
    stock,
    without_brand,
    without_list_price,
)


def four_days(folder: Path) -> None:
    """Four refreshes of the old design; prices and stock move every day."""
    made = Store(folder / "var", folder / "crawloop.duckdb")
    add_version(made)
    for day in range(4):
        refresh(made, day, old)


@pytest.fixture
def store(kept_stores: KeptStores, tmp_path: Path) -> Store:
    return kept_stores.copied(four_days, tmp_path)


def test_what_is_right_is_served_beside_the_known_value_of_what_is_gone(
    store: Store,
) -> None:
    before = rows(store)
    served = refresh(store, 4, without_brand)
    assert served.judgement.drifted, "it is noticed as before, and heals"
    found = rows(store)
    assert [row["price"] for row in found] == prices(4)
    assert [row["stock"] for row in found] == [stock(n, 4) for n in range(PAGES)]
    assert [row["brand"] for row in found] == brands()
    assert [row["_kept"] for row in found] == [
        {"brand": row["_verified_at"]} for row in before
    ]
    assert all(row["_stale_since"] is None for row in found)
    assert served.kept == {"brand": PAGES}
    assert served.counts.stale == 0 and served.served_by == {"crawler v1": PAGES}


def test_an_optional_value_that_does_not_fit_the_model_keeps_the_known_one(
    store: Store,
) -> None:
    def shown(number: int, day: int) -> str:
        page, left = old(number, day), stock(number, day)
        return page if number % 2 else page.replace(f">{left}<", f">{left}0000<")

    served = refresh(store, 4, shown)
    assert served.judgement.drifted
    found = rows(store)
    assert [row["price"] for row in found] == prices(4)
    assert [row["stock"] for row in found] == [
        stock(n, 4 if n % 2 else 3) for n in range(PAGES)
    ]


def test_what_was_in_doubt_waits_in_quarantine_and_is_asked_for_in_full(
    store: Store,
) -> None:
    refresh(store, 4, without_brand)
    entries = store.quarantine(FAMILY.family, HeldState.HELD)
    assert len(entries) == PAGES
    assert all("brand" not in values for entry in entries for values in entry.values)
    assert {one.field for entry in entries for one in entry.reasons} >= {"brand"}
    assert {url.verdict for url in store.frontier(FAMILY.family)} == {Verdict.DRIFT}


def test_the_date_of_a_kept_value_stays_until_the_field_is_back(store: Store) -> None:
    last = {row["_url"]: row["_verified_at"] for row in rows(store)}
    for day in (4, 5, 6):
        refresh(store, day, without_brand)
    found = rows(store)
    assert [row["price"] for row in found] == prices(6)
    assert {row["_url"]: row["_kept"]["brand"] for row in found} == last
    refresh(store, 8, old)  # on the seventh all prices are whole numbers
    assert {row["_kept"] for row in rows(store)} == {None}
    assert [row["price"] for row in rows(store)] == prices(8)


def test_a_healed_version_reads_it_again_from_the_stored_pages(store: Store) -> None:
    refresh(store, 4, without_brand)
    add_version(store, brand=("p.maker",))
    served = refresh(store, 4, without_brand, "heal-4")
    assert not served.judgement.drifted and served.kept == {}
    assert {row["_kept"] for row in rows(store)} == {None}
    assert {row["_crawler_version"] for row in rows(store)} == {2}
    assert [row["_suspect"] for row in rows(store)] == [None] * PAGES


def test_a_known_value_never_stands_beside_a_fresh_one_that_a_law_binds_it_to(
    store: Store,
) -> None:
    before = rows(store)
    served = refresh(store, 4, without_list_price)
    moved = {n for n in range(PAGES) if price(n, 3) != price(n, 4)}
    assert served.judgement.drifted and 0 < len(moved) < PAGES
    for number, row in enumerate(rows(store)):
        assert row["list_price"] == Decimal(f"{40 + number}.00")
        assert row["price"] == before[number]["price"], "both are of one day"
        if number in moved:
            assert row["_stale_since"] is not None and row["_kept"] is None
            assert "list_price" in row["_stale_why"]
        else:
            assert set(row["_kept"]) == {"list_price"}


def test_a_page_whose_price_is_in_doubt_is_held_as_a_whole(store: Store) -> None:
    """Only one of the readers of the price is left, and it says another one."""

    def doubtful(number: int, day: int) -> str:
        return without_brand(number, day).replace("data", "span")

    before = rows(store)
    served = refresh(store, 4, doubtful)
    assert served.judgement.drifted
    for old_row, row in zip(before, rows(store), strict=True):
        assert row["price"] == old_row["price"]
        if row["price"] != Decimal(price(int(row["_url"].rpartition("/")[2]), 4)):
            assert row["_stale_since"] is not None and row["_stale_why"]


def test_a_new_page_need_not_wait_for_the_one_field_that_is_in_doubt(
    store: Store,
) -> None:
    """It has no known value: the field is empty, and nobody says that the page lacks it."""
    fresh = f"{SITE}/{PAGES}"
    for day in (4, 5):
        pages = [
            html_page(f"{SITE}/{n}", without_brand(n, day)) for n in range(PAGES + 1)
        ]
        refreshed(store, FAMILY, pages, f"run-{day}")
        row = rows(store)[PAGES]
        assert (row["_url"], row["price"]) == (fresh, Decimal(price(PAGES, day)))
        assert (row["brand"], row["_kept"]) == (None, {"brand": None})
        assert row["_stale_since"] is None and not row["_suspect"]
    add_version(store, brand=("p.maker",))
    refreshed(store, FAMILY, pages, "heal-5")
    row = rows(store)[PAGES]
    assert (row["brand"], row["_kept"]) == (f"Maker {PAGES}", None)


class Lot(BaseModel):
    title: str
    sold: bool = False


def test_what_nobody_knows_is_not_what_the_model_says_by_itself() -> None:
    family = Family.model_validate(
        {"family": "a/lot", "schema": f"{__name__}:Lot", "discover": {}}
    )
    visit = Visit(FrontierUrl(url=SITE, batch="1"), None, Verdict.DRIFT)
    read = small.outcome({"title": "Vase"}).extraction
    page = Reading(visit, Verdict.DRIFT, extraction=read)
    unknown = KeptRecord(values={"title": "Vase"}, kept=frozenset(("sold",)))
    with pytest.raises(ValidationError, match="sold"):
        records_kept(family, page, {0: unknown})
    known = unknown.model_copy(update={"values": {"title": "Vase", "sold": True}})
    assert records_kept(family, page, {0: known}) == {0: Lot(title="Vase", sold=True)}


def test_the_same_bytes_read_again_by_the_same_version_keep_the_same(
    store: Store,
) -> None:
    refresh(store, 4, without_brand)
    first = rows(store)
    refresh(store, 4, without_brand, "again-4")
    assert [row["_kept"] for row in rows(store)] == [row["_kept"] for row in first]
    assert [row["price"] for row in rows(store)] == prices(4)


def test_the_history_knows_which_values_were_kept(store: Store) -> None:
    refresh(store, 4, without_brand)
    refresh(store, 5, old)
    found = published_rows(
        store.publish(), "ware_history", ["_url", "_run_id", "_kept"]
    )
    of_first = {
        row["_run_id"]: row["_kept"] for row in found if row["_url"] == f"{SITE}/0"
    }
    assert of_first["run-4"].keys() == {"brand"} and of_first["run-5"] is None


def test_a_person_may_release_what_was_read(store: Store) -> None:
    """Then the field is gone, and nothing is kept."""
    refresh(store, 4, without_brand)
    entries = store.quarantine(FAMILY.family, HeldState.HELD)
    store.release(FAMILY, [entry.id for entry in entries], who="Ada", why="no makers")
    assert {(row["brand"], row["_kept"]) for row in rows(store)} == {(None, None)}


def test_the_judgement_of_the_run_leaves_what_keeps_the_field_it_is_against(
    tmp_path: Path,
) -> None:
    """Two batches lose the same field; the run is against it, too, and both are served in part."""
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    add_version(store)
    for day in range(4):
        for batch in ("000001", "000002"):
            shown = [old(number, day) for number in range(PAGES)]
            refresh_batch(store, f"run-{day}", batch, shown)
        store.pending.settle(FAMILY, f"run-{day}")
    for batch in ("000001", "000002"):
        shown = [without_brand(number, 4) for number in range(PAGES)]
        assert refresh_batch(store, "run-4", batch, shown).judgement.drifted
    assert {row["_run_id"] for row in rows(store)} == {"run-3"}, "it is pending"
    store.pending.settle(FAMILY, "run-4")
    found = rows(store)
    assert {row["_run_id"] for row in found} == {"run-4"}
    assert sorted(row["price"] for row in found) == sorted(prices(4) * 2)
    assert {tuple(row["_kept"]) for row in found} == {("brand",)}
    assert {row["_stale_since"] for row in found} == {None}


KILLED = """
import os, signal, sys
from pathlib import Path
from crawloop_assets.store import Store, quarantine
from tests.serve.wares import refresh, without_brand
quarantine.hold = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
store = Store(Path(sys.argv[1]) / "var", Path(sys.argv[1]) / "crawloop.duckdb")
refresh(store, 4, without_brand)
"""


def test_a_kill_between_the_rows_and_the_quarantine_leaves_neither(
    store: Store, tmp_path: Path
) -> None:
    before = rows(store)
    root = Path(__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=root)
    assert killed.returncode == -signal.SIGKILL
    assert rows(store) == before and not store.quarantine(FAMILY.family)
    refresh(store, 4, without_brand)
    assert [row["price"] for row in rows(store)] == prices(4)
    assert {tuple(row["_kept"]) for row in rows(store)} == {("brand",)}
