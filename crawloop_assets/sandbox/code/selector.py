"""The `Selector` that code crawlers get: parsel's, without its tree.

What parsel gives is wrapped again on its way out. A crawler can select and read;
it can neither change a page nor reach the library behind it.
"""

from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex, overload

import parsel


class CodeSelector:
    """An element, an attribute or a text of a page."""

    __slots__ = ("_inner",)

    def __init__(self, text: str):
        """The page with this html."""
        self._inner = parsel.Selector(text=text, type="html")

    def css(self, query: str) -> "CodeSelectors":
        """What a css selector finds, with `::text` and `::attr(name)`."""
        return wrapped(self._inner.css(query))

    def xpath(self, query: str, **variables: str) -> "CodeSelectors":
        """What an XPath finds."""
        return wrapped(self._inner.xpath(query, None, **variables))

    def get(self) -> str:
        """Its html, or its text."""
        return str(self._inner.get())

    def getall(self) -> list[str]:
        """The same, as a list of one."""
        return [self.get()]

    extract = get

    def re(self, regex: str, replace_entities: bool = True) -> list[str]:
        """What a pattern finds in it."""
        return list(map(str, self._inner.re(regex, replace_entities)))

    def re_first(self, regex: str, default: str | None = None) -> str | None:
        """The first of them."""
        return next(iter(self.re(regex)), default)

    @property
    def attrib(self) -> dict[str, str]:
        """Its attributes, as a copy."""
        return {str(name): str(value) for name, value in self._inner.attrib.items()}

    def __bool__(self) -> bool:
        return bool(self._inner.get())


class CodeSelectors(list[CodeSelector]):
    """What a selector found, in the order of the page."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> CodeSelector: ...
    @overload
    def __getitem__(self, at: slice) -> "CodeSelectors": ...
    def __getitem__(self, at: Any) -> Any:
        """One of them, or some."""
        found = super().__getitem__(at)
        return CodeSelectors(found) if isinstance(at, slice) else found

    def css(self, query: str) -> "CodeSelectors":
        """What a css selector finds in each."""
        return self._of_each(lambda one: one.css(query))

    def xpath(self, query: str, **variables: str) -> "CodeSelectors":
        """What an XPath finds from each."""
        return self._of_each(lambda one: one.xpath(query, **variables))

    def get(self, default: str | None = None) -> str | None:
        """The html or text of the first."""
        return self[0].get() if self else default

    def getall(self) -> list[str]:
        """The html or text of each."""
        return [one.get() for one in self]

    extract, extract_first = getall, get

    def re(self, regex: str, replace_entities: bool = True) -> list[str]:
        """What a pattern finds in each."""
        return [found for one in self for found in one.re(regex, replace_entities)]

    def re_first(self, regex: str, default: str | None = None) -> str | None:
        """The first of them."""
        return next(iter(self.re(regex)), default)

    @property
    def attrib(self) -> dict[str, str]:
        """The attributes of the first."""
        return self[0].attrib if self else {}

    def _of_each(
        self, found: Callable[[CodeSelector], "CodeSelectors"]
    ) -> "CodeSelectors":
        """What is found from each, one after the other."""
        return CodeSelectors(inner for one in self for inner in found(one))


def wrapped(found: Iterable[parsel.Selector]) -> CodeSelectors:
    """What parsel found, as code crawlers see it."""
    return CodeSelectors(map(_wrapped, found))


def _wrapped(inner: parsel.Selector) -> CodeSelector:
    made = CodeSelector.__new__(CodeSelector)
    made._inner = inner
    return made
