"""Whose page a url is, where several families of a project live on one host."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from crawloop_assets.family import Family
from crawloop_assets.frontier.discover import SKIPPED, Discovered
from crawloop_assets.frontier.urls import UrlScope, normalize, path


class Owners:
    """The claims of all families of a project."""

    def __init__(self, families: Sequence[Family]):
        self._scopes = [
            (family, UrlScope.of(family))
            for family in sorted(families, key=lambda family: family.family)
        ]

    def claim(self, url: str) -> list[Family]:
        """The families whose `include` matches most of a url, by name; several if they
        match as much, none if it is nobody's."""
        claims = []
        for family, scope in self._scopes:
            own = normalize(url, family.discover)
            if own in scope:
                claims.append((_length(family.discover.include, path(own)), family))
        most = max((length for length, _ in claims), default=0)
        return [family for length, family in claims if length == most]


def on_its_hosts(family: Family, families: Sequence[Family]) -> list[Family]:
    """The families, itself among them, that share a host with a family: only they may
    claim its urls."""
    hosts = UrlScope.of(family).hosts
    return [one for one in families if one == family or UrlScope.of(one).hosts & hosts]


def owner(
    families: Sequence[Family],
    url: str,
    layout: Callable[[Family], float] | None = None,
) -> Family | None:
    """The family whose page a url is: the one whose `include` matches most of it.

    None if it is nobody's.     If several match as much, `layout` decides: a family's
    distance from the page's layout, the least wins. Without it     the first of them by
    name is taken.
    """
    best = Owners(families).claim(url)
    if len(best) > 1 and layout is not None:
        return min(best, key=layout)
    return best[0] if best else None


def without_neighbours(
    found: Discovered, family: Family, families: Sequence[Family]
) -> Discovered:
    """What was discovered for a family, without the pages of which another family's
    pattern matches more."""
    near = on_its_hosts(family, families)
    if len(near) < 2:
        return found
    owners = Owners(near)
    claims = {one.url: owners.claim(one.url) for one in found.urls}
    theirs = {
        url: best[0].family
        for url, best in claims.items()
        if best and family not in best
    }
    rules = [
        (url, f"family: a pattern of {name} matches more of it")
        for url, name in theirs.items()
    ]
    return replace(
        found,
        urls=[one for one in found.urls if one.url not in theirs],
        skipped=[*found.skipped, *rules[: max(0, SKIPPED - len(found.skipped))]],
    )


def _length(patterns: Iterable[str], text: str) -> int:
    """Characters of `text` that the best pattern spans."""
    found = (re.search(pattern, text) for pattern in patterns)
    return max((match.end() - match.start() for match in found if match), default=0)
