"""Whatever a crawler returns: what is published is valid, and no row of a failing page is among it."""

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.errors import CrawlerFault, CrawlerTimeout
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import Extracted
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from tests.models import Item

pytestmark = pytest.mark.slow

Answers = dict[str, Extraction | CrawlerFault]
FAMILY = Family.model_validate(
    {"family": "test/item", "schema": "tests.models:Item", "discover": {}}
)
URLS = [f"http://shop.test/{at}" for at in range(4)]
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**40), 10**40),
    st.text(max_size=12),
    st.sampled_from(
        [
            "12.50",
            "7",
            "-1",
            "NaN",
            "1e-50",
            "Infinity",
            "\ud800",
            "T\udfffea",
            "",
            "undefined",
            "{{ title }}",
        ]
    ),
)
values = st.dictionaries(
    st.sampled_from(["title", "price", "url", "unknown", "\ud800"]),
    scalars | st.lists(scalars, max_size=2),
    max_size=4,
)
good = st.fixed_dictionaries(
    {"title": st.sampled_from(["Tea", "Mug"]), "price": st.sampled_from(["1.50", "2"])}
)
votes = st.builds(
    FieldVote,
    agreement=st.floats(0, 1),
    live_readers=st.integers(0, 3),
    readers=st.integers(0, 3),
    reader=st.sampled_from(["r", "\udc00"]),
    rivals=st.lists(scalars, max_size=2).map(tuple),
)
records = st.builds(
    ExtractedRecord,
    values=values | good,
    votes=st.dictionaries(st.sampled_from(["title", "price"]), votes, max_size=2),
    row=st.integers(0, 3),
)
answers = st.one_of(
    st.builds(Extraction, records=st.lists(records, max_size=2).map(tuple)),
    st.just(CrawlerTimeout("it hangs")),
)


class AnyCrawler:
    """The workers, with a crawler that returns whatever it is told to for a page."""

    def __init__(self, returns: Mapping[str, Extraction | CrawlerFault]):
        self.returns = returns

    async def arun_many(self, jobs: Sequence[Any]) -> list[Extracted | CrawlerFault]:
        answers = [(job.page.url, self.returns[job.page.url]) for job in jobs]
        # What says the same at two addresses is no page of the family.
        return [
            one
            if isinstance(one, CrawlerFault)
            else Extracted(extraction=one, facts=PageFacts(title=f"Shop no. {url[-1]}"))
            for url, one in answers
        ]


def rows(store: Store) -> Iterator[dict[str, Any]]:
    with duckdb.connect(str(store.publish()), read_only=True) as connection:
        if connection.execute(
            "select 1 from duckdb_tables() where table_name = 'item'"
        ).fetchall():
            found = connection.execute("select * from item")
            names = [column[0] for column in found.description]
            yield from (dict(zip(names, row, strict=True)) for row in found.fetchall())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.fixed_dictionaries(dict.fromkeys(URLS, answers)), min_size=1, max_size=3
    )
)
def test_published_rows_are_valid_and_none_is_of_a_failing_page(
    days: list[dict[str, Extraction | CrawlerFault]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "var", Path(folder) / "crawloop.duckdb")
        store.add_urls(FAMILY, [FoundUrl(url) for url in URLS])
        store.promote(
            FAMILY.family,
            store.add_crawler(NewCrawler(family=FAMILY.family, body="any")),
            why="a test",
        )
        for day, returns in enumerate(days):
            run = f"run-{day}"
            server = BatchServer(FAMILY, store, AnyCrawler(returns), run)  # type: ignore[arg-type]
            pages = [
                Page(
                    url=url,
                    body=b"<html></html>",
                    headers={"content-type": "text/html"},
                )
                for url in URLS
            ]
            known = {url.url: url for url in store.urls(FAMILY.family, "000001")}
            served = asyncio.run(
                server.serve(
                    "000001",
                    [
                        Visit(known[page.url], page, Verdict.OK)
                        for page in pages
                        if page.url in known
                    ],
                )
            )
            failing = {one.url for one in store.quarantine(FAMILY.family)}
            assert failing >= {
                reading.visit.url.url for reading in served.readings if not reading.good
            }
            for row in rows(store):
                Item.model_validate({name: row[name] for name in Item.model_fields})
                assert row["_run_id"] != run or row["_url"] not in failing
                if row["_url"] in failing:
                    assert row["_stale_since"] is not None
