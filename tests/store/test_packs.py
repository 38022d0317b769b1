"""Bodies in packs: nothing that was acknowledged is lost, whoever is killed, writes at the
same time or damages the index."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from crawloop_assets.errors import StoreFailed
from crawloop_assets.store.pack import unpacked
from crawloop_assets.store.packs import Packs

WRITER = """
import hashlib, os, sys
from pathlib import Path
from crawloop_assets.store import packs
packs.FULL = 4_000
store = packs.Packs(Path(sys.argv[1]))
for batch in range(100_000):
    bodies = [os.urandom(300) for _ in range(3)]
    named = {hashlib.sha256(body).digest(): body for body in bodies}
    store.add(named)
    print(*(name.hex() for name in named), flush=True)
"""


@pytest.fixture(params=[16_000_000, 500], ids=["one pack", "many packs"])
def packs(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Packs]:
    monkeypatch.setattr("crawloop_assets.store.packs.FULL", request.param)
    yield Packs(tmp_path / "packs")


def named(*bodies: bytes) -> dict[bytes, bytes]:
    return {hashlib.sha256(body).digest(): body for body in bodies}


def some(number: int, start: int = 0) -> dict[bytes, bytes]:
    """Bodies of some size."""
    texts = (
        hashlib.sha512(b"%d" % at).hexdigest() for at in range(start, start + number)
    )
    return named(*(text.encode() for text in texts))


def body_of(packs: Packs, name: bytes) -> bytes | None:
    stored = packs.get(name)
    return None if stored is None else unpacked(name.hex(), stored)


def holds(packs: Packs, bodies: dict[bytes, bytes]) -> bool:
    return {name: body_of(packs, name) for name in bodies} == bodies


def files(packs: Packs, ending: str) -> list[Path]:
    return sorted(packs.folder.glob(f"*.{ending}"))


def another(packs: Packs) -> Packs:
    """What another process has of the same folder."""
    return Packs(packs.folder)


def test_bodies_come_back(packs: Packs) -> None:
    bodies = some(20) | named(b"")
    for name, body in bodies.items():
        packs.add({name: body})
    packs.add({})
    assert holds(packs, bodies) and holds(another(packs), bodies)
    assert sorted(packs.names()) == sorted(bodies)
    assert packs.find([b"0" * 32]) == {} and packs.get(b"0" * 32) is None
    assert packs.find(bodies).keys() == bodies.keys()


def test_what_is_there_is_not_stored_twice(packs: Packs) -> None:
    bodies, other = some(3), another(packs)
    packs.add(bodies)
    size = sum(file.stat().st_size for file in packs.folder.glob("[0-9]*"))
    other.add(bodies)
    packs.add(bodies)
    assert size == sum(file.stat().st_size for file in packs.folder.glob("[0-9]*"))


def test_looking_makes_nothing(packs: Packs) -> None:
    assert list(packs.names()) == [] and packs.get(b"0" * 32) is None
    assert not packs.folder.exists()


def test_each_sees_at_once_what_others_do(packs: Packs) -> None:
    one, other, known = packs, another(packs), {}
    for at in range(8):
        bodies = some(2, at * 2)
        one.add(bodies)
        known |= bodies
        assert holds(other, known)
        gone = next(iter(known))
        other.remove([gone])
        body = known.pop(gone)
        assert body_of(one, gone) is None and holds(one, known)
        one.add({gone: body})
        assert body_of(other, gone) == body, "it is stored anew"
        other.remove([gone])


def test_a_moment_is_noted_once_an_hour(
    packs: Packs, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies = some(3)
    for moment in (1_000, 2_000, 9_000):
        monkeypatch.setattr(time, "time", lambda now=moment: now)
        packs.add(bodies)
        young = {name: place.stored for name, place in packs.find(bodies).items()}
        assert young == dict.fromkeys(bodies, 9_000 if moment == 9_000 else 1_000)
    fresh = another(packs)
    assert set(fresh.stored_before(9_000)) == set()
    assert set(fresh.stored_before(9_001)) == bodies.keys()
    packs.remove(list(bodies)[:1])  # everything is sealed
    assert set(another(packs).stored_before(9_000)) == set()


def test_a_torn_end_stays_where_it_is(packs: Packs) -> None:
    first, second = some(2), some(2, 2)
    packs.add(first)
    if not (opened := files(packs, "open")):
        return
    torn = opened[0].read_bytes() + b"\x93CLP\x01 torn"
    opened[0].write_bytes(torn)
    assert holds(packs, first) and holds(another(packs), first)
    another(packs).add(second)
    assert holds(packs, first | second) and holds(another(packs), first | second)
    (sealed,) = files(packs, "pack")
    assert sealed.read_bytes() == torn


def test_a_damaged_body_goes_and_a_whole_one_stays(packs: Packs) -> None:
    bodies = some(4)
    packs.add(bodies)
    damaged, *rest = bodies
    place = packs.find([damaged])[damaged]
    (file,) = packs.folder.glob(f"{place.pack}.*")
    with file.open("r+b") as pack:
        pack.seek(place.at + 9)
        pack.write(b"\0\0\0")
    for name in bodies:
        another(packs).remove_damaged(name)
    assert packs.get(damaged) is None
    assert holds(packs, {name: bodies[name] for name in rest})
    packs.add(bodies)
    assert holds(another(packs), bodies)


def test_removed_bytes_are_in_no_file_and_packs_that_empty_go(packs: Packs) -> None:
    bodies = named(*(os.urandom(400) for _ in range(12)))
    for name, body in bodies.items():
        packs.add({name: body})
    names = list(bodies)
    for count in (1, 6, 11, 12):
        packs.remove(names[:count])
        left = {name: bodies[name] for name in names[count:]}
        assert sorted(another(packs).names()) == sorted(left) and holds(packs, left)
        everything = b"".join(file.read_bytes() for file in packs.folder.glob("[0-9]*"))
        for name in names[:count]:
            assert bodies[name][:50] not in everything
    packs.remove(names)
    size = sum(file.stat().st_size for file in packs.folder.glob("[0-9]*"))
    assert size < 1_000 and another(packs).find(names) == {}


@pytest.mark.parametrize("damage", [b"", b"junk" * 3_000, None])
def test_a_lost_or_damaged_index_is_made_again(
    packs: Packs, damage: bytes | None
) -> None:
    bodies = some(9)
    for name, body in bodies.items():
        packs.add({name: body})
    gone = next(iter(bodies))
    packs.remove([gone])
    del bodies[gone]
    index = packs.folder / "index.sqlite"
    if damage is None:
        index.unlink()
    else:
        index.write_bytes(damage)
    fresh = another(packs)
    assert sorted(fresh.names()) == sorted(bodies) and holds(fresh, bodies)
    fresh.add(some(3, 100))
    assert holds(another(packs), bodies | some(3, 100))


def test_an_index_that_names_a_wrong_place_costs_nobody_else(packs: Packs) -> None:
    bodies = some(12)
    packs.add(bodies)
    last = list(bodies)[-1]
    packs.remove([last])
    del bodies[last]
    wrong, right = list(bodies)[:2]
    place = packs.find([right])[right]
    with sqlite3.connect(packs.folder / "index.sqlite") as index:
        index.execute("update bodies set at = ? where name = ?", [place.at, wrong])
    fresh = another(packs)
    fresh.remove_damaged(wrong)
    assert fresh.get(wrong) is None and body_of(fresh, right) == bodies[right]


def test_a_disk_that_refuses_costs_nothing_that_was_there(
    packs: Packs, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = some(2), some(2, 2)
    packs.add(first)
    real = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 100:
            return real(handle, bytes(data)[:100])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(StoreFailed, match="No space"):
            packs.add(second)
    assert holds(packs, first)
    packs.add(second)
    assert holds(another(packs), first | second)


def acknowledged(lines: Iterable[str]) -> set[bytes]:
    """The names of whole lines."""
    whole = [line for line in lines if line.endswith("\n")]
    return {bytes.fromhex(name) for line in whole for name in line.split()}


def test_two_writers_that_are_killed_lose_nothing_they_were_told(
    tmp_path: Path,
) -> None:
    packs, told = Packs(tmp_path / "packs"), set[bytes]()
    for round_ in range(4):
        writers = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(packs.folder)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        outputs = []
        for writer in writers:
            assert writer.stdout is not None
            outputs.append([writer.stdout.readline() for _ in range(5 + round_)])
        for writer, lines in zip(writers, outputs, strict=True):
            writer.send_signal(signal.SIGKILL)
            rest, _ = writer.communicate()
            told |= acknowledged([*lines, *rest.splitlines(keepends=True)])
    assert len(told) >= 4 * 2 * 5 * 3
    for reader in (packs, another(packs)):
        for name in told:
            assert body_of(reader, name) is not None
    (packs.folder / "index.sqlite").unlink(missing_ok=True)
    assert told <= set(another(packs).names())
    assert len(files(packs, "open")) <= 1
