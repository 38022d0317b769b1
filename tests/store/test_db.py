"""What a database promises, wherever it is."""

import pytest

from crawloop_assets.store import FoundUrl, Store
from tests.store.conftest import family

URL = "https://shop.test/a"


def test_what_raises_changes_nothing(store: Store) -> None:
    with pytest.raises(KeyError), store._database.write() as connection:
        connection.execute("insert into skips values ('f', 'u', 'r', now())")
        raise KeyError
    assert store.skips("u") == []


def test_who_looks_at_one_state_sees_it_to_the_end_and_changes_nothing(
    store: Store,
) -> None:
    store.add_urls(family(), [FoundUrl(URL)])
    with store.one_state():
        with store.one_state():
            assert store.batches("shop/item") == ["000001"]
        with pytest.raises(RuntimeError, match="cannot change"):
            store.add_urls(family(), [FoundUrl(URL)])
        assert store.batches("shop/item") == ["000001"]
    assert store.add_urls(family(), [FoundUrl(f"{URL}b")]) == []


def test_a_state_is_another_one_after_each_commit_and_only_then(store: Store) -> None:
    states = []
    for number in range(3):
        store.add_urls(family(), [FoundUrl(f"{URL}{number}")])
        states.append(store._database.state())
        store.batches("shop/item")
        assert store._database.state() == states[-1]
    assert len(set(states)) == 3


def test_a_reader_cannot_write(store: Store) -> None:
    store.add_urls(family(), [FoundUrl(URL)])
    with (
        store._database.read() as connection,
        pytest.raises(Exception, match="read-only"),
    ):
        connection.execute("delete from frontier")
    assert len(store.frontier("shop/item")) == 1
