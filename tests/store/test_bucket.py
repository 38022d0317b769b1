"""Bodies in a bucket, over HTTP, as in a folder."""

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import fsspec
import pytest

from crawloop_assets.errors import ConfigError, PageLost, StoreFailed
from crawloop_assets.store import Store
from crawloop_assets.store.bucket import PAGES_URL, BucketBodies, bodies_of
from crawloop_assets.store.packed import PackedBodies
from tests.bucket import SECRET, running_bucket


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, running_bucket(patch) as url:
        yield url


@pytest.fixture
def bodies(address: str, tmp_path: Path) -> BucketBodies:
    """In a folder of their own."""
    return BucketBodies(f"{address}/{tmp_path.name}")


def object_of(bodies: BucketBodies, name: str) -> str:
    return bodies.where(name).removeprefix("s3://")


@pytest.mark.parametrize(
    "body", [b"", b"<html>", os.urandom(100_000)], ids=["empty", "short", "noise"]
)
def test_bytes_come_back_under_their_sha256(bodies: BucketBodies, body: bytes) -> None:
    name = bodies.put(body)
    assert name == hashlib.sha256(body).hexdigest()
    assert bodies.get(name) == body and bodies.has(name)
    assert bodies.put(body) == name and list(bodies.names()) == [name]
    bodies.remove(name, name)
    assert not bodies.has(name) and list(bodies.names()) == []
    with pytest.raises(PageLost, match=name):
        bodies.get(name)


@pytest.mark.parametrize("damage", [b"", b"junk"])
def test_a_damaged_page_costs_itself(bodies: BucketBodies, damage: bytes) -> None:
    damaged, other = bodies.put(b"<html>"), bodies.put(b"<p>")
    fsspec.filesystem("s3").pipe_file(object_of(bodies, damaged), damage)
    with pytest.raises(PageLost, match="damaged"):
        bodies.get(damaged)
    assert bodies.get(other) == b"<p>" and not bodies.has(damaged)
    assert bodies.get(bodies.put(b"<html>")) == b"<html>", "stored anew"


def test_a_body_is_there_whole_or_not_at_all(bodies: BucketBodies) -> None:
    noise = os.urandom(2_000_000)
    name = hashlib.sha256(noise).hexdigest()
    writer = Thread(target=bodies.put, args=(noise,))
    writer.start()
    looks = 0
    while writer.is_alive() or not looks:
        looks += 1
        if bodies.has(name):
            assert bodies.get(name) == noise
    writer.join()
    assert bodies.get(name) == noise


def test_a_fork_asks_over_a_connection_of_its_own(bodies: BucketBodies) -> None:
    name = bodies.put(b"<html>")
    child = os.fork()
    if child == 0:
        os._exit(7 if bodies.get(name) == b"<html>" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert bodies.get(name) == b"<html>"


def test_only_what_is_old_and_not_in_use_is_spare(bodies: BucketBodies) -> None:
    used, unused = bodies.put(b"used"), bodies.put(b"unused")
    fsspec.filesystem("s3").pipe_file(f"{object_of(bodies, used)}.note", b"not ours")
    assert list(bodies.spare({used}, time.time() + 60)) == [unused]
    assert list(bodies.spare({used}, time.time() - 60)) == []


def test_a_store_prunes_its_bucket(
    bodies: BucketBodies, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = bodies.where("0" * 64).rpartition("/00/")[0]
    monkeypatch.setenv(PAGES_URL, place)
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    orphan = store.bodies.put(b"orphan")
    assert bodies.get(orphan) == b"orphan", "in the bucket"
    assert not (tmp_path / "var" / "pages").exists()
    monkeypatch.setattr("crawloop_assets.store.prune._GRACE_S", -60.0)
    assert store.prune(dry_run=True).bodies == 1 and bodies.has(orphan)
    assert store.prune().bodies == 1 and not bodies.has(orphan)


def test_no_bucket_is_said_without_what_opens_it(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = BucketBodies("s3://no-such-bucket/shop")
    with pytest.raises(StoreFailed) as refused:
        nowhere.put(b"<html>")
    with monkeypatch.context() as away:
        away.setenv("AWS_ENDPOINT_URL_S3", f"http://ann:{SECRET}@127.0.0.1:9")
        fsspec.filesystem("s3").clear_instance_cache()
        with pytest.raises(StoreFailed) as silent:
            BucketBodies(address).get("0" * 64)
    fsspec.filesystem("s3").clear_instance_cache()
    for error in (refused, silent):
        assert PAGES_URL in str(error.value) and SECRET not in str(
            error.getrepr("long")
        )


@pytest.mark.parametrize(
    "named",
    [
        f"s3://ann:{SECRET}@bucket/shop",
        f"s3://bucket/shop?key={SECRET}",
        f"http://ann:{SECRET}@127.0.0.1/shop",
        f"memory://{SECRET}",
        f"pages/{SECRET}",
        "s3://",
    ],
)
def test_what_is_neither_a_bucket_nor_a_folder_is_refused_unsaid(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAGES_URL, named)
    with pytest.raises(ConfigError, match=PAGES_URL) as refused:
        bodies_of(tmp_path)
    assert SECRET not in str(refused.value)


def test_a_folder_is_named_by_its_full_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(PAGES_URL, raising=False)
    (tmp_path / "var").mkdir()
    own = bodies_of(tmp_path / "var")
    assert isinstance(own, PackedBodies) and own.folder == tmp_path / "var" / "pages"
    monkeypatch.setenv(PAGES_URL, str(tmp_path / "shared"))
    one, other = bodies_of(tmp_path / "a"), bodies_of(tmp_path / "b")
    assert other.get(one.put(b"<html>")) == b"<html>"
    assert (tmp_path / "shared").is_dir()
