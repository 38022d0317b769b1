"""What the batch checks are given of each page, and what they keep of a batch for the
next one."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift.check import CheckModel, Finding, Severity
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.values import is_filled
from crawloop_assets.page import Verdict


class OldCopy(StrEnum):
    """What a cache has kept since before the last refresh: what that got as well, or
    another page."""

    SAME = "same"
    OTHER = "other"


class LeftOutRecord(CheckModel):
    """A record that does not fit the model, the required choices of it that say what the model
    does not know, and what is known of it, None for nothing."""

    choices: frozenset[str]
    known: Mapping[str, Any] | None = None


class PageOutcome(CheckModel):
    """One page of a batch after extraction.

    `called` is the url of another page that it says that it is, None if it says so of
    none; `values` are the typed JSON values of its valid records, `completed` the required
    fields of each that was not valid without the known ones, if any was not, `left_out` those
    that are none, `extraction` all the rest that the
    crawler returned (None if it failed), `findings` those of `judge_page` and of
    crawler faults, `previous` the last known good records of this url, `gone_before` the
    fields of them that an earlier refresh did not find either, `gone_since` those that
    the version which read it was proved without, since no page had them, `unasked` those
    that it was proved to miss and that nobody asked for, `said_before`
    what an earlier refresh read of the page and did not publish, if the site says it
    anew, `against_before` what other kinds of evidence said then of the fields of each
    record, `elsewhere` what other pages of the site say of each of its records, {} of
    those that they say nothing of. `old_copy`: a cache has kept the answer since before
    the last refresh; `was_held`: the page was, then.
    """

    url: str
    called: str | None = None
    verdict: Verdict = Verdict.OK
    version: int | None = None
    page_sha256: str = ""
    extraction: Extraction | None = None
    values: tuple[Mapping[str, Any], ...] = ()
    completed: tuple[frozenset[str], ...] = ()
    left_out: tuple[LeftOutRecord, ...] = ()
    findings: tuple[Finding, ...] = ()
    facts: PageFacts | None = None
    previous: tuple[Mapping[str, Any], ...] = ()
    gone_before: frozenset[str] = frozenset()
    gone_since: frozenset[str] = frozenset()
    unasked: frozenset[str] = frozenset()
    said_before: tuple[Mapping[str, Any], ...] = ()
    against_before: tuple[Mapping[str, Mapping[str, Any]], ...] = ()
    elsewhere: tuple[Mapping[str, Any], ...] = ()
    old_copy: OldCopy | None = None
    was_held: bool = False

    @property
    def read_records(self) -> tuple[ExtractedRecord, ...]:
        """All records the crawler returned, also those that are not valid."""
        if self.extraction is None:
            return ()
        return self.extraction.records

    def completed_at(self, position: int) -> frozenset[str]:
        """The required fields of a record that it was not valid without."""
        return self.completed[position] if self.completed else frozenset()

    @property
    def shown(self) -> int:
        """How many records the page shows, also those that are left out."""
        return len(self.read_records) + len(self.left_out)

    @property
    def errors(self) -> list[Finding]:
        """The findings that hold the page by themselves."""
        return list(filter(_is_error, self.findings))


def _is_error(finding: Finding) -> bool:
    """Whether a finding holds its page."""
    return finding.severity is Severity.ERROR


def valid_records(
    outcomes: Iterable[PageOutcome],
) -> Iterator[tuple[int, PageOutcome, Mapping[str, Any]]]:
    """(position of the page, its outcome, record) for all valid records of a batch."""
    for page, outcome in enumerate(outcomes):
        for record in outcome.values:
            yield page, outcome, record


class FilledValue(NamedTuple):
    """A value of a field, the record that it is of, and the position of its page."""

    page: int
    outcome: PageOutcome
    record: Mapping[str, Any]
    value: Any


def filled_values(outcomes: Iterable[PageOutcome], field: str) -> Iterator[FilledValue]:
    """The values of a field in all valid records of a batch that have one."""
    for page, outcome, record in valid_records(outcomes):
        value = record.get(field)
        if is_filled(value):
            yield FilledValue(page, outcome, record, value)


_GROWN = 0.5
"""A batch that so many new pages join, as a share of the others, is another one."""


class PageCounts(NamedTuple):
    """The pages that were read of a batch: those of which nothing was known, and those
    of which something was."""

    new: int = 0
    known: int = 0

    def outgrow(self, most: int) -> bool:
        """Whether the batch is another one than when it had so many pages at most, so
        that what it offered then says nothing of what it offers now."""
        return self.new > _GROWN * max(self.known, most)


def count_pages(outcomes: Iterable[PageOutcome]) -> PageCounts:
    """How many of the pages that were read are new, and how many are not."""
    is_known = [bool(page.previous) for page in outcomes if page.extraction is not None]
    return PageCounts(is_known.count(False), is_known.count(True))


class Spread(CheckModel):
    """Count and the eleven deciles, from least to most, of a field's magnitudes (log10
    of numbers) or text lengths (log10 of characters)."""

    seen: int
    deciles: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value."""
        return self.deciles[5]


class Trust(StrEnum):
    """Whom a batch teaches what is normal: all batches of its family, only itself in a
    later refresh, or nobody."""

    FULL = "full"
    OWN = "own"
    NONE = "none"


class BatchStats(BaseModel):
    """What a batch looked like; the history of a family is a list of these, oldest
    first.

    `rates` maps "sign:subject" to (times seen, units looked at); `categories` maps a
    categorical trait (currency of the page, winning reader of a field, shape of a text)
    to counts; `groups` maps a repeated group of siblings to (pages on which it was as
    long as the records, pages that have it). `new_pages` are those of which nothing was
    known. `strides` are the greatest steps by which numbers of a field moved, up or down: of
    prices log10 of the ratio, of counts the difference of the square roots. A batch that `drifted` teaches nothing,
    another one whom its `trust` says. `refresh` names the refresh whose pages they are:
    the batches of one do not teach each other, however often they are read again. What
    `is_proof` is no batch: it says how a version read what it was proved on, or is an
    `is_answer`: how often a person said of its pages that something is so. `released` are
    the fields for which all pages of it were held, and that a person took as they are; of a
    proof those that a person taught. `still_shown` are, of one that drifted, those whose known
    values stand on the pages and are not read.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    batch: str = ""
    version: int | None = None
    refresh: str = ""
    drifted: bool = False
    is_proof: bool = False
    is_answer: bool = False
    released: frozenset[str] = frozenset()
    trust: Trust = Trust.FULL
    pages: int = 0
    new_pages: int = 0
    records: int = 0
    verdicts: dict[str, int] = {}
    rates: dict[str, tuple[float, float]] = {}
    numbers: dict[str, Spread] = {}
    lengths: dict[str, Spread] = {}
    distinct: dict[str, float] = {}
    strides: dict[str, float] = {}
    categories: dict[str, dict[str, int]] = {}
    groups: dict[str, tuple[int, int]] = {}
    layouts: tuple[tuple[int, ...], ...] = ()
    still_shown: tuple[str, ...] = ()
