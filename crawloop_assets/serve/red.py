"""A red verdict does not wear off: what the same version reads from the same bytes is
held again, whatever has become usual since.

It falls to another version, to other bytes, or to a person who releases the page; and
to a site that says the same again in another refresh, if nothing but the past spoke
against it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.record_signs import RECORD_KEY
from crawloop_assets.page import Verdict
from crawloop_assets.serve.gone import GoneFields
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import HeldReason
from crawloop_assets.store.past import RedPage

_ABOUT_VALUES = frozenset(
    check.value
    for check in CheckName
    if check.blocking and check not in (CheckName.SCHEMA, CheckName.VOTES)
)
"""Checks that judge what was read by what is known. The others say of the same bytes
what they said before, unless the family file is another one now."""

_AGAIN = " (held before: the same page, read by the same version)"

_Identity = tuple[str, str | None, int | None]


@dataclass(frozen=True)
class Excused:
    """What a page is not held for any more: fields proved gone or `accepted` as gone,
    those of which the site has `said_twice` (by url) what they are, "" for rows that it
    twice did not have or has all, and of those that are `as_known` that they were another value;
    of `answered` ones a person has said which kind of evidence is ahead: what is against the
    other values that are believed by that is counted anew."""

    gone: GoneFields = field(default_factory=lambda: GoneFields(()))
    accepted: frozenset[str] = frozenset()
    said_twice: Mapping[str, frozenset[str]] = field(default_factory=dict)
    as_known: Mapping[str, frozenset[str]] = field(default_factory=dict)
    answered: Set[str] = frozenset()

    def lets_go(self, reading: Reading, reason: HeldReason) -> bool:
        """Whether that is so of one thing a page was held for."""
        name, url = reason.field, reading.url
        if reason.check == CheckName.HISTORY and name in self.as_known.get(url, ()):
            return True
        if name in self.answered:
            return True
        if not name and reason.check != CheckName.HISTORY:
            return False
        # What the pages of a batch have together is counted each time.
        gone = self.gone.of(reading) | self.accepted | {RECORD_KEY}
        return name in gone or name in self.said_twice.get(url, ())

    def left(
        self, reading: Reading, reasons: Sequence[HeldReason]
    ) -> tuple[HeldReason, ...]:
        """What else a page was held for. Where a person accepted what is missing of it,
        only errors about other fields are left: what is suspected beside them, or of
        the page as a whole, may be for that."""
        left = tuple(filterfalse(partial(self.lets_go, reading), reasons))
        if self.accepted.isdisjoint(map(attrgetter("field"), reasons)):
            return left
        return tuple(filter(_is_error_of_field, left))


def _is_error_of_field(reason: HeldReason) -> bool:
    """Whether a reason is sure, and about one field."""
    return bool(reason.field) and reason.severity is Severity.ERROR


_NOTHING = Excused()


def still_red(
    readings: list[Reading],
    red: Collection[RedPage],
    excused: Excused = _NOTHING,
) -> list[Reading]:
    """The readings, each with an error if it is what was held when the batch was red.

    Pages that were held only because the batch was are held as long as one of those is
    that made it red. What is `excused` is no error any more, nor is what the pages showed
    together, which is counted anew where all of them are read.
    """
    read = set(map(attrgetter("url"), filter(attrgetter("good"), readings)))
    if read.issuperset(map(attrgetter("url"), red)):
        red = list(map(_of_itself, red))
    now = {_identity(each): each for each in readings if each.good}
    found: dict[_Identity, list[RedPage]] = {}
    for page in red:
        identity = (page.url, page.page_sha256, page.version)
        if identity in now:
            found.setdefault(identity, []).append(
                _but_for(page, now[identity], excused)
            )
    against = {identity: _first(pages) for identity, pages in found.items()}
    culprit = next(filter(None, against.values()), None)
    if culprit is None:
        return readings
    return [_with(reading, against, culprit) for reading in readings]


def _of_itself(page: RedPage) -> RedPage:
    """The page without what it was held for together with others of its batch."""
    reasons = filterfalse(attrgetter("of_batch"), page.reasons)
    return page._replace(reasons=tuple(reasons))


def _but_for(page: RedPage, reading: Reading, excused: Excused) -> RedPage:
    """The page without what it is not held for any more."""
    return page._replace(reasons=excused.left(reading, page.reasons))


def _identity(reading: Reading) -> _Identity:
    """What makes a reading the same again: the url, the bytes, the version."""
    return reading.url, reading.visit.page_sha256, reading.version


def _first(pages: Iterable[RedPage]) -> Finding | None:
    """The first thing that values of a page were held for, None if it was held only
    with its batch."""
    return next(_findings(pages), None)


def _findings(pages: Iterable[RedPage]) -> Iterator[Finding]:
    """What stood against the values of some pages."""
    for page in pages:
        for reason in page.reasons:
            if reason.check in _ABOUT_VALUES:
                yield _finding(reason)


def _finding(reason: HeldReason) -> Finding:
    """A reason of the store as a finding, marked as said again."""
    return Finding(
        check=CheckName(reason.check),
        severity=Severity.ERROR,
        field=reason.field,
        message=reason.message.removesuffix(_AGAIN) + _AGAIN,
        of_batch=reason.of_batch,
    )


def _with(
    reading: Reading, against: dict[_Identity, Finding | None], culprit: Finding
) -> Reading:
    """The reading with what is against it."""
    identity = _identity(reading)
    if identity not in against:
        return reading
    finding = against[identity] or culprit
    return replace(
        reading,
        verdict=Verdict.DRIFT,
        reason=finding.message,
        findings=(finding, *reading.findings),
    )
