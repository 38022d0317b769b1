"""Where the database of a project is, as the environment says."""

import os
from pathlib import Path

from crawloop_assets.errors import ConfigError
from crawloop_assets.store.db import Database
from crawloop_assets.store.file_db import FileDatabase

STORE_URL = "CRAWLOOP_STORE_URL"


def database_of(var: Path, wait_s: float) -> Database:
    """A file under `var`, or a Postgres that machines share; ConfigError if it is said in
    a way that names neither."""
    url = os.environ.get(STORE_URL, "")
    if not url:
        return FileDatabase(var, wait_s)
    if not url.startswith(("postgres://", "postgresql://")):
        # It is not repeated: there may be a password in it.
        raise ConfigError(
            f"{STORE_URL} is no address of a Postgres",
            hint="such as postgresql://user@host/database",
        )
    try:
        from crawloop_assets.store.postgres import PostgresDatabase
    except ImportError:
        raise ConfigError(
            f"{STORE_URL} needs the extra `postgres`",
            hint="pip install 'crawloop-assets[postgres]'",
        ) from None
    return PostgresDatabase(var, wait_s, url)
