"""Addresses of data that the scripts of a page name: what may be an API behind it."""

import re
from collections.abc import Iterator
from itertools import islice

from crawloop_assets.document.document import Document
from crawloop_assets.document.links import absolute

_MOST = 10
_MOST_CHARS = 400_000
_QUOTED = re.compile(r"""["'`]([^"'`\s<>\\]{2,300})["'`]""")
_OF_DATA = re.compile(
    r"(?:^|[/.])(?:api|graphql|v\d+|rest|data|ajax|json|search)(?:[/?.]|$)|\.json(?:\?|$)"
)
_STATIC = re.compile(
    r"\.(?:js|css|png|jpe?g|svg|gif|webp|woff2?|ico|map|html?)(?:\?|$)"
)


def endpoints_of(document: Document) -> tuple[str, ...]:
    """The addresses in a page's own scripts that look like those of data, each once, in
    order; at most ten."""
    base = document.base_url
    found = (absolute(base, text) for text in _named(document))
    return tuple(islice(dict.fromkeys(filter(None, found)), _MOST))


def endpoints_in(script: str, base: str) -> tuple[str, ...]:
    """The same for the text of a script that a page loads."""
    found = (absolute(base, text) for text in _in_text(script))
    return tuple(islice(dict.fromkeys(filter(None, found)), _MOST))


def _named(document: Document) -> Iterator[str]:
    """Texts in quotes in the scripts of a page that may be addresses of data."""
    for number in document.by_tag.get("script", []):
        text = document.elements[number].text or ""
        if "json" not in document.elements[number].get("type", ""):
            yield from _in_text(text)


def _in_text(script: str) -> Iterator[str]:
    """The same in the text of a script."""
    for match in _QUOTED.finditer(script[:_MOST_CHARS]):
        text = match[1]
        is_path = text.startswith(("/", "http://", "https://", "./"))
        if is_path and _OF_DATA.search(text) and not _STATIC.search(text):
            yield text


def scripts_loaded(document: Document) -> tuple[str, ...]:
    """The addresses of the scripts that a page loads, each once, in order; at most
    ten."""
    sources = document.having("src")
    base = document.base_url
    found = (
        absolute(base, sources[number])
        for number in document.by_tag.get("script", [])
        if number in sources
    )
    return tuple(islice(dict.fromkeys(filter(None, found)), _MOST))
