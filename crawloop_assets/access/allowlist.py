"""The allowlist: scheme, host, port and path prefix of everything that may ever be
asked for."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from crawloop_assets.access.address import refusal
from crawloop_assets.errors import ConfigError, NotAllowed
from crawloop_assets.family import Domain, Domains

PORTS = {"http": 80, "https": 443}
MAX_URL = 4_096
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER = re.compile(r"(0x[0-9a-f]*|[0-9]+)")


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

    to: tuple[str, int] | None = None
    private: bool = False


class Allowlist:
    """domains.yaml as a decision.

    `CRAWLOOP_RESOLVE` ("shop.test=127.0.0.1:8700,other.test=127.0.0.1:8701") adds to or
    overrides `resolve:` entries; it decides where a listed host is connected to and
    never adds a host to the list.
    """

    def __init__(self, domains: Domains, environ: Mapping[str, str] = os.environ):
        self.user_agent = domains.user_agent
        overrides = _overrides(environ.get("CRAWLOOP_RESOLVE", ""))
        self._by_origin: dict[tuple[str, str, int], list[Domain]] = {}
        self._routes: dict[tuple[str, int], Route] = {}
        for domain in domains.domains:
            host, port = domain.host.lower(), domain.port or PORTS[domain.scheme]
            if why := _host_refusal(host):
                raise ConfigError(f"host {domain.host!r}: {why}", field="domains.host")
            to = overrides.get(host) or (
                _endpoint(domain.resolve) if domain.resolve else None
            )
            old = self._routes.get((host, port), Route())
            self._routes[host, port] = Route(
                to or old.to, domain.private or old.private
            )
            self._by_origin.setdefault((domain.scheme, host, port), []).append(domain)
        for entries in self._by_origin.values():
            entries.sort(key=lambda entry: -max(len(path) for path in entry.paths))

    def check(self, url: str) -> Domain:
        """The entry that permits this url.

        NotAllowed, with the rule in its `reason`, if none does.
        """
        parts = split(url)
        for domain in self._entries(url, parts):
            if any(_below(parts.path, prefix) for prefix in domain.paths):
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
            entries = self._by_origin.get((scheme, host, port), ())
            if entries and not any("/" in entry.paths for entry in entries):
                return scheme
        return ""

    def route(self, host: str, port: int) -> Route:
        """How to connect to a host.

        A host that is not listed gets no privileges.
        """
        return self._routes.get((host, port), Route())

    def _entries(self, url: str, parts: Parts) -> list[Domain]:
        scheme, host, port, _ = parts
        entries = self._by_origin.get((scheme, host, port))
        if not entries:
            raise NotAllowed(
                url, f"allowlist: {scheme}://{host}:{port} is not in domains.yaml"
            )
        route = self._routes[host, port]
        if (
            _is_address(host)
            and route.to is None
            and (why := refusal(host, private=route.private))
        ):
            raise NotAllowed(url, f"address: {why}")
        return entries


@lru_cache(1_024)  # one fetch asks some six times
def split(url: str) -> Parts:
    """A url in parts, or NotAllowed if two programs might read it as two different
    urls."""
    if len(url) > MAX_URL:
        raise NotAllowed(url[:200], f"url: longer than {MAX_URL} characters")
    if not url.isascii() or _UNSAFE.search(url):
        raise NotAllowed(
            url,
            "url: has spaces, control characters, backslashes or letters that are not ASCII",
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise NotAllowed(url, f"url: {error}") from error
    if parts.scheme not in PORTS:
        raise NotAllowed(url, f"url: scheme {parts.scheme!r} is not http or https")
    if "@" in parts.netloc:
        raise NotAllowed(url, "url: has a user name in it")
    if port == 0 or parts.netloc.endswith(":"):
        raise NotAllowed(url, "url: has an empty port")
    host = parts.hostname or ""
    if why := _host_refusal(host):
        raise NotAllowed(url, f"url: {why}")
    return Parts(parts.scheme, host, port or PORTS[parts.scheme], parts.path or "/")


@lru_cache(4_096)
def _host_refusal(host: str) -> str:
    """Why a host name is not taken, "" if it is: only plain names and addresses written
    in their one usual form."""
    if ":" in host:
        if "%" in host:
            return "address has a zone"
        try:
            return (
                ""
                if str(IPv6Address(host)) == host
                else "address is not written in its usual form"
            )
        except AddressValueError:
            return "not an address"
    if host.endswith("."):
        return "host ends with a dot"
    if not host.isascii() or not _NAME.fullmatch(host) or len(host) > 253:
        return "host is not a plain ASCII name (write an international name as xn--…)"
    if not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return ""
    try:
        return (
            ""
            if str(IPv4Address(host)) == host
            else "address is not written in its usual form"
        )
    except AddressValueError:
        return "address is not written in its usual form"


@lru_cache(4_096)
def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _below(path: str, prefix: str) -> bool:
    """True if the path starts with the prefix both as written and as a server may read
    it."""
    if prefix == "/":
        return True
    if not path.startswith(prefix):
        return False
    if "%" not in path and "/." not in path and "//" not in path:
        return True
    plain = path
    while (decoded := unquote(plain)) != plain:
        plain = decoded
    plain = plain.replace("\\", "/")
    tidy = normpath(plain.split("?")[0].split("#")[0])
    tidy += "/" if plain.endswith("/") else ""
    return tidy.startswith(prefix)


def _overrides(text: str) -> dict[str, tuple[str, int]]:
    pairs = [item.strip().partition("=") for item in text.split(",") if item.strip()]
    return {
        host.strip().lower(): _endpoint(target.strip()) for host, _, target in pairs
    }


def _endpoint(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.strip("[]")
    if not _is_address(host) or not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ConfigError(
            f"{text!r} is not address:port",
            field="resolve",
            hint='write it like "127.0.0.1:8717"',
        )
    return host, int(port)
