"""How a site is reached now: which rungs can be used, which one won and why, who rests,
what is paused and what is used up."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.access.brakes import Brakes
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.access.ladder import rungs
from crawloop_assets.access.limiter import file_name, read_clock
from crawloop_assets.access.rests import RestBook
from crawloop_assets.access.winners import Winner, Winners
from crawloop_assets.family import Domain, Family, Rung


class AccessLine(NamedTuple):
    """One line: the site or the family it is about, what of it, and what is so."""

    about: str
    what: str
    says: str


def access_status(
    fetcher: Fetcher,
    var: Path,
    domains: Sequence[Domain],
    families: Sequence[Family],
) -> Iterator[AccessLine]:
    """Every site of domains.yaml, then the proxies that failed."""
    brakes, winners = Brakes(var / "brakes"), Winners(var / "access")
    for domain in domains:
        pause, used = brakes.pause_of(domain.host), brakes.used(domain.host)
        if pause:
            yield AccessLine(domain.host, "asked for", str(pause))
        for left_s in filter(None, [_waits_s(var / "limits", _with_port(domain))]):
            says = f"waits {left_s:.0f} s more, as the site asked (429, 503 or Retry-After)"
            yield AccessLine(domain.host, "asked for", says)
        for unit, most in domain.quota.model_dump(exclude_none=True).items():
            share = f"{used._asdict()[unit]:,} of {most:,} today"
            yield AccessLine(domain.host, unit, share)
        for family in families:
            if any(_host(seed) == domain.host for seed in family.discover.seeds):
                yield from _of_family(fetcher, domain, family, winners)
    for rest in RestBook(var / "access" / "proxies.rests").all():
        says = f"{rest.failures} failures in a row, rests {rest.left_s:.0f} s more"
        yield AccessLine(rest.name, "proxy", says)


def _with_port(domain: Domain) -> str:
    """A site as limits and winners name it."""
    port = domain.port or {"http": 80, "https": 443}[domain.scheme]
    return f"{domain.host}:{port}"


def _waits_s(limits: Path, host: str) -> float:
    """How long nothing is asked of a host, since it asked for that; 0 where its clock is
    not kept in this folder."""
    file, now = limits / f"{file_name(host)}.clock", time.time()
    if not file.exists():
        return 0.0
    with file.open("rb") as clock:
        return max(0.0, read_clock(clock.fileno(), now).paused - now)


def _host(url: str) -> str:
    """The host of a seed."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2].split(":")[0]


def _of_family(
    fetcher: Fetcher, domain: Domain, family: Family, winners: Winners
) -> Iterator[AccessLine]:
    """The rungs of a family on one of its sites, and the one it starts at."""
    lacks = fetcher.lacks(domain)
    for rung in rungs(family.access):
        says = lacks[rung] or "ready"
        if rung is Rung.PROXY and family.access.country:
            says = f"{says}, in {family.access.country}"
        yield AccessLine(family.family, rung.value, says)
    winner = winners.get(f"{_with_port(domain)} {family.family}")
    yield AccessLine(family.family, "starts at", _won(winner))


def _won(winner: Winner | None) -> str:
    """The rung that won, why not a cheaper one, and when those are tried again."""
    if winner is None:
        return "the cheapest rung: no other was needed"
    minutes = max(0.0, winner.probe_at - time.time()) / 60
    again = f"; cheaper ones again in {minutes:.0f} minutes"
    if not winner.is_probed(winner.probe_at):
        again = ""
    return f"{winner.rung.value}: below it {winner.why.value}{again}"
