"""A copy of a store, in which anything may be tried."""

from pathlib import Path

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.file_db import FileDatabase
from crawloop_assets.store.store import Store


def copied_store(store: Store, folder: Path) -> Store:
    """A store of its own in an empty folder, as that one is now; of the pages, which it
    only reads, there is one copy.

    StoreFailed if the folder cannot be written, StoreBusy as for every reading.
    """
    try:
        store.publisher.database.copy(folder / "store-000001.duckdb")
    except OSError as error:
        raise StoreFailed(f"cannot copy the store to {folder}: {error}") from error
    copied = Store(folder, folder / "crawloop.duckdb", database=FileDatabase(folder))
    copied.bodies = store.bodies
    return copied
