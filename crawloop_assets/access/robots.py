"""robots.txt, obeyed: asked for once per site and hour, shared by all processes of one
machine."""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import cached_property, lru_cache
from pathlib import Path

from protego import Protego
from pydantic import BaseModel, ConfigDict, ValidationError

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.limiter import file_name, try_lock
from crawloop_assets.access.waits import LONGEST_DELAY_S, within
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.errors import NotAllowed, Transient
from crawloop_assets.project import replace_whole

# A good answer serves for so long, and one that could not be had is asked for again
# after so long.
TTL_S = 3_600.0
RETRY_S = 60.0
# After so long a good answer that could not be renewed is not trusted any more.
_KEEP_S = 30 * 86_400.0
_POLL_S = 0.05
# One asks and the others wait for it: a turn, a minute for the answer, and some more.
_ASKING_S = 300.0
_WILD = re.compile(r"[*$]")
_MOST_TRIED = 20
"""Lines that may be the one that refuses a url."""


class Copy(BaseModel):
    """What is known of one site's robots.txt.

    Times are seconds since the epoch, 0 for never. `text` is the last good answer
    ("" if there is none, which allows all), `problem` why the last try failed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    good_at: float = 0.0
    tried_at: float = 0.0
    problem: str = ""

    def is_fresh(self, now: float) -> bool:
        """True if there is no need to ask again yet.

        A time in the future (a clock set back) is not trusted.
        """
        lasts_s = RETRY_S if self.problem else TTL_S
        return 0 <= now - self.tried_at < lasts_s

    def failed(self, problem: str) -> "Copy":
        """What is known after a try that failed: as much as before."""
        return self.model_copy(update={"tried_at": time.time(), "problem": problem})

    def is_usable(self, now: float) -> bool:
        """True if there is a good answer that is not too old."""
        return self.good_at > 0 and now - self.good_at < _KEEP_S


class Rules:
    """One site's rules for one user agent."""

    def __init__(self, text: str, agent: str):
        """`agent` is the user agent that the rules are asked for."""
        self._text, self._agent = text, agent
        self._robots = Protego.parse(text)

    def check(self, url: str) -> None:
        """NotAllowed, naming the line, if the url is disallowed, also if only as some
        servers read it."""
        for reading in WebUrl.of(url).readings:
            if not self._robots.can_fetch(reading, self._agent):
                raise NotAllowed(url, f"robots.txt: {self._line(reading)}")

    def check_delay(self, url: str) -> None:
        """NotAllowed if the site wants more time between two requests than any run
        keeps: it does not want to be crawled."""
        if self.interval_s > LONGEST_DELAY_S:
            raise NotAllowed(
                url,
                f"robots.txt: {self.interval_s:g} s between two requests, "
                f"more than {LONGEST_DELAY_S:g}",
            )

    @cached_property
    def interval_s(self) -> float:
        """Least seconds between two requests: the larger of Crawl-delay and Request-
        rate, 0 if neither is given."""
        delay = self._robots.crawl_delay(self._agent) or 0.0
        rate = self._robots.request_rate(self._agent)
        return max(delay, rate.seconds / rate.requests if rate else 0.0)

    @cached_property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps it names."""
        return tuple(self._robots.sitemaps)

    def _line(self, url: str) -> str:
        """The longest Disallow line that alone refuses this url to this agent, as far as
        it is found among the first: each try reads the whole file."""
        about = sorted(self._lines_about(url), key=len, reverse=True)
        for line in about[:_MOST_TRIED]:
            if not self._only(line).can_fetch(url, self._agent):
                return line
        return "disallowed"

    def _lines_about(self, url: str) -> Iterator[str]:
        """Disallow lines that refuse this url to somebody. Most are ruled out by how
        their path begins, which is much cheaper than to read a rule."""
        path = url[url.find("/", url.find("://") + 3) :]
        for start, line in self._disallows:
            if path.startswith(start) and not _lone_rule(line).can_fetch(url, "*"):
                yield line

    @cached_property
    def _lines(self) -> tuple[str, ...]:
        """All lines without their comments."""
        lines = self._text.splitlines()
        return tuple(line.split("#")[0].strip() for line in lines)

    @cached_property
    def _disallows(self) -> tuple[tuple[str, str], ...]:
        """How a path that a line may refuse begins, and the line."""
        disallows = []
        for line in dict.fromkeys(self._lines):
            if line[:8].lower() == "disallow":
                pattern = line.partition(":")[2].strip()
                disallows.append((_WILD.split(pattern)[0], line))
        return tuple(disallows)

    def _only(self, rule: str) -> Protego:
        """The same file with its groups and this one rule."""
        lines: list[str] = []
        for line in filter(None, self._lines):
            # Other rules still end a row of user agents, so their place is held by one
            # that forbids nothing.
            is_needed = line == rule or _is_agent(line)
            needed = line if is_needed else "Crawl-delay: 0"
            if not lines or lines[-1] != needed:
                lines.append(needed)
        return Protego.parse("\n".join(lines))


class Robots:
    """`ask` fetches a robots.txt: Transient if it could not, NotAllowed if the site is
    off the list."""

    def __init__(self, folder: Path, ask: Callable[[str], Awaitable[HttpAnswer]]):
        """`folder` is made if it is missing; all processes that name it share the
        copies."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._ask = folder, ask
        self._copies: dict[str, Copy] = {}
        self._rules: dict[tuple[str, str], tuple[Copy, Rules]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def rules(self, origin: str, agent: str) -> Rules:
        """The rules of "https://host:port" for an agent. Transient if they are unknown: then nothing may be fetched."""
        copy = await self._copy(origin)
        _check_known(copy, origin)
        known = self._rules.get((origin, agent))
        if known is None or known[0] is not copy:
            known = self._rules[origin, agent] = (copy, Rules(copy.text, agent))
        return known[1]

    async def _copy(self, origin: str) -> Copy:
        """A fresh copy for an origin. Of all who want one, in this process and others,
        one asks and the others read what it wrote."""
        copy = self._copies.get(origin)
        if copy is not None and copy.is_fresh(time.time()):
            return copy
        lock = self._locks.setdefault(origin, asyncio.Lock())
        url = f"{origin}/robots.txt"
        async with within(_ASKING_S, url, "robots.txt"), lock, self._alone(origin):
            copy = self._read(origin)
            if not copy.is_fresh(time.time()):
                copy = await self._fetch(origin, copy)
                self._write(origin, copy)
            self._copies[origin] = copy
        return copy

    async def _fetch(self, origin: str, old: Copy) -> Copy:
        """A new copy, or the old one with the problem that kept us from it."""
        try:
            answer = await self._ask(f"{origin}/robots.txt")
        except Transient as error:
            return old.failed(error.reason)
        if problem := _problem(answer):
            return old.failed(problem)
        text = ""
        if answer.status < 300:
            text = answer.body.decode("utf-8", "replace").removeprefix("\ufeff")
        now = time.time()
        return Copy(text=text, good_at=now, tried_at=now)

    def _read(self, origin: str) -> Copy:
        """The stored copy; an empty one, never fresh, if there is none or it is
        damaged."""
        try:
            return Copy.model_validate_json(self._file(origin, "json").read_bytes())
        except (OSError, ValidationError):
            return Copy()

    def _write(self, origin: str, copy: Copy) -> None:
        """Stores a copy in one step, so that no process reads half of it."""
        replace_whole(self._file(origin, "json"), copy.model_dump_json())

    def _file(self, origin: str, kind: str) -> Path:
        """The file of an origin: "json" for the copy, else for the lock."""
        return self._folder / f"{file_name(origin)}.{kind}"

    @asynccontextmanager
    async def _alone(self, origin: str) -> AsyncIterator[None]:
        """One process at a time asks; the lock ends with the process that holds it."""
        handle = os.open(
            self._file(origin, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            while not try_lock(handle):
                await asyncio.sleep(_POLL_S)
            yield
        finally:
            os.close(handle)


def _check_known(copy: Copy, origin: str) -> None:
    """Transient, with the time of the next try, for a copy that is too old while there
    is a reason why no newer one could be got."""
    if copy.is_usable(time.time()) or not copy.problem:
        return
    retry = max(1.0, copy.tried_at + RETRY_S - time.time())
    raise Transient(
        f"{origin}/robots.txt",
        f"robots.txt: unknown ({copy.problem})",
        retry_after=retry,
    )


def _problem(answer: HttpAnswer) -> str:
    """Why an answer says nothing of a site's rules, "" if it does."""
    if answer.too_large:
        return "too large"
    # 429 asks for patience; that a busy site has no rules may not be read out of it.
    if answer.status >= 500 or answer.status == 429:
        return f"status {answer.status}"
    return ""


@lru_cache(1_024)
def _lone_rule(line: str) -> Protego:
    """A robots.txt of this one line, for all agents."""
    return Protego.parse(f"User-agent: *\n{line}")


def _is_agent(line: str) -> bool:
    """True for a line that names an agent, in any of the spellings crawlers accept."""
    return line.lower().replace(" ", "-").startswith(("user-agent", "useragent"))
