"""Which pages a regeneration works on, and what it decides to do at all."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, HttpUrl

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Domain, Domains, Family
from crawloop_assets.heal.job import regenerate_family
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import CrawlerStatus, FoundUrl, Store
from tests.access.serving import running
from tests.access.shop import product
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.heal.town import GOODS, Town, good, new, old
from tests.store.conftest import commit


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


def shop_family(site: Site, *numbers: int) -> Family:
    """Items of a site, of which some are examples."""
    examples = []
    for number in numbers:
        item = product(number)
        record = {"title": item.title, "price": f"{item.price:.2f}"}
        examples.append({"url": site.url(f"/p/{number}"), "record": record})
    return Family.model_validate(
        {
            "family": "shop/item",
            "schema": "tests.models:Item",
            "discover": {},
            "examples": examples,
        }
    )


def first_version(
    site: Site, folder: Path, family: Family, others: Sequence[str]
) -> tuple[Store, Regeneration]:
    """What comes of a family that has no version yet, and of which `others` are
    known."""
    store = Store(folder / "var", folder / "crawloop.duckdb")
    store.add_urls(family, [FoundUrl(site.url(path)) for path in others])
    domain = Domain(
        host="127.0.0.1", scheme="http", port=site.port, private=True, max_rps=1_000
    )
    fetcher = Fetcher(Domains(domains=(domain,)), folder / "var")
    made = regenerate_family(
        family, store, default_pool(), fetcher, run_id="run-1", wave=None
    )
    return store, made


def test_the_first_version_is_made_from_examples_and_proved_on_some_other_pages(
    site: Site, tmp_path: Path
) -> None:
    family = shop_family(site, 20, 24, 28)
    others = [f"/p/{number}" for number in range(32, 88, 4)] + ["/gone/1"]
    store, made = first_version(site, tmp_path, family, others)
    assert made.outcome is RegenerationOutcome.PROMOTED
    assert made.scores is not None and made.scores.records == 3
    asked = [hit.path for hit in site.hits("/p/")]
    assert {"/p/20", "/p/24", "/p/28"} <= set(asked)
    assert len(asked) == len(set(asked))
    assert len(asked) + len(site.hits("/gone/")) == 13
    active = store.active(family.family)
    assert active is not None
    fields = {field.spec.name for field in Program.from_json(active.body).fields}
    assert fields >= {"title", "price"}


def test_an_example_whose_page_is_gone_is_left_out(site: Site, tmp_path: Path) -> None:
    family = shop_family(site, 20, 24, 28)
    gone = family.examples[0].model_copy(update={"url": site.url("/gone/20")})
    family = family.model_copy(update={"examples": (gone, *family.examples[1:])})
    _, made = first_version(site, tmp_path, family, [])
    assert made.scores is not None
    assert (made.scores.records, made.scores.pages) == (2, 2)


def test_a_page_that_no_worker_parses_costs_a_first_version_nothing(
    site: Site, tmp_path: Path
) -> None:
    family = shop_family(site, 20, 24, 28)
    others = [f"/p/{number}" for number in range(32, 88, 4)]
    usual = site.on_p

    def one_is_huge(asked: Asked) -> Told:
        told = usual(asked)
        is_huge = asked.number in {24, 36}
        return Told(told.body + b" " * 5_000_000) if is_huge else told

    site.routes["p"] = one_is_huge
    store, made = first_version(site, tmp_path, family, others)
    assert made.outcome is RegenerationOutcome.PROMOTED
    assert made.scores is not None
    assert made.scores.records == 2, "of three examples one is of such a page"
    assert store.active(family.family) is not None


PAGES = 6


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods that are published in the first design, read by a proved version."""
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in range(PAGES)]
    known = [good(at) for at in range(3)]
    assert town.learn(GOODS, pages, known).outcome is RegenerationOutcome.PROMOTED
    town.read(GOODS, pages)
    return town


def test_where_nothing_drifted_there_is_nothing_to_do(town: Town) -> None:
    ended = town.regenerate(GOODS, wave="heal0")
    assert ended.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert ended.reason == "no stored page of the family is drifted"
    assert len(town.store.crawlers(GOODS.family)) == 1


def test_drifted_pages_are_healed_from_their_last_good_records(town: Town) -> None:
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    ended = town.regenerate(GOODS)
    assert (ended.outcome, ended.version) == (RegenerationOutcome.PROMOTED, 2)
    assert ended.previous == 1
    assert ended.scores is not None and ended.scores.pages == PAGES


def stocked(at: int) -> dict[str, str]:
    return good(at, stock=f"{at + 4} left")


def with_stock(*numbers: int) -> Family:
    """The goods, with examples that say how many are left."""
    examples = [
        {"url": old(GOODS, at, good(at)).url, "record": stocked(at)} for at in numbers
    ]
    return Family.model_validate(
        GOODS.model_dump(by_alias=True) | {"examples": examples}
    )


def test_a_field_that_the_schema_gained_is_read_from_examples_on(town: Town) -> None:
    pages = [old(GOODS, at, stocked(at)) for at in range(PAGES)]
    town.read(GOODS, pages)
    family = with_stock(0, 1, 2)
    waved = town.regenerate(family, wave="heal0")
    assert waved.outcome is RegenerationOutcome.NOTHING_TO_DO, "not within a wave"
    ended = town.regenerate(family, wave=None)
    assert (ended.outcome, ended.version) == (RegenerationOutcome.PROMOTED, 2)
    town.read(family, pages)
    stock = [row.get("stock") for _, row in sorted(town.published(family).items())]
    assert stock == [f"{at + 4} left" for at in range(PAGES)]


def test_a_field_that_no_page_shows_is_no_reason_for_a_version(town: Town) -> None:
    ended = town.regenerate(GOODS, wave=None)
    assert ended.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert ended.reason == "no reader was found for stock"
    fields = {"title", "price", "maker"}
    active = town.store.active(GOODS.family)
    assert active is not None
    program = Program.from_json(active.body)
    assert {field.spec.name for field in program.fields} == fields
    statuses: list[Any] = [each.status for each in town.store.crawlers(GOODS.family)]
    assert statuses == [CrawlerStatus.ACTIVE]


class Placed(BaseModel):
    """A good with its page's own address, which no reader reads."""

    title: str
    price: Decimal
    maker: str | None = None
    url: HttpUrl | None = None


def test_the_address_of_a_page_is_no_field_that_is_to_be_learned(town: Town) -> None:
    update = {"record_schema": "tests.heal.test_job:Placed"}
    ended = town.regenerate(GOODS.model_copy(update=update, deep=True), wave=None)
    assert ended.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert ended.reason == "no stored page of the family is drifted"


def unnamed(at: int, left: str) -> Page:
    """A good of the first design, and how many are left without a word that says so."""
    page = old(GOODS, at, good(at))
    cell = f"<p class='zz'>{left}</p></main>"
    body = page.body.decode().replace("</main>", cell)
    return Page(url=page.url, body=body.encode(), headers=page.headers)


def test_examples_complete_what_is_known_of_their_pages(town: Town) -> None:
    words = ("eleven", "twenty", "a hundred", "dozens", "plenty", "hardly any")
    pages = [unnamed(at, words[at]) for at in range(PAGES)]
    town.read(GOODS, pages)
    examples = [
        {"url": pages[at].url, "record": good(at, stock=words[at])} for at in range(3)
    ]
    family = Family.model_validate(
        GOODS.model_dump(by_alias=True) | {"examples": examples}
    )
    ended = town.regenerate(family, wave=None)
    assert (ended.outcome, ended.version) == (RegenerationOutcome.PROMOTED, 2)
    town.read(family, pages)
    stock = [row.get("stock") for _, row in sorted(town.published(family).items())]
    assert stock == list(words)


def start_page(box: str, items: int = 5) -> Page:
    """The page from which the goods are linked: it lies where they lie, and is none."""
    links = "".join(
        f"<{box}><a href='/p/{at}'>Good {at}</a></{box}>" for at in range(items)
    )
    return Page(
        url="http://town.test/p/",
        body=f"<html><body><nav>{links}</nav></body></html>".encode(),
        headers={"content-type": "text/html"},
    )


def redesigned(folder: Path, unread: Sequence[Page]) -> tuple[Town, Regeneration]:
    """What comes of five goods in the second design, and of pages that were never read."""
    town, first = Town(folder), [old(GOODS, at, good(at)) for at in range(5)]
    town.learn(GOODS, first, [good(at) for at in range(3)])
    town.read(GOODS, [start_page("li"), *first])
    assert len(town.published(GOODS)) == 5
    town.read(GOODS, [*unread, *(new(GOODS, at, good(at)) for at in range(5))])
    assert town.store.past.red(GOODS.family)
    return town, town.regenerate(GOODS)


def test_a_page_that_never_was_a_record_does_not_stop_the_heal_of_the_others(
    tmp_path: Path,
) -> None:
    stray = start_page("p")
    town, healed = redesigned(tmp_path, [stray])
    assert healed.outcome is RegenerationOutcome.PROMOTED, healed.scores
    assert f"no record of the family: {stray.url}" in healed.reason
    town.read(GOODS, [stray, *(new(GOODS, at, good(at)) for at in range(5))])
    assert not town.store.past.red(GOODS.family)
    by_title = {row["title"] for row in town.published(GOODS).values()}
    assert by_title == {good(at)["title"] for at in range(5)}
    (held,) = town.store.quarantine(GOODS.family)
    assert held.url == stray.url, "it is held by itself, and told"
    told = {one.name for one in town.store.report(GOODS.family, "000001")}
    assert "count" in told


def test_a_page_that_an_example_is_of_has_to_be_read(tmp_path: Path) -> None:
    town, first = Town(tmp_path), [old(GOODS, at, good(at)) for at in range(5)]
    town.learn(GOODS, first, [good(at) for at in range(3)])
    town.read(GOODS, [start_page("li"), *first])
    town.read(GOODS, [start_page("p"), *(new(GOODS, at, good(at)) for at in range(5))])
    stray = start_page("p").url
    shown = [{"url": stray, "record": {"title": "Good 1", "price": "1.50"}}]
    healed = town.regenerate(
        Family.model_validate({**GOODS.model_dump(by_alias=True), "examples": shown})
    )
    assert healed.outcome is RegenerationOutcome.REJECTED
    assert healed.scores is not None
    assert f"no record on {stray}" in healed.scores.reason


def test_a_page_that_was_a_record_once_has_to_be_read(tmp_path: Path) -> None:
    """Its row was removed while it was gone; now something stands there again."""
    town, first = Town(tmp_path), [old(GOODS, at, good(at)) for at in range(6)]
    town.learn(GOODS, first, [good(at) for at in range(3)])
    once = Page(url="http://town.test/p/", body=first[5].body, headers=first[5].headers)
    town.read(GOODS, [once, *first[:5]])
    town.store.commit_batch(commit("gone", gone=[once.url], of=GOODS))
    assert once.url not in town.published(GOODS)
    town.read(GOODS, [start_page("p"), *(new(GOODS, at, good(at)) for at in range(5))])
    healed = town.regenerate(GOODS)
    assert healed.outcome is RegenerationOutcome.REJECTED
    assert healed.scores is not None
    assert f"no record on {once.url}" in healed.scores.reason


def test_new_pages_that_look_like_records_and_are_not_read_stop_the_heal(
    tmp_path: Path,
) -> None:
    """Goods 5 to 7 are new, and have no price in the second design."""
    priceless = [
        Page(
            url=page.url,
            body=page.body.replace(b"$", b"on request ").replace(b".50", b""),
            headers=page.headers,
        )
        for page in (new(GOODS, at, good(at, price="x")) for at in (5, 6, 7))
    ]
    _, healed = redesigned(tmp_path, priceless)
    assert healed.outcome is RegenerationOutcome.REJECTED
    assert healed.scores is not None
    assert "required price missing on http://town.test/p/5" in healed.scores.reason
