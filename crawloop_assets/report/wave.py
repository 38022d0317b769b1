"""A heal wave from its first red batch to what was decided, in words and as a page."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from crawloop_assets.access.chromium.picture import pictures_of
from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.check import what_to_do
from crawloop_assets.errors import CrawlerFault, PageTooLarge, StoreFailed
from crawloop_assets.family import Family
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.report.audited import said_of_event
from crawloop_assets.report.explained import About, minute, one_line, page_of
from crawloop_assets.report.html import (
    facts_html,
    frame_html,
    heading_html,
    lines_html,
    note_html,
    page_html,
    pictures_html,
    table_html,
    write_page,
)
from crawloop_assets.report.programs import program_changes
from crawloop_assets.report.shelf import Reports, wave_address
from crawloop_assets.sandbox import ExplainJob, WorkerPool
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import AuditKind, CrawlerVersion, PageVersion, Store
from crawloop_assets.store.waves import ValuesChange, WaveHistory

_MOST_ROWS = 50
_NO_PAGE = (CrawlerFault, PageTooLarge, StoreFailed)


@dataclass(frozen=True)
class WaveReport:
    """A wave; `shown` has a page before and after by what it is called, with the places
    that its version reads, and `pictures` how it looked, where there is a browser."""

    history: WaveHistory
    shown: Mapping[str, str] = field(default_factory=dict)
    pictures: Sequence[bytes] = ()

    def facts(self) -> Iterator[About]:
        """What to do, and what happened in its order."""
        history, wave = self.history, self.history.wave
        yield "family", wave.family
        yield "what to do", self.to_do()
        yield "began", minute(wave.began_at)
        yield "red", f"{len(wave.batches)} batch(es): {', '.join(sorted(wave.batches))}"
        for check, (sentence, batches) in self._why_red().items():
            yield f"check {check}", f"{sentence} (in {batches} batch(es))"
        for event in history.events:
            said = said_of_event(event.detail, _SAID_BEFORE)
            what = event.kind.value.replace("_", " ")
            yield minute(event.created_at), f"{what}: {said}" if said else what
        yield (
            "kept",
            "The last good rows stayed in the table, marked stale, until they could be read again.",
        )
        if history.made:
            yield (
                "made",
                f"v{history.made.version}, now {history.made.status.value}: {history.made.reason}",
            )
        yield "cost", self.cost()

    def cost(self) -> str:
        """What models were asked in the wave, and what that cost."""
        calls = self.history.calls
        if not calls:
            return "$0: no model was asked"
        usd = sum((call.usd or 0.0) for call in calls)
        return f"${usd:.4f} for {len(calls)} model call(s)"

    def to_do(self) -> str:
        """What is left for a person."""
        if not self._kinds & _ENDED:
            return (
                "Nothing yet: a heal is under way, and ends green or in a question to you. "
                "This page is written again when it has ended."
            )
        if not self.is_left:
            return "Nothing, if the records below are right."
        if AuditKind.QUESTION_ASKED in self._kinds or self.history.made:
            return f"It waits for you: crawloop inbox {self.history.wave.family}"
        checks = set(map(attrgetter("check"), self.history.findings))
        return " ".join(sorted(map(what_to_do, checks))) or "Wait until it has ended."

    @property
    def is_left(self) -> bool:
        """Whether the wave has ended and is left to a person."""
        made = self.history.made
        return bool(self._kinds & _ENDED) and not (made and made.promoted_at)

    @property
    def _kinds(self) -> set[AuditKind]:
        """What happened in the wave."""
        return set(map(attrgetter("kind"), self.history.events))

    def _why_red(self) -> dict[str, tuple[str, int]]:
        """Each failed check with its first sentence, and in how many batches."""
        found: dict[str, tuple[str, int]] = {}
        for one in self.history.findings:
            sentence, count = found.get(one.check, (one.sentence, 0))
            found[one.check] = (sentence, count + 1)
        return found

    def program_says(self) -> list[str]:
        """What the new version does otherwise."""
        made, before = self.history.made, self.history.before
        if made is None:
            return ["No version was made."]
        old = as_program(before) if before else None
        return list(program_changes(old, as_program(made)))

    def records(self) -> list[tuple[str, str, str, str, str]]:
        """Every value that is another one since: key, field, before, after, state."""
        return [
            (change.key, name, one_line(before), one_line(after), change.state.value)
            for change in self.history.changes
            for name, before, after in differences(change)
        ]

    def as_json(self) -> dict[str, Any]:
        """Everything but the pages, for programs."""
        history = self.history
        return {
            "wave": history.wave.id,
            "family": history.wave.family,
            "facts": [{"about": about, "says": says} for about, says in self.facts()],
            "version": history.made.version if history.made else None,
            "previous": history.before.version if history.before else None,
            "program": self.program_says(),
            "records": [dict(zip(_RECORD, row, strict=True)) for row in self.records()],
            "score_sheet": history.made.score_sheet if history.made else None,
            "usd": sum((call.usd or 0.0) for call in history.calls),
            "calls": len(history.calls),
        }

    def as_html(self) -> str:
        """The page."""
        title = f"{self.history.wave.family}: heal wave {self.history.wave.id}"
        return page_html(
            title, f"began {minute(self.history.wave.began_at)}", self._parts()
        )

    def _parts(self) -> Iterator[str]:
        """The parts of the page."""
        yield heading_html("What happened")
        yield facts_html(self.facts())
        if self.pictures:
            yield heading_html("The page before and after, without its scripts")
            yield pictures_html(self.pictures)
        for name, shown in self.shown.items():
            yield heading_html(name)
            yield frame_html(shown)
        yield heading_html("What the new version does otherwise")
        yield lines_html(self.program_says())
        yield from _proof(self.history.made)
        rows = self.records()
        yield heading_html(f"Records: {len(rows)} value(s) are others than before")
        if rows:
            yield table_html(_RECORD, rows[:_MOST_ROWS])
        if len(rows) > _MOST_ROWS:
            yield note_html(
                f"and {len(rows) - _MOST_ROWS} more: crawloop report --json has all"
            )


_ENDED = frozenset(
    (AuditKind.HEAL_FINISHED, AuditKind.HEAL_FAILED, AuditKind.QUESTION_ASKED)
)
_SAID_BEFORE = ("wave", "batches", "signs")
"""What the page says above."""
_RECORD = ("record", "field", "before", "after", "state")
_SCORES = ("field", "readers", "right", "wrong", "silent", "agreement", "why")


def differences(change: ValuesChange) -> Iterator[tuple[str, Any, Any]]:
    """The fields that a change made others, each before and after."""
    for name in dict.fromkeys((*change.before, *change.after)):
        before, after = change.before.get(name), change.after.get(name)
        if before != after:
            yield name, before, after


def wave_report(
    store: Store, pool: WorkerPool, family: Family, wave: str
) -> WaveReport:
    """The report of a wave, with a page of it before and after where both are kept."""
    history = store.waves.history(family, wave)
    url, pages = _before_and_after(store, history)
    versions = (history.before, history.made or history.before)
    names = ("Before, as {} reads it: {}", "After, as {} reads it: {}")
    shown = {
        name.format(_name(version), url): _shown(store, pool, page, version)
        for name, page, version in zip(names, pages, versions, strict=False)
    }
    return WaveReport(history, shown)


def with_pictures(report: WaveReport, store: Store) -> WaveReport:
    """The report with pictures of its page, which a browser takes seconds for."""
    _, pages = _before_and_after(store, report.history)
    texts = [_text(store, page) for page in pages]
    return replace(report, pictures=pictures_of(list(filter(None, texts))))


def write_last_wave(store: Store, pool: WorkerPool, family: Family) -> str:
    """Write the report of a family's last wave; where the UI shows it, "" if there was
    none or the disk refuses: a report holds up no run. Pictures are for who has to decide
    something: a wave that heals by itself waits for no browser."""
    waves = store.waves.known(family.family)
    if not waves:
        return ""
    wave = waves[-1].id
    report = wave_report(store, pool, family, wave)
    if report.is_left:
        report = with_pictures(report, store)
    text = report.as_html()
    shelf = Reports(store.var)
    with suppress(OSError):
        write_page(shelf.of_last_wave(family.family), text)
        write_page(shelf.of_wave(family.family, wave), text)
        return wave_address(family.family, wave)
    return ""


def _before_and_after(
    store: Store, history: WaveHistory
) -> tuple[str, Sequence[PageVersion]]:
    """The first page that was red and is kept in both forms: its url and both of them;
    none if there is none."""
    for url, after in history.drifted:
        shown = store.page_versions(history.wave.family, url)[url]
        pages = {one.sha256: one for one in shown}
        kept = list(filter(store.bodies.has, pages))
        earlier = kept[: kept.index(after)] if after in kept else []
        if earlier:
            return url, (pages[earlier[-1]], pages[after])
    return "", ()


def _text(store: Store, page: PageVersion) -> str:
    """A stored page as it came, "" if it cannot be had."""
    with suppress(*_NO_PAGE):
        return page_of(store, page).text
    return ""


def _name(version: CrawlerVersion | None) -> str:
    """A version by its number."""
    return "nobody" if version is None else f"v{version.version}"


def _shown(
    store: Store, pool: WorkerPool, page: PageVersion, version: CrawlerVersion | None
) -> str:
    """A stored page with the places that a version reads."""
    program = Program(fields=()) if version is None else as_program(version)
    try:
        read = page_of(store, page)
        return pool.run(ExplainJob(page=read, program=program.to_json())).shown
    except _NO_PAGE:
        return "<p>This page cannot be shown.</p>"


def _proof(made: CrawlerVersion | None) -> Iterator[str]:
    """The score sheet of the new version."""
    if made is None or made.score_sheet is None:
        return
    sheet = ScoreSheet.model_validate(made.score_sheet)
    yield heading_html("What it had to prove")
    yield note_html(
        f"{sheet.reason}; {sheet.pages} page(s), {sheet.records} known record(s)"
    )
    yield table_html(
        _SCORES,
        [
            (
                one.field,
                one.readers,
                one.right,
                one.wrong,
                one.silent,
                f"{one.agreement:.2f}",
                one.reason,
            )
            for one in sheet.fields
        ],
    )
