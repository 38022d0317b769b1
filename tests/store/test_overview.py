"""All families at a glance, from the ledgers of a store."""

from pathlib import Path

from crawloop_assets.family import Family
from crawloop_assets.store import FoundUrl, Store
from crawloop_assets.store.overview import FamilyOverview, FamilyState

ONE, TWO = (
    Family.model_validate(
        {"family": name, "schema": "tests.models:Item", "discover": {}}
    )
    for name in ("shop/one", "shop/two")
)


def test_a_family_nothing_is_known_of_was_not_crawled_yet(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    assert store.families.overviews([ONE]) == [FamilyOverview("shop/one")]
    assert FamilyOverview("shop/one").state is FamilyState.NEW


def test_each_has_its_own_numbers_in_the_order_asked_for(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.add_urls(TWO, [FoundUrl(f"http://shop.test/{n}") for n in range(3)])
    two, one = store.families.overviews([TWO, ONE])
    assert (two.family, two.batches, two.rows) == ("shop/two", 1, 0)
    assert one.batches == 0
