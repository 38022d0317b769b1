"""Strategies to get a page: what a rung of the ladder does, and the two that need
nothing but a client."""

import os
from dataclasses import dataclass
from typing import Protocol

from crawloop_assets.access.client import Client
from crawloop_assets.access.exchange import HttpAnswer, HttpRequest
from crawloop_assets.access.gate import Gate, site
from crawloop_assets.access.walk import Trip, Via, Walker
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Access, Domain


@dataclass(frozen=True)
class FetchJob:
    """One url to get.

    `accept` are texts one of which a real page has; `scope` is the family for which the
    rung that wins is remembered.
    """

    request: HttpRequest
    domain: Domain
    access: Access
    accept: tuple[str, ...] = ()
    scope: str = ""

    @property
    def key(self) -> str:
        """What winners are kept by: a family may need a browser where its neighbour
        does not."""
        return f"{site(self.request.url)} {self.scope}"


class Strategy(Protocol):
    """One rung."""

    def missing(self, domain: Domain) -> str:
        """What this rung lacks to be used for a domain, "" if it is ready."""

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """One attempt.

        NotAllowed, Transient or Blocked; ConfigError for what the operator has to put
        right.
        """

    async def aclose(self) -> None:
        """Let go of everything held."""


class Plain:
    """One request, as it is."""

    def __init__(self, walker: Walker, gate: Gate, client: Client):
        """`gate` is passed by every hop, `client` sends."""
        self._walker, self._gate, self._client = walker, gate, client

    def missing(self, domain: Domain) -> str:
        """ "": a plain request needs nothing."""
        return ""

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page, by one request and its redirects."""
        return await self._walker.walk(job.request, Via(self._client), self._gate, trip)

    async def aclose(self) -> None:
        """The client is the fetcher's."""


class Bypass(Plain):
    """With the header that was agreed with the site's owner."""

    def missing(self, domain: Domain) -> str:
        """Why the rung cannot be climbed: no header was agreed; "" if one was."""
        return "" if domain.bypass else "bypass: none in domains.yaml"

    async def get(self, job: FetchJob, trip: Trip) -> HttpAnswer:
        """The page, asked for with the agreed header; its value comes from the
        environment and is sent to the page's own host only."""
        bypass = job.domain.bypass
        assert bypass is not None
        headers = {bypass.header.lower(): secret(bypass.value_env, "bypass.value_env")}
        return await self._walker.walk(
            job.request, Via(self._client, headers), self._gate, trip
        )


def secret(name: str, field: str) -> str:
    """The value of an environment variable named in domains.yaml; ConfigError if it is
    not set."""
    value = os.environ.get(name, "")
    if not value:
        raise ConfigError(
            f"environment variable {name} is not set",
            file="domains.yaml",
            field=f"domains.{field}",
        )
    return value
