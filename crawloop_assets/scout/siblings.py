"""Addresses of one layout: the pattern they share, and those of a page that fit it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import filterfalse, islice
from operator import itemgetter, methodcaller
from urllib.parse import parse_qsl, urlsplit

from crawloop_assets.induce.listing.texts import shared_end, shared_start

_MOST_LINKS = 5_000
_FEWEST = 2
_ANY, _ANY_WITH_QUERY, _DIGITS = r"[^/?]+", r"[^/]+", r"\d+"
_WORD_ENDS = "/?=_.-"
_ENDING = re.compile(r"\.[^.]*$")
_QUERY = re.compile(r"\?")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPLIT = methodcaller("split", "/")
_MOST_EXCLUDED = 20
_LONGEST = 600


def path_of(url: str) -> str:
    """What patterns are looked for in: the path with its query."""
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def site_address(url: str) -> str:
    """Scheme, host and port; "" for what is no address."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def is_front_page(url: str) -> bool:
    """Whether an address is that of a site itself."""
    return path_of(url) in ("", "/")


def pattern_of(urls: Sequence[str]) -> str:
    """A pattern that the paths of some addresses fit, and as little else as can be but
    those of other years; "" where they have no more in common than that they are
    addresses."""
    paths = sorted(set(map(path_of, urls)))
    if len(paths) == 1:
        return f"^{re.escape(paths[0])}$"
    rows = list(map(_SPLIT, paths))
    if len(set(map(len, rows))) > 1:
        return _by_start(paths)
    columns = zip(*rows, strict=True)
    segments = "/".join(map(_segment, columns))
    return f"^{segments}$" if paths else ""


def _by_start(paths: Sequence[str]) -> str:
    """The pattern of paths that differ in depth: what they begin with, up to a
    slash."""
    start = shared_start(paths).rpartition("/")[0]
    return f"^{_shared(start)}/." if start else ""


def _shared(text: str) -> str:
    """What all of some paths have, as a pattern: pages of next year have another year."""
    return _YEAR.sub(r"\\d{4}", re.escape(text))


def _segment(values: Sequence[str]) -> str:
    """What one segment of the paths may be: digits, or anything, between what all of
    them begin and end with."""
    if len(set(values)) == 1:
        return _shared(values[0])
    start = shared_start(values)
    start = start[: 1 + max(map(start.rfind, _WORD_ENDS))]
    end = _ENDING.search(shared_end(values))
    last = end[0] if end else ""
    middle = {value[len(start) : len(value) - len(last)] for value in values}
    inner = _DIGITS if all(map(str.isdecimal, middle)) else _ANY
    if any(map(_QUERY.search, middle)):
        inner = _ANY_WITH_QUERY
    return f"{_shared(start)}{inner}{re.escape(last)}"


def address_shape(url: str) -> tuple[str, ...]:
    """What addresses of one layout have in common: how deep they are, what they begin
    with, how they end, and the names of their parameters."""
    parts = urlsplit(url)
    _, *segments = ("", *parts.path.split("/"))
    keys = sorted(map(itemgetter(0), parse_qsl(parts.query)))
    ending = segments[-1].rpartition(".")
    folder = "".join(segments[1:-1][:1])
    return (str(len(segments)), folder, ending[1] and ending[2], *keys)


def siblings_of(url: str, links: Iterable[str]) -> tuple[str, ...]:
    """The links of a page that have its own shape and site, each once, in order."""
    near = filter(partial(_is_like, url), islice(links, _MOST_LINKS))
    found = dict.fromkeys(near)
    found.pop(url, None)
    return tuple(found)


def _is_like(url: str, link: str) -> bool:
    """Whether a link is one of the same site and shape."""
    is_near = site_address(link) == site_address(url) and len(link) < _LONGEST
    return is_near and address_shape(link) == address_shape(url)


def of_one_layout(urls: Iterable[str], site: str) -> tuple[str, ...]:
    """The largest part of some addresses that has one shape, on a site."""
    by_shape: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for url in filter(partial(_is_on, site), dict.fromkeys(urls)):
        by_shape[address_shape(url)].append(url)
    best = max(by_shape.values(), key=len, default=[])
    return tuple(best[len(best) < _FEWEST :])


def _is_on(site: str, url: str) -> bool:
    """Whether an address is of a site, and not made up by a machine."""
    return site_address(url) == site and len(url) < _LONGEST


def others_in(pattern: str, links: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """Patterns of single links that fit a pattern and are none of the wanted pages, at
    most twenty."""
    known = set(map(path_of, wanted))
    paths = dict.fromkeys(map(path_of, islice(links, _MOST_LINKS)))
    fitting = filter(re.compile(pattern).search, paths)
    others = islice(filterfalse(known.__contains__, fitting), _MOST_EXCLUDED)
    return list(map("^{}$".format, map(re.escape, others)))
