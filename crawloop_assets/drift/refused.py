"""Known values of rows of lists that are refused, or not read: the readers of the field
contradict each other, and none of what they say is believed; or none of them says
anything, and the known value still stands in the row. And known values of any record
that its version was proved to miss, of fields that nobody asked for; or of which the page
says what no reader knows.

Such a value is not gone, since something is read where it was, or it is there. The known
one stands, marked, beside what is fresh of its row, for as long as that is so; and where
it cannot stand there the row waits. So does a record of which nothing is known, where no
reader knows what its page says of a flag: what its model has for that nobody said.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord
from crawloop_assets.drift.changes import has_rows
from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.drift.kept import Compared, KeptRecord, Merging
from crawloop_assets.drift.matching import Record, by_key, key_of
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import disagrees, losing_value
from crawloop_assets.drift.sales import is_sale_over
from crawloop_assets.drift.unread_rows import is_unread, unread_in
from crawloop_assets.schema import FieldSpec


class RefusedRow(NamedTuple):
    """A row with a known value that is refused or not read: its page (by url), its position there,
    how it may be served (None if it may not), and what is to be said of it."""

    url: str
    position: int
    record: KeptRecord | None
    finding: Finding


@dataclass(frozen=True)
class RefusedRows(Merging):
    """Finds the rows of lists of a batch with known values that are refused."""

    pages: Sequence[PageOutcome]

    @cached_property
    def rows(self) -> Sequence[RefusedRow]:
        """All of them, in the order in which they were read."""
        return tuple(chain.from_iterable(map(self._of_page, self.pages)))

    def _of_page(self, page: PageOutcome) -> Iterator[RefusedRow]:
        """Those of a page; of one record what is gone is asked of the page, but for what
        nobody asked for. What may be another record keeps none of that."""
        if len(page.values) != len(page.read_records):
            return
        read = zip(page.values, page.read_records, strict=True)
        for position, (new, record) in enumerate(read):
            old = self._old(new, page)
            then = self._compared(old or {}, new)
            if not record.unknown_fields <= then.before:
                finding = _finding(sorted(record.unknown_fields), [], then.old, record)
                yield RefusedRow(page.url, position, None, finding)
            if old is None:
                continue
            refused, unread = self._in_row(then, record, page)
            unasked = self._unasked(then, page)
            found = self._merged(frozenset((*refused, *unread, *unasked)), then)
            if refused or unread or (unasked and found is not None):
                finding = _finding(refused, unread or unasked, old, record)
                yield RefusedRow(page.url, position, found, finding)

    def _old(self, new: Record, page: PageOutcome) -> Record | None:
        """What is known of a record, None for nothing."""
        if has_rows(page):
            return self._known.get(key_of(new, self._key))
        return next(iter(page.previous), None)

    def _in_row(
        self, then: Compared, read: ExtractedRecord, page: PageOutcome
    ) -> tuple[list[str], list[str]]:
        """The fields of a row of a list that are refused, and that stand there unread; of
        one record those of which its page says what no reader knows."""
        refused = self._refused(then, read, page)
        if not has_rows(page):
            return list(filter(read.unknown_fields.__contains__, refused)), []
        return refused, self._unread(then, page)

    @cached_property
    def _known(self) -> Mapping[Hashable, Record]:
        """The known rows by key: they wander between the pages of a list."""
        known = map(attrgetter("previous"), self.pages)
        return by_key(chain.from_iterable(known), self._key)

    def _refused(
        self, then: Compared, read: ExtractedRecord, page: PageOutcome
    ) -> list[str]:
        """The known fields that nothing is believed of, though several readers say
        something, or what none of them knows, and that are not gone for a reason."""
        least = self.family.drift.min_agreement
        return [
            spec.name
            for spec in self._missing(then, page)
            if (vote := read.votes.get(spec.name)) is not None
            and (vote.unknown or (vote.rivals and disagrees(vote, least)))
        ]

    def _unread(self, then: Compared, page: PageOutcome) -> list[str]:
        """The known fields of which nothing is read, though the known value still
        stands in the row."""
        forms = unread_in(page, then.new)
        return [
            spec.name
            for spec in self._missing(then, page)
            if is_unread(then.old[spec.name], spec, forms)
        ]

    def _unasked(self, then: Compared, page: PageOutcome) -> list[str]:
        """The known fields without a value that nobody asked for, of which the version
        was proved to read nothing: it says nothing of whether they are gone."""
        names = map(attrgetter("name"), self._missing(then, page))
        return list(filter(page.unasked.__contains__, names))

    def _missing(self, then: Compared, page: PageOutcome) -> Iterator[FieldSpec]:
        """The known fields without a value that are not gone for a reason."""
        gone = page.gone_since.union(self.family.drift.gone)
        for spec in self.schema.fields:
            is_missing = spec.name in then.before - then.now - gone
            if is_missing and not is_sale_over(spec, then.old, then.new):
                yield spec


def kept_beside(
    refused: Iterable[RefusedRow], held: Collection[str]
) -> dict[str, dict[int, KeptRecord]]:
    """Url -> the rows of it, by position, that are served with a known value; none of
    pages that are held."""
    found: defaultdict[str, dict[int, KeptRecord]] = defaultdict(dict)
    for row in refused:
        if row.record is not None and row.url not in held:
            found[row.url][row.position] = row.record
    return dict(found)


def with_waiting(
    waiting: Mapping[str, WaitingRows], refused: Iterable[RefusedRow]
) -> dict[str, WaitingRows]:
    """The rows that wait, and those that may not be served."""
    found = dict(waiting)
    for row in refused:
        if row.record is not None:
            continue
        held = found.get(row.url, WaitingRows(rows=frozenset(), findings=()))
        found[row.url] = WaitingRows(
            rows=held.rows | {row.position},
            findings=tuple(dict.fromkeys((*held.findings, row.finding))),
        )
    return found


def _finding(
    refused: Sequence[str], unread: Sequence[str], old: Record, read: ExtractedRecord
) -> Finding:
    """Why a row waits, where it does."""
    vote = read.votes[refused[0]] if refused else NO_VOTE
    if vote.unknown:
        said = f'a reader knows what "{vote.unknown}" says of {refused[0]}'
        nothing = f"a reader finds {refused[0]} there, as on other pages"
        why = f"{nothing if vote.silent else said}: crawloop teach"
        return _waiting(CheckName.COVERAGE, refused[0], why, old, vote.unknown)
    if refused:
        against = show(losing_value(vote))
        why = f"the readers of {refused[0]} agree"
        return _waiting(CheckName.VOTES, refused[0], why, old, against)
    why = f"{unread[0]} is read: its known value stands in the row"
    return _waiting(CheckName.COVERAGE, unread[0], why, old, "nothing")


def _waiting(
    check: CheckName, field: str, until: str, old: Record, got: str
) -> Finding:
    """A row that waits for something."""
    return Finding(
        check=check,
        severity=Severity.WARN,
        field=field,
        message=f"waits until {until}",
        expected=show(old.get(field)),
        got=got,
    )
