"""Rows are who they say they are: a page may not speak for a record that is known from
another one."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.serve.commit import served_page
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import Clash, ClashKind, Store

_LEFT = (Verdict.GONE, Verdict.NOT_FOUND)
"""Pages that answer nothing claim no record that another one shows."""


async def owned(
    family: Family,
    store: Store,
    readings: Sequence[Reading],
    names: Mapping[str, str],
) -> list[Reading]:
    """The readings, held where their record belongs to another page, and without
    records that another page shows as well.

    `names` are what pages call themselves (url -> url): two names of one page are no
    clash while their records are the same.
    """
    pages = [served_page(reading) for reading in readings if _has_records(reading)]
    if not pages:
        return list(readings)
    found = await asyncio.to_thread(
        store.owners.clashes, family, pages, _moved(readings)
    )
    against: defaultdict[str, list[Clash]] = defaultdict(list)
    for clash in found:
        if not _is_other_name(clash, readings, names):
            against[clash.url].append(clash)
    return [_settled(family, reading, against[reading.url]) for reading in readings]


def _has_records(reading: Reading) -> bool:
    """Whether a page was read and has records to lose."""
    return reading.good and not reading.skipped and bool(reading.records)


def _moved(readings: Sequence[Reading]) -> dict[str, str | None]:
    """Where the urls of a batch lead now, None for those that answer nothing."""
    moved: dict[str, str | None] = {}
    for reading in readings:
        if reading.verdict in _LEFT:
            moved[reading.url] = None
        elif reading.visit.has_page:
            moved[reading.url] = reading.visit.base_url
    return moved


def _is_other_name(
    clash: Clash, readings: Sequence[Reading], names: Mapping[str, str]
) -> bool:
    """Whether the two urls are names of one page: one is called by the other with the
    same record, or the site moved it for good."""
    if clash.kind is ClashKind.REPEATED:
        return clash.url in names or names.get(clash.owner) == clash.url
    if clash.kind is ClashKind.TAKEN or clash.url not in names:
        return False
    (reading,) = [one for one in readings if one.url == clash.url]
    fetched = reading.visit.fetched
    return fetched is not None and fetched.permanent_redirect


def _settled(family: Family, reading: Reading, against: Sequence[Clash]) -> Reading:
    """A reading after what was found against its keys."""
    if not against:
        return reading
    findings = [
        _finding(family, clash)
        for clash in against
        if clash.kind is not ClashKind.REPEATED
    ]
    if not findings:
        return replace(reading, records=(), values=())
    return replace(
        reading,
        verdict=Verdict.DRIFT,
        reason=findings[0].message,
        findings=(*reading.findings, *findings),
    )


def _finding(family: Family, clash: Clash) -> Finding:
    """What speaks against the page, and what a person can do."""
    names = ", ".join(family.key)
    if clash.kind is ClashKind.RENAMED:
        message = (
            f"the page is known for {names} {clash.known} and names {clash.key} now; "
            "release it if it shows another record for good"
        )
    else:
        message = (
            f"{names} {clash.key} is known from {clash.owner}, which is still asked "
            "for; release this page if the record has moved to it"
        )
    return Finding(
        check=CheckName.CONSISTENCY,
        severity=Severity.ERROR,
        message=message,
        field=family.key[0],
        expected=clash.known or clash.owner,
        got=clash.key,
    )
