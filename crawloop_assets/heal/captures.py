"""Earlier captures of the pages of a sample: what they had too may last."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from crawloop_assets.errors import PageLost
from crawloop_assets.page import Page
from crawloop_assets.store import Store

_PAGES = 3
_EARLIER = 3
"""Captures of each page: a build that comes now and then is not told by yesterday's."""
_MOST_BYTES = 2_000_000
"""All of them are parsed in the job that heals."""


def earlier_captures(
    store: Store, family: str, pages: Sequence[Page]
) -> Iterator[Page]:
    """What the first few pages were before, as far as that is stored; none that is larger
    than all of the pages, which may be more than is parsed."""
    largest = max((len(page.body) for page in pages), default=0)
    left, first = _MOST_BYTES, pages[:_PAGES]
    shown = store.page_versions(family, *(page.url for page in first))
    for page in first:
        before = [one for one in shown[page.url] if one.sha256 != page.sha256]
        for one in before[-_EARLIER:]:
            with suppress(PageLost):
                body = store.bodies.get(one.sha256)
                if len(body) <= min(largest, left):
                    left -= len(body)
                    yield Page(url=page.url, body=body, headers=dict(one.headers))
