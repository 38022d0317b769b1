import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from crawloop_assets.errors import StoreBusy, StoreFailed
from crawloop_assets.store.engine import Engine, OpenMode, looked_at


def soon() -> float:
    return time.monotonic() + 2


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "it's a store.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("create table t (x integer)")
    return file


@pytest.fixture
def engine(file: Path) -> Engine:
    return Engine(file.parent)


def write(engine: Engine, file: Path, number: int) -> None:
    with engine.opened(file, soon(), OpenMode.APPEND) as connection:
        connection.execute("insert into t values (?)", [number])


def read(engine: Engine, file: Path) -> list[int]:
    with engine.opened(file, soon(), OpenMode.READ) as connection:
        return [
            row[0]
            for row in connection.execute("select x from t order by x").fetchall()
        ]


def test_what_is_written_goes_to_the_log_and_never_to_the_file(
    engine: Engine, file: Path
) -> None:
    before = file.read_bytes()
    for number in range(3):
        write(engine, file, number)
    assert read(engine, file) == read(Engine(file.parent), file) == [0, 1, 2]
    assert file.read_bytes() == before
    assert file.with_name(f"{file.name}.wal").stat().st_size


def test_a_reader_cannot_write(engine: Engine, file: Path) -> None:
    with (
        pytest.raises(duckdb.InvalidInputException),
        engine.opened(file, soon(), OpenMode.READ) as connection,
    ):
        connection.execute("insert into t values (1)")
    write(engine, file, 1)
    assert read(engine, file) == [1]


def test_nobody_is_shut_out_between_two_openings(engine: Engine, file: Path) -> None:
    write(engine, file, 1)
    other = f"import duckdb; print(duckdb.connect({str(file)!r}, read_only=True).execute('from t').fetchall())"
    assert (
        subprocess.run(
            [sys.executable, "-c", other], capture_output=True, text=True
        ).stdout
        == "[(1,)]\n"
    )


def test_a_file_that_somebody_has_open_is_waited_for(
    engine: Engine, file: Path
) -> None:
    code = f"import duckdb, sys; c = duckdb.connect({str(file)!r}); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(StoreBusy, match=f"process {other.pid} has it"):
            write(engine, file, 1)
        other.communicate()
    write(engine, file, 1)


def test_a_wrong_statement_leaves_nothing_behind(engine: Engine, file: Path) -> None:
    with (
        pytest.raises(duckdb.Error),
        engine.opened(file, soon(), OpenMode.APPEND) as connection,
    ):
        connection.execute(
            "begin; insert into t values (1); create temp table own (x integer)"
        )
        connection.execute("select nothing")
    with (
        pytest.raises(KeyError),
        engine.opened(file, soon(), OpenMode.APPEND) as connection,
    ):
        connection.execute(
            "begin; insert into t values (2); create temp table own (x integer)"
        )
        raise KeyError
    with engine.opened(file, soon(), OpenMode.APPEND) as connection:
        connection.execute("create temp table own (x integer)")
    assert read(engine, file) == []


def test_a_damaged_file_is_said_and_does_not_stay(engine: Engine, file: Path) -> None:
    good = file.read_bytes()
    file.write_bytes(b"junk" * 9_000)
    with pytest.raises(StoreFailed):
        read(engine, file)
    file.write_bytes(good)
    assert read(engine, file) == []


def test_other_files_are_out_of_reach(
    engine: Engine, file: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.csv"
    secret.write_text("a\n1\n")
    for statement in (
        f"from read_csv('{secret}')",
        f"attach '{secret.parent}/x.duckdb'",
        "load httpfs",
    ):
        with (
            pytest.raises((duckdb.Error, StoreFailed)),
            engine.opened(file, soon(), OpenMode.APPEND) as connection,
        ):
            connection.execute(statement)


FORKS = """
import os, sys
from pathlib import Path
from typing import Any
from crawloop_assets.store.engine import Engine
from tests.store.test_engine import write

file = Path(sys.argv[1])
engine = Engine(file.parent)
write(engine, file, 1)
if not (child := os.fork()):
    write(engine, file, 2)
    for number in range(9):  # more folders than are kept
        other = file.parent / str(number) / "store.duckdb"
        other.parent.mkdir()
        other.write_bytes(file.read_bytes())
        write(Engine(other.parent), other, 2)
    sys.exit(0)  # all of its end, too
failed = os.waitpid(child, 0)[1] != 0
write(engine, file, 2)
sys.exit(failed)
"""


def test_whoever_opens_files_of_a_folder_shares_what_was_started(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Engine(file.parent), file, 1)
    monkeypatch.setattr(duckdb, "connect", None)  # nothing is started any more
    monkeypatch.chdir(file.parent)
    assert read(Engine(Path()), file) == [1]


def test_what_was_not_used_lately_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[duckdb.DuckDBPyConnection] = []

    def connect(*args: Any, **options: Any) -> duckdb.DuckDBPyConnection:
        started.append(_connect(*args, **options))
        return started[-1]

    files = [tmp_path / str(number) / "store.duckdb" for number in range(6)]
    for one in files:
        one.parent.mkdir()
        made(one, 1, 1)
    monkeypatch.setattr(duckdb, "connect", connect)
    for one in files:
        with Engine(one.parent).opened(one, soon(), OpenMode.READ) as connection:
            assert connection.execute("select count(*) from t0").fetchall() == [(1,)]
    for gone in started[:2]:
        with pytest.raises(duckdb.ConnectionException):
            gone.execute("select 1")
    for kept in started[2:]:
        assert kept.execute("select 1").fetchall() == [(1,)]


def test_a_folder_that_is_open_may_be_given_up_meanwhile(tmp_path: Path) -> None:
    files = [tmp_path / str(number) / "store.duckdb" for number in range(6)]
    for one in files:
        one.parent.mkdir()
        made(one, 1, 1)
    first, *others = files
    with Engine(first.parent).opened(first, soon(), OpenMode.READ) as connection:
        for one in others:
            with Engine(one.parent).opened(one, soon(), OpenMode.READ):
                pass
        assert connection.execute("select count(*) from t0").fetchall() == [(1,)]
    with Engine(first.parent).opened(first, soon(), OpenMode.READ) as connection:
        assert connection.execute("select count(*) from t0").fetchall() == [(1,)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_its_own(engine: Engine, file: Path) -> None:
    """In a process without threads: forking one that has some is nobody's promise."""
    write(engine, file, 1)
    subprocess.run([sys.executable, "-c", FORKS, str(file)], check=True, timeout=60)
    write(engine, file, 3)
    assert read(engine, file) == [1, 1, 2, 2, 3]


_HEADER = 12288
"""Bytes of a DuckDB file before its first block."""


def made(file: Path, tables: int, rows: int) -> None:
    with duckdb.connect(str(file)) as connection:
        for number in range(tables):
            connection.execute(
                f"create table t{number} as select md5(range::text) x from range({rows})"
            )


def count(file: Path) -> int:
    with looked_at(file, soon()) as connection:
        return len(connection.execute("from duckdb_tables()").fetchall())


class Replaced:
    """What DuckDB gets to see where a file is replaced after it has read the header."""

    def __init__(self, file: Path, fresh: Path):
        self.file, self.fresh = file, fresh
        self.torn = file.with_name("torn.duckdb")
        header, rest = (one.read_bytes() for one in (file, fresh))
        self.torn.write_bytes(header[:_HEADER] + rest[_HEADER:])
        self.opened = 0

    def connect(self, _path: str, **options: Any) -> duckdb.DuckDBPyConnection:
        self.opened += 1
        if self.opened > 1:
            return _connect(str(self.file), **options)
        self.fresh.replace(self.file)
        return _connect(str(self.torn), **options)


_connect = duckdb.connect


def test_a_file_that_is_replaced_while_it_is_opened_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, fresh = tmp_path / "old.duckdb", tmp_path / "new.duckdb"
    made(file, 3, 90_000)
    made(fresh, 40, 9_000)
    world = Replaced(file, fresh)
    with pytest.raises(StoreFailed, match="No more data remaining"):
        count(world.torn)  # nobody replaces this one: it is damaged
    monkeypatch.setattr(duckdb, "connect", world.connect)
    assert count(file) == 40
    assert world.opened == 2


def test_a_file_that_is_replaced_just_after_is_read_as_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, fresh = tmp_path / "old.duckdb", tmp_path / "new.duckdb"
    made(file, 2, 1)
    made(fresh, 3, 1)
    world = Replaced(file, fresh)
    world.torn.write_bytes(file.read_bytes())
    monkeypatch.setattr(duckdb, "connect", world.connect)
    assert count(file) == 3
