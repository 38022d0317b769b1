"""Pages fetched but not committed yet, so that the run after a killed one does not ask
for them again."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.errors import StoreFailed
from crawloop_assets.family import Rung
from crawloop_assets.page import Page, Verdict
from crawloop_assets.store import FrontierUrl, Store

LIFE = timedelta(hours=1)
_MOMENT, _TOGETHER = 0.25, 64


class Line(BaseModel):
    """One fetched page; its bytes lie with all others under `sha256`, None for an
    answer of 304. `refresh` is the one it was fetched for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    fetched_at: AwareDatetime
    sha256: str | None = None
    status: int | None = None
    headers: dict[str, str] = {}
    redirects: tuple[str, ...] = ()
    permanent_redirect: bool = False
    rung: Rung = Rung.PLAIN
    refresh: str = ""


def lines_of(raw: bytes) -> Iterator[Line]:
    """The lines of a journal; one that was cut, or is none, is left out."""
    for text in raw.splitlines():
        with suppress(ValidationError):
            yield Line.model_validate_json(text)


class Journal:
    """One family's journal, a file of JSON lines.

    A torn line costs that line; a lost journal costs requests.
    """

    def __init__(self, store: Store, slug: str, refresh: str = ""):
        """`refresh` names what the run belongs to. What another one has fetched was the
        site's answer then, and is not now."""
        self._bodies, self._refresh = store.bodies, refresh
        self._file = store.var / "journal" / f"{slug}.jsonl"

    def add(self, *fetched: Fetched) -> None:
        """Note fetched pages (their bodies are stored first) and 304s.

        StoreFailed when the disk refuses.
        """
        good = [one for one in fetched if one.verdict is Verdict.OK]
        self._bodies.put_all(
            {one.page.sha256: one.page.body for one in good if one.page}
        )
        if good:
            _append(
                self._file,
                "".join(map(self._line, good)).encode(),
            )

    @cached_property
    def left(self) -> dict[str, Line]:
        """What `read` finds at first: what earlier runs left.

        What this run adds it need not read again every batch.
        """
        return self.read()

    def read(self) -> dict[str, Line]:
        """The last line of each url that is young enough to be worth anything."""
        try:
            raw = self._file.read_bytes()
        except OSError:
            return {}
        oldest = datetime.now(UTC) - LIFE
        return {line.url: line for line in lines_of(raw) if line.fetched_at >= oldest}

    def fetched(self, url: FrontierUrl, lines: Mapping[str, Line]) -> Fetched | None:
        """What a killed run of this refresh fetched of a url after it was last
        committed, None if nothing."""
        line = lines.get(url.url)
        if line is None or not self._counts(line, url):
            return None
        facts: dict[str, Any] = line.model_dump(
            exclude={"sha256", "headers", "refresh"}
        )
        if line.sha256 is None:
            return Fetched(
                verdict=Verdict.OK, reason="not modified", not_modified=True, **facts
            )
        try:
            body = self._bodies.get(line.sha256)
        except StoreFailed:
            return None
        page = Page(
            url=line.url,
            final_url=(line.url, *line.redirects)[-1],
            status=line.status or 200,
            headers=line.headers,
            body=body,
            fetched_at=line.fetched_at,
        )
        return Fetched(
            verdict=Verdict.OK,
            reason="fetched by a run that was killed",
            page=page,
            **facts,
        )

    def _counts(self, line: Line, url: FrontierUrl) -> bool:
        """Whether what was fetched is an answer to this refresh.

        Of a page that was never committed anything that young is news.
        """
        if url.fetched_at is None:
            return True
        return line.refresh == self._refresh and line.fetched_at > url.fetched_at

    def _line(self, fetched: Fetched) -> str:
        """A fetched page as a line of the journal."""
        line = Line(
            url=fetched.url,
            fetched_at=fetched.fetched_at,
            sha256=fetched.page.sha256 if fetched.page else None,
            status=fetched.status,
            headers=fetched.page.headers if fetched.page else {},
            redirects=fetched.redirects,
            permanent_redirect=fetched.permanent_redirect,
            rung=fetched.rung,
            refresh=self._refresh,
        )
        return f"{line.model_dump_json()}\n"

    def close(self) -> None:
        """A run came to its end: all it fetched is committed."""
        self._file.unlink(missing_ok=True)


class Notes:
    """Writes a journal from asyncio, in a thread, as fast as the disk takes it: a few
    pages together, or what came within a moment.

    A killed run loses no more than that, and those pages are asked for again.
    """

    def __init__(self, journal: Journal):
        self._journal = journal
        self._waiting: list[Fetched] = []
        self._writer: asyncio.Task[None] | None = None
        self._enough, self._ended = asyncio.Event(), False

    def add(self, fetched: Fetched) -> None:
        """Have it noted soon.

        StoreFailed if the disk refused an earlier one.
        """
        self._waiting.append(fetched)
        if len(self._waiting) >= _TOGETHER:
            self._enough.set()
        if self._writer is None or self._writer.done():
            if self._writer is not None:
                self._writer.result()
            self._writer = asyncio.create_task(self._write())

    async def written(self) -> None:
        """No more will be added: wait until all is written.

        StoreFailed when the disk refuses.
        """
        self._ended = True
        self._enough.set()
        if self._writer is not None:
            await self._writer

    async def _write(self) -> None:
        """Write what waits, many at a time."""
        while self._waiting:
            if len(self._waiting) < _TOGETHER and not self._ended:
                self._enough.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._enough.wait(), _MOMENT)
            now, self._waiting = self._waiting[:_TOGETHER], self._waiting[_TOGETHER:]
            await asyncio.to_thread(self._journal.add, *now)


def _append(file: Path, lines: bytes) -> None:
    """Write lines to the end of a file in one call, so that no reader sees half of one."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(
            file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            os.write(handle, lines)
        finally:
            os.close(handle)
    except OSError as error:
        raise StoreFailed(
            f"cannot note a page in {file}: {error.strerror or error}"
        ) from error
