"""A visit: one url of a batch and the page to read, fetched now or taken from the
store."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

from crawloop_assets.access.fetcher import Fetched, Fetcher, Validators
from crawloop_assets.drift.outcome import OldCopy
from crawloop_assets.errors import PageLost
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.journal import Journal, Notes
from crawloop_assets.serve.watchdog import Watchdog
from crawloop_assets.store import FrontierUrl, Store

_AGE_DIGITS = 9
_PAGES = (None, Verdict.OK, Verdict.DRIFT)
"""What is said of urls whose stored page is their last answer."""
_LOST = "the site says that it is unchanged, but its stored page is damaged"
_CACHES = ("x-cache", "cf-cache-status", "x-cache-status")
"""Headers in which caches say that they had the page."""


@dataclass(frozen=True)
class Visit:
    """`page` is None when there is nothing to read; then `verdict` and `reason` say
    why.

    `fetched` is None when the page came from the store. `unchanged` means the site
    answered 304: then the page is still in the store, and `stored` gets it for whoever
    has to read it. Of most nobody has to.
    """

    url: FrontierUrl
    page: Page | None
    verdict: Verdict
    reason: str = ""
    fetched: Fetched | None = None
    stored: Callable[[], Page | None] | None = None

    @property
    def has_page(self) -> bool:
        """Whether there is a page, here or in the store."""
        return self.page is not None or self.stored is not None

    @property
    def page_sha256(self) -> str | None:
        """The name of the page, None if there is none."""
        if self.page is not None:
            return self.page.sha256
        return self.url.page_sha256 if self.stored else None

    @property
    def base_url(self) -> str | None:
        """Where the page was found, None if there is none."""
        if self.page is not None:
            return self.page.base_url
        return (self.url.final_url or self.url.url) if self.stored else None

    def opened(self) -> "Visit":
        """The same with its page, which may have to be read from the store. Where its
        bytes are lost there is nothing to read; without them it is asked for whole next
        time.

        StoreFailed if the store does not answer.
        """
        if self.stored is None:
            return self
        page = self.stored()
        if page is None:
            return replace(self, stored=None, verdict=Verdict.TRANSIENT, reason=_LOST)
        return replace(self, page=page, stored=None)

    @property
    def unchanged(self) -> bool:
        """The site said that the stored page is still the page."""
        return self.fetched is not None and self.fetched.not_modified

    @property
    def is_outdated(self) -> bool:
        """Whether the page is read from the store, and the site has answered with no page of the family since."""
        if self.page is None:
            return False
        moments = self.fetched, self.page.fetched_at
        is_stored = moments == (None, self.url.page_fetched_at)
        return is_stored and self.url.verdict not in _PAGES

    @property
    def is_new_answer(self) -> bool:
        """Whether the site itself gave the page after it was fetched last.

        What a cache has kept since then says nothing that was not said before.
        """
        if self.page is None or self.unchanged:
            return False
        age = _age(self.page)
        if not age:
            return age is not None
        return self._made_after_last is True

    @property
    def old_copy(self) -> OldCopy | None:
        """What a cache gave that says that it made its copy before the page was fetched
        last: nobody has asked the site."""
        if self.unchanged or self._made_after_last is not False:
            return None
        is_same = self.page_sha256 == self.url.page_sha256
        return OldCopy.SAME if is_same else OldCopy.OTHER

    @property
    def _made_after_last(self) -> bool | None:
        """Whether the copy of a cache was made after the page was fetched last, None
        where that is not known."""
        age = _age(self.page) if self.page else None
        if not age or self.page is None or self.fetched is None:
            return None
        last = self.url.fetched_at
        return None if last is None else self.page.fetched_at - age > last


async def fetch_visits(
    family: Family,
    urls: Sequence[FrontierUrl],
    fetcher: Fetcher,
    store: Store,
    *,
    journal: Journal | None = None,
    force: bool = False,
) -> list[Visit]:
    """Fetch every url of a batch, politely and at the pace of its host; never raises
    for what the web does.

    What a run that was killed had fetched is not asked for again; a run of many batches
    gives its `journal`, so that it is read once. `force` asks for everything, and
    without validators.
    """
    journal = journal or Journal(store, family.slug)
    lines, notes = {} if force else journal.left, Notes(journal)
    kept = set() if force else await asyncio.to_thread(_kept, urls, store)

    async def visit(url: FrontierUrl) -> Visit:
        stored = _getter(url, store) if url.page_sha256 in kept else None
        earlier = journal.fetched(url, lines)
        if earlier is not None and (earlier.page or stored):
            rest = None if earlier.page else stored
            return Visit(url, earlier.page, Verdict.OK, earlier.reason, earlier, rest)
        validators = _validators(url) if stored else None
        fetched = await fetcher.fetch(
            url.url,
            family.request,
            validators=validators,
            access=family.access,
            scope=family.family,
        )
        notes.add(fetched)
        if fetched.not_modified:
            return Visit(url, None, Verdict.OK, "not modified", fetched, stored)
        return Visit(url, fetched.page, fetched.verdict, fetched.reason, fetched)

    visits = await Watchdog(visit, _stuck).all(urls)
    await notes.written()
    return visits


def _stuck(url: FrontierUrl, place: str, seconds: float) -> Visit:
    """A page that was given up where it hung; it is asked for again like any other that
    could not be had."""
    reason = f"stuck for {seconds:.0f} s at {place}"
    fetched = Fetched(url.url, Verdict.TRANSIENT, reason, elapsed_s=seconds)
    return Visit(url, None, Verdict.TRANSIENT, reason, fetched)


def _validators(url: FrontierUrl) -> Validators | None:
    """By what the site may say that a page is as it was; None of one that was held: only
    the page itself, given once more, is a second word."""
    if url.verdict is Verdict.DRIFT:
        return None
    return Validators(url.etag, url.last_modified, url.final_url or "")


def _age(page: Page) -> timedelta | None:
    """How long a cache had kept a page, zero if none had; None if it does not say."""
    age = page.headers.get("age", "")
    if age.isdecimal():
        return min(timedelta(seconds=int(age[:_AGE_DIGITS])), timedelta(days=3_650))
    cached = any("hit" in page.headers.get(name, "").lower() for name in _CACHES)
    return None if cached else timedelta()


def stored_visits(urls: Sequence[FrontierUrl], store: Store) -> list[Visit]:
    """The same urls from stored pages, without one request."""
    visits = []
    for url in urls:
        page = stored_page(url, store)
        if page is None:
            visits.append(Visit(url, None, Verdict.TRANSIENT, "never fetched"))
        else:
            visits.append(Visit(url, page, Verdict.OK))
    return visits


def stored_page(url: FrontierUrl, store: Store) -> Page | None:
    """The last page of a url that was worth storing; None if there is none, or its bytes
    are lost."""
    get = _getter(url, store)
    return get() if get else None


def _kept(urls: Sequence[FrontierUrl], store: Store) -> set[str]:
    """The names of the last pages of urls, of those that are stored."""
    return store.bodies.present([url.page_sha256 for url in urls if url.page_sha256])


def _getter(url: FrontierUrl, store: Store) -> Callable[[], Page | None] | None:
    """Gets the last page of a url that was worth storing, None if there was none."""
    if url.page_sha256 is None:
        return None
    return partial(page_as, url, store, url.page_sha256)


def page_as(url: FrontierUrl, store: Store, sha256: str) -> Page | None:
    """What a url showed under a sha256, None if its bytes are lost."""
    try:
        body = store.bodies.get(sha256)
    except PageLost:
        return None
    return Page(
        url=url.url,
        final_url=url.final_url or url.url,
        status=200,
        headers=dict(url.headers),
        body=body,
        fetched_at=url.page_fetched_at or datetime.now(UTC),
    )
