"""A folder of packs: bodies are appended to one, found in all, and room is given back.

`ID.open` is the pack that is appended to; every process reads its headers. Once it is full
it is sealed: renamed to `ID.pack` and taken into the index. IDs are never used again, and
no end is ever cut off: behind a torn one another pack begins. Who writes holds the lock of
the folder; who reads waits for nobody.
"""

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import TypeVar

from crawloop_assets.errors import PageLost, StoreFailed
from crawloop_assets.store.lock import OWNER_ONLY, StoreLock
from crawloop_assets.store.pack import (
    PackEntry,
    PackKind,
    entry_of,
    erase,
    packed,
    scan,
    unpacked,
)
from crawloop_assets.store.pack_index import IndexDamaged, PackIndex, PackPlace

FULL = 16_000_000
"""Bytes from which on a pack is sealed: so many are gone through by their headers when a
process begins."""
_WAIT_S = 60.0
_AGAIN_S = 3600
"""What was stored longer ago is noted to be stored again: pruning spares a day."""
_TRIES = 5
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
_LOOK = os.O_RDONLY | os.O_CLOEXEC
_CHANGE = os.O_RDWR | os.O_CLOEXEC

_T = TypeVar("_T")


class Packs:
    """Bodies by their sha256 (32 bytes) in packs.

    Safe for threads and processes. Every call may raise StoreFailed; StoreBusy if another
    process writes for more than a minute.
    """

    def __init__(self, folder: Path):
        """Nothing is looked at yet."""
        self.folder = folder
        self._lock = StoreLock(folder, _WAIT_S)
        self._index = PackIndex(folder / "index.sqlite")
        self._mutex = Lock()
        # Packs that the index does not know, how far they are read, and what they say:
        self._ends: dict[int, int] = {}
        self._tail: dict[bytes, PackPlace] = {}
        self._again: dict[bytes, int] = {}

    def find(self, names: Collection[bytes]) -> dict[bytes, PackPlace]:
        """Where bodies are, of those that are there."""
        return self._asked(partial(self._find, names))

    def get(self, name: bytes) -> bytes | None:
        """The compressed bytes of a body, as they lie there; None if there are none."""
        return self._asked(partial(self._get, name))

    def add(self, bodies: Mapping[bytes, bytes]) -> None:
        """Store bodies with one write, which the disk has when this returns; those that
        are there count as stored now."""
        self._asked(partial(self._add, bodies))

    def remove(self, names: Collection[bytes]) -> None:
        """Have bodies no more, nor their bytes; what is not there is none to remove."""
        self._asked(partial(self._remove, names))

    def remove_damaged(self, name: bytes) -> None:
        """Remove a body, unless it is whole by now."""
        self._asked(partial(self._remove_damaged, name))

    def names(self) -> Iterator[bytes]:
        """All names."""
        return self.stored_before(float("inf"))

    def stored_before(self, moment: float) -> Iterator[bytes]:
        """Names last stored before a moment, in seconds since 1970."""
        self.find(())
        with self._mutex:
            tail, again = dict(self._tail), dict(self._again)
        for name, place in tail.items():
            if max(place.stored, again.get(name, 0)) < moment:
                yield name
        for name in self._asked(partial(self._index.stored_before, moment)):
            if name not in tail and again.get(name, 0) < moment:
                yield name

    def _asked(self, question: Callable[[], _T]) -> _T:
        """An answer; a damaged index is made again first."""
        index = self._index.identity()
        try:
            try:
                return question()
            except IndexDamaged:
                self._make_index_again(index)
                return question()
        except OSError as error:
            raise StoreFailed(
                f"the packs under {self.folder} cannot be used: {error.strerror or error}"
            ) from error

    def _find(self, names: Collection[bytes]) -> dict[bytes, PackPlace]:
        with self._mutex:
            self._look()
            again = {name: self._again.get(name, 0) for name in names}
            tail = {name: self._tail[name] for name in names if name in self._tail}
        rest = [name for name in names if name not in tail]
        found = tail | (self._index.find(rest) if rest else {})
        return {
            name: place._replace(stored=max(place.stored, again[name]))
            for name, place in found.items()
        }

    def _get(self, name: bytes) -> bytes | None:
        for _ in range(_TRIES):
            place = self._find([name]).get(name)
            if place is None:
                return None
            with suppress(FileNotFoundError):  # it has moved meanwhile
                handle = self._opened(place.pack, _LOOK)
                try:
                    return os.pread(handle, place.size, place.at)
                finally:
                    os.close(handle)
        return None

    def _add(self, bodies: Mapping[bytes, bytes]) -> None:
        with self._lock.held():
            known, now, entries = self._find(bodies), int(time.time()), []
            for name, body in bodies.items():
                if name not in known:
                    entries.append(entry_of(PackKind.BODY, name, now, packed(body)))
                elif known[name].stored < now - _AGAIN_S:
                    entries.append(entry_of(PackKind.AGAIN, name, now))
            # Of a process that was killed there may be entries that the disk does not have.
            unsure = any(place.pack in self._ends for place in known.values())
            if entries or unsure:
                self._append(b"".join(entries))

    def _append(self, entries: bytes) -> None:
        """Append to the open pack and wait for the disk; the caller holds the lock."""
        pack = self._pack_to_append()
        handle = os.open(self._file(pack, "open"), _APPEND, OWNER_ONLY)
        try:
            rest = memoryview(entries)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
            size = os.fstat(handle).st_size
        finally:
            os.close(handle)
        if size == len(entries):
            _sync(self.folder)
        if size >= FULL:
            self._seal([pack])

    def _pack_to_append(self) -> int:
        """The open pack, if its end is whole; else a new one, and all before it sealed."""
        with self._mutex:
            self._look()
        packs = list(self._ends)
        with suppress(FileNotFoundError):
            if (
                len(packs) == 1
                and self._file(packs[0], "open").stat().st_size == self._ends[packs[0]]
            ):
                return packs[0]
        self._seal(packs)
        return time.time_ns()

    def _seal(self, packs: Collection[int]) -> None:
        """Have the index take packs in; the caller holds the lock."""
        for pack in packs:
            with suppress(FileNotFoundError):
                self._file(pack, "open").rename(self._file(pack, "pack"))
            _sync(self._file(pack, "pack"))
            _sync(self.folder)
            self._index.take(pack, self._entries(pack))
        with self._mutex:
            self._ends = {}

    def _remove_damaged(self, name: bytes) -> None:
        try:
            unpacked(name.hex(), self._get(name) or b"")
        except PageLost:
            self._remove([name])

    def _remove(self, names: Collection[bytes]) -> None:
        with self._lock.held():
            found = self._find(names)
            if any(place.pack in self._ends for place in found.values()):
                # Others know that pack by heart: they look again once it is sealed.
                self._seal(list(self._ends))
                found = self._find(names)
            for pack in {place.pack for place in found.values()}:
                with suppress(FileNotFoundError):
                    self._take_out(pack, found)
            self._index.forget(found)

    def _take_out(self, pack: int, gone: Mapping[bytes, PackPlace]) -> None:
        """Write zeros over bodies of a sealed pack. Where less than half of it stays, that
        moves to the open pack, and this one is deleted."""
        handle = self._opened(pack, _CHANGE)
        try:
            known = self._find(list(map(attrgetter("name"), scan(handle)[0])))
            stay = [(name, known[name]) for name in known.keys() - gone.keys()]
            stay = [(name, place) for name, place in stay if place.pack == pack]
            weight = sum(place.size for _, place in stay)
            if weight * 2 < os.fstat(handle).st_size:
                self._append(b"".join(_copied(handle, *one) for one in stay))
                self._file(pack, "pack").unlink()
                return
            for name, place in gone.items():
                if place.pack == pack:
                    erase(handle, name, place.at)
            os.fsync(handle)
        finally:
            os.close(handle)

    def _look(self) -> None:
        """Know what is in the packs that the index does not know."""
        packs = list(self._ends)
        if len(packs) != 1 or not self._file(packs[0], "open").exists():
            sealed = self._index.sealed()  # first: what is sealed now is read here, too
            self._ends = dict.fromkeys(
                sorted(self._on_disk("open", "pack") - sealed), 0
            )
            self._tail, self._again = {}, {}
        for pack, end in self._ends.items():
            entries, self._ends[pack] = self._scanned(pack, end)
            for one in entries:
                if one.kind is PackKind.BODY:
                    self._tail[one.name] = PackPlace(pack, one.at, one.size, one.stored)
                elif one.kind is PackKind.AGAIN:
                    self._again[one.name] = one.stored

    def _make_index_again(self, damaged: str) -> None:
        """Make the index again, unless another process has."""
        with self._lock.held():
            if self._index.identity() == damaged:
                anew = PackIndex(self.folder / "index.new")
                anew.begin()
                for pack in sorted(self._on_disk("pack")):
                    anew.take(pack, self._entries(pack))
                self._index.become(anew)
            with self._mutex:
                self._ends = {}

    def _entries(self, pack: int) -> list[PackEntry]:
        """All entries of a pack."""
        return self._scanned(pack, 0)[0]

    def _scanned(self, pack: int, start: int) -> tuple[list[PackEntry], int]:
        """The entries of a pack from a place on, and their end."""
        try:
            handle = self._opened(pack, _LOOK)
        except FileNotFoundError:
            return [], start
        try:
            return scan(handle, start)
        finally:
            os.close(handle)

    def _on_disk(self, *endings: str) -> set[int]:
        """The packs with such names."""
        named = (self.folder.glob(f"*.{ending}") for ending in endings)
        return {int(file.stem) for file in chain.from_iterable(named)}

    def _opened(self, pack: int, mode: int) -> int:
        """A pack, whatever it is called by now."""
        try:
            return os.open(self._file(pack, "open"), mode)
        except FileNotFoundError:
            return os.open(self._file(pack, "pack"), mode)

    def _file(self, pack: int, ending: str) -> Path:
        return self.folder / f"{pack}.{ending}"


def _sync(path: Path) -> None:
    """Wait until the disk has a file or a folder."""
    handle = os.open(path, _LOOK)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _copied(handle: int, name: bytes, place: PackPlace) -> bytes:
    """A body of an opened pack as an entry of another one."""
    data = os.pread(handle, place.size, place.at)
    return entry_of(PackKind.BODY, name, place.stored, data)
