"""From readings and a judgement to what the store commits."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import attrgetter

from pydantic import ValidationError

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckName, Finding
from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.family import Family
from crawloop_assets.frontier.schedule import next_due
from crawloop_assets.page import LEFT_FOR_LATER, Verdict
from crawloop_assets.record import validate
from crawloop_assets.serve.kept import records_kept
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.said import is_as_known
from crawloop_assets.store import (
    BatchCommit,
    BatchReport,
    FetchedPage,
    FrontierUrl,
    HeldPage,
    HeldReason,
    ServedPage,
    UrlState,
)
from crawloop_assets.values.present import present

_READ = (Verdict.OK, Verdict.DRIFT)


def published(reading: Reading, judgement: BatchJudgement) -> bool:
    """Whether the records of a page may be published: no page check and no batch check
    is against them."""
    if judgement.hold_all is not None or judgement.held.get(reading.url):
        return False
    return reading.good


def _in_part(family: Family, reading: Reading, judgement: BatchJudgement) -> ServedPage:
    """What is published of a page that is held, with the known values of what is in
    doubt."""
    kept = judgement.kept[reading.url]
    return replace(
        served_page(reading),
        records=tuple(records_kept(family, reading, kept).values()),
        kept=dict(enumerate(map(attrgetter("kept"), kept.values()))),
    )


def _published_page(
    family: Family, reading: Reading, judgement: BatchJudgement
) -> ServedPage:
    """What is published of a page: its records but for those that wait, with the known
    values of what is refused."""
    waiting = judgement.waiting.get(reading.url)
    page = served_page(reading, without=waiting.rows if waiting else frozenset())
    kept = judgement.beside.get(reading.url, {})
    if not kept:
        return page
    rows = dict(enumerate(reading.records)) | records_kept(family, reading, kept)
    shown = [at for at in rows if waiting is None or at not in waiting.rows]
    return replace(
        page,
        records=tuple(rows[at] for at in shown),
        kept={to: kept[at].kept for to, at in enumerate(shown) if at in kept},
    )


def is_served(reading: Reading, judgement: BatchJudgement) -> bool:
    """Whether anything of a page is published, all of it or a part."""
    return reading.url in judgement.kept or published(reading, judgement)


def commit_of(
    family: Family,
    batch: str,
    run_id: str,
    readings: Sequence[Reading],
    judgement: BatchJudgement,
    wave: str | None = None,
) -> BatchCommit:
    """One transaction's worth: what is served, what is held and why, what was fetched
    and when it is due again."""
    served, held, fetched = [], [], []
    gone, unchanged = [], []
    for reading in readings:
        may_publish = published(reading, judgement)
        waiting = judgement.waiting.get(reading.url)
        # What waits, or keeps a known value, is asked for in full next time.
        is_new = waiting is None and reading.url not in judgement.beside
        row = _fetched(reading, family, may_publish and is_new)
        if row is not None:
            fetched.append(row)
        if may_publish and reading.skipped:
            unchanged.append(reading.url)
        elif may_publish:
            served.append(_published_page(family, reading, judgement))
            if waiting is not None:
                held.append(_held_rows(reading, waiting))
        elif reading.verdict in _READ:
            held.append(_held(reading, judgement))
            if reading.url in judgement.kept:
                served.append(_in_part(family, reading, judgement))
        elif reading.verdict is Verdict.GONE:
            gone.append(reading.url)
    return BatchCommit(
        family=family,
        batch=batch,
        run_id=run_id,
        served=served,
        held=held,
        fetched=fetched,
        gone=gone,
        unchanged=unchanged,
        waiting=list(_that_wait(family, readings, judgement)),
        report=BatchReport(checks=judgement.checks),
        stats=judgement.stats.model_dump(mode="json"),
        version=judgement.stats.version,
        wave=wave,
        evidence=judgement.evidence,
    )


def watched(
    commit: BatchCommit, canaries: Sequence[Reading], seen: BatchJudgement
) -> BatchCommit:
    """The commit with what the canaries tell: good ones bear witness, drifted ones are
    pages to heal from.

    Their rows are left to the refresh of their own batches.
    """
    witnesses, fetched = [], list(commit.fetched)
    for reading in canaries:
        if published(reading, seen):
            witnesses.append(served_page(reading))
        elif reading.verdict in _READ:
            row = _fetched(reading, commit.family, good=False)
            if row is not None:
                fetched.append(row)
    return replace(commit, canaries=witnesses, fetched=fetched)


def served_page(reading: Reading, without: Set[int] = frozenset()) -> ServedPage:
    """What is published of a page, but for the records at these positions."""
    page = reading.visit.page
    assert page is not None
    records = enumerate(reading.records)
    return ServedPage(
        url=reading.url,
        page_sha256=page.sha256,
        fetched_at=page.fetched_at,
        version=reading.version,
        served_by=reading.served_by,
        records=tuple(one for position, one in records if position not in without),
        model_fields=reading.model_fields,
        is_old=reading.visit.is_outdated,
    )


def _held(reading: Reading, judgement: BatchJudgement) -> HeldPage:
    """A page that is held, with every reason."""
    findings = judgement.held.get(reading.url, ())
    reasons = list(map(_reason, (*findings, *reading.findings)))
    if judgement.hold_all is not None:
        reasons.append(HeldReason(check="batch", message=judgement.hold_all))
    records = reading.extraction.records if reading.extraction else ()
    return HeldPage(
        url=reading.url,
        page_sha256=reading.visit.page_sha256,
        version=reading.version,
        reasons=list(dict.fromkeys(reasons)),
        values=reading.values or [dict(record.values) for record in records],
        votes=[_votes(record.votes) for record in records],
    )


def _held_rows(reading: Reading, waiting: WaitingRows) -> HeldPage:
    """The records of a page that wait, while the others are published."""
    page = reading.visit.page
    assert page is not None
    return HeldPage(
        url=reading.url,
        page_sha256=page.sha256,
        version=reading.version,
        reasons=list(map(_reason, waiting.findings)),
        values=[reading.values[position] for position in sorted(waiting.rows)],
    )


def _that_wait(
    family: Family, readings: Sequence[Reading], judgement: BatchJudgement
) -> Iterator[ServedPage]:
    """The records that wait of pages whose others are served."""
    for reading in readings:
        if reading.url in judgement.new_choices:
            yield from _left_out_page(family, reading)
        elif reading.url in judgement.waiting and published(reading, judgement):
            yield from _waiting_page(reading, judgement.waiting[reading.url])


def _waiting_page(reading: Reading, waiting: WaitingRows) -> Iterator[ServedPage]:
    """The records of a page that wait; nothing where it shows rows that are not read."""
    if CheckName.COUNT not in map(attrgetter("check"), waiting.findings):
        published_rows = frozenset(range(len(reading.records))) - waiting.rows
        yield served_page(reading, without=published_rows)


def _left_out_page(family: Family, reading: Reading) -> Iterator[ServedPage]:
    """What is known of the rows of a page that are left out; nothing where the model does
    not take it any more."""
    known = present(map(attrgetter("known"), reading.judged.left_out))
    with suppress(ValidationError):
        rows = tuple(map(partial(validate, family.model()), known))
        yield replace(served_page(reading), records=rows)


def _reason(finding: Finding) -> HeldReason:
    """A finding as the store keeps it."""
    return HeldReason(
        check=finding.check.value,
        field=finding.field,
        message=finding.message,
        severity=finding.severity,
        of_batch=finding.of_batch,
    )


def _votes(votes: Mapping[str, FieldVote]) -> dict[str, object]:
    """How the readers of each field voted, as JSON."""
    return {name: vote.model_dump(mode="json") for name, vote in votes.items()}


def _fetched(reading: Reading, family: Family, good: bool) -> FetchedPage | None:
    """What the store keeps of a visit; None for a url that was to be read from the
    store and is not there."""
    row = _row(reading, good)
    fetched = reading.visit.fetched
    if row.verdict in LEFT_FOR_LATER:
        return _left_for_later(row, reading)
    if fetched is not None:
        return _after_fetch(row, fetched, family, _changed(row, reading, family))
    # Read again from the store: that changes the verdict, not when the site is asked next.
    if row.page_sha256 is None:
        return None
    return _as_answered(row, reading.visit.url) if reading.visit.is_outdated else row


def _as_answered(row: FetchedPage, url: FrontierUrl) -> FetchedPage:
    """The row of a page that is older than the site's last answer, with what that was: no reading of the stored page
    makes it anything else."""
    moment = url.fetched_at or row.fetched_at
    return replace(row, verdict=url.verdict or row.verdict, fetched_at=moment)


def _left_for_later(row: FetchedPage, reading: Reading) -> FetchedPage | None:
    """A page that was not asked for stays what it was, and is due as soon as it may be
    asked for; one that never was is due anyway."""
    before = reading.visit.url.fetched_at
    if before is None:
        return None
    due = datetime.now(UTC)
    if row.verdict is Verdict.OVER_QUOTA:
        due = due.replace(hour=0, minute=0, second=0) + timedelta(days=1)
    return replace(row, fetched_at=before, next_due=due)


def _row(reading: Reading, good: bool) -> FetchedPage:
    """The verdict and the page that was read, with all that was known of the url."""
    url, page = reading.visit.url, reading.visit.page
    verdict = reading.verdict
    if verdict is Verdict.OK and not good:
        verdict = Verdict.DRIFT
    row = FetchedPage(
        url=url.url,
        verdict=verdict,
        fetched_at=datetime.now(UTC),
        status=url.status,
        final_url=url.final_url,
        headers=url.headers,
        etag=url.etag,
        last_modified=url.last_modified,
        content_hash=reading.facts.content_hash if reading.facts else url.content_hash,
        next_due=url.next_due,
        interval_s=url.interval_s,
        errors=url.errors,
        state=UrlState.GONE if verdict is Verdict.GONE else UrlState.ACTIVE,
    )
    if reading.visit.verdict is not Verdict.OK:
        return row
    if page is None:
        # Of a page that stands nothing new is known; none has no name.
        return replace(row, page_sha256=reading.visit.page_sha256)
    return replace(
        row,
        fetched_at=page.fetched_at,
        headers=page.headers,
        page_sha256=page.sha256,
        size=len(page.body),
    )


def _changed(row: FetchedPage, reading: Reading, family: Family) -> bool | None:
    """Whether a page is another one than last time, None where there is nothing to
    compare: by its records, or by what a reader sees of it.

    Bytes alone tell little: tokens and times are in many pages.
    """
    before = reading.visit.url
    if row.verdict not in _READ or None in (before.page_sha256, row.page_sha256):
        return None
    if row.page_sha256 == before.page_sha256:
        return False
    if reading.good and not is_as_known(reading, family):
        return True
    return row.content_hash is None or row.content_hash != before.content_hash


def _after_fetch(
    row: FetchedPage, fetched: Fetched, family: Family, changed: bool | None
) -> FetchedPage:
    """The row with what the fetch says; it still has what was known of the url
    before."""
    errors = 0 if row.verdict in _READ else row.errors + 1
    previous = timedelta(seconds=row.interval_s) if row.interval_s else None
    due = next_due(changed, previous, family.refresh, datetime.now(UTC), errors)
    if fetched.page is not None:
        row = replace(
            row,
            etag=row.headers.get("etag"),
            last_modified=row.headers.get("last-modified"),
        )
    return replace(
        row,
        fetched_at=fetched.fetched_at,
        status=fetched.status,
        final_url=fetched.final_url,
        rung=fetched.rung.value,
        next_due=due.at,
        interval_s=due.interval.total_seconds(),
        errors=errors,
    )
