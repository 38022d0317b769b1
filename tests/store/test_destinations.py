"""Published rows in a real Postgres."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from adbc_driver_postgresql import dbapi

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import Store
from crawloop_assets.store.destinations import load_postgres
from tests.models import Item
from tests.postgres import own_postgres
from tests.store.conftest import commit, family, served

FAMILY = family()


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    with own_postgres() as url:
        yield url


def published(home: Path, *items: Item) -> Path:
    """A published file with these."""
    store = Store(home / "var", home / "crawloop.duckdb")
    pages = [served(f"http://shop.test/{item.title}", item) for item in items]
    store.commit_batch(commit(f"r{len(items)}", pages, FAMILY))
    return store.publish()


def there(url: str) -> list[tuple[object, ...]]:
    """What Postgres has."""
    with dbapi.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute(
            "select title, price::text, _family, _verified_at is not null, _kept "
            "from shop.shop__item order by 1"
        )
        return [tuple(row) for row in cursor.fetchall()]


def test_the_table_is_replaced_as_a_whole_with_its_types(
    postgres: str, tmp_path: Path
) -> None:
    cup, jug = (
        Item(title=name, price=Decimal(price))
        for name, price in (("cup", "1.10"), ("jug", "2.25"))
    )
    file = published(tmp_path / "one", cup)
    assert load_postgres(file, "shop/item", postgres, "shop") == 1
    file = published(tmp_path / "two", cup, jug)
    assert load_postgres(file, "shop/item", postgres, "shop") == 2
    found = there(postgres)
    assert [row[0] for row in found] == ["cup", "jug"]
    assert [Decimal(str(row[1])) for row in found] == [Decimal("1.10"), Decimal("2.25")]
    assert {row[2:4] for row in found} == {("shop/item", True)}


def test_what_goes_wrong_is_said_without_the_address(tmp_path: Path) -> None:
    file = published(tmp_path, Item(title="cup", price=Decimal(1)))
    secret = "postgresql://ada:hunter2@127.0.0.1:1/shop"
    with pytest.raises(ConfigError, match="Postgres refuses") as refused:
        load_postgres(file, "shop/item", secret, "shop")
    assert "hunter2" not in f"{refused.value}{refused.value.__cause__}"
    with pytest.raises(ConfigError, match="nothing of shop/other"):
        load_postgres(file, "shop/other", secret, "shop")
