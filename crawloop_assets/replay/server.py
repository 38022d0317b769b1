"""One redesign of a pack of captured pages, served as it happened: the pages before,
and after a switch those after.

The pages keep their hosts and paths; the scheme is http. A client reaches them with the
name of the host resolved to the port of the server (`CRAWLOOP_RESOLVE`, see
`ReplayServer.resolve`).
"""

import re
import threading
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, repeat
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape

from pydantic import BaseModel

from crawloop_assets.demo.loopback import Reply, listening
from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.gold import Gold, gold_record, page_url, to_learn
from crawloop_assets.eval.pack import Capture, PackFamily, Redesign, load_pack
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.family import Discover
from crawloop_assets.frontier.urls import normalize
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema, schema_of
from crawloop_assets.values.value import Value

_NOT_FOUND = b"<html><body><h1>Not found</h1></body></html>"


@dataclass(frozen=True)
class Snapshot:
    """A captured page and the records known to stand on it.

    `address` is the url it was captured under, to which its relative links belong.
    `gold` has, per field, every value that is right; `in_dom` the share (0..1) of the
    known value that stands verbatim in the page without its scripts.
    """

    id: str
    file: Path
    address: str
    gold: tuple[Gold, ...]
    in_dom: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def records(self) -> tuple[dict[str, Value], ...]:
        """The records as examples: typed JSON values, one per field."""
        return tuple(map(to_learn, self.gold))

    @property
    def body(self) -> bytes:
        """The captured bytes.

        Raises OSError when the file is missing.
        """
        return self.file.read_bytes()

    @property
    def content_type(self) -> str:
        """As a server would say it; the charset is left to the page."""
        return "application/json" if self.file.suffix == ".json" else "text/html"


@dataclass(frozen=True)
class ReplayPage:
    """What one url shows before and after.

    None where it did not exist.
    """

    url: str
    before: Snapshot | None
    after: Snapshot | None

    def shot(self, *, after: bool) -> Snapshot | None:
        """What it shows before or after the switch, None where it is not there."""
        return self.after if after else self.before

    def page(self, *, after: bool) -> Page | None:
        """The page as a fetch would give it."""
        shot = self.shot(after=after)
        if shot is None:
            return None
        headers = {"content-type": shot.content_type}
        return Page(url=self.url, body=shot.body, headers=headers)


@dataclass(frozen=True)
class ReplayFamily:
    """One redesign of one family of a pack."""

    name: str
    kind: Literal["detail", "listing", "document", "json"]
    model: type[BaseModel]
    pages: tuple[ReplayPage, ...]

    @classmethod
    def load(cls, folder: Path, family: str, redesign: int = -1) -> Self:
        """A redesign of a family; -1 is the last, and where a family has none it stays as
        it is.

        Raises ConfigError when there is no such family or redesign. A page of a detail
        family is the same before and after where the pack says so; a listing has other
        records after, but is the same page.
        """
        found = _family_of(folder, family)
        change = _redesign_of(found, redesign)
        model = model_for(found, _fields_shown(found, change))
        pages = tuple(_pages(folder, found, change, schema_of(model)))
        return cls(found.family, found.kind, model, pages)

    @property
    def urls(self) -> tuple[str, ...]:
        """The urls that existed before."""
        return tuple(page.url for page in self.pages if page.before)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of all pages, before and after, each once."""
        shots = chain.from_iterable((page.before, page.after) for page in self.pages)
        addresses = map(attrgetter("address"), filter(None, shots))
        urls = chain(map(attrgetter("url"), self.pages), addresses)
        return tuple(dict.fromkeys(urlsplit(url).netloc for url in urls))

    def known(self, *, after: bool) -> dict[str, tuple[dict[str, Value], ...]]:
        """The true records by url, before or after."""
        shown = self.shown(after=after)
        return {url: shot.records for url, shot in shown.items()}

    def shown(self, *, after: bool) -> dict[str, Snapshot]:
        """The pages that exist before, or after, by url."""
        shots = {page.url: page.shot(after=after) for page in self.pages}
        return {url: shot for url, shot in shots.items() if shot is not None}


def _family_of(folder: Path, family: str) -> PackFamily:
    """A family of the pack by its name; ConfigError, with names like it, if there is
    none."""
    pack = {known.family: known for known in load_pack(folder)}
    if family in pack:
        return pack[family]
    near = [name for name in pack if family.rpartition("/")[2] in name][:5]
    raise ConfigError(
        f"no family {family!r}",
        file=folder / "index.json",
        hint=f"Perhaps: {', '.join(near)}",
    )


def _redesign_of(family: PackFamily, number: int) -> Redesign:
    """A redesign by its number; of a family without any the -1st leaves every page."""
    if number == -1 and not family.redesigns:
        every = tuple(map(attrgetter("id"), family.pages))
        return Redesign(
            before=every, after=every, same_page=tuple(zip(every, every, strict=True))
        )
    try:
        return family.redesigns[number]
    except IndexError:
        many = len(family.redesigns)
        raise ConfigError(
            f"{family.family} has {many} redesign(s), not number {number}",
            field="redesign",
        ) from None


def _fields_shown(family: PackFamily, change: Redesign) -> set[str]:
    """The fields known of the pages of a redesign: other pages of the site may show
    other things."""
    shown = {*change.before, *change.after}
    captures = (capture for capture in family.pages if capture.id in shown)
    records = chain.from_iterable(map(attrgetter("records"), captures))
    return set(chain.from_iterable(records))


def _pages(
    folder: Path, family: PackFamily, change: Redesign, schema: RecordSchema
) -> Iterator[ReplayPage]:
    """Each url of a redesign once, with what it shows before and after."""
    captures = {capture.id: capture for capture in family.pages}

    def shot(name: str | None) -> Snapshot | None:
        """The snapshot of a capture, None for none."""
        if name is None:
            return None
        return _snapshot(folder, captures[name], schema)

    taken: set[str] = set()
    for before, after in _pairs(family.kind, change):
        url = _address(captures[before or after or ""])
        if url not in taken:
            taken.add(url)
            yield ReplayPage(url, shot(before), shot(after))


def _snapshot(folder: Path, capture: Capture, schema: RecordSchema) -> Snapshot:
    """A capture with its gold records; those without a value are left out."""
    url = page_url(capture.url, capture.records)
    golds = [gold_record(record, schema, url) for record in capture.records]
    return Snapshot(
        capture.id,
        folder / capture.file,
        _address(capture),
        tuple(filter(None, golds)),
        capture.in_dom,
    )


def _pairs(kind: str, change: Redesign) -> list[tuple[str | None, str | None]]:
    """Which page before is which page after, None where there is none."""
    pairs: list[tuple[str | None, str | None]] = list(change.same_page)
    before, after = _unpaired(change)
    if kind == "listing":
        # A listing is the same page after, whatever records it has then.
        pairs += zip(before, after, strict=False)
        alike = min(len(before), len(after))
        before, after = before[alike:], after[alike:]
    pairs += zip(before, repeat(None), strict=False)
    pairs += zip(repeat(None), after, strict=False)
    return pairs


def _unpaired(change: Redesign) -> tuple[list[str], list[str]]:
    """The pages before, and those after, that the pack pairs with none."""
    before = _without(change.before, {before for before, _ in change.same_page})
    after = _without(change.after, {after for _, after in change.same_page})
    return before, after


def _without(names: Sequence[str], paired: Set[str]) -> list[str]:
    """The names that are in no pair, in the pack's order."""
    return [name for name in names if name not in paired]


def _address(capture: Capture) -> str:
    """The url the page is served under: its own host and path, in the one spelling a
    crawler asks for."""
    parts = urlsplit(page_url(capture.url, capture.records))
    host = re.sub(r"[^a-z0-9._-]", "-", (parts.hostname or "captured").lower())
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~")
    url = f"http://{host}{path}"
    if parts.query:
        url += f"?{quote(parts.query, safe='/%:@!$&()*+,;=~?')}"
    return normalize(url, Discover()) or url


@dataclass
class ReplayServer:
    """Serves a family on one port, telling its hosts apart by name.

    `hits` counts requests by url.
    """

    family: ReplayFamily
    port: int = 0
    switched: bool = False
    hits: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def served(self) -> Iterator[Self]:
        """Listen on 127.0.0.1 until the block ends."""
        with listening(self.respond, self.port) as self.port:
            yield self

    @property
    def resolve(self) -> str:
        """The value of CRAWLOOP_RESOLVE that leads a client here."""
        return ",".join(f"{host}=127.0.0.1:{self.port}" for host in self.family.hosts)

    def switch(self, *, after: bool = True) -> None:
        """Let the redesign happen (or undo it)."""
        self.switched = after

    def respond(
        self, method: str, target: str, headers: Any, _body: bytes = b""
    ) -> Reply:
        """One request: robots.txt, sitemap.xml and the pages of the host it names."""
        host = headers.get("host", "").lower().removesuffix(f":{self.port}")
        url = target if target.startswith("http://") else f"http://{host}{target}"
        path = urlsplit(url).path
        with self._lock:
            self.hits[url] = self.hits.get(url, 0) + 1
        if method not in ("GET", "HEAD"):
            return Reply(405)
        if path == "/robots.txt":
            return _robots(host)
        if path == "/sitemap.xml":
            urls = self.family.shown(after=self.switched)
            return _sitemap([url for url in urls if urlsplit(url).netloc == host])
        return self._page(url)

    def _page(self, url: str) -> Reply:
        """What a url shows now. A page is also found where it was captured, and a page
        that moved there says so."""
        shown = self.family.shown(after=self.switched)
        shot = shown.get(url)
        if shot is None:
            by_address = {other.address: other for other in reversed(shown.values())}
            shot = by_address.get(url)
        elif shot.address != url:
            # The page moved: its relative links are those of where it is now.
            return Reply(302, b"", {"Location": shot.address})
        if shot is None:
            return Reply(404, _NOT_FOUND, {"Content-Type": "text/html"})
        return Reply(200, shot.body, {"Content-Type": shot.content_type})


def _robots(host: str) -> Reply:
    """A robots.txt that allows all and names the sitemap."""
    sitemap = f"Sitemap: http://{host}/sitemap.xml\n"
    text = f"User-agent: *\nAllow: /\n{sitemap}"
    return Reply(200, text.encode(), {"Content-Type": "text/plain"})


def _sitemap(urls: Sequence[str]) -> Reply:
    """A sitemap of these urls."""
    entries = "".join(f"<url><loc>{escape(url)}</loc></url>" for url in urls)
    text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    return Reply(200, text.encode(), {"Content-Type": "application/xml"})
