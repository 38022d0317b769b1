"""The allowlist: scheme, host, port and path prefix of everything that may ever be
asked for."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from crawloop_assets.access.address import refusal
from crawloop_assets.errors import ConfigError, NotAllowed
from crawloop_assets.family import Domain, Domains

PORTS = {"http": 80, "https": 443}
_MAX_URL = 4_096  # characters
_MAX_NAME = 253  # characters of a host name, by RFC 1035
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
# What a server may read in another sense than it is written: escapes, dots, "//".
_AMBIGUOUS = re.compile(r"%|/\.|//")
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)")


_Endpoint = tuple[str, int]


class Parts(NamedTuple):
    """A url as far as rules look at it: the port is always there, the path is "/" at
    least."""

    scheme: str
    host: str
    port: int
    path: str


@dataclass(frozen=True)
class Route:
    """How a host is connected to: `to` is a fixed (address, port) or None, `private`
    permits addresses inside."""

    to: _Endpoint | None = None
    private: bool = False


class Allowlist:
    """domains.yaml as a decision.

    `CRAWLOOP_RESOLVE` ("shop.test=127.0.0.1:8700,other.test=127.0.0.1:8701") adds to or
    overrides `resolve:` entries; it decides where a listed host is connected to and
    never adds a host to the list.
    """

    def __init__(self, domains: Domains, environ: Mapping[str, str] = os.environ):
        """ConfigError for a host in a form that no rule takes. CRAWLOOP_RESOLVE of
        `environ` wins over a domain's own `resolve`."""
        self.user_agent = domains.user_agent
        overrides = _overrides(environ.get("CRAWLOOP_RESOLVE", ""))
        self._by_origin: dict[tuple[str, str, int], list[Domain]] = {}
        self._routes: dict[tuple[str, int], Route] = {}
        for domain in domains.domains:
            self._add(domain, overrides)
        for entries in self._by_origin.values():
            entries.sort(key=_longest_prefix, reverse=True)

    def _add(self, domain: Domain, overrides: Mapping[str, _Endpoint]) -> None:
        """Adds one entry; ConfigError for a host in a form that no rule takes."""
        host = domain.host.lower()
        port = domain.port or PORTS[domain.scheme]
        if why := _host_refusal(host):
            raise ConfigError(f"host {domain.host!r}: {why}", field="domains.host")
        to = overrides.get(host)
        if to is None and domain.resolve:
            to = _endpoint(domain.resolve)
        self._share(host, port, Route(to, domain.private))
        self._by_origin.setdefault((domain.scheme, host, port), []).append(domain)

    def _share(self, host: str, port: int, said: Route) -> None:
        """Adds what an entry says of its connection. Entries of one host and port share
        it: what one of them says of it, all say; the last address named wins."""
        old = self._routes.get((host, port), Route())
        private = said.private or old.private
        self._routes[host, port] = Route(said.to or old.to, private)

    def check(self, url: str) -> Domain:
        """The entry that permits this url.

        NotAllowed, with the rule in its `reason`, if none does.
        """
        parts = split(url)
        for domain in self._entries(url, parts):
            if _is_below_any(parts.path, domain.paths):
                return domain
        raise NotAllowed(
            url, f"allowlist: no path prefix of {parts.host} matches {parts.path[:200]}"
        )

    def origin(self, url: str) -> Domain:
        """The entry for this url's scheme, host and port, whatever its path (for
        robots.txt).

        NotAllowed if none.
        """
        return self._entries(url, split(url))[0]

    def host(self, host: str, port: int) -> None:
        """NotAllowed unless some entry names this host and port (for connections whose
        url cannot be seen)."""
        if (host, port) not in self._routes:
            raise NotAllowed(
                f"{host}:{port}", f"allowlist: {host}:{port} is not in domains.yaml"
            )

    def in_part(self, host: str, port: int) -> str:
        """ "http" or "https" if only some paths of this host and port are listed: a
        connection to it, opened by somebody whose urls cannot be seen, has to be looked
        into.

        "" if host and port say it all.
        """
        for scheme in ("https", "http"):
            entries = self._by_origin.get((scheme, host, port))
            if entries and not _is_whole(entries):
                return scheme
        return ""

    def route(self, host: str, port: int) -> Route:
        """How to connect to a host.

        A host that is not listed gets no privileges.
        """
        return self._routes.get((host, port), Route())

    def _entries(self, url: str, parts: Parts) -> list[Domain]:
        """The entries of the url's origin, longest path first; NotAllowed if there are
        none, or if the host is an address that may not be connected to."""
        scheme, host, port, _ = parts
        entries = self._by_origin.get((scheme, host, port))
        if not entries:
            raise NotAllowed(
                url, f"allowlist: {scheme}://{host}:{port} is not in domains.yaml"
            )
        route = self._routes[host, port]
        if _is_address(host) and route.to is None:
            why = refusal(host, private=route.private)
            if why:
                raise NotAllowed(url, f"address: {why}")
        return entries


@lru_cache(1_024)  # one fetch asks some six times
def split(url: str) -> Parts:
    """A url in parts, or NotAllowed if two programs might read it as two different
    urls."""
    _check_text(url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise NotAllowed(url, f"url: {error}") from error
    if why := _url_refusal(parts):
        raise NotAllowed(url, f"url: {why}")
    return Parts(
        scheme=parts.scheme,
        host=parts.hostname or "",
        port=port or PORTS[parts.scheme],
        path=parts.path or "/",
    )


def _check_text(url: str) -> None:
    """NotAllowed for a url that is too long or has a character in it that programs read
    differently, before anything is made of its parts."""
    if len(url) > _MAX_URL:
        raise NotAllowed(url[:200], f"url: longer than {_MAX_URL} characters")
    if not url.isascii() or _UNSAFE.search(url):
        raise NotAllowed(
            url,
            "url: has spaces, control characters, backslashes or letters that are not ASCII",
        )


def _url_refusal(parts: SplitResult) -> str:
    """Why a url is not taken, "" if it is."""
    if parts.scheme not in PORTS:
        return f"scheme {parts.scheme!r} is not http or https"
    if "@" in parts.netloc:
        return "has a user name in it"
    if parts.port == 0 or parts.netloc.endswith(":"):
        return "has an empty port"
    return _host_refusal(parts.hostname or "")


_UNUSUAL = "address is not written in its usual form"


@lru_cache(4_096)
def _host_refusal(host: str) -> str:
    """Why a host name is not taken, "" if it is: only plain names and addresses written
    in their one usual form."""
    if ":" in host:
        return _ipv6_refusal(host)
    if host.endswith("."):
        return "host ends with a dot"
    if not _NAME.fullmatch(host) or len(host) > _MAX_NAME:
        return "host is not a plain ASCII name (write an international name as xn--…)"
    # A name whose last label is a number is read as an address by some programs.
    last_label = host.rpartition(".")[2]
    if _NUMBER.fullmatch(last_label) and not _is_usual_form(host):
        return _UNUSUAL
    return ""


def _ipv6_refusal(host: str) -> str:
    """Why the text between the brackets of a url is no host we take, "" if it is."""
    if "%" in host:
        return "address has a zone"
    if not _is_address(host):
        return "not an address"
    return "" if _is_usual_form(host) else _UNUSUAL


def _is_usual_form(address: str) -> bool:
    """True for an address in the one spelling that all programs read alike."""
    return _is_address(address) and str(ip_address(address)) == address


@lru_cache(4_096)
def _is_address(host: str) -> bool:
    """True for an IPv4 or IPv6 address, False for a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _longest_prefix(domain: Domain) -> int:
    """Sorts entries of one origin: the characters of the longest path."""
    return max(map(len, domain.paths))


def _is_whole(entries: Sequence[Domain]) -> bool:
    """True if entries permit every path between them."""
    return any("/" in entry.paths for entry in entries)


def _is_below_any(path: str, prefixes: Sequence[str]) -> bool:
    """True if the path is one of the prefixes or below one."""
    return any(_is_below(path, prefix) for prefix in prefixes)


def _is_below(path: str, prefix: str) -> bool:
    """True if the path starts with the prefix both as written and as a server may read
    it."""
    if prefix == "/":
        return True
    if not path.startswith(prefix):
        return False
    if not _AMBIGUOUS.search(path):
        return True
    return _as_served(path).startswith(prefix)


def _as_served(path: str) -> str:
    """A path as a server may read it: unescaped to the end, without dots and double
    slashes."""
    plain = path
    while (decoded := unquote(plain)) != plain:
        plain = decoded
    plain = plain.replace("\\", "/")
    tidy = normpath(plain.split("?")[0].split("#")[0])
    return f"{tidy}/" if plain.endswith("/") else tidy


def _overrides(text: str) -> dict[str, _Endpoint]:
    """Where hosts are connected to, as CRAWLOOP_RESOLVE says."""
    overrides = {}
    for item in filter(None, map(str.strip, text.split(","))):
        host, _, target = item.partition("=")
        overrides[host.strip().lower()] = _endpoint(target.strip())
    return overrides


def _endpoint(text: str) -> _Endpoint:
    """Address and port of "127.0.0.1:8717"; ConfigError if it is none."""
    host, _, port = text.rpartition(":")
    host = host.strip("[]")
    if not _is_address(host) or not _is_port(port):
        raise ConfigError(
            f"{text!r} is not address:port",
            field="resolve",
            hint='write it like "127.0.0.1:8717"',
        )
    return host, int(port)


def _is_port(text: str) -> bool:
    """True for plain digits from 1 to 65535."""
    return text.isdecimal() and 0 < int(text) < 65_536
