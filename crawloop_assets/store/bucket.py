"""Page bodies in a bucket that machines share, of S3 or of what speaks its protocol,
through fsspec; and where the bodies of a project are.

A bucket takes an object whole or not at all, and has it once it said so: the row that
names a body is committed after that, so a kill loses nothing that was committed.
"""

import os
import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawloop_assets.errors import ConfigError, PageLost, StoreFailed
from crawloop_assets.store.bodies import Bodies, FolderBodies, place_of
from crawloop_assets.store.pack import packed
from crawloop_assets.store.packed import PackedBodies

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

__all__ = ["PAGES_URL", "BucketBodies", "bodies_of"]

PAGES_URL = "CRAWLOOP_PAGES_URL"
"""Names a bucket or a folder, in the environment; without it bodies are in packs
in `var/pages`."""
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[\w.-]+)*/?")
_NAME = re.compile(r"/[0-9a-f]{2}/([0-9a-f]{64})\.zst$")


class _NotThere(StoreFailed):
    """The bucket has no such object, or there is no such bucket."""


def bodies_of(var: Path) -> Bodies:
    """Where the bodies of a project are, as the environment says; ConfigError if it names
    neither a bucket nor the full path of a folder."""
    named = os.environ.get(PAGES_URL, "")
    if _BUCKET.fullmatch(named):
        return BucketBodies(named)
    if not named:
        return PackedBodies(var / "pages")
    folder = Path(named)
    if not folder.is_absolute():
        # It is not repeated: who writes it otherwise may have written a password into it.
        raise ConfigError(
            f"{PAGES_URL} is neither s3://BUCKET/FOLDER nor the full path of a folder",
            hint="keys, the region and the endpoint of a bucket are in settings of their own (docs/scaling.md)",
        )
    return FolderBodies(folder)


class BucketBodies(Bodies):
    """`s3://BUCKET/FOLDER/ab/<sha256>.zst`."""

    def __init__(self, url: str):
        """Nothing is asked of the bucket yet."""
        self._base = url.removeprefix("s3://").rstrip("/")
        self._of_processes: dict[int, AbstractFileSystem] = {}

    def put_all(self, bodies: Mapping[str, bytes]) -> None:
        """Also those that are there: to make one as young as the others is a request as
        well, and one that was damaged is whole again."""
        stored = {self._at(name): packed(body) for name, body in bodies.items()}
        if stored:
            self._ask("cannot store a page", "pipe", stored)

    def _stored(self, sha256: str) -> bytes:
        try:
            return bytes(
                self._ask("a page cannot be read", "cat_file", self._at(sha256))
            )
        except _NotThere:
            raise PageLost(f"page {sha256} is not stored") from None

    def has(self, sha256: str) -> bool:
        return bool(self._ask("cannot look for a page", "exists", self._at(sha256)))

    def remove(self, *names: str) -> None:
        """One after the other: of many that are deleted with one request, those that were
        not are not told."""
        for name in names:
            self._ask("cannot delete a page", "rm_file", self._at(name))

    def where(self, sha256: str) -> str:
        return f"s3://{self._at(sha256)}"

    def names(self) -> Iterator[str]:
        return iter(self._listed())

    def spare(self, used: Container[str], before: float) -> Iterator[str]:
        for name, info in self._listed().items():
            if name not in used and info["LastModified"].timestamp() < before:
                yield name

    def _listed(self) -> dict[str, Any]:
        """What the bucket says of each body."""
        found = self._ask("cannot list the pages", "find", self._base, detail=True)
        named = ((_NAME.search(file), info) for file, info in found.items())
        return {match[1]: info for match, info in named if match}

    def _at(self, sha256: str) -> str:
        return f"{self._base}/{place_of(sha256)}"

    def _ask(self, says: str, what: str, *given: object, **more: object) -> Any:
        """Whatever a bucket, its network or its packages raise is StoreFailed, of which
        no more is told than its kind: their texts repeat what they were given."""
        bucket = self._bucket()
        try:
            return getattr(bucket, what)(*given, **more)
        except Exception as error:  # noqa: BLE001 - raised again by its kind
            kind = _NotThere if isinstance(error, FileNotFoundError) else StoreFailed
            reason = f"{says}: the bucket of {PAGES_URL}: {type(error).__name__}"
            raise kind(reason) from None

    def _bucket(self) -> "AbstractFileSystem":
        """A connection is of the process that made it: a fork has its own. It remembers no
        listing, which another machine may have changed."""
        pid = os.getpid()
        if pid not in self._of_processes:
            try:
                import fsspec

                made = fsspec.filesystem("s3", use_listings_cache=False)
            except ImportError:
                raise ConfigError(
                    f"{PAGES_URL} needs the extra `s3`",
                    hint="pip install 'crawloop-assets[s3]'",
                ) from None
            self._of_processes = {pid: made}
        return self._of_processes[pid]
