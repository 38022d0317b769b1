"""Where a published row comes from, or one value of it: gathered from the store, and
read again from the stored page in a worker."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import filterfalse
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.trace import FieldTrace, ReaderTrace
from crawloop_assets.drift.check import CheckResult
from crawloop_assets.errors import (
    ConfigError,
    CrawlerFault,
    PageTooLarge,
)
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Explained, ExplainJob, WorkerPool
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerVersion, Explanation, PageVersion, Store

_MOST_CHARS = 300
_MOST_TEXTS = 5
About = tuple[str, str]


@dataclass(frozen=True)
class ExplainedRow:
    """A row with its lineage, and what a worker saw on its stored page.

    `source` and `crawler` are the document and the version that its values (or the one
    asked for) are of. Without `seen`, `trouble` says why.
    """

    row: Explanation
    field: str = ""
    source: PageVersion | None = None
    crawler: CrawlerVersion | None = None
    seen: Explained | None = None
    trouble: str = ""

    @property
    def fields(self) -> tuple[FieldTrace, ...]:
        """How the fields were read, as far as that can be seen."""
        if self.seen is None:
            return ()
        return tuple(filterfalse(self._is_url, self.seen.record.fields))

    def _is_url(self, field: FieldTrace) -> bool:
        """Whether a value is the page's address, which nothing reads."""
        return field.value is None and self.row.values.get(field.name) == self.row.url

    def facts(self) -> Iterator[About]:
        """What is to be said of the row, in the order in which it is asked."""
        yield "record", self.row.key
        yield from self._page_facts()
        yield from self._state_facts()
        yield from _check_facts(self.row)
        if self.field:
            yield "value", one_line(self.row.values.get(self.field))
            yield from _history_facts(self.row, self.field)
        if self.trouble:
            yield "not shown", self.trouble

    def _page_facts(self) -> Iterator[About]:
        """The document, how it was fetched, and by what it was read."""
        yield "page", self.row.url
        page = self.source
        if page is not None:
            rung = f" over {page.rung}" if page.rung else ""
            times = f"{page.fetches} time(s), last {minute(page.last_fetched_at)}"
            yield (
                "fetched",
                f"{minute(page.first_fetched_at)}{rung}, status {page.status}; {times}",
            )
            yield "stored as", f"{page.sha256} ({page.size:,} bytes)"
        crawler = self.crawler
        if crawler is not None:
            promoted = (
                f", promoted {minute(crawler.promoted_at)}"
                if crawler.promoted_at
                else ""
            )
            yield (
                "read by",
                f"v{crawler.version} ({crawler.status.value}{promoted}): {crawler.reason}",
            )
        yield "run", f"{self.row.run_id}, batch {self.row.batch}"

    def _state_facts(self) -> Iterator[About]:
        """Who serves it, and whether it is of the last refresh."""
        row = self.row
        yield "served by", row.served_by.value
        yield (
            "verified",
            f"{minute(row.verified_at)}; values last changed {minute(row.changed_at)}",
        )
        if row.stale_since:
            yield (
                "stale since",
                f"{minute(row.stale_since)}: {row.stale_why or 'it could not be read again'}",
            )
        if row.suspect:
            yield "in doubt", row.suspect
        for name, since in row.kept.items():
            if self.field in ("", name):
                last = minute(since) if since else "never: nothing is known of it yet"
                yield (
                    f"kept: {name}",
                    f"an earlier value, last found on its page {last}",
                )

    def as_json(self) -> dict[str, Any]:
        """Everything, for programs; without the page."""
        return {
            "family_key": self.row.key,
            "url": self.row.url,
            "facts": [{"about": about, "says": says} for about, says in self.facts()],
            "values": {self.field: self.row.values.get(self.field)}
            if self.field
            else dict(self.row.values),
            "fields": [one.model_dump(mode="json") for one in self.fields],
            "history": self._history(),
            "checks": [check.model_dump(mode="json") for check in self.row.checks],
            "trouble": self.trouble,
        }

    def _history(self) -> list[dict[str, Any]]:
        """Every change of the values that were asked for."""
        names = [self.field] if self.field else list(self.row.values)
        return [
            {
                "field": name,
                "at": change.changed_at.isoformat(),
                "from": before,
                "to": change.values.get(name),
                "version": change.version,
                "run": change.run_id,
            }
            for name in names
            for change, before in self.row.history(name)
        ]


@dataclass(frozen=True)
class Explainer:
    """Explains the rows of one family."""

    family: Family
    store: Store
    pool: WorkerPool = field(repr=False)

    def rows(self, name: str, field: str = "") -> list[ExplainedRow]:
        """The rows published under a key or a url; ConfigError if there is none, or no
        such field."""
        known = self.family.model().model_fields
        if field and field not in known:
            raise ConfigError(
                f"{self.family.family} has no field {field!r}",
                hint=f"fields: {', '.join(known)}",
            )
        found = self.store.explain(self.family, name)
        if not found:
            raise ConfigError(
                f"{self.family.family} has no published row {name!r}",
                hint="give its key or its url, as they are in the table; `crawloop why URL` says what became of a page",
            )
        return [self._explained(row, field) for row in found]

    def _explained(self, row: Explanation, field: str) -> ExplainedRow:
        """One row, with what a worker sees on its page."""
        version, sha256 = row.read_from(field)
        crawler = row.crawlers.get(version or 0)
        source = next((page for page in row.pages if page.sha256 == sha256), None)
        base = ExplainedRow(row, field, source, crawler)
        trouble = self._missing(base)
        if trouble or source is None or crawler is None:
            return ExplainedRow(row, field, source, crawler, trouble=trouble)
        known = dict(row.values)
        job = ExplainJob(
            page=page_of(self.store, source),
            program=as_program(crawler).to_json(),
            known=known,
            field=field,
        )
        try:
            return ExplainedRow(row, field, source, crawler, self.pool.run(job))
        except (CrawlerFault, PageTooLarge) as error:
            return ExplainedRow(row, field, source, crawler, trouble=str(error))

    def _missing(self, of: ExplainedRow) -> str:
        """What is not there any more that would be needed to read the page again."""
        if of.crawler is None:
            return f"the values are no crawler's: served by {of.row.served_by.value}"
        if of.source is None or not self.store.bodies.has(of.source.sha256):
            return "the page is no longer kept"
        return ""


def page_of(store: Store, stored: PageVersion) -> Page:
    """A stored document; StoreFailed where its bytes cannot be read."""
    return Page(
        url=stored.url,
        final_url=stored.final_url or "",
        status=stored.status or 200,
        headers=dict(stored.headers),
        body=store.bodies.get(stored.sha256),
        fetched_at=stored.first_fetched_at,
    )


def reader_says(reader: ReaderTrace) -> Iterator[str]:
    """What one reader read and made of it, a line each."""
    yield f"found: {_in_line(reader.texts)}"
    for step in reader.steps:
        yield f"{step.says}: {_in_line(step.texts)}"
    yield f"votes for: {one_line(reader.value)}"


def _in_line(texts: Sequence[str]) -> str:
    """The first texts in one line."""
    more = f" | … ({len(texts)})" if len(texts) > _MOST_TEXTS else ""
    return " | ".join(map(one_line, texts[:_MOST_TEXTS])) + more or "nothing"


def votes_say(field: FieldTrace) -> str:
    """How a field was voted on, by kinds of evidence."""
    said = [
        f"{kind.value} {weight:g} ({count} reader(s)): {one_line(value)}"
        for kind, value, weight, count in field.says_by_kind()
    ]
    vote = field.vote
    head = (
        f"agreement {vote.agreement:.2f}, {vote.live_readers} of {vote.readers} readers"
    )
    if vote.otherwise:
        said.append(
            f"the program expects {vote.otherwise[0]}, the page writes {vote.otherwise[1]}"
        )
    return "\n".join([head, *said])


def one_line(value: Any) -> str:
    """A value in one short line."""
    if value is None:
        return "nothing"
    text = (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False, default=str)
    )
    line = "".join(char if char.isprintable() else " " for char in text)
    return line if len(line) <= _MOST_CHARS else f"{line[:_MOST_CHARS]}…"


def minute(moment: datetime | None) -> str:
    """A moment to the minute."""
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def _check_facts(row: Explanation) -> Iterator[About]:
    """The checks of the commit that wrote the row and of the last one of its batch:
    those that failed, and what they showed of this page; what holds the page now."""
    for when, checks in (("", row.checks), (" since", row.checks_now)):
        failed = list(filterfalse(attrgetter("passed"), checks))
        if checks:
            passed = f"{len(checks) - len(failed)} of {len(checks)} passed"
            yield f"checks{when}", f"{passed} in batch {row.batch}"
        for check in failed:
            yield f"check {check.name.value}", "\n".join(_check_says(check, row.url))
    for held in row.held:
        why = "; ".join(map(str, held.reasons))
        yield "held now", f"{why} (`crawloop quarantine show {held.id}`)"


def _check_says(check: CheckResult, url: str) -> Iterator[str]:
    """What a check says, and what it showed of one page."""
    yield check.sentence
    for one in check.examples:
        if one.url == url:
            about = f"{one.field}: " if one.field else ""
            yield f"{about}expected {one_line(one.expected)}, got {one_line(one.got)}"


def _history_facts(row: Explanation, field: str) -> Iterator[About]:
    """Every change of a value, oldest first."""
    for change, before in row.history(field):
        version = f"v{change.version}" if change.version else change.served_by.value
        became = one_line(change.values.get(field))
        says = f"{one_line(before)} → {became}" if before is not None else became
        yield (
            f"{minute(change.changed_at)}",
            f"{change.state.value} by {version}: {says}",
        )
