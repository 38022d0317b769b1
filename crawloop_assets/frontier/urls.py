"""Urls: one name for one page, and the family it belongs to."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from w3lib.url import safe_url_string

from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.document.links import absolute
from crawloop_assets.errors import NotAllowed
from crawloop_assets.family import Discover, Family
from crawloop_assets.pattern.judge import searched
from crawloop_assets.written import URL_POWER

_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)
_RANGE = re.compile(r"\{(\d{1,9})\.\.(\d{1,9})\}")
# What safe_url_string, which is slow, leaves as it is.
_PLAIN = re.compile(r"https?://[a-z0-9.:-]+(?:[/?][A-Za-z0-9._~/?=&:,;@+-]*)?")
# The most that a url may have before it is taken for one that a machine makes up
# without end: characters, path segments, times of the same segment, parameters.
_TRAPS = (
    (1_000, "longer than 1000 characters"),
    (16, "more than 16 path segments"),
    (2, "a path segment 3 times"),
    (16, "more than 16 parameters"),
)


def normalize(url: str, discover: Discover) -> str:
    """The one spelling of a url: lower-case scheme and host, no default port, no dots
    in the path, one way to escape, parameters in order of their names, no fragment;
    then the family's `normalize` patterns.

    "" if it is no web address.
    """
    plain = _canonical(url)
    if not discover.normalize:
        return plain
    for pattern, replacement in discover.normalize:
        plain = re.sub(pattern, replacement, plain)
    return _canonical(plain)


def wanted(url: str, discover: Discover) -> bool:
    """True if at least one `include` and no `exclude` pattern is found in the url's
    path with its query."""
    is_included = _any_matches(discover.include, path(url))
    return is_included and not excluded(url, discover)


def excluded(url: str, discover: Discover) -> bool:
    """True if an `exclude` pattern is found in the url's path with its query."""
    return _any_matches(discover.exclude, path(url))


@dataclass(frozen=True)
class UrlScope:
    """What is a family's: urls on the hosts ("host:port") of its seeds and examples
    that match its patterns; without `include`, its seeds themselves."""

    discover: Discover
    hosts: frozenset[str]
    seeds: frozenset[str]

    @classmethod
    def of(cls, family: Family) -> "UrlScope":
        """The scope of a family."""
        discover = family.discover
        seeds = frozenset(normalize(seed, discover) for seed in expanded(discover))
        examples = {normalize(example.url, discover) for example in family.examples}
        hosts = frozenset(map(host, seeds | examples)) - {""}
        return cls(discover, hosts, seeds)

    def __contains__(self, url: str) -> bool:
        """True if a normalised url is one of the family's pages."""
        if host(url) not in self.hosts:
            return False
        if self.discover.include:
            return wanted(url, self.discover)
        return url in self.seeds


def expanded(discover: Discover) -> tuple[str, ...]:
    """The seeds as written, with a range such as "?page={1..50}" counted out; at most
    `max_urls`."""
    seeds: list[str] = []
    for seed in discover.seeds:
        match = _RANGE.search(seed)
        if match is None:
            seeds.append(seed)
            continue
        before, after = seed[: match.start()], seed[match.end() :]
        numbers = range(int(match[1]), int(match[2]) + 1)
        for number in numbers[: discover.max_urls]:
            seeds.append(f"{before}{number}{after}")
    return tuple(seeds[: discover.max_urls])


def trap(url: str) -> str:
    """Why a url looks made by a machine that never ends, "" if it does not."""
    parts = urlsplit(url)
    segments = list(filter(None, parts.path.split("/")))
    repeats = max(map(segments.count, set(segments)), default=0)
    parameters = parts.query.count("&") + 1
    measured = (len(url), len(segments), repeats, parameters)
    for size, (most, rule) in zip(measured, _TRAPS, strict=True):
        if size > most:
            return f"trap: {rule}"
    return ""


def host(url: str) -> str:
    """ "host:port" of a url, "" if it is no web address."""
    sent = _sent(url)
    return "" if sent is None else f"{sent.host}:{sent.port}"


def alias(url: str, target: str | None, scope: UrlScope) -> tuple[str | None, str]:
    """The url that a page of `url` should be known by, when it names (rel=canonical) or
    redirects for good to `target`.

    (None, "") if it is the same; (None, rule) if the target is not believed: another
    host, or no page of this family.
    """
    if not target:
        return None, ""
    other = normalize(absolute(url, target) or "", scope.discover)
    if other == normalize(url, scope.discover):
        return None, ""
    if rule := _disbelief(url, other, scope):
        shown = (other or target)[:200]
        return None, rule.format(shown)
    return other, ""


def _disbelief(url: str, other: str, scope: UrlScope) -> str:
    """Why a page of `url` cannot be known by another url, "" if it can."""
    if host(other) != host(url):
        return "canonical: points to another host ({})"
    if other not in scope:
        return "canonical: {} is no page of this family"
    return ""


def _canonical(url: str) -> str:
    """The one spelling of a url, "" if it is no web address."""
    sent = _sent(url)
    if sent is None:
        return ""
    path, _, query = _escaped(sent.target).partition("?")
    whole = f"{sent.removesuffix(sent.target)}{path}"
    return f"{whole}?{ordered}" if (ordered := _sorted_query(query)) else whole


def _sorted_query(query: str) -> str:
    """A query with its parameters in order of their names."""
    parameters = filter(None, query.split("&"))
    return "&".join(sorted(parameters, key=_parameter_name))


def _parameter_name(parameter: str) -> str:
    """What is before the first "="."""
    # By name only, in a stable sort: the order of values under one name may mean
    # something.
    return parameter.partition("=")[0]


def _sent(url: str) -> WebUrl | None:
    """A url as it would be asked for, None if it is no web address. It is escaped more
    than browsers do, so that a page keeps the name it was stored by."""
    url = url.strip()
    try:
        return WebUrl.of(url if _PLAIN.fullmatch(url) else safe_url_string(url))
    except (NotAllowed, ValueError):
        return None


def _escaped(text: str) -> str:
    """Escapes in capitals, and none where none is needed, so that one path has one
    spelling."""
    return _ESCAPE.sub(_usual_escape, text)


def _usual_escape(match: re.Match[str]) -> str:
    """An escape in capitals, or the character if it needs none."""
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else match[0].upper()


def path(url: str) -> str:
    """A url's path with its query: what patterns are looked for in."""
    parts = urlsplit(url)
    if not parts.query:
        return parts.path
    return f"{parts.path}?{parts.query}"


def _any_matches(patterns: Iterable[str], text: str) -> bool:
    """True if at least one pattern is found anywhere in a text."""
    return any(searched(pattern, URL_POWER).search(text) for pattern in patterns)
