"""A published table of shop products, held against the shop."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.demo.witness import Witness
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import BatchCommit, FetchedPage, ServedBy, ServedPage, Store
from schemas.product import Product

MOMENT = datetime(2026, 1, 5, 12, tzinfo=UTC)
FAMILY = Family.model_validate(
    {
        "family": "shop/product",
        "schema": "schemas.product:Product",
        "key": ["sku"],
        "discover": {},
    }
)
Publish = Callable[[Sequence[Product]], None]


@pytest.fixture
def shop() -> Shop:
    return Shop()


@pytest.fixture
def witness(shop: Shop, tmp_path: Path) -> Witness:
    witness = Witness(shop, tmp_path / "crawloop.duckdb", [FAMILY])
    witness.note()
    return witness


@pytest.fixture
def publish(tmp_path: Path) -> Publish:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")

    def write(products: Sequence[Product]) -> None:
        served = [
            ServedPage(
                url=str(product.url),
                page_sha256="a" * 64,
                fetched_at=MOMENT,
                version=1,
                served_by=ServedBy.CRAWLER,
                records=[product],
            )
            for product in products
        ]
        fetched = [
            FetchedPage(url=page.url, verdict=Verdict.OK, fetched_at=MOMENT)
            for page in served
        ]
        store.commit_batch(
            BatchCommit(
                family=FAMILY,
                batch="000001",
                run_id="run",
                served=served,
                fetched=fetched,
            )
        )
        store.publish()

    return write


def products(shop: Shop) -> list[Product]:
    return [records[0] for records in shop.truth(Product).values()]


def test_true_rows_have_no_faults(
    shop: Shop, witness: Witness, publish: Publish
) -> None:
    publish(products(shop))
    assert list(witness.faults()) == []


def test_missing_products_count_only_when_all_should_be_there(
    shop: Shop, witness: Witness, publish: Publish
) -> None:
    known = products(shop)
    publish(known[1:])
    assert list(witness.faults(complete=False)) == []
    (fault,) = witness.faults()
    assert fault == f"product: 1 of 300 products are missing, such as {known[0].sku}"


def test_a_price_that_never_was_is_named(
    shop: Shop, witness: Witness, publish: Publish
) -> None:
    first, *rest = products(shop)
    wrong = first.model_copy(update={"price": first.price + 1})
    publish([wrong, *rest])
    faults = list(witness.faults())
    assert f"price is '{wrong.price}00', true is '{first.price}'" in faults[0]
    assert f"product {first.url}" in faults[0]


def test_many_wrong_rows_are_summed(
    shop: Shop, witness: Witness, publish: Publish
) -> None:
    known = products(shop)
    wrong = [product.model_copy(update={"brand": "Nobody"}) for product in known[:5]]
    publish([*wrong, *known[5:]])
    faults = [fault for fault in witness.faults() if fault.startswith("product")]
    named = [fault for fault in faults if "brand is 'Nobody'" in fault]
    assert "product: 5 wrong rows in all" in faults
    assert len([fault for fault in named if fault.startswith("product ")]) == 3


def test_yesterdays_price_is_a_fault_once_the_shop_has_moved_on(
    shop: Shop, witness: Witness, publish: Publish
) -> None:
    publish(products(shop))
    changed = shop.change_prices(0.02, Decimal("0.1"))
    witness.note()
    faults = [fault for fault in witness.faults() if fault.startswith("product")]
    assert len(changed) >= 1
    assert len(faults) >= min(3, len(changed))
    assert all("price is" in fault for fault in faults if " wrong rows" not in fault)


def test_a_product_the_shop_never_had_is_a_fault(
    shop: Shop, witness: Witness, publish: Publish
) -> None:
    known = products(shop)
    stranger = known[0].model_copy(update={"sku": "XX-00001"})
    publish([stranger, *known])
    assert any("no such product" in fault for fault in witness.faults())
