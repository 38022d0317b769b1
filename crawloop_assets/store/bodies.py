"""Page bodies: zstd files named by the sha256 of the bytes, so an unchanged page is
stored once."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import zstandard

from crawloop_assets.errors import StoreFailed

_LEVEL = 3
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class Bodies:
    """`var/pages/ab/<sha256>.zst`.

    Safe for threads and processes: a file appears complete or not at all.
    """

    def __init__(self, folder: Path):
        self.folder = folder

    def put(self, body: bytes) -> str:
        """Store bytes, return their sha256.

        StoreFailed when the disk refuses; a failed put leaves no file.
        """
        name = hashlib.sha256(body).hexdigest()
        self.put_all({name: body})
        return name

    def put_all(self, bodies: Mapping[str, bytes]) -> None:
        """Store bytes by their sha256, which the caller has computed.

        All are handed to the disk before it is asked to
        keep the first: it keeps a few together for the price of one.
        """
        compress, new = zstandard.ZstdCompressor(level=_LEVEL).compress, {}
        try:
            for name, body in bodies.items():
                path = f"{self.folder}/{name[:2]}/{name}.zst"
                try:
                    os.utime(
                        path
                    )  # it is wanted again: young enough not to be pruned before the commit
                except FileNotFoundError:
                    new[path] = compress(body)
            _write(new)
        except OSError as error:
            raise StoreFailed(
                f"cannot store a page under {self.folder}: {error.strerror or error}"
            ) from error

    def get(self, sha256: str) -> bytes:
        """The bytes of that name.

        StoreFailed if the file is missing or is not what its name says.
        """
        try:
            body = zstandard.ZstdDecompressor().decompress(
                self.path(sha256).read_bytes()
            )
        except (OSError, zstandard.ZstdError) as error:
            raise StoreFailed(f"page {sha256} cannot be read: {error}") from error
        if hashlib.sha256(body).hexdigest() != sha256:
            raise StoreFailed(
                f"page {sha256} is damaged: its bytes do not match its name"
            )
        return body

    def has(self, sha256: str) -> bool:
        """True if bytes of that name are stored."""
        return self.path(sha256).exists()

    def path(self, sha256: str) -> Path:
        """Where bytes of that name lie, stored or not."""
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"not a sha256: {sha256!r}")
        return self.folder / sha256[:2] / f"{sha256}.zst"

    def names(self) -> Iterator[str]:
        """All stored names."""
        return (file.stem for file in self.folder.glob("??/*.zst"))


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
