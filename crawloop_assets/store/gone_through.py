"""All stored pages, one after the other: whether they are what their names say, and pages
of another place taken in."""

from dataclasses import dataclass
from pathlib import Path

from crawloop_assets.errors import PageLost
from crawloop_assets.store.bodies import Bodies
from crawloop_assets.store.packed import PackedBodies

_TOGETHER = 64


@dataclass(frozen=True, slots=True)
class GoneThrough:
    """How many pages are whole, how many were damaged and thrown away."""

    whole: int
    damaged: int


def go_through(bodies: Bodies) -> GoneThrough:
    """Read every page once; damaged ones are thrown away, and fetched whole at the next
    refresh. StoreFailed if what keeps them refuses."""
    whole = damaged = 0
    for name in bodies.names():
        try:
            bodies.get(name)
            whole += 1
        except PageLost:
            damaged += 1
    return GoneThrough(whole, damaged)


def take_in(bodies: Bodies, folder: Path) -> int:
    """Store the pages of another folder, in packs or as files; how many were new. Damaged
    ones are left out, and thrown away there. Errors as above."""
    other, taken = PackedBodies(folder), 0
    names = list(other.names())
    for start in range(0, len(names), _TOGETHER):
        some = names[start : start + _TOGETHER]
        waiting = _read(other, set(some) - bodies.present(some))
        bodies.put_all(waiting)
        taken += len(waiting)
    return taken


def _read(bodies: Bodies, names: set[str]) -> dict[str, bytes]:
    """The pages of those names that are whole."""
    read = {}
    for name in names:
        try:
            read[name] = bodies.get(name)
        except PageLost:
            continue
    return read
