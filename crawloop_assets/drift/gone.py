"""Known values that are not read any more: gone for a reason, gone for good, or lost.

A sale that ends takes the former price with it. What two refreshes found gone is gone
(of rows of lists see `gone_rows`), and what a heal has proved to be on no page any
more, where the page says so once more.
Anything else that was known and is nothing now, on a page that is read well otherwise,
may be a reader's fault as well: the page is held, so that its known row stays.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.extraction import NO_VOTE
from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.changes import RecordPair, record_pairs
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.gone_rows import GoneRows
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sales import is_sale_over
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.still_there import is_still_there
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.drift.values import EMPTY, is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema

_FEW = 2
_MINORITY = 0.3
"""Where more pages lose a field, and a larger share, the statistic decides."""

_ABSENT = (
    *(Sign.LOST, Sign.VANISHED, Sign.UNREAD),
    *(Sign.MISSING, Sign.SCARCE, Sign.MOVED, Sign.EMPTIED),
)
"""Signs that a value is not there."""
_ABSENT_FROM_ROWS = (Sign.LOST, Sign.VANISHED, Sign.MISSING, Sign.SCARCE)
"""Those that a row without a value shows."""


def assess_losses(
    schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
) -> Iterator[Assessment]:
    """A suspicion for each field that few pages lost by themselves; it holds them, and
    is no drift.

    Of pages of one record a steady one; of lists any that all rows of a page lost: a
    row that lacks a value is judged with all the others. A version without a past is no
    excuse: what a wave has proved gone is said of its pages, and one that was made for
    a changed schema has read none of them.
    """
    rows = GoneRows(schema, family, pages)
    for spec in schema.fields:
        if spec.required or spec.name in family.drift.gone:
            continue
        known, lost = rows.pages_with(spec), rows.swept(spec)
        if is_steady(spec, family):
            alone = [at for at, page in enumerate(pages) if _is_known(page, spec)]
            known += alone
            is_lost = partial(_is_lost, schema, spec)
            lost += [at for at in alone if is_lost(pages[at])]
        if lost:
            misread = [at for at in lost if _is_misread(spec, pages[at])]
            yield _loss(spec.name, lost, len(known), misread, pages)


def assess_gone(
    schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
) -> Iterator[Assessment]:
    """Says once of each field that the site no longer has it: the known values it
    takes along are known no more after this."""
    if not any(map(attrgetter("gone_since"), pages)):
        return
    pairs = record_pairs(schema, family, pages)
    for spec in schema.fields:
        hits = [
            Hit(page, old[spec.name], "nothing")
            for page, old, new in pairs
            if _is_taken_along(spec, old, new, pages[page])
        ]
        if hits:
            yield Assessment(
                check=CheckName.COVERAGE,
                passed=False,
                severity=Severity.WARN,
                observed=float(len(hits)),
                threshold=0.0,
                sentence=f"{spec.name} is gone from the site: {len(hits)} known values "
                "of it are on no page, and a healed version was proved without it",
                hits=tuple(hits),
                subject=spec.name,
            )


def _is_taken_along(
    spec: FieldSpec, before: Record, now: Record, page: PageOutcome
) -> bool:
    """Whether a known value is not read any more, of a field that was proved gone."""
    if before.get(spec.name) in EMPTY:
        return False
    return now.get(spec.name) in EMPTY and _is_gone_since(spec, before, page)


def _is_known(page: PageOutcome, spec: FieldSpec) -> bool:
    """Whether the one record of a page is known to have the field."""
    if len(page.previous) != 1 or len(page.values) != 1:
        return False
    return is_filled(page.previous[0].get(spec.name))


def _is_lost(schema: RecordSchema, spec: FieldSpec, page: PageOutcome) -> bool:
    """Whether a known value is not read, and nothing says that it is gone."""
    before, now = page.previous[0], page.values[0]
    if now.get(spec.name) not in EMPTY or is_sale_over(spec, before, now):
        return False
    if spec.name in page.unasked or _is_gone_since(spec, before, page):
        return False
    return not _is_gone_twice(schema, spec, RecordPair(0, before, now), page)


def _is_gone_twice(
    schema: RecordSchema, spec: FieldSpec, pair: RecordPair, page: PageOutcome
) -> bool:
    """Whether the refresh before found a value gone as well. A page on which a known
    value of any field stands and is not read is misread, and proves nothing gone; nor does
    one of which readers say something, and none is believed."""
    lost = [each for each in schema.fields if _has_lost(each, pair)]
    is_misread = any(_stands(each, pair.old, page) for each in (spec, *lost))
    is_read = is_misread or _is_refused(spec, page)
    return spec.name in page.gone_before and not is_read


def _is_refused(spec: FieldSpec, page: PageOutcome) -> bool:
    """Whether readers of the only record of a page say different values of a field: something
    is read where it was."""
    votes = (record.votes.get(spec.name, NO_VOTE) for record in page.read_records)
    return [bool(vote.rivals) for vote in votes] == [True]


def _has_lost(spec: FieldSpec, pair: RecordPair) -> bool:
    """Whether a known value is not read any more."""
    return pair.old.get(spec.name) not in EMPTY and pair.new.get(spec.name) in EMPTY


def _is_misread(spec: FieldSpec, page: PageOutcome) -> bool:
    """Whether the known value that a page of one record lost stands there unread: that
    is no news, however many pages say so."""
    return len(page.previous) == 1 and _stands(spec, page.previous[0], page)


def _loss(
    field: str,
    lost: Sequence[int],
    known: int,
    misread: Sequence[int],
    pages: Sequence[PageOutcome],
) -> Assessment:
    """What is to be said of pages that lost a field: if they are few of all of them,
    else of those that are `misread`."""
    allowed = max(_FEW, _MINORITY * known) / known
    are_few = len(lost) <= allowed * known
    held = lost if are_few else misread
    return Assessment(
        check=CheckName.COVERAGE,
        passed=not held,
        severity=Severity.WARN,
        observed=len(lost) / known,
        threshold=0.0 if held else 1.0,
        sentence=f"{field} of {len(lost)} of {known} known pages is gone, the rest is read",
        hits=tuple(Hit(at, _known_of(pages[at], field), "nothing") for at in held),
        subject=field,
        weight=0.0,
        holds=bool(held),
    )


def _known_of(page: PageOutcome, field: str) -> object:
    """The first known value of a page; its rows may have come from another one."""
    values = (row.get(field) for row in page.previous)
    return next(filter(is_filled, values), "a value")


def excuse_what_is_gone(
    schema: RecordSchema, family: Family, pages: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Take back the signs of absence of values that are gone for a reason or for
    good, of fields that the site is known not to show any more, and of those that were
    proved gone."""
    for spec in schema.fields:
        _excuse_never_filled(spec, pages, tallies)
    for name in family.drift.gone:
        _excuse_field(name, pages, tallies)
    specs = [spec for spec in schema.fields if _lost_any(spec, tallies)]
    if not specs:
        return
    pairs, rows = record_pairs(schema, family, pages), GoneRows(schema, family, pages)
    for spec in specs:
        excused = Counter(_pages_without_cause(schema, spec, pairs, pages))
        for sign in _ABSENT:
            _excuse(sign, spec.name, excused, tallies)
        gone = rows.gone(spec)
        for sign in _ABSENT_FROM_ROWS:
            # So it is from now on: those who come after are to know it.
            _excuse(sign, spec.name, gone, tallies, as_normal=True)


def _excuse_never_filled(
    spec: FieldSpec, pages: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Take back that a field is not filled, on pages that were proved to have it no
    more and of which nothing else is known."""
    for sign in (Sign.MISSING, Sign.SCARCE):
        tally = tallies.get(sign, spec.name)
        if tally is not None:
            tally.hits = [
                hit for hit in tally.hits if not _is_without(spec, pages[hit.page])
            ]


def _is_without(spec: FieldSpec, page: PageOutcome) -> bool:
    """Whether a field was proved gone from a page, and no value of it is known."""
    if spec.name not in page.gone_since:
        return False
    return all(old.get(spec.name) in EMPTY for old in page.previous)


def _excuse_field(field: str, pages: Sequence[PageOutcome], tallies: Tallies) -> None:
    """Drop every sign of absence of a field, on pages of which hardly a record has it: where most do, it is back
    (`serve/accepted.py`), and a version that reads it in a few rows misses what was accepted for the others."""
    excused: Counter[int] = Counter()
    for at, page in enumerate(pages):
        filled = sum(is_filled(record.get(field)) for record in page.values)
        if 2 * filled <= len(page.values):
            excused[at] = len(page.values) + len(page.previous)
    for sign in _ABSENT:
        _excuse(sign, field, excused, tallies)


def _lost_any(spec: FieldSpec, tallies: Tallies) -> bool:
    """Whether known values of a field are gone."""
    return bool(
        tallies.hits(Sign.LOST, spec.name) or tallies.hits(Sign.VANISHED, spec.name)
    )


def _is_gone_since(spec: FieldSpec, before: Record, page: PageOutcome) -> bool:
    """Whether a field was proved gone, and its known value is not on this page
    either."""
    if spec.name not in page.gone_since or page.facts is None:
        return False
    return not _stands(spec, before, page)


def _stands(spec: FieldSpec, before: Record, page: PageOutcome) -> bool:
    """Whether a known value is on a page, as far as that can be told."""
    facts = page.facts
    return bool(facts and is_still_there(before[spec.name], spec, facts))


def _pages_without_cause(
    schema: RecordSchema,
    spec: FieldSpec,
    pairs: Iterable[RecordPair],
    pages: Sequence[PageOutcome],
) -> Iterator[int]:
    """The page of each known record whose value is gone without being a sign."""
    for pair in filter(partial(_has_lost, spec), pairs):
        outcome = pages[pair.page]
        if (
            spec.name in outcome.unasked
            or _is_gone_twice(schema, spec, pair, outcome)
            or is_sale_over(spec, pair.old, pair.new)
            or _is_gone_since(spec, pair.old, outcome)
        ):
            yield pair.page


def _excuse(
    sign: Sign,
    field: str,
    excused: Counter[int],
    tallies: Tallies,
    *,
    as_normal: bool = False,
) -> None:
    """Drop as many hits of a page as are excused; history counts what is normal."""
    tally = tallies.get(sign, field)
    if tally is None:
        return
    left, kept = excused.copy(), []
    for hit in tally.hits:
        if left[hit.page] > 0:
            left[hit.page] -= 1
        else:
            kept.append(hit)
    if as_normal:
        tally.confirmed += len(tally.hits) - len(kept)
    tally.hits = kept
