"""Times that are read without a time zone."""

from datetime import date, datetime

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.induce.proof.without_zone import without_zone
from crawloop_assets.schema import Notation, noted, schema_of


class Talk(BaseModel):
    """What is said, from when to when."""

    day: date
    begins: datetime
    ends: datetime | None = None


TALK = schema_of(Talk)


def read(**values: str) -> Extraction:
    """A page with one talk."""
    return Extraction(records=(ExtractedRecord(values=values),))


@pytest.mark.parametrize("said", ["2026-11-23T17:17:00", "2026-11-23T17:17"])
def test_a_time_that_names_no_zone_is_said_once(said: str) -> None:
    (note,) = without_zone(TALK, [read(begins=said), read(begins=said)])
    assert note.startswith("begins is read without a time zone and counts as UTC")
    assert "notation: {timezone: Europe/Madrid}" in note


@pytest.mark.parametrize(
    "said", ["2026-11-23T17:17:00+01:00", "2026-11-23T17:17:00Z", "2026-11-23T00:00:00"]
)
def test_a_zone_or_a_day_alone_is_no_doubt(said: str) -> None:
    page = read(begins=said, day="2026-11-23T17:17:00")
    assert list(without_zone(TALK, [page])) == []


def test_who_names_the_zone_is_told_nothing() -> None:
    zoned = noted(TALK, Notation(timezone="Europe/Madrid"))
    assert list(without_zone(zoned, [read(ends="2026-11-23T17:17:00")])) == []
