"""Which version reads a page, and what finding that out costs."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.drift import PageFacts
from crawloop_assets.errors import CrawlerRaised
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import Extracted, JobError
from crawloop_assets.serve.reading import PageReader
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import CrawlerVersion, FrontierUrl

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
