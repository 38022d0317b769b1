"""Page bodies of a project of one machine: in packs, and as files where they were stored
as such before."""

from collections.abc import Collection, Container, Iterator, Mapping
from pathlib import Path

from crawloop_assets.store.bodies import Bodies, FolderBodies, place_of
from crawloop_assets.store.packs import Packs


class PackedBodies(Bodies):
    """`packs/` in a folder; beside it `ab/<sha256>.zst`, which nothing is added to."""

    def __init__(self, folder: Path):
        """Nothing is read yet."""
        self.folder = folder
        self._files, self._packs = FolderBodies(folder), Packs(folder / "packs")

    def put_all(self, bodies: Mapping[str, bytes]) -> None:
        files = self._files.present(bodies.keys())
        self._files.put_all({name: bodies[name] for name in files})
        rest = bodies.keys() - files
        if rest:
            self._packs.add({bytes.fromhex(name): bodies[name] for name in rest})

    def _stored(self, sha256: str) -> bytes:
        stored = self._packs.get(_key(sha256))
        return self._files._stored(sha256) if stored is None else stored

    def has(self, sha256: str) -> bool:
        return bool(self.present([sha256]))

    def present(self, names: Collection[str]) -> set[str]:
        found = {name.hex() for name in self._packs.find(list(map(_key, names)))}
        return found | self._files.present(set(names) - found)

    def remove(self, *names: str) -> None:
        self._packs.remove(list(map(_key, names)))
        self._files.remove(*names)

    def remove_damaged(self, sha256: str) -> None:
        self._packs.remove_damaged(_key(sha256))
        self._files.remove(sha256)

    def where(self, sha256: str) -> str:
        place = self._packs.find([_key(sha256)]).get(_key(sha256))
        if place is None:
            return self._files.where(sha256)
        return f"{self._packs.folder}/{place.pack}.*, {place.size} bytes from {place.at} on"

    def names(self) -> Iterator[str]:
        yield from (name.hex() for name in self._packs.names())
        yield from self._files.names()

    def spare(self, used: Container[str], before: float) -> Iterator[str]:
        for name in self._packs.stored_before(before):
            if name.hex() not in used:
                yield name.hex()
        yield from self._files.spare(used, before)


def _key(sha256: str) -> bytes:
    """A name as packs have it; ValueError if it is none."""
    place_of(sha256)
    return bytes.fromhex(sha256)
