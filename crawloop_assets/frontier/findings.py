"""What a discovery has found so far: urls taken, urls refused, other names of pages."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from crawloop_assets.family import Discover
from crawloop_assets.frontier.urls import excluded, trap
from crawloop_assets.store.models import FoundUrl

_NO_SEEDS = "The family's file names no seeds (`discover.seeds`)."
_NO_LINKS = "links: none on this page leads to one of the family (`include`, `exclude`, `follow`)"
# Refusals are kept for people to read: more than these nobody does.
MAX_SKIPPED = 1_000


@dataclass(frozen=True)
class Discovered:
    """`skipped` are urls not taken or not readable, each with the rule; `fetched`
    counts pages and sitemaps asked for.

    `aliases` maps a url to the one its page calls its own or redirects to for good;
    `unread_seeds` are the pages to begin with that could not be read, `left_out` the next
    pages of lists that were taken which no pattern includes or excludes.
    """

    urls: list[FoundUrl]
    skipped: list[tuple[str, str]]
    fetched: int
    aliases: dict[str, str] = field(default_factory=dict)
    unread_seeds: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def complaint(self, lately: int) -> str:
        """What is wrong with a look that found nothing, could not read a seed, left the
        rest of a list out, or found fewer than half of the `lately` found urls; "" if
        nothing is."""
        if not self.urls:
            return f"No url was found. {self._first_skip}"
        if self.unread_seeds:
            seed = self.unread_seeds[0]
            return f"A seed could not be read: {seed}: {dict(self.skipped)[seed]}"
        if self.left_out:
            return f"No `include` matches the next page of a list: {self.left_out[0]}. Include it, or `exclude` it."
        if 2 * len(self.urls) < lately:
            return f"{len(self.urls)} urls were found, {lately} lately: do the pages still link to all of them?"
        return ""

    @property
    def _first_skip(self) -> str:
        """Why the first url was not taken, as what explains the rest."""
        return next((f"{url}: {rule}" for url, rule in self.skipped), _NO_SEEDS)


class Findings:
    """Collects urls, in the order they are met, up to the `max_urls` of a discovery.

    `refusal` gives the rule by which a url may not be fetched, "" if it may.
    """

    def __init__(
        self, discover: Discover, refusal: Callable[[str], Awaitable[str]]
    ) -> None:
        """`refusal` says why a url may not be fetched, "" if it may."""
        self._discover, self._refusal = discover, refusal
        self._taken: dict[str, FoundUrl] = {}
        self._skipped: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._left_out: dict[str, None] = {}
        self._fruitful: set[str] = set()

    def __contains__(self, url: str) -> bool:
        """True if the url was taken."""
        return url in self._taken

    @property
    def full(self) -> bool:
        """True if no more urls are wanted."""
        return len(self._taken) >= self._discover.max_urls

    @property
    def bound(self) -> str:
        """The rule by which no more are wanted."""
        return f"bounds: max_urls {self._discover.max_urls} reached"

    def is_fruitful(self, url: str) -> bool:
        """True if a url taken was found on the page at `url`."""
        return url in self._fruitful

    def rule_of(self, url: str) -> str | None:
        """The rule by which a url was refused, None if it was not."""
        return self._skipped.get(url)

    async def take(self, found: FoundUrl) -> None:
        """Take a url, unless it is known, no more are wanted or a rule forbids it."""
        if self.full or self._is_decided(found.url):
            return
        rule = trap(found.url) or await self._refusal(found.url)
        if rule:
            self.skip(found.url, rule)
        # Others may have been taken while robots.txt was asked for.
        elif not self.full:
            self._taken.setdefault(found.url, found)
            self._fruitful.add(found.found_on)

    def _is_decided(self, url: str) -> bool:
        """True for a url that was taken or refused before."""
        return url in self._taken or url in self._skipped

    def skip(self, url: str, rule: str) -> None:
        """Note that a url was refused; the first rule for it stays."""
        if len(self._skipped) < MAX_SKIPPED:
            self._skipped.setdefault(url, rule)

    def leave_out(self, found: FoundUrl) -> None:
        """Note the next page of a list that was taken, which is no page of the family, and
        not because it is excluded."""
        if found.found_on in self._taken and not excluded(found.url, self._discover):
            self._left_out.setdefault(found.url)

    def rename(self, url: str, other: str) -> None:
        """Note that the page of a url that was taken is known by another one."""
        self._aliases[url] = other
        renamed = FoundUrl(url=other, depth=self._taken[url].depth, found_on=url)
        self._taken.setdefault(other, renamed)

    def result(self, fetched: int, seeds: Sequence[str] = ()) -> Discovered:
        """All of it, without the urls that are other names; of the pages that it began
        with, `seeds`, those are told that led to nothing."""
        unread = [url for url in seeds if self.rule_of(url) not in (None, self.bound)]
        if not self._taken:
            for seed in seeds:
                self.skip(seed, _NO_LINKS)
        taken = self._taken.items()
        return Discovered(
            urls=[found for url, found in taken if url not in self._aliases],
            skipped=list(self._skipped.items()),
            fetched=fetched,
            aliases=self._aliases,
            unread_seeds=tuple(unread),
            left_out=tuple(self._left_out),
        )
