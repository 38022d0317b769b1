"""Families that claim the same urls: the layout of a page decides whose it is.

Which patterns match most of a url is decided when it is found. Where two families match
as much, both ask for the page; the one that knows no such layout leaves it to the one
that does, and never asks again.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property

from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES
from crawloop_assets.drift.layout import NEAR_LAYOUT, template_distance
from crawloop_assets.family import Family
from crawloop_assets.frontier.owners import Owners, on_its_hosts
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import LookJob, WorkerPool
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import BatchCommit, FetchedPage, Store, UrlState

FamilyLayout = tuple[int, ...]


@dataclass
class Neighbours:
    """A family among all `families` of its project, for one run."""

    family: Family
    families: Sequence[Family]
    store: Store
    pool: WorkerPool
    _layouts: dict[str, list[FamilyLayout]] = field(default_factory=dict)

    @cached_property
    def _owners(self) -> Owners | None:
        """None if no other family can have a claim."""
        near = on_its_hosts(self.family, self.families)
        return Owners(near) if len(near) > 1 else None

    async def foreign(self, readings: Sequence[Reading]) -> list[Reading]:
        """Those of pages that belong to another family.

        A page that was published here before is never one: if its
        layout is new, that is a redesign.
        """
        rivals = {reading.visit.url.url: self._rivals(reading) for reading in readings}
        if not any(rivals.values()):
            return []
        # A family that has published nothing yet knows its own layout by what it can read.
        ours = await self._seen(self.family) or [
            _layout(reading) for reading in readings if reading.good
        ]
        found = []
        for reading in readings:
            theirs = [
                layout
                for rival in rivals[reading.visit.url.url]
                for layout in await self._seen(rival)
            ]
            if (
                _distance(theirs, _layout(reading))
                <= NEAR_LAYOUT
                < _distance(ours, _layout(reading))
            ):
                found.append(reading)
        return found

    def _rivals(self, reading: Reading) -> list[Family]:
        """The other families that claim the page as much as this one, if its owner is
        not known yet."""
        if self._owners is None or reading.previous or not _layout(reading):
            return []
        claims = self._owners.claim(reading.visit.url.url)
        return (
            [family for family in claims if family != self.family]
            if self.family in claims
            else []
        )

    async def _seen(self, family: Family) -> list[FamilyLayout]:
        """The layouts of a few pages that are published for a family."""
        if not self._layouts.get(family.family):
            known = await asyncio.to_thread(
                self.store.canaries, family, ENOUGH_KNOWN_PAGES
            )
            pages = [
                page
                for url in known
                if (page := stored_page(url, self.store)) is not None
            ]
            looked = await self.pool.arun_many([LookJob(page=page) for page in pages])
            facts = [one.facts for one in looked if not isinstance(one, Exception)]
            self._layouts[family.family] = [
                one.template for one in facts if one.template
            ]
        return self._layouts[family.family]


def _layout(reading: Reading) -> FamilyLayout:
    return reading.facts.template if reading.facts is not None else ()


def _distance(known: Sequence[FamilyLayout], layout: FamilyLayout) -> float:
    return min((template_distance(layout, one) for one in known), default=1.0)


def left(commit: BatchCommit, foreign: Sequence[Reading]) -> BatchCommit:
    """The commit with pages that are left to other families: they are asked for no
    more."""
    return replace(commit, fetched=[*commit.fetched, *map(_refused, foreign)])


def _refused(reading: Reading) -> FetchedPage:
    page = reading.visit.page
    return FetchedPage(
        url=reading.visit.url.url,
        verdict=Verdict.NOT_ALLOWED,
        fetched_at=page.fetched_at if page else datetime.now(UTC),
        status=page.status if page else None,
        state=UrlState.REFUSED,
    )
