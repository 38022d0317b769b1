"""From readings and a judgement to what the store commits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import Finding
from crawloop_assets.family import Family
from crawloop_assets.frontier.schedule import next_due
from crawloop_assets.page import Verdict
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import (
    BatchCommit,
    BatchReport,
    FetchedPage,
    HeldPage,
    HeldReason,
    ServedPage,
    UrlState,
)
from crawloop_assets.values.equality import same

READ = (Verdict.OK, Verdict.DRIFT)


def published(reading: Reading, judgement: BatchJudgement) -> bool:
    """Whether the records of a page may be published: no page check and no batch check
    is against them."""
    return (
        reading.good
        and judgement.hold_all is None
        and not judgement.held.get(reading.visit.url.url)
    )


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
    served, held, unchanged = [], [], []
    for reading in readings:
        if published(reading, judgement):
            if reading.skipped:
                unchanged.append(reading.visit.url.url)
            else:
                served.append(_served(reading))
        elif reading.verdict in READ:
            held.append(_held(reading, judgement))
    return BatchCommit(
        family=family,
        batch=batch,
        run_id=run_id,
        served=served,
        held=held,
        unchanged=unchanged,
        fetched=[
            row
            for reading in readings
            if (row := _fetched(reading, family, published(reading, judgement)))
        ],
        gone=[
            reading.visit.url.url
            for reading in readings
            if reading.verdict is Verdict.GONE
        ],
        report=BatchReport(checks=judgement.checks),
        stats=judgement.stats.model_dump(mode="json"),
        version=judgement.stats.version,
    )


def watched(
    commit: BatchCommit, canaries: Sequence[Reading], seen: BatchJudgement
) -> BatchCommit:
    """The commit with what the canaries tell: good ones bear witness, drifted ones are
    pages to heal from.

    Their rows are left to the refresh of their own batches.
    """
    drifted = [
        reading
        for reading in canaries
        if reading.verdict in READ and not published(reading, seen)
    ]
    rows = [
        row
        for reading in drifted
        if (row := _fetched(reading, commit.family, good=False))
    ]
    return replace(
        commit,
        canaries=[_served(reading) for reading in canaries if published(reading, seen)],
        fetched=[*commit.fetched, *rows],
    )


def _served(reading: Reading) -> ServedPage:
    page = reading.visit.page
    assert page is not None
    return ServedPage(
        url=reading.visit.url.url,
        page_sha256=page.sha256,
        fetched_at=page.fetched_at,
        version=reading.version,
        served_by=reading.served_by,
        records=reading.records,
    )


def _held(reading: Reading, judgement: BatchJudgement) -> HeldPage:
    findings: Sequence[Finding] = (
        *judgement.held.get(reading.visit.url.url, ()),
        *reading.findings,
    )
    reasons = [
        HeldReason(check=one.check.value, field=one.field, message=one.message)
        for one in findings
    ]
    if judgement.hold_all is not None:
        reasons.append(HeldReason(check="batch", message=judgement.hold_all))
    records = reading.extraction.records if reading.extraction else ()
    return HeldPage(
        url=reading.visit.url.url,
        page_sha256=reading.visit.page.sha256 if reading.visit.page else None,
        version=reading.version,
        reasons=list(dict.fromkeys(reasons)),
        values=reading.values or [dict(record.values) for record in records],
        votes=[_votes(record.votes) for record in records],
    )


def _votes(votes: Mapping[str, object]) -> dict[str, object]:
    return {name: vote.model_dump(mode="json") for name, vote in votes.items()}  # type: ignore[attr-defined]


def _fetched(reading: Reading, family: Family, good: bool) -> FetchedPage | None:
    """What the store keeps of a visit; None for a url that was to be read from the
    store and is not there."""
    url, page = reading.visit.url, reading.visit.page
    verdict = (
        Verdict.DRIFT if reading.verdict is Verdict.OK and not good else reading.verdict
    )
    kept = page if reading.visit.verdict is Verdict.OK else None
    row = FetchedPage(
        url=url.url,
        verdict=verdict,
        fetched_at=kept.fetched_at if kept else datetime.now(UTC),
        status=url.status,
        final_url=url.final_url,
        headers=kept.headers if kept else url.headers,
        page_sha256=kept.sha256 if kept else None,
        size=len(kept.body) if kept else 0,
        etag=url.etag,
        last_modified=url.last_modified,
        content_hash=reading.facts.content_hash if reading.facts else url.content_hash,
        next_due=url.next_due,
        interval_s=url.interval_s,
        errors=url.errors,
        state=UrlState.GONE if verdict is Verdict.GONE else UrlState.ACTIVE,
    )
    if reading.visit.fetched is None:
        # Read again from the store: that changes the verdict, not when the site is asked next.
        return row if kept else None
    return _after_fetch(
        row, reading.visit.fetched, family, _changed(row, reading, family)
    )


def _changed(row: FetchedPage, reading: Reading, family: Family) -> bool | None:
    """Whether a page is another one than last time, None where there is nothing to
    compare: by its records, or by what a reader sees of it.

    Bytes alone tell little: tokens and times are in many pages.
    """
    url = reading.visit.url
    if row.verdict not in READ or url.page_sha256 is None or row.page_sha256 is None:
        return None
    if row.page_sha256 == url.page_sha256:
        return False
    if reading.good and not _same_records(reading, family):
        return True
    return row.content_hash is None or row.content_hash != url.content_hash


def _same_records(reading: Reading, family: Family) -> bool:
    if len(reading.values) != len(reading.previous):
        return False
    fields, pairs = (
        family.schema_spec().fields,
        zip(reading.previous, reading.values, strict=True),
    )
    return all(
        same(old.get(spec.name), new.get(spec.name), spec)
        for old, new in pairs
        for spec in fields
    )


def _after_fetch(
    row: FetchedPage, fetched: Fetched, family: Family, changed: bool | None
) -> FetchedPage:
    """The row with what the fetch says; it still has what was known of the url
    before."""
    errors = row.errors + 1 if row.verdict not in READ else 0
    previous = timedelta(seconds=row.interval_s) if row.interval_s else None
    due = next_due(changed, previous, family.refresh, datetime.now(UTC), errors)
    answered = fetched.page is not None
    return replace(
        row,
        fetched_at=fetched.fetched_at,
        status=fetched.status,
        final_url=fetched.final_url,
        etag=row.headers.get("etag") if answered else row.etag,
        last_modified=row.headers.get("last-modified")
        if answered
        else row.last_modified,
        rung=fetched.rung.value,
        next_due=due.at,
        interval_s=due.interval.total_seconds(),
        errors=errors,
    )
