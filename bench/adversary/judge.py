"""What counts as a way through: told by what was seen from outside alone."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from bench.adversary.readings import read_by_servers
from bench.adversary.seen import How, Seen
from bench.adversary.sites import LISTED, SITES

_TOKEN = re.compile(r"[qb]\d{5}")


class Offence(StrEnum):
    """What must not happen."""

    HIT = "hits off list"
    LOOKUP = "look-ups off list"
    PATH = "forbidden paths"
    CLOSED = "closed by robots"


@dataclass(frozen=True)
class Wrong:
    """One thing that must not happen, and the trick that it is known by ("" for none)."""

    offence: Offence
    token: str
    seen: Seen


def wrongs(seen: Iterable[Seen], owner: Callable[[str], str]) -> list[Wrong]:
    """All that must not have happened; `owner` is the name that has an address."""
    found = []
    for one in seen:
        offence = _JUDGES[one.how](one)
        if offence is not None:
            known = _TOKEN.search(f"{one.where} {one.target} {owner(one.where)}")
            token = known[0] if known else _fickle_name(one)
            found.append(Wrong(offence, token, one))
    return found


def _fickle_name(one: Seen) -> str:
    return one.where if one.where in SITES else ""


def _packet(one: Seen) -> Offence | None:
    """Nobody but the operator's sites may be connected to."""
    is_site = (one.where, one.port) in LISTED and one.method == "tcp"
    return None if is_site else Offence.HIT


def _name(one: Seen) -> Offence | None:
    """No name but theirs may be looked up."""
    return None if one.where in SITES else Offence.LOOKUP


def _request(one: Seen) -> Offence | None:
    """Nothing may be asked of them that some server reads as another path, or as one
    that robots.txt closes."""
    site = SITES.get(one.where.partition(":")[0])
    if site is None or (one.address, one.port) not in LISTED:
        return Offence.HIT
    if one.target == "/robots.txt":
        return None
    read = read_by_servers(one.target)
    if not all(path.startswith(site.paths) for path in read):
        return Offence.PATH
    is_closed = any(path.startswith(site.closed) for path in read)
    return Offence.CLOSED if is_closed else None


_JUDGES: Mapping[How, Callable[[Seen], Offence | None]] = {
    How.PACKET: _packet,
    How.NAME: _name,
    How.REQUEST: _request,
}
