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

from crawloop_assets.document.layout import NEAR_LAYOUT, template_distance
from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES
from crawloop_assets.family import Family
from crawloop_assets.frontier.owners import Owners, on_its_hosts
from crawloop_assets.page import Verdict
from crawloop_assets.sandbox import LookJob, WorkerPool
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import BatchCommit, FetchedPage, Store, UrlState

_Layout = tuple[int, ...]


@dataclass
class Neighbours:
    """A family among all `families` of its project, for one run."""

    family: Family
    families: Sequence[Family]
    store: Store
    pool: WorkerPool
    _layouts: dict[str, list[_Layout]] = field(default_factory=dict)

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
        rivals = list(map(self._rivals, readings))
        if not any(rivals):
            return []
        ours = await self._own_layouts(readings)
        foreign = []
        for reading, families in zip(readings, rivals, strict=True):
            theirs: list[_Layout] = []
            for family in families:
                theirs += await self._seen(family)
            layout = _layout(reading)
            if _is_near(layout, theirs) and not _is_near(layout, ours):
                foreign.append(reading)
        return foreign

    async def _own_layouts(self, readings: Sequence[Reading]) -> list[_Layout]:
        """The layouts of the family; one that has published nothing yet knows its own
        by what it can read."""
        published = await self._seen(self.family)
        return published or [_layout(reading) for reading in readings if reading.good]

    def _rivals(self, reading: Reading) -> list[Family]:
        """The other families that claim the page as much as this one, if its owner is
        not known yet."""
        if self._owners is None or reading.previous or not _layout(reading):
            return []
        claims = self._owners.claim(reading.url)
        if self.family not in claims:
            return []
        return [family for family in claims if family != self.family]

    async def _seen(self, family: Family) -> list[_Layout]:
        """The layouts of a few pages that are published for a family."""
        if not self._layouts.get(family.family):
            self._layouts[family.family] = await self._look(family)
        return self._layouts[family.family]

    async def _look(self, family: Family) -> list[_Layout]:
        """The layouts of pages that another family is known by."""
        jobs = []
        for url in await asyncio.to_thread(
            self.store.canaries, family, ENOUGH_KNOWN_PAGES
        ):
            page = stored_page(url, self.store)
            if page is not None:
                jobs.append(LookJob(page=page))
        layouts = []
        for look in await self.pool.arun_many(jobs):
            if not isinstance(look, Exception) and look.facts.template:
                layouts.append(look.facts.template)
        return layouts


def _layout(reading: Reading) -> _Layout:
    """The layout of a page, () where it was not looked at."""
    return reading.facts.template if reading.facts is not None else ()


def _is_near(layout: _Layout, known: Sequence[_Layout]) -> bool:
    """Whether a layout is much like one of those known."""
    return any(template_distance(layout, other) <= NEAR_LAYOUT for other in known)


def left(commit: BatchCommit, foreign: Sequence[Reading]) -> BatchCommit:
    """The commit with pages that are left to other families: they are asked for no
    more."""
    return replace(commit, fetched=[*commit.fetched, *map(_refused, foreign)])


def _refused(reading: Reading) -> FetchedPage:
    """A page that is another family's."""
    page = reading.visit.page
    return FetchedPage(
        url=reading.url,
        verdict=Verdict.NOT_ALLOWED,
        fetched_at=page.fetched_at if page else datetime.now(UTC),
        status=page.status if page else None,
        state=UrlState.REFUSED,
    )
