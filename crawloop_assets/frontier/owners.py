"""Whose page a url is, where several families of a project live on one host."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from crawloop_assets.family import Family
from crawloop_assets.frontier.findings import MAX_SKIPPED, Discovered
from crawloop_assets.frontier.urls import UrlScope, normalize, path
from crawloop_assets.pattern.judge import searched
from crawloop_assets.written import URL_POWER


class Owners:
    """The claims of all families of a project."""

    def __init__(self, families: Sequence[Family]):
        """Families by name, so that the same url always has the same owner."""
        by_name = sorted(families, key=lambda family: family.family)
        self._scopes = [(family, UrlScope.of(family)) for family in by_name]

    def claim(self, url: str) -> list[Family]:
        """The families whose `include` matches most of a url, by name; several if they
        match as much, none if it is nobody's."""
        longest = 0
        owners: list[Family] = []
        for family, scope in self._scopes:
            own_url = normalize(url, family.discover)
            if own_url not in scope:
                continue
            length = _longest_match(family.discover.include, path(own_url))
            if length > longest:
                longest, owners = length, []
            if length == longest:
                owners.append(family)
        return owners


def on_its_hosts(family: Family, families: Sequence[Family]) -> list[Family]:
    """The families, itself among them, that share a host with a family: only they may
    claim its urls."""
    hosts = UrlScope.of(family).hosts
    neighbours = []
    for other in families:
        shared = UrlScope.of(other).hosts & hosts
        if shared or other == family:
            neighbours.append(other)
    return neighbours


def without_neighbours(
    found: Discovered, family: Family, families: Sequence[Family]
) -> Discovered:
    """What was discovered for a family, without the pages of which another family's
    pattern matches more."""
    near = on_its_hosts(family, families)
    if len(near) < 2:
        return found
    owners = Owners(near)
    urls = []
    skipped = list(found.skipped)
    for record in found.urls:
        claiming = owners.claim(record.url)
        if not claiming or family in claiming:
            urls.append(record)
        elif len(skipped) < MAX_SKIPPED:
            skipped.append((record.url, _rule_of(claiming[0])))
    return replace(found, urls=urls, skipped=skipped)


def outside(family: Family, urls: Iterable[str]) -> list[str]:
    """Those of the urls that the patterns of a family leave out."""
    scope = UrlScope.of(family)
    return [url for url in urls if normalize(url, family.discover) not in scope]


def _rule_of(owner: Family) -> str:
    """Why a url of an owner is not another family's."""
    return f"family: a pattern of {owner.family} matches more of it"


def _longest_match(patterns: Iterable[str], text: str) -> int:
    """Characters of `text` that the best pattern spans."""
    longest = 0
    for pattern in patterns:
        match = searched(pattern, URL_POWER).search(text)
        if match is None:
            continue
        length = match.end() - match.start()
        longest = max(longest, length)
    return longest
