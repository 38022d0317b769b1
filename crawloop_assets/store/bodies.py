"""Page bodies: compressed, and named by the sha256 of the bytes, so that an unchanged page
is stored once. Here as files of a folder, which machines may share; in packs: see
`packed`, in a bucket: see `bucket`."""

import hashlib
import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterator, Mapping
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from uuid import uuid4

from crawloop_assets.errors import PageLost, StoreFailed
from crawloop_assets.store.pack import packed, unpacked

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Bodies(ABC):
    """Page bodies by their sha256, wherever they are kept.

    Safe for threads and processes: a body is there complete or not at all. Every call
    may raise StoreFailed, when what keeps them refuses or does not answer.
    """

    def put(self, body: bytes) -> str:
        """Store bytes, return their sha256; a failed put leaves nothing."""
        name = hashlib.sha256(body).hexdigest()
        self.put_all({name: body})
        return name

    def get(self, sha256: str) -> bytes:
        """The bytes of that name; PageLost if they are not there, or are not what their
        name says. Damaged ones are thrown away: fetched again, the page is stored
        anew. Missing ones may come this moment."""
        stored = self._stored(sha256)
        try:
            return unpacked(sha256, stored)
        except PageLost:
            with suppress(StoreFailed):
                self.remove_damaged(sha256)
            raise

    def present(self, names: Collection[str]) -> set[str]:
        """Those of the names that are stored."""
        return set(filter(self.has, names))

    def remove_damaged(self, sha256: str) -> None:
        """Delete bytes that are not what their name says."""
        self.remove(sha256)

    @abstractmethod
    def put_all(self, bodies: Mapping[str, bytes]) -> None:
        """Store bytes by their sha256, which the caller has computed; those that are
        there already count as stored now."""

    @abstractmethod
    def _stored(self, sha256: str) -> bytes:
        """What is kept under a name; PageLost if nothing is."""

    @abstractmethod
    def has(self, sha256: str) -> bool:
        """True if bytes of that name are stored."""

    @abstractmethod
    def remove(self, *names: str) -> None:
        """Delete bytes; those that are not there are none to delete."""

    @abstractmethod
    def where(self, sha256: str) -> str:
        """Where a person finds bytes of that name."""

    @abstractmethod
    def names(self) -> Iterator[str]:
        """All stored names."""

    @abstractmethod
    def spare(self, used: Container[str], before: float) -> Iterator[str]:
        """Names that are not in use and were last stored before a moment (seconds since
        1970)."""


class FolderBodies(Bodies):
    """`ab/<sha256>.zst` in a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def put_all(self, bodies: Mapping[str, bytes]) -> None:
        """All are handed to the disk before it is asked to keep the first: it keeps a
        few together for the price of one."""
        new = {}
        try:
            for name, body in bodies.items():
                path = f"{self.folder}/{name[:2]}/{name}.zst"
                try:
                    os.utime(
                        path
                    )  # it is wanted again: young enough not to be pruned before the commit
                except FileNotFoundError:
                    new[path] = packed(body)
            _write(new)
        except OSError as error:
            raise StoreFailed(
                f"cannot store a page under {self.folder}: {error.strerror or error}"
            ) from error

    def _stored(self, sha256: str) -> bytes:
        try:
            return self.path(sha256).read_bytes()
        except FileNotFoundError:
            raise PageLost(f"page {sha256} is not stored") from None
        except OSError as error:
            raise StoreFailed(f"page {sha256} cannot be read: {error}") from error

    def has(self, sha256: str) -> bool:
        return self.path(sha256).exists()

    def remove(self, *names: str) -> None:
        try:
            for name in names:
                self.path(name).unlink(missing_ok=True)
        except OSError as error:
            raise StoreFailed(f"cannot delete a page: {error}") from error

    def path(self, sha256: str) -> Path:
        """Where bytes of that name lie, stored or not."""
        return self.folder / place_of(sha256)

    def where(self, sha256: str) -> str:
        return str(self.path(sha256))

    def names(self) -> Iterator[str]:
        return map(attrgetter("stem"), self.folder.glob("??/*.zst"))

    def spare(self, used: Container[str], before: float) -> Iterator[str]:
        for name in self.names():
            if name not in used and self.path(name).stat().st_mtime < before:
                yield name


def place_of(sha256: str) -> str:
    """Where bytes of that name lie below whatever keeps them: `ab/<sha256>.zst`."""
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
        raise ValueError(f"not a sha256: {sha256!r}")
    return f"{sha256[:2]}/{sha256}.zst"


def _write(files: Mapping[str, bytes]) -> None:
    """Once per page, so without Path: that was a third of the cost."""
    begun: list[tuple[str, str]] = []
    handles: list[int] = []
    try:
        try:
            for path, data in files.items():
                temporary = f"{path.rpartition('/')[0]}/.new-{uuid4().hex}"
                handles.append(_new(temporary))
                begun.append((temporary, path))
                _write_all(handles[-1], data)
            for handle in handles:
                os.fsync(handle)
        finally:
            for handle in handles:
                os.close(handle)
        for temporary, path in begun:
            os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        for temporary, _ in begun:
            with suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108
        raise


def _new(file: str) -> int:
    try:
        return os.open(file, _NEW, 0o600)
    except FileNotFoundError:
        os.makedirs(file.rpartition("/")[0], exist_ok=True)  # noqa: PTH103
        return os.open(file, _NEW, 0o600)


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
