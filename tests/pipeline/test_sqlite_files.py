"""A connection to each file stays open, as long as it is that file and this process."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from crawloop_assets.pipeline.sqlite_files import SqliteFiles


@pytest.fixture
def files() -> Iterator[SqliteFiles]:
    made = SqliteFiles(timeout_s=5)
    yield made
    made.close()


def put(files: SqliteFiles, file: Path, value: int) -> None:
    with files.engine(f"sqlite:///{file}").begin() as connection:
        connection.execute(text("create table if not exists t (v int)"))
        connection.execute(text(f"insert into t values ({value})"))


def stored(file: Path) -> list[int]:
    """As another process sees it."""
    with closing(sqlite3.connect(file)) as connection:
        return [value for (value,) in connection.execute("select v from t")]


def in_wal_mode(file: Path) -> Path:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("pragma journal_mode=wal")
    return file


def test_a_file_stays_open_until_it_is_closed(
    files: SqliteFiles, tmp_path: Path
) -> None:
    file = in_wal_mode(tmp_path / "a.db")
    log = tmp_path / "a.db-wal"
    put(files, file, 1)
    assert log.exists(), "nobody has written it into the file yet"
    put(files, file, 2)
    assert stored(file) == [1, 2]
    files.close()
    assert not log.exists()
    put(files, file, 3)
    assert stored(file) == [1, 2, 3]


def test_what_is_put_away_is_not_written_to(files: SqliteFiles, tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    put(files, file, 1)
    file.rename(tmp_path / "old.db")
    put(files, file, 2)
    assert (stored(tmp_path / "old.db"), stored(file)) == ([1], [2])
    file.unlink()
    put(files, file, 3)
    assert stored(file) == [3]


def test_many_files_are_not_all_open(files: SqliteFiles, tmp_path: Path) -> None:
    for number in range(80):
        put(files, in_wal_mode(tmp_path / f"{number}.db"), number)
    assert len(list(tmp_path.glob("*.db-wal"))) < 40
    assert [stored(tmp_path / f"{number}.db") for number in range(80)] == [
        [number] for number in range(80)
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_a_forked_process_opens_its_own(files: SqliteFiles, tmp_path: Path) -> None:
    file = in_wal_mode(tmp_path / "a.db")
    put(files, file, 1)
    opened = files.engine(f"sqlite:///{file}")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            is_own = files.engine(f"sqlite:///{file}") is not opened
            put(files, file, 2)
            files.close()
            code = 0 if is_own else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    put(files, file, 3)
    assert stored(file) == [1, 2, 3]
