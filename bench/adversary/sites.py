"""The sites of the world: which the operator has listed, and what they forbid."""

from dataclasses import dataclass

from bench.adversary.urls import EVIL, SHOP

AGENT = "adversary/1.0 (+https://harbor.example/who)"
APP, WIDE, OPEN = (f"{name}.harbor.example" for name in ("app", "wide", "open"))


@dataclass(frozen=True)
class Site:
    """A listed site. `paths` is what the operator permits, `closed` what its robots.txt
    forbids; `turns` is what its name resolves to, one look-up after another."""

    host: str
    secure: bool
    turns: tuple[tuple[str, ...], ...]
    paths: str = "/"
    closed: str = "/private/"

    @property
    def port(self) -> int:
        """The only port that is permitted."""
        return 443 if self.secure else 80

    @property
    def url(self) -> str:
        """Where it begins."""
        return f"http{'s' if self.secure else ''}://{self.host}"

    @property
    def entry(self) -> dict[str, object]:
        """Its entry in domains.yaml."""
        scheme = self.url.partition(":")[0]
        known = {"host": self.host, "scheme": scheme, "paths": [self.paths]}
        return known | {"max_rps": 2_000, "concurrency": 8}


def _at(number: int) -> tuple[tuple[str, ...], ...]:
    return ((f"93.184.0.{number}",),)


_INSIDE = (
    "127.0.0.1", "169.254.169.254", "10.0.0.5", "192.168.0.1", "172.16.0.9", "100.64.0.1", "0.0.0.0", "::1",
    "::ffff:127.0.0.1", "fd00:ec2::254", "64:ff9b::a9fe:a9fe", "fe80::1",
)  # fmt: skip


def _fickle() -> list[Site]:
    """Names that first lead to a public address, and then inside; that lead to both at
    once; and that lead inside from the start."""
    found = []
    for number, inside in enumerate(_INSIDE):
        public = f"93.184.1.{number}"
        ways = {
            "later": ((public,), (inside,)),
            "third": ((public,), (public,), (inside,)),
            "beside": ((public, inside),),
            "never": ((inside,),),
        }
        found += [
            Site(f"{way}{number}.harbor.example", False, turns)
            for way, turns in ways.items()
        ]
    return found


SITES = {
    site.host: site
    for site in (
        Site(SHOP, True, _at(10), "/shop/", "/shop/private/"),
        Site(APP, True, _at(11), "/app/", "/app/private/"),
        Site(WIDE, True, _at(12)),
        Site(OPEN, False, _at(13)),
        *_fickle(),
    )
}
"""All listed sites, by their hosts."""
FICKLE = [
    site
    for site in SITES.values()
    if len(site.turns) > 1 or "93.184.0" not in site.turns[0][0]
]
LISTED = frozenset(
    (address, site.port)
    for site in SITES.values()
    for turn in site.turns
    for address in turn
    if address.startswith("93.184.")
)
"""Addresses and ports that the operator's sites really have."""
CERTIFIED = [
    "*.harbor.example",
    "harbor.example",
    f"*.{EVIL}",
    EVIL,
    f"*.{SHOP}",
    f"*.{SHOP}.{EVIL}",
]
