"""Urls: one name for one page, and the family it belongs to."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from w3lib.url import safe_url_string

from crawloop_assets.family import Discover, Family

_PORTS = {"http": 80, "https": 443}
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)
_RANGE = re.compile(r"\{(\d{1,9})\.\.(\d{1,9})\}")
# What safe_url_string, which is slow, leaves as it is.
_PLAIN = re.compile(r"https?://[a-z0-9.:-]+(?:[/?][A-Za-z0-9._~/?=&:,;@+-]*)?")
_LONGEST, _SEGMENTS, _PARAMETERS, _REPEATS = 1_000, 16, 16, 3


def normalize(url: str, discover: Discover) -> str:
    """The one spelling of a url: lower-case scheme and host, no default port, no dots
    in the path, one way to escape, parameters in order of their names, no fragment;
    then the family's `normalize` patterns.

    "" if it is no web address.
    """
    plain = _canonical(url)
    for pattern, replacement in discover.normalize:
        plain = re.sub(pattern, replacement, plain)
    return _canonical(plain) if discover.normalize else plain


def wanted(url: str, discover: Discover) -> bool:
    """True if at least one `include` and no `exclude` pattern is found in the url's
    path with its query."""
    text = path(url)
    return _found(discover.include, text) and not _found(discover.exclude, text)


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
        seeds = frozenset(
            normalize(seed, family.discover) for seed in expanded(family.discover)
        )
        named = seeds | {
            normalize(example.url, family.discover) for example in family.examples
        }
        return cls(family.discover, frozenset(filter(None, map(host, named))), seeds)

    def __contains__(self, url: str) -> bool:
        """True if a normalised url is one of the family's pages."""
        if not url or host(url) not in self.hosts:
            return False
        return (
            wanted(url, self.discover) if self.discover.include else url in self.seeds
        )


def expanded(discover: Discover) -> tuple[str, ...]:
    """The seeds as written, with a range such as "?page={1..50}" counted out; at most
    `max_urls`."""
    found: list[str] = []
    for seed in discover.seeds:
        match = _RANGE.search(seed)
        if match is None:
            found.append(seed)
            continue
        numbers = range(int(match[1]), int(match[2]) + 1)[: discover.max_urls]
        found += (
            f"{seed[: match.start()]}{number}{seed[match.end() :]}"
            for number in numbers
        )
    return tuple(found[: discover.max_urls])


def trap(url: str) -> str:
    """Why a url looks made by a machine that never ends, "" if it does not."""
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    if len(url) > _LONGEST:
        return f"trap: longer than {_LONGEST} characters"
    if len(segments) > _SEGMENTS:
        return f"trap: more than {_SEGMENTS} path segments"
    if any(segments.count(segment) >= _REPEATS for segment in set(segments)):
        return f"trap: a path segment {_REPEATS} times"
    if parts.query.count("&") >= _PARAMETERS:
        return f"trap: more than {_PARAMETERS} parameters"
    return ""


def host(url: str) -> str:
    """ "host:port" of a url, "" if it is no web address."""
    parts = _split(url)
    return f"{parts.hostname}:{parts.port or _PORTS[parts.scheme]}" if parts else ""


def alias(url: str, target: str | None, scope: UrlScope) -> tuple[str | None, str]:
    """The url that a page of `url` should be known by, when it names (rel=canonical) or
    redirects for good to `target`.

    (None, "") if it is the same; (None, rule) if the target is not believed: another
    host, or no page of this family.
    """
    other = normalize(urljoin(url, target or ""), scope.discover)
    if not target or other == normalize(url, scope.discover):
        return None, ""
    if host(other) != host(url):
        return (
            None,
            f"canonical: points to another host ({other[:200] or target[:200]})",
        )
    if other not in scope:
        return None, f"canonical: {other[:200]} is no page of this family"
    return other, ""


def _canonical(url: str) -> str:
    parts = _split(url)
    if parts is None:
        return ""
    port = f":{parts.port}" if parts.port not in (None, _PORTS[parts.scheme]) else ""
    name = parts.hostname or ""
    name = f"[{name}]" if ":" in name else name
    query = "&".join(
        sorted(
            (part for part in _escaped(parts.query).split("&") if part), key=_parameter
        )
    )
    return urlunsplit(
        (parts.scheme, name + port, _without_dots(_escaped(parts.path)), query, "")
    )


def _split(url: str) -> SplitResult | None:
    try:
        url = url.strip()
        parts = urlsplit(url if _PLAIN.fullmatch(url) else safe_url_string(url))
        usable = (
            parts.scheme in _PORTS
            and parts.hostname
            and parts.hostname.isascii()
            and parts.port != 0
        )
    except ValueError:
        return None
    return parts if usable and "@" not in parts.netloc else None


def _escaped(text: str) -> str:
    """Escapes in capitals, and none where none is needed, so that one path has one
    spelling."""

    def one(match: re.Match[str]) -> str:
        char = chr(int(match[1], 16))
        return char if char in _UNRESERVED else match[0].upper()

    return _ESCAPE.sub(one, text)


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path or "/"
    ends_open = path.endswith(("/", "/.", "/.."))
    segments: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            segments[-1:] = []
        elif segment != ".":
            segments.append(segment)
    plain = "/" + "/".join(segments)
    return plain if not ends_open or plain.endswith("/") else f"{plain}/"


def _parameter(part: str) -> str:
    # By name only, in a stable sort: the order of values under one name may mean something.
    return part.partition("=")[0]


def path(url: str) -> str:
    """A url's path with its query: what patterns are looked for in."""
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _found(patterns: Iterable[str], text: str) -> bool:
    return any(re.search(pattern, text) for pattern in patterns)
