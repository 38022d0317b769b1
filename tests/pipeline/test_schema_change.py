"""A schema that gains or loses an optional field: stored pages are read again, without a request."""

from decimal import Decimal

import yaml

from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, PRODUCTS, World


def write_schema(made: World, schema: str) -> None:
    (file,) = made.project.families.glob("shop_product.yaml")
    family = yaml.safe_load(file.read_text(encoding="utf-8"))
    family["schema"] = schema
    if schema.startswith("tests."):
        family["examples"] = [
            {
                **one,
                "record": {
                    name: value
                    for name, value in one["record"].items()
                    if name != "rating"
                },
            }
            for one in family["examples"]
        ]
    file.write_text(
        yaml.safe_dump(family, allow_unicode=True, sort_keys=False), encoding="utf-8"
    )


def test_a_new_optional_field_is_filled_from_stored_pages(fresh: World) -> None:
    (file,) = fresh.project.families.glob("shop_product.yaml")
    shipped = yaml.safe_load(file.read_text(encoding="utf-8"))["schema"]
    write_schema(fresh, "tests.models:Product")
    assert fresh.run("discover").success
    assert fresh.refresh().success
    assert fresh.shown() == {"succeeded": fresh.batches}
    hits = len(fresh.shop.hits)
    write_schema(fresh, shipped)
    assert fresh.regenerate().success
    assert [one.version for one in fresh.store.crawlers(PRODUCT)][-1:] == [2]
    made = fresh.witness()
    assert fresh.refresh(mode=RunMode.REPLAY).success
    assert len(fresh.shop.hits) == hits, "the site was not asked for anything"
    rows = published_rows(
        fresh.project.published, "product", ["rating", "_crawler_version"]
    )
    assert len(rows) == PRODUCTS
    assert sum(isinstance(row["rating"], Decimal) for row in rows) > PRODUCTS // 2
    assert list(made.faults(complete=False)) == []


def test_a_removed_field_leaves_the_table_with_the_next_run(fresh: World) -> None:
    assert fresh.run("discover").success
    assert fresh.refresh().success
    assert "rating" in published_rows(fresh.project.published, "product")[0]
    hits = len(fresh.shop.hits)
    write_schema(fresh, "tests.models:Product")
    assert fresh.refresh(mode=RunMode.REPLAY).success
    assert fresh.shown() == {"succeeded": fresh.batches}
    rows = published_rows(fresh.project.published, "product")
    assert len(rows) == PRODUCTS and "rating" not in rows[0]
    kept = published_rows(fresh.project.published, "product_history", ["rating"])
    assert sum(isinstance(row["rating"], Decimal) for row in kept) > PRODUCTS // 2
    assert len(fresh.shop.hits) == hits, "the site was not asked for anything"
