"""Batches as a stream: while one batch is read in the workers, the next one is being
fetched."""

import asyncio
import gc
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from time import monotonic

from anyio.from_thread import BlockingPortal, start_blocking_portal

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.drift.canary import ENOUGH_KNOWN_PAGES
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.journal import Journal
from crawloop_assets.serve.second_look import SecondLook
from crawloop_assets.serve.telling import Say, telling_progress
from crawloop_assets.serve.visit import Visit, fetch_visits, stored_visits

_OF_ONE = {Verdict.CHALLENGE, Verdict.LOGIN}
"""What one page of a batch is enough to climb for."""

_OF_MOST = {Verdict.NEEDS_RENDER, Verdict.BLOCKED}
"""What most pages of a batch have to be."""


@dataclass(frozen=True)
class Stream:
    """Serves batches in order.

    `fetcher` None means: from stored pages, without one request. While pages are asked
    for, `say` is called once a minute how many.
    """

    server: BatchServer
    fetcher: Fetcher | None
    force: bool = False
    say: Say = logging.getLogger(__name__).info

    @cached_property
    def journal(self) -> Journal:
        """The journal of the run's family."""
        server = self.server
        return Journal(server.store, server.family.slug, server.refresh)

    def run(self, batches: Sequence[str]) -> Iterator[ServedBatch]:
        """One served batch after the other, each committed before it is yielded."""
        with _old_things_left_alone(), start_blocking_portal() as portal:
            if self.fetcher is None:
                yield from self._serve(portal, batches)
            else:
                self.server.second_look = SecondLook(
                    self.server.family, self.fetcher, self.journal
                )
                says = telling_progress(self.fetcher.stats, self.say)
                with (
                    portal.wrap_async_context_manager(self.fetcher),
                    portal.wrap_async_context_manager(says),
                ):
                    portal.call(self._fetch_canaries, self.fetcher)
                    yield from self._serve(portal, batches)
                self.journal.close()

    def _serve(
        self, portal: BlockingPortal, batches: Sequence[str]
    ) -> Iterator[ServedBatch]:
        """The batches one after the other; the pages of the next are fetched meanwhile."""
        ahead: Future[list[Visit]] | None = None
        for position, batch in enumerate(batches):
            started = monotonic()
            visits = (ahead or portal.start_task_soon(self._visits, batch)).result()
            if position + 1 < len(batches):
                ahead = portal.start_task_soon(self._visits, batches[position + 1])
            served = portal.call(self.server.serve, batch, visits)
            if self.fetcher is not None:
                portal.call(climb, self.fetcher, self.server.family, served)
            yield replace(served, seconds=monotonic() - started)
            # Its pages need not be there while the next ones are read.
            del visits, served

    async def _visits(self, batch: str) -> list[Visit]:
        """The pages of one batch: fetched, or as they are stored."""
        store, family = self.server.store, self.server.family
        urls = await asyncio.to_thread(store.urls, family.family, batch)
        if self.fetcher is None:
            return await asyncio.to_thread(stored_visits, urls, store)
        canaries = self.server.canaries
        rest = [url for url in urls if url.url not in canaries]
        visits = await fetch_visits(
            family, rest, self.fetcher, store, journal=self.journal, force=self.force
        )
        fetched = {one.url.url: one for one in visits}
        return [fetched.get(url.url) or canaries[url.url] for url in urls]

    async def _fetch_canaries(self, fetcher: Fetcher) -> None:
        """A few known pages first, due or not: by them batches of new pages are judged.

        None is fetched twice.
        """
        store, family = self.server.store, self.server.family
        urls = await asyncio.to_thread(store.canaries, family, ENOUGH_KNOWN_PAGES)
        visits = await fetch_visits(
            family, urls, fetcher, store, journal=self.journal, force=self.force
        )
        self.server.canaries = {visit.url.url: visit for visit in visits}


@contextmanager
def _old_things_left_alone() -> Iterator[None]:
    """What the process holds by now, Dagster and all its definitions, is not searched
    for cycles while batches come and go."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def climb(fetcher: Fetcher, family: Family, served: ServedBatch) -> None:
    """Tell the fetcher of pages that arrived but proved to be none: the next run asks
    one rung higher.

    A family goes to the browser for good only when most of a batch needs it, since a
    browser costs fifty times as much, and to another country only when most of a batch
    is refused in ours.
    """
    counts = Counter(map(attrgetter("verdict"), served.readings))
    most = {kind for kind in _OF_MOST if counts[kind] * 2 > len(served.readings)}
    reasons = _OF_ONE | most
    for reading in served.readings:
        fetched = reading.visit.fetched
        if (
            fetched is not None
            and fetched.verdict is Verdict.OK
            and reading.verdict in reasons
        ):
            fetcher.refuse(
                fetched, reading.verdict, access=family.access, scope=family.family
            )
