"""Pages that a discovery has met, and what the JSON listings among them have shown."""

from collections.abc import Iterable


class Chains:
    """Tells a new page from one that was met, and a listing's end from its middle.

    The pages of one JSON listing are a chain, known by its first page; a page that
    belongs to none has the chain "".
    """

    def __init__(self) -> None:
        """No page was met yet."""
        self._chain_of: dict[str, str] = {}
        self._shown: dict[str, set[str]] = {}

    def __contains__(self, url: str) -> bool:
        """True if the url was met."""
        return url in self._chain_of

    def meet(self, url: str, chain: str) -> None:
        """Note that a url was met, as a page of a chain."""
        self._chain_of[url] = chain

    def has(self, chain: str, url: str) -> bool:
        """True if the url was met as a later page of this chain."""
        return self._chain_of.get(url) == chain

    def shows_new(self, chain: str, lists: Iterable[str]) -> bool:
        """True if one of the lists (their digests) was on no page of the chain before;
        from now on all of them were."""
        shown = self._shown.setdefault(chain, set())
        new = set(lists) - shown
        shown |= new
        return bool(new)
