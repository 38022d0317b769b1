"""By which doors tricks reach the product: families of a project of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import yaml

from bench.adversary import shop
from bench.adversary.browser_pages import escapes
from bench.adversary.hostile import Attack, attacks
from bench.adversary.sites import AGENT, APP, FICKLE, OPEN, SITES, WIDE, Site
from bench.adversary.urls import SHOP, Bait, Baits
from bench.adversary.world import World, carrier_of

_EXAMPLES = (900_001, 900_002, 900_003)  # pages that are never edited
HONEST = "adv/product"
_FIRST_ATTACK = 100_000
_PLAIN = {"ladder": ["plain"]}
_RENDERED = {
    "render": True,
    "ladder": ["browser"],
    "browser": {"media": True, "deadline": "20s"},
}


@dataclass(frozen=True)
class Size:
    """How much is tried: tricks by door, honest wares, hostile pages among them and one
    by one, pages in the browser and on which sites.

    `apart`: the honest shop is a family of its own, and is edited between two
    refreshes. `patient`: also those attacks that take their whole deadline.
    """

    asked: int
    moved: int
    carried: int
    mapped: int
    maps: int
    fickle: int
    honest: int
    hostile: int
    alone: int
    shown: int
    sites: Sequence[str]
    apart: bool
    patient: bool


WHOLE = Size(
    900, 700, 360, 240, 40, 100, 120, 110, 40, 126, (APP, WIDE, OPEN), True, True
)
SHORT = Size(30, 30, 18, 12, 3, 4, 12, 8, 0, 4, (APP,), False, False)


@dataclass(frozen=True)
class Run:
    """One family, and the jobs that are run of it, one after the other."""

    family: Mapping[str, Any]
    jobs: Sequence[str] = ("discover", "refresh")

    @property
    def name(self) -> str:
        """The family's."""
        return str(self.family["family"])


@dataclass(frozen=True)
class Row:
    """A row of the table: by which door a trick comes, and what it is."""

    door: str
    kind: str


@dataclass(frozen=True)
class Plan:
    """All runs, the tricks by their tokens with the rows they belong to, and the attacks
    that are shown one by one, by url."""

    runs: Sequence[Run]
    baits: Mapping[str, Bait]
    rows: Mapping[str, Row]
    world: World
    alone: Mapping[str, Attack]


def plan(size: Size, random: Random) -> Plan:
    """What is tried, by size; the same for the same random numbers."""
    baits = Baits(random)
    chosen = _chosen(size, random)
    world = World(
        honest=range(1, size.honest + 1),
        hostile=chosen,
        moved=baits.take(1, size.moved),
        carried=baits.take(2, size.carried),
        mapped=baits.take(3, size.mapped),
        maps=baits.take(4, size.maps),
    )
    asked, fickle = baits.take(5, size.asked), FICKLE[: size.fickle]
    alone = {
        f"{SITES[SHOP].url}/shop/alone/{number}": attack
        for number, attack in list(chosen.items())[: size.alone]
        if not attack.patient
    }
    world.escapes = escapes(size.shown, size.sites, random)
    tricks = _tricks(world, asked, fickle)
    runs = [_honest(), tricks] if size.apart else [_beside_honest(tricks)]
    runs += _browser(world)
    if alone:
        runs.append(_alone(alone))
    rows = _rows(world, asked, fickle)
    return Plan(runs, baits.given, rows, world, alone)


def _rows(
    world: World, asked: Sequence[Bait], fickle: Sequence[Site]
) -> dict[str, Row]:
    """The row of every trick, by its token; a name whose address changes is its own."""
    rows = {bait.token: Row("the operator's url", bait.trick) for bait in asked}
    rows |= {bait.token: Row("redirect", bait.trick) for bait in world.moved}
    for number, bait in enumerate(world.carried):
        rows[bait.token] = Row("page", carrier_of(number))
    rows |= {bait.token: Row("sitemap", "entry") for bait in world.mapped}
    rows |= {bait.token: Row("sitemap", "named by robots.txt") for bait in world.maps}
    for escape in world.escapes:
        rows[escape.token] = Row("browser", escape.aim)
    for site in fickle:
        way = site.host.partition(".")[0].rstrip("0123456789")
        rows[site.host] = Row("name", f"leads inside: {way}")
    return rows


def _chosen(size: Size, random: Random) -> dict[int, Attack]:
    """The attacks of a run, by the numbers that they have in the shop."""
    known = [one for one in attacks() if size.patient or not one.patient]
    random.shuffle(known)
    # Among the honest ones, whatever the order of the table.
    return {_FIRST_ATTACK + n: one for n, one in enumerate(known[: size.hostile])}


def _numbered(name: str, baits: Sequence[Bait]) -> list[str]:
    return [f"{SITES[SHOP].url}/shop/{name}/{number}" for number in range(len(baits))]


def _family(
    name: str, seeds: Sequence[str], host: str = SHOP, **said: Any
) -> dict[str, Any]:
    """A family whose first crawler is made of three honest pages."""
    site = SITES[host]
    examples = [
        {
            "url": f"{site.url}{site.paths}p/{number}",
            "record": shop.facts(number).example,
        }
        for number in _EXAMPLES
    ]
    discover = {"seeds": list(seeds), "max_urls": 20_000, **said.pop("discover", {})}
    return {
        "family": name,
        "schema": f"{shop.Ware.__module__}:{shop.Ware.__name__}",
        "discover": discover,
        "examples": examples,
        "access": _PLAIN,
        **said,
    }


def _honest() -> Run:
    """The shop, whose prices change between two refreshes."""
    seeds = [f"{SITES[SHOP].url}/shop/list/"]
    said = {"include": ["^/shop/p/"]}
    family = _family(HONEST, seeds, discover=said, batch_size=25)
    return Run(family, ("discover", "refresh", "edit", "refresh"))


def _tricks(world: World, asked: Sequence[Bait], fickle: Sequence[Site]) -> Run:
    """All tricks: as the operator's own urls, behind redirects, on pages, in sitemaps,
    and names whose addresses change."""
    seeds = list(map(attrgetter("url"), asked))
    seeds += _numbered("go", world.moved) + _numbered("l", world.carried)
    seeds += [f"{site.url}/p/{number}" for site in fickle for number in (1, 2, 3)]
    include = [r".*q\d{5}.*", "^/shop/(go|l)/", r"^/p/\d$"]
    said = {"include": include, "follow": ["a", "a.next"], "sitemaps": True}
    return Run(_family("adv/tricks", seeds, discover=said))


def _beside_honest(tricks: Run) -> Run:
    """The same tricks in the family of the honest shop, which is done sooner."""
    mine, its = tricks.family["discover"], _honest().family["discover"]
    said = {name: [*its[name], *mine[name]] for name in ("seeds", "include")}
    family = {**tricks.family, "family": HONEST, "discover": {**mine, **said}}
    return Run({**family, "batch_size": 40})


def _browser(world: World) -> list[Run]:
    """Pages shown in the browser, by site; each tries one way out."""
    runs = []
    for host in dict.fromkeys(map(attrgetter("host"), world.escapes)):
        site = SITES[host]
        seeds = [
            f"{site.url}{site.paths}b/{number}"
            for number, escape in enumerate(world.escapes)
            if escape.host == host
        ]
        name = f"adv/{host.partition('.')[0]}"
        runs.append(Run(_family(name, seeds, host=host, access=_RENDERED)))
    return runs


def _alone(attacks_by_url: Mapping[str, Attack]) -> Run:
    """Hostile pages one by one, so that each is known by what it costs."""
    said = {"include": ["^/shop/alone/"]}
    family = _family("adv/alone", list(attacks_by_url), discover=said, batch_size=1)
    return Run(family)


def lay_out(found: Plan, home: Path) -> None:
    """The project's files."""
    (home / "families").mkdir(parents=True)
    domains = {
        "user_agent": AGENT,
        "domains": list(map(attrgetter("entry"), SITES.values())),
    }
    (home / "domains.yaml").write_text(yaml.safe_dump(domains))
    for run in found.runs:
        text = yaml.safe_dump(dict(run.family), allow_unicode=False, sort_keys=False)
        file = home / "families" / f"{run.name.replace('/', '_')}.yaml"
        file.write_text(text)
