"""Leave to fetch a site: the lines that domains.yaml gains before scout asks it for
anything."""

import ipaddress
import re
from urllib.parse import urlsplit

import yaml

from crawloop_assets.access.allowlist import Allowlist
from crawloop_assets.domain import Domains
from crawloop_assets.errors import ConfigError, NotAllowed
from crawloop_assets.project import Project

_LIST = re.compile(r"^domains:[ \t]*+(\[[ \t]*+\])?[ \t]*+(#.*)?$", re.M)
_ITEM = re.compile(r"^([ \t]*+)- ", re.M)
_OWN_MACHINE_RPS = 20
_BY_HAND = "add the host to domains.yaml by hand"


def missing_domain(project: Project, url: str) -> str:
    """The text that domains.yaml would have with the host of a url; "" if it may be
    asked already.

    ConfigError for a url that is none, or that a listed host does not allow.
    """
    domains = project.load_domains()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"{url!r} is no web address", hint="http://… or https://…")
    try:
        Allowlist(domains).check(url)
    except NotAllowed as error:
        if parts.hostname in {listed.host for listed in domains.domains}:
            raise ConfigError(
                f"domains.yaml does not allow {url}: {error.reason}",
                file=project.domains,
            ) from error
        return _with_host(project, domains, _entry(url))
    return ""


def _entry(url: str) -> dict[str, object]:
    """The site of a url as an entry of domains.yaml; one's own machine may be asked
    faster, and is private."""
    parts = urlsplit(url)
    entry: dict[str, object] = {"host": parts.hostname}
    if parts.scheme == "http":
        entry["scheme"] = "http"
    if parts.port:
        entry["port"] = parts.port
    if _is_own_machine(str(parts.hostname)):
        entry |= {"private": True, "max_rps": _OWN_MACHINE_RPS}
    return entry


def _is_own_machine(host: str) -> bool:
    """Whether a host is this machine by its very name."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _with_host(project: Project, domains: Domains, entry: dict[str, object]) -> str:
    """The text of domains.yaml with one entry more, all else as it is written."""
    text = "domains: []\n"
    if project.domains.exists():
        text = project.domains.read_text(encoding="utf-8")
    place = _LIST.search(text)
    if place is None:
        raise ConfigError("has no list of domains", file=project.domains, hint=_BY_HAND)
    rest = text[place.end() :]
    item = _ITEM.search(rest) if domains.domains else None
    indent = item[1] if item else "  "
    lines = yaml.safe_dump(entry, sort_keys=False).splitlines()
    added = [f"{indent}- {lines[0]}", *(f"{indent}  {line}" for line in lines[1:])]
    changed = "\n".join([f"{text[: place.start()]}domains:", *added]) + rest
    _check(project, changed, len(domains.domains) + 1)
    return changed


def _check(project: Project, text: str, count: int) -> None:
    """ConfigError unless a text says what it should: nothing is written that cannot be
    read again."""
    try:
        read = Domains.model_validate(yaml.safe_load(text))
    except (yaml.YAMLError, ValueError) as error:
        raise ConfigError(
            "cannot be added to", file=project.domains, hint=_BY_HAND
        ) from error
    if len(read.domains) != count:
        raise ConfigError("cannot be added to", file=project.domains, hint=_BY_HAND)
