"""Where the store is: nothing that may be a password is repeated."""

import shutil
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError, StoreFailed
from crawloop_assets.store import Store
from crawloop_assets.store.copied import copied_store
from crawloop_assets.store.file_db import FileDatabase
from crawloop_assets.store.places import STORE_URL, database_of

SECRET = "hunter2"


def test_without_a_setting_it_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(STORE_URL, raising=False)
    assert isinstance(database_of(tmp_path, 1), FileDatabase)


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (f"mysql://u:{SECRET}@host/db", ConfigError),
        (f"postgresql://u:{SECRET}@host/db?no_such_option={SECRET}", ConfigError),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/db", StoreFailed),
    ],
)
def test_a_wrong_address_is_not_repeated(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    error: type[Exception],
) -> None:
    monkeypatch.setenv(STORE_URL, said)
    with pytest.raises(error) as refused:
        Store(tmp_path / "var", tmp_path / "crawloop.duckdb", wait_s=0.1).layout()
    told, cause = str(refused.value), refused.value.__cause__
    assert STORE_URL in told and SECRET not in told and SECRET not in str(cause)
    assert "127.0.0.1" not in told


def test_a_copy_is_a_file_wherever_the_store_is(store: Store, tmp_path: Path) -> None:
    store.record_skips("shop/item", [("https://shop.test/a", "a rule")])
    folder = tmp_path / "copy"
    folder.mkdir()
    copied = copied_store(store, folder)
    copied.record_skips("shop/item", [])
    assert len(store.skips("https://shop.test/a")) == 1
    shutil.rmtree(folder)
    assert len(store.skips("https://shop.test/a")) == 1
