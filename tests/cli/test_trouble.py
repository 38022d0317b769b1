"""Whatever the machine does, a command says one sentence; who only looks goes on."""

import errno
import sqlite3
from pathlib import Path

import pytest

from crawloop_assets.cli.trouble import trouble_of
from crawloop_assets.errors import ConfigError, CrawloopError
from tests.cli.conftest import PRODUCT
from tests.readonly import crawloop, crawloops, unwritable
from tests.store.losses import base, log

LOOKING = [
    ["family", "list"],
    ["family", "check"],
    ["family", "show", PRODUCT],
    ["audit"],
    ["inbox"],
    ["costs"],
    ["report"],
    ["suspects"],
    ["quarantine", "list", "--decided"],
    ["question", "list"],
    ["why", "http://shop.test/product/1"],
    ["upgrade", "--dry-run"],
]
CHANGING = [
    ["rollback", PRODUCT],
    ["restore", "--from", "{home}/crawloop.duckdb", "--yes"],
    ["dev", "--port", "0"],
]
FULL = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
"""


def one_sentence(said: str) -> bool:
    return "Traceback" not in said and len(said.strip().splitlines()) == 1


@pytest.mark.long
def test_who_looks_at_a_project_that_cannot_be_written_sees_the_same(
    home: Path,
) -> None:
    before = crawloops(home, LOOKING)
    with unwritable(home):
        found = crawloops(home, LOOKING)
    assert len(found) == len(LOOKING)
    for command, one, same in zip(LOOKING, found, before, strict=True):
        assert one.stderr == "" and one.stdout == same.stdout, command
        assert one.returncode == same.returncode and one.stdout, command


@pytest.mark.parametrize(
    "trial",
    [["try", PRODUCT], ["heal", PRODUCT, "--dry-run"], ["prune", "--dry-run"]],
    ids=lambda words: words[0],
)
def test_a_trial_needs_no_right_to_write_in_the_project(
    home: Path, trial: list[str]
) -> None:
    before = crawloop(home, trial)
    with unwritable(home):
        found = crawloop(home, trial)
    assert (found.returncode, found.stdout) == (before.returncode, before.stdout)
    assert found.stderr == before.stderr and "cannot lock" not in found.stderr


@pytest.mark.parametrize("command", CHANGING, ids=lambda words: words[0])
def test_who_changes_a_project_that_cannot_be_written_is_told_so(
    home: Path, command: list[str]
) -> None:
    with unwritable(home):
        found = crawloop(home, [word.format(home=home) for word in command])
    assert found.returncode == 1
    assert one_sentence(found.stderr), found.stderr
    assert "StoreFailed" in found.stderr and "give" in found.stderr


def test_a_full_disk_is_one_sentence_and_changes_nothing(home: Path) -> None:
    found = crawloop(home, ["rollback", PRODUCT], FULL)
    assert found.returncode == 1 and one_sentence(found.stderr), found.stderr
    assert "is full" in found.stderr and "free some space" in found.stderr
    assert "v2" in crawloop(home, ["family", "list"]).stdout
    assert crawloop(home, ["rollback", PRODUCT]).returncode == 0


def test_a_damaged_store_is_one_sentence(home: Path) -> None:
    base(home).write_bytes(b"x" * 9000)
    commands = [one for one in (*LOOKING, CHANGING[0]) if one != ["family", "check"]]
    for found in crawloops(home, commands):
        assert found.returncode == 1 and one_sentence(found.stderr), found.stderr
        assert "is damaged" in found.stderr and "`crawloop restore`" in found.stderr


def test_a_loss_is_said_to_who_looks_and_stops_who_changes(home: Path) -> None:
    log(home).unlink()
    found = crawloop(home, ["audit"])
    assert found.returncode == 0 and "CommitsLost" in found.stderr
    found = crawloop(home, ["rollback", PRODUCT])
    assert found.returncode == 1 and one_sentence(found.stderr)
    assert "CommitsLost" in found.stderr and "crawloop restore" in found.stderr


@pytest.mark.parametrize(
    "error, says",
    [
        (OSError(errno.ENOSPC, "No space left", "/x/y"), "the disk under /x/y is full"),
        (PermissionError(errno.EACCES, "denied", "/x"), "/x may not be written"),
        (
            sqlite3.DatabaseError("file is not a database"),
            "database under var/dagster is damaged",
        ),
        (sqlite3.OperationalError("database or disk is full"), "var/dagster is full"),
        (ConfigError("wrong"), "wrong"),
        (OSError(errno.ENAMETOOLONG, "too long", "a" * 900), "aaa is nothing that"),
        (NotADirectoryError(errno.ENOTDIR, "No folder", "/x/y"), "/x/y is nothing"),
        (FileExistsError(errno.EEXIST, "is there", "/x"), "/x is nothing"),
        (OSError(errno.EADDRINUSE, "in use"), "in use. --port takes another"),
    ],
    ids=str,
)
def test_the_cause_of_an_error_is_told(error: Exception, says: str) -> None:
    wrapped = RuntimeError("in a library")
    wrapped.__cause__ = error
    for one in (error, wrapped):
        found = trouble_of(one)
        assert isinstance(found, CrawloopError) and says in str(found)
        assert len(str(found)) < 300


def test_a_defect_is_no_trouble() -> None:
    assert trouble_of(KeyError("x")) is None
    assert trouble_of(BrokenPipeError(errno.EPIPE, "pipe")) is None
    assert trouble_of(FileExistsError(errno.EEXIST, "nobody named it")) is None


def test_a_command_line_that_is_no_text_is_one_sentence(home: Path) -> None:
    found = crawloop(home, ["explain", PRODUCT, "caf\udce9"])
    assert found.returncode == 1 and one_sentence(found.stderr), found.stderr
    assert r"'caf\udce9' on the command line is not UTF-8" in found.stderr
