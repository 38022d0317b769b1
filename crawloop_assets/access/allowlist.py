"""The allowlist: scheme, host, port and path prefix of everything that may ever be
asked for."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crawloop_assets.access.address import refusal
from crawloop_assets.access.web_url import PORTS, WebUrl, host_refusal, is_ip
from crawloop_assets.errors import ConfigError, NotAllowed
from crawloop_assets.family import Domain, Domains

_Endpoint = tuple[str, int]


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
        if why := host_refusal(host):
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

        NotAllowed, with the rule in its `reason`, if none does. Where only some paths
        are listed, none is permitted that a server may read in another way.
        """
        asked = WebUrl.of(url)
        for domain in self._entries(asked):
            if "/" in domain.paths:
                return domain
            if asked.path.startswith(domain.paths) and not asked.doubt:
                return domain
        shown = f"{asked.host} matches {asked.path[:200]}"
        why = f", which has {asked.doubt} in it" if asked.doubt else ""
        raise NotAllowed(url, f"allowlist: no path prefix of {shown}{why}")

    def origin(self, url: str) -> Domain:
        """The entry for this url's scheme, host and port, whatever its path (for
        robots.txt).

        NotAllowed if none.
        """
        return self._entries(WebUrl.of(url))[0]

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

    def _entries(self, url: WebUrl) -> list[Domain]:
        """The entries of the url's origin, longest path first; NotAllowed if there are
        none, or if the host is an address that may not be connected to."""
        host = url.host
        entries = self._by_origin.get((url.scheme, host, url.port))
        if not entries:
            raise NotAllowed(url, f"allowlist: {url.origin} is not in domains.yaml")
        route = self._routes[host, url.port]
        if is_ip(host) and route.to is None:
            why = refusal(host, private=route.private)
            if why:
                raise NotAllowed(url, f"address: {why}")
        return entries


def _longest_prefix(domain: Domain) -> int:
    """Sorts entries of one origin: the characters of the longest path."""
    return max(map(len, domain.paths))


def _is_whole(entries: Sequence[Domain]) -> bool:
    """True if entries permit every path between them."""
    return any("/" in entry.paths for entry in entries)


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
    if not is_ip(host) or not _is_port(port):
        raise ConfigError(
            f"{text!r} is not address:port",
            field="resolve",
            hint='write it like "127.0.0.1:8717"',
        )
    return host, int(port)


def _is_port(text: str) -> bool:
    """True for plain digits from 1 to 65535."""
    return text.isdecimal() and 0 < int(text) < 65_536
