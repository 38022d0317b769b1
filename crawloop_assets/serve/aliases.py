"""Other names of a page: one page is one record, however many urls lead to it.

A page says what it is called (rel=canonical), or a site that it moved for good. That is
believed once the page of that name shows the same record: templates that call all pages
by one name are common, and cost nothing then.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from urllib.parse import urljoin

from crawloop_assets.frontier.urls import UrlScope, alias
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import BatchCommit
from crawloop_assets.values.value import Value

Records = Sequence[Mapping[str, Value]]


@dataclass(frozen=True)
class Aliases:
    """`aliases` maps a url to the page it is another name of.

    `open` maps one to a page that nobody has read yet.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)

    def without(self, ended: Set[str]) -> "Aliases":
        """Waiting for none of the pages that are asked for no more."""
        return replace(
            self,
            open={url: other for url, other in self.open.items() if other not in ended},
        )


def claims(scope: UrlScope, readings: Sequence[Reading]) -> dict[str, str]:
    """Url -> what its page says that it is called, where that is another page of the
    family."""
    found: dict[str, str] = {}
    for reading in readings:
        url, called = reading.visit.url.url, _called(reading)
        if (
            called not in (None, url)
            and (other := alias(url, called, scope)[0]) is not None
        ):
            found[url] = other
    return found


def _called(reading: Reading) -> str | None:
    page, fetched = reading.visit.page, reading.visit.fetched
    if page is None or fetched is None or reading.facts is None:
        return None
    if reading.facts.canonical:
        return urljoin(page.base_url, reading.facts.canonical)
    return fetched.final_url if fetched.permanent_redirect else None


def settled(
    claimed: Mapping[str, str],
    readings: Sequence[Reading],
    known: Mapping[str, Records],
) -> Aliases:
    """Which claims hold.

    `readings` are those that are published, `known` the last good records of other
    pages.
    """
    read: dict[str, Records] = {
        reading.visit.url.url: reading.values for reading in readings
    }
    said: dict[str, Records] = {**known, **read}
    # Of two pages that call themselves by each other's name, neither is believed.
    pairs = {
        url: other
        for url, other in claimed.items()
        if url in read and other not in claimed
    }
    return Aliases(
        aliases={
            url: other
            for url, other in pairs.items()
            if _plain(said.get(other, ())) == _plain(read[url])
        },
        open={url: other for url, other in pairs.items() if not said.get(other)},
    )


def _plain(records: Records) -> list[dict[str, Value]]:
    """Without the url, in which two names of one page differ."""
    return [
        {name: value for name, value in record.items() if name != "url"}
        for record in records
    ]


def without_aliases(commit: BatchCommit, names: Aliases) -> BatchCommit:
    """The commit without pages that are other names of a page.

    One whose name is open is asked for in full next time:
    an answer of "not modified" would not say again what it is called.
    """
    return replace(
        commit,
        served=[page for page in commit.served if page.url not in names.aliases],
        fetched=[
            replace(page, etag=None, last_modified=None)
            if page.url in names.open
            else page
            for page in commit.fetched
        ],
        aliases=names.aliases,
    )
