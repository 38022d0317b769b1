"""Which version reads a page, and what finding that out costs."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.check import Severity
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.errors import CrawlerRaised, PageTooLarge
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import Extracted, JobError, default_pool
from crawloop_assets.serve.reading import PageReader, Reading
from crawloop_assets.serve.validated import JudgedRecords
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import (
    CrawlerVersion,
    FrontierUrl,
    ServedBy,
)
from tests.serve.readings import (
    SITE,
    finding,
    lost_visit,
    program,
    reading_of,
    visit_of,
)

FAMILY = Family.model_validate(
    {"family": "test/item", "schema": "tests.models:Item", "discover": {}}
)


class Layouts:
    """The workers, where version "a" reads pages of layout "a" and no other; what they were asked is counted."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    async def arun_many(self, jobs: Sequence[Any]) -> list[Extracted | JobError]:
        self.asked.update(job.program for job in jobs)
        return [self._read(job.program, job.page) for job in jobs]

    def _read(self, program: str, page: Page) -> Extracted | JobError:
        if program not in page.body.decode():
            return CrawlerRaised("another layout")
        record = ExtractedRecord(
            values={"title": program, "price": "1"}, votes={}, row=0
        )
        return Extracted(
            extraction=Extraction(records=(record,)), facts=PageFacts(title="A shop")
        )


def version(number: int, body: str) -> CrawlerVersion:
    now = datetime.now(UTC)
    return CrawlerVersion(
        family=FAMILY.family,
        version=number,
        body=body,
        sha256="",
        created_at=now,
        promoted_at=now,
    )


def visit(at: int, layout: str) -> Visit:
    url = f"http://shop.test/{at}"
    page = Page(url=url, body=layout.encode(), headers={"content-type": "text/html"})
    return Visit(FrontierUrl(url=url, batch="000001"), page, Verdict.OK)


def read(
    layouts: Sequence[str], versions: str = "cba"
) -> tuple[list[int | None], Counter[str]]:
    workers = Layouts()
    numbered = [version(len(versions) - at, body) for at, body in enumerate(versions)]
    reader = PageReader(FAMILY, workers, numbered, len(versions))  # type: ignore[arg-type]
    readings = asyncio.run(
        reader.read([visit(at, layout) for at, layout in enumerate(layouts)])
    )
    assert [one.visit.url.url for one in readings] == [
        f"http://shop.test/{at}" for at in range(len(layouts))
    ]
    return [one.version if one.good else None for one in readings], workers.asked


def test_each_page_is_read_by_the_version_that_knows_its_layout() -> None:
    layouts = ["a", "b", "c", "none", "c b", "a b"] * 20
    assert read(layouts)[0] == [1, 2, 3, None, 3, 2] * 20


def test_after_a_redesign_only_a_few_pages_pay_for_the_search() -> None:
    served, asked = read(["a"] * 500)
    assert served == [1] * 500
    assert asked["a"] == 500
    assert asked["b"] == asked["c"] <= 20


def test_a_first_version_that_serves_some_pages_stays_first() -> None:
    served, asked = read(["a"] * 15 + ["c a"] * 100)
    assert served == [1] * 15 + [3] * 100
    assert asked["c"] == 115


# What a reading says, and how single pages are judged, with real workers.

SHOP = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": {},
        "drift": {"min_agreement": 0.6},
    }
)


def extraction(values: dict[str, str], **agreements: float) -> Extraction:
    votes = {
        name: FieldVote(agreement=share, live_readers=1, readers=2)
        for name, share in agreements.items()
    }
    return Extraction(records=(ExtractedRecord(values=values, votes=votes, row=0),))


def test_the_agreement_of_a_reading_is_the_mean_over_what_was_read() -> None:
    read_so = extraction({"title": "Tea", "price": "1"}, title=1, price=0.5, url=0)
    assert reading_of(visit_of(1), extraction=read_so).agreement == 0.75
    assert reading_of(visit_of(1)).agreement == 1.0


def test_a_reading_is_good_unless_a_check_says_error() -> None:
    assert reading_of(visit_of(1)).good
    assert reading_of(visit_of(1), findings=(finding(severity=Severity.WARN),)).good
    assert not reading_of(visit_of(1), findings=(finding(),)).good
    assert not reading_of(visit_of(1), verdict=Verdict.DRIFT).good
    assert reading_of(visit_of(1)).url == visit_of(1).url.url


def reads(
    visits: Sequence[Visit],
    bodies: Sequence[str] = (),
    known: dict[str, list[dict[str, Any]]] | None = None,
    active: int | None = None,
) -> list[Reading]:
    """What real workers read; the first of the `bodies` is the version tried first."""
    versions = [version(len(bodies) - at, body) for at, body in enumerate(bodies)]
    first = len(bodies) if active is None else active
    reader = PageReader(SHOP, default_pool(), versions, first, known or {})
    return asyncio.run(reader.read(visits))


ITEM = program().to_json()
OTHER = program(title="h2", price="i").to_json()


def test_a_page_is_read_into_valid_records() -> None:
    (reading,) = reads([visit_of(1)], [ITEM])
    assert reading.good and reading.reason == ""
    assert (reading.version, reading.served_by) == (1, ServedBy.CRAWLER)
    assert reading.values == ({"url": reading.url, "title": "Tea", "price": "1.50"},)
    assert [record.model_dump()["price"] for record in reading.records] == [
        Decimal("1.50")
    ]
    assert reading.facts is not None and reading.extraction is not None


def test_a_visit_without_a_page_is_not_read() -> None:
    lost = lost_visit(1, Verdict.GONE)
    held_up = replace(visit_of(2), verdict=Verdict.TRANSIENT, reason="slow")
    first, second = reads([lost, held_up], [ITEM])
    assert (first.verdict, first.reason, first.version) == (Verdict.GONE, "gone", None)
    assert (second.verdict, second.reason) == (Verdict.TRANSIENT, "slow")


def unchanged(number: int, verdict: Verdict | None) -> Visit:
    """A page of which the site said 304, and what it was when it was read last."""
    visit = visit_of(number, fetched=True, verdict=verdict)
    assert visit.fetched is not None
    return replace(visit, fetched=replace(visit.fetched, not_modified=True))


def test_an_unchanged_page_that_was_read_well_is_not_read_again() -> None:
    good, bad, new = (
        unchanged(1, Verdict.OK),
        unchanged(2, Verdict.DRIFT),
        unchanged(3, Verdict.OK),
    )
    row = {"title": "Old tea", "price": "9"}
    known = {good.url.url: [row], bad.url.url: [row]}
    first, second, third = reads([good, bad, new], [ITEM], known)
    assert first.skipped and first.values == first.previous == (row,)
    assert (first.verdict, first.reason) == (Verdict.OK, "not modified")
    assert not second.skipped and second.values[0]["title"] == "Tea"
    assert not third.skipped and third.previous == ()
    (fetched,) = reads([visit_of(1, verdict=Verdict.OK)], [ITEM], known)
    assert not fetched.skipped


def test_without_a_version_every_page_is_drift() -> None:
    (reading,) = reads([visit_of(1)])
    assert (reading.verdict, reading.reason) == (Verdict.DRIFT, "no crawler yet")
    assert "no crawler version yet" in reading.findings[0].message


def test_what_an_older_version_reads_is_said_so() -> None:
    (reading,) = reads([visit_of(1)], [OTHER, ITEM])
    assert (reading.version, reading.served_by) == (1, ServedBy.OLDER)
    assert reading.good


def test_where_no_version_reads_a_page_the_first_ones_word_counts() -> None:
    (reading,) = reads([visit_of(1)], [OTHER, program(title="h3").to_json()])
    assert (reading.version, reading.verdict) == (2, Verdict.DRIFT)
    assert reading.reason == reading.findings[0].message


def test_a_crawler_that_is_no_program_is_a_finding() -> None:
    (reading,) = reads(
        [visit_of(1)], ["no program"], {visit_of(1).url.url: [{"title": "Tea"}]}
    )
    assert reading.verdict is Verdict.DRIFT
    assert reading.findings[0].message.startswith("Version 1 failed: ")
    assert reading.previous == ({"title": "Tea"},)
    assert reading.version == 1


class Answers:
    """Workers that answer every page alike."""

    def __init__(self, answer: Extracted | JobError):
        self.answer = answer

    async def arun_many(self, jobs: Sequence[Any]) -> list[Extracted | JobError]:
        return [self.answer for _ in jobs]


def judged(answer: Extraction | JobError) -> Reading:
    """The reading of what a worker answered."""
    if isinstance(answer, Extraction):
        answer = Extracted(extraction=answer, facts=PageFacts(title="A shop"))
    reader = PageReader(SHOP, Answers(answer), [version(1, "")], 1)  # type: ignore[arg-type]
    (reading,) = asyncio.run(reader.read([visit_of(1)]))
    return reading


def test_a_page_too_large_to_parse_is_no_fault_of_the_version() -> None:
    reading = judged(PageTooLarge(f"{SITE}/1", "9 MB"))
    assert (reading.verdict, reading.version) == (Verdict.TOO_LARGE, None)
    assert "9 MB" in reading.reason


def test_a_record_that_does_not_fit_the_model_is_drift() -> None:
    reading = judged(extraction({"title": "Tea", "price": "dear"}))
    assert (reading.verdict, reading.records) == (Verdict.DRIFT, ())
    assert "price" in {each.field for each in reading.findings}


def test_a_record_that_no_table_holds_is_drift() -> None:
    reading = judged(extraction({"title": "Tea", "price": "1" + "0" * 39}))
    assert (reading.verdict, reading.records, reading.values) == (
        Verdict.DRIFT,
        (),
        (),
    )


def weak(share: float, readers: int, name: str) -> dict[str, Any]:
    vote = FieldVote(agreement=share, live_readers=1, readers=readers)
    values = {"title": "Tea", "price": "1", "url": "http://elsewhere.example/"}
    record = ExtractedRecord(values=values, votes={name: vote}, row=0)
    reading = judged(Extraction(records=(record,)))
    return dict(reading.values[0])


def test_an_optional_value_that_few_readers_stand_behind_is_left_out() -> None:
    own = visit_of(1).url.url
    assert weak(0.5, 2, "url")["url"] == own
    assert weak(0.6, 2, "url")["url"] == "http://elsewhere.example/"
    assert weak(0.5, 1, "url")["url"] == "http://elsewhere.example/"
    assert weak(0.1, 3, "title")["title"] == "Tea", "a required one is for the checks"


def test_of_versions_that_read_a_page_the_one_whose_readers_agree_most_is_taken() -> (
    None
):
    shares = {"c": 0.3, "b": 0.5, "a": 0.4}

    class Doubtful:
        async def arun_many(self, jobs: Sequence[Any]) -> list[Extracted | JobError]:
            return [
                Extracted(
                    extraction=extraction(
                        {"title": "Tea", "price": "1"}, url=1, title=shares[job.program]
                    ),
                    facts=PageFacts(title="A shop"),
                )
                for job in jobs
            ]

    versions = [version(3 - at, body) for at, body in enumerate("cba")]
    reader = PageReader(SHOP, Doubtful(), versions, 3)  # type: ignore[arg-type]
    (reading,) = asyncio.run(reader.read([visit_of(1)]))
    assert reading.version == 2


def test_half_a_character_costs_itself_not_the_page() -> None:
    reading = judged(extraction({"title": "T\ud800ea\0", "price": "1"}))
    assert reading.good
    (values,) = reading.values
    assert (values["title"], values["price"]) == ("Tea", "1")


def test_a_known_value_that_was_put_beside_is_none_that_a_version_reads() -> None:
    """It tells of no version that it knows the page better than one that reads it well."""
    reader = PageReader(SHOP, default_pool(), [version(2, ITEM), version(1, OTHER)], 2)
    visit = visit_of(1)
    known = {"url": visit.url.url, "title": "Tea", "price": "1.50"}
    put_beside = JudgedRecords(None, (known,), (frozenset({"title"}),))
    changes = {"verdict": Verdict.DRIFT, "values": (), "completed": put_beside}
    partly = reading_of(visit, previous=(known,), **changes)
    well = reading_of(visit, previous=(known,), values=({**known, "title": "Pot"},))
    assert reader._best([partly, well]) is well
    other = {**known, "url": f"{SITE}/2", "title": "Pot"}
    misread = reading_of(visit, previous=(known,), values=(other,))
    assert reader._best([partly, misread]) is partly


@pytest.mark.parametrize(
    ("older", "wins"),
    [
        ({"title": "Tea", "price": "1", "stock": 3}, True),
        ({"price": "1", "stock": 3, "maker": "Ada"}, False),
        ({"title": "Pot", "price": "1", "stock": 3}, False),
    ],
)
def test_a_reading_with_all_that_the_best_one_has_and_more_goes_before_it(
    older: dict[str, Any], wins: bool
) -> None:
    """Not one with more values that lacks one of them, or says another."""
    reader = PageReader(SHOP, default_pool(), [version(2, ITEM), version(1, OTHER)], 2)
    visit = visit_of(1)
    newer = reading_of(visit, values=({"title": "Tea", "price": "1", "stock": None},))
    older_one = reading_of(visit, values=(older,))
    assert (reader._best([newer, older_one]) is older_one) is wins
