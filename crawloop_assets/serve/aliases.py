"""Other names of a page: one page is one record, however many urls lead to it.

A page says what it is called (rel=canonical), or a site that it moved for good. That is
believed once the page of that name shows the same record: templates that call all pages
by one name are common, and cost nothing then.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from crawloop_assets.document.links import absolute
from crawloop_assets.frontier.urls import UrlScope, alias
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import BatchCommit
from crawloop_assets.values.value import Value

_Records = Sequence[Mapping[str, Value]]


@dataclass(frozen=True)
class Aliases:
    """`aliases` maps a url to the page it is another name of.

    `open` maps one to a page that nobody has read yet.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    open: Mapping[str, str] = field(default_factory=dict)

    def without(self, ended: Set[str]) -> "Aliases":
        """Waiting for none of the pages that are asked for no more."""
        waiting = {}
        for url, other in self.open.items():
            if other not in ended:
                waiting[url] = other
        return replace(self, open=waiting)


def claims(scope: UrlScope, readings: Sequence[Reading]) -> dict[str, str]:
    """Url -> what its page says that it is called, where that is another page of the
    family."""
    names = {reading.url: other_name(scope, reading) for reading in readings}
    return {url: other for url, other in names.items() if other is not None}


def other_name(scope: UrlScope, reading: Reading) -> str | None:
    """The page of the family that a page says that it is, where that is another one."""
    url, name = reading.url, _name_of(reading)
    return None if name is None or name == url else alias(url, name, scope)[0]


def _name_of(reading: Reading) -> str | None:
    """What a page or its site says that it is called, None if neither does."""
    page, fetched = reading.visit.page, reading.visit.fetched
    if page is None or fetched is None or reading.facts is None:
        return None
    if reading.facts.canonical:
        return absolute(page.base_url, reading.facts.canonical)
    return fetched.final_url if fetched.permanent_redirect else None


def settled(
    claimed: Mapping[str, str],
    readings: Sequence[Reading],
    known: Mapping[str, _Records],
) -> Aliases:
    """Which claims hold.

    `readings` are those that are published, `known` the last good records of other
    pages.
    """
    read: dict[str, _Records] = {reading.url: reading.values for reading in readings}
    records: dict[str, _Records] = {**known, **read}
    aliases, unread = {}, {}
    for url, other in claimed.items():
        if url not in read or other in claimed:
            continue  # of two pages that call themselves by each other's name
        if not records.get(other):
            unread[url] = other
        if _without_url(records.get(other, ())) == _without_url(read[url]):
            aliases[url] = other
    return Aliases(aliases, unread)


def _without_url(records: _Records) -> list[dict[str, Value]]:
    """The records but for their url, in which two names of one page differ."""
    return [
        {name: value for name, value in record.items() if name != "url"}
        for record in records
    ]


def without_aliases(commit: BatchCommit, names: Aliases) -> BatchCommit:
    """The commit without pages that are other names of a page.

    One whose name is open is asked for in full next time:
    an answer of "not modified" would not say again what it is called.
    """
    served = [page for page in commit.served if page.url not in names.aliases]
    fetched = []
    for page in commit.fetched:
        if page.url in names.open:
            page = replace(page, etag=None, last_modified=None)
        fetched.append(page)
    return replace(commit, served=served, fetched=fetched, aliases=names.aliases)
