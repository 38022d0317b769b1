"""A list with doubtful rows is asked for again: with a real site, a real fetcher, a real store and real workers."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from tests.access.serving import running
from tests.access.site import Site
from tests.access.wire import Asked, Told

LISTS, ROWS = 8, 6
FAMILY = Family.model_validate(
    {
        "family": "shop/list",
        "schema": "tests.models:Numbered",
        "key": ["sku"],
        "kind": "listing",
        "discover": {},
    }
)
DOUBTED = "sku-13"
RIGHT, CENTS = "33.00", "0.33"


class Lists:
    """Lists of rows with prices; those of one row in three move every day.

    `says` are the prices of one row for the requests to come, the last of them for ever; `first` is the first row.
    """

    def __init__(self) -> None:
        self.day = 0
        self.says = [RIGHT]
        self.first = {2: [2 * ROWS]}

    def price(self, number: int) -> str:
        if f"sku-{number}" == DOUBTED:
            return self.says.pop(0) if len(self.says) > 1 else self.says[0]
        moved = self.day if number % 3 == 2 else 0
        return f"{20 + number + moved / 10:.2f}"

    def row(self, number: int) -> str:
        return f"<li><i>sku-{number}</i><h2>Lamp no. {number}</h2><b>{self.price(number)}</b></li>"

    def __call__(self, asked: Asked) -> Told:
        starts = self.first.get(asked.number, [asked.number * ROWS])
        first = starts.pop(0) if len(starts) > 1 else starts[0]
        rows = "".join(map(self.row, range(first, first + ROWS)))
        return Told(f"<html><body><ul>{rows}</ul></body></html>".encode())


@pytest.fixture
def lists() -> Lists:
    return Lists()


@pytest.fixture
def site(lists: Lists) -> Iterator[Site]:
    with running(Site()) as site:
        site.routes["list"] = lists
        yield site


@pytest.fixture
def store(site: Site, lists: Lists, tmp_path: Path) -> Store:
    """A family after four days."""
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    made.add_urls(FAMILY, [FoundUrl(site.url(f"/list/{at}")) for at in range(LISTS)])
    places = zip(FAMILY.schema_spec().fields, ("i", "h2", "b"), strict=True)
    fields = [
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=at),))
        for spec, at in places
    ]
    program = Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at="li"),
        fields=tuple(fields),
    )
    body = program.to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    for _ in range(4):
        refresh(made, site, lists)
    return made


def refresh(store: Store, site: Site, lists: Lists) -> ServedBatch:
    """One more day; the log of the site begins anew."""
    site.reset()
    lists.day += 1
    domain = Domain.model_validate(
        {"host": "127.0.0.1", "scheme": "http", "port": site.port, "private": True, "max_rps": 2_000}
    )  # fmt: skip
    fetcher = Fetcher(Domains(domains=(domain,)), store.var)
    run_id = f"run-{lists.day}"
    server = BatchServer(FAMILY, store, default_pool(), run_id, refresh=run_id)
    (served,) = Stream(server, fetcher).run(["000001"])
    return served


def prices(store: Store) -> dict[str, Decimal]:
    rows = (row for known in store.known(FAMILY).values() for row in known)
    return {row["sku"]: Decimal(row["price"]) for row in rows}


def asked(site: Site) -> list[int]:
    """How often each list was asked for."""
    return [len(site.hits(f"/list/{at}")) for at in range(LISTS)]


def test_a_row_that_was_wrong_for_one_answer_is_published_right(
    store: Store, site: Site, lists: Lists
) -> None:
    lists.says = [CENTS, RIGHT]
    served = refresh(store, site, lists)
    assert served.second_look == "1 asked, 1 said what is not doubtful"
    assert asked(site) == [1, 1, 2, 1, 1, 1, 1, 1]
    assert served.counts.held == 0 and not served.judgement.unconfirmed
    assert prices(store)[DOUBTED] == Decimal(RIGHT)
    assert prices(store)["sku-14"] == Decimal("34.50"), "the other rows are of today"


def test_a_row_that_the_site_insists_on_waits(
    store: Store, site: Site, lists: Lists
) -> None:
    lists.says = [CENTS]
    served = refresh(store, site, lists)
    assert served.second_look == "1 asked, 1 said what is doubtful again"
    assert prices(store)[DOUBTED] == Decimal(RIGHT)


def test_rows_that_have_wandered_meanwhile_say_nothing(
    store: Store, site: Site, lists: Lists
) -> None:
    """The first answer stands: else a row would be on two pages, and another on none."""
    lists.says = [CENTS, RIGHT]
    lists.first[2] = [2 * ROWS, 2 * ROWS + 1]
    served = refresh(store, site, lists)
    assert served.second_look == "1 asked, 1 showed other rows"
    assert prices(store)[DOUBTED] == Decimal(RIGHT)
    assert len(prices(store)) == LISTS * ROWS
