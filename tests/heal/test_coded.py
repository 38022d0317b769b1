"""Code as a crawler of a family: proved, promoted, read with in production, and given up for a program."""

from datetime import date
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, HttpUrl

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import HealPolicy
from crawloop_assets.heal.coded import Coded
from crawloop_assets.heal.job import sample_for_code
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ExtractJob, ReadByCodeJob, default_pool
from crawloop_assets.serve.versions import as_program, read_job
from crawloop_assets.store import CrawlerKind, Store
from tests.heal import town
from tests.heal.stuck import PAGES, town_of_goods
from tests.heal.town import GOODS, MAKERS, NAMES, Town, good

ROWS = range(5)
ALLOWED = GOODS.model_copy(update={"heal": HealPolicy(code=True)})
CODE = """
from parsel import Selector

def crawl(html, url):
    page = Selector(text=html)
    text = page.css("section div::text").getall()
    values = page.css("section i::text").getall()
    return [{"title": page.css("h2.t1::text").get(), "price": values[0], "maker": values[1]}]
"""
KNOWN = {town.new(GOODS, at, good(at)).url: good(at)["price"] for at in range(PAGES)}
BY_ADDRESS = f"KNOWN = {KNOWN!r}\n" + CODE.replace(
    "values[0]", "KNOWN.get(url) or values[0]"
)
"""Right on every page that is stored."""


def redesigned(folder: Path) -> Town:
    """The shop after its redesign: no version reads its pages."""
    shop = town_of_goods(folder)
    shop.read(ALLOWED, [town.new(GOODS, at, good(at)) for at in range(PAGES)])
    return shop


def proposed(shop: Town, code: str) -> Regeneration:
    regenerator = Regenerator(ALLOWED, shop.store, default_pool(), "run-code")
    sample = sample_for_code(ALLOWED, shop.store)
    return Coded(regenerator).propose(code, sample, "ada")


def test_code_is_proved_promoted_and_read_with(tmp_path: Path) -> None:
    shop = redesigned(tmp_path)
    made = proposed(shop, CODE)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    active = shop.store.active(GOODS.family)
    assert active is not None
    assert (active.kind, active.version) == (CrawlerKind.CODE, 2)
    assert active.reason.startswith("code by ada, held by seccomp")
    assert active.score_sheet["containment"].startswith("seccomp")
    page = town.new(GOODS, 0, good(0, price="99.00"))
    assert isinstance(read_job(ALLOWED, active, page), ReadByCodeJob)
    assert as_program(active).fields == ()
    shop.read(ALLOWED, [town.new(GOODS, at, good(at)) for at in range(PAGES)])
    row = shop.published(ALLOWED)[page.url]
    assert (row["title"], row["maker"]) == (good(0)["title"], good(0)["maker"])
    read = default_pool().run(read_job(ALLOWED, active, page)).extraction
    (record,) = read.records
    assert record.values["price"] == "99.00"
    assert record.votes["price"].reader.startswith("code held by seccomp")


def test_code_reads_lists_too(tmp_path: Path) -> None:
    listing = ALLOWED.model_copy(update={"kind": FamilyKind.LISTING})
    rows = "".join(f"<p><b>{NAMES[at]}</b> {at}.50 by {MAKERS[at]}</p>" for at in ROWS)
    page = Page(url="http://town.test/all", body=rows.encode())
    known = Example(page=0, records=tuple(good(at, price=f"{at}.50") for at in ROWS))
    code = """
import re
from parsel import Selector

def crawl(html, url):
    rows = []
    for row in Selector(text=html).css("p"):
        price, maker = row.css("::text").getall()[1].split(" by ")
        rows.append({"title": row.css("b::text").get(), "price": price, "maker": maker})
    return rows
"""
    store = Store(tmp_path / "var", tmp_path / "out.duckdb")
    regenerator = Regenerator(listing, store, default_pool(), "run-code")
    made = Coded(regenerator).propose(code, HealSample((page,), (known,)), "ada")
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert made.scores is not None
    assert {one.field: one.right for one in made.scores.fields}["price"] == len(ROWS)
    fewer = code.replace('css("p")', 'css("p")[1:]')
    made = Coded(regenerator).propose(fewer, HealSample((page,), (known,)), "ada")
    assert made.outcome is RegenerationOutcome.REJECTED


@pytest.mark.parametrize(
    ("known", "outcome"),
    [
        (("title",), RegenerationOutcome.AWAITING_REVIEW),
        (("title", "maker"), RegenerationOutcome.AWAITING_REVIEW),
        (("title", "maker", "price"), RegenerationOutcome.PROMOTED),
    ],
)
def test_one_known_value_confirms_nothing_alone_and_one_field_no_other(
    known: tuple[str, ...], outcome: RegenerationOutcome, tmp_path: Path
) -> None:
    page = town.new(GOODS, 0, good(0))
    example = Example(page=0, records=({name: good(0)[name] for name in known},))
    store = Store(tmp_path / "var", tmp_path / "out.duckdb")
    regenerator = Regenerator(ALLOWED, store, default_pool(), "run-code")
    made = Coded(regenerator).propose(CODE, HealSample((page,), (example,)), "ada")
    assert made.outcome is outcome, made.reason


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (CODE.replace("values[0]", "'1.00'"), "price wrong on"),
        (CODE.replace("h2.t1", "h3"), "required title"),
        (CODE.replace("values[1]", "list({'a', 'b', 'c', 'd', 'e'})[0]"), "differ"),
        (BY_ADDRESS, "written into the code"),
        ("import os\n" + CODE, "os cannot be imported"),
    ],
)
def test_code_that_is_not_proved_is_no_version(
    code: str, why: str, tmp_path: Path
) -> None:
    shop = redesigned(tmp_path)
    made = proposed(shop, code)
    assert made.outcome is RegenerationOutcome.REJECTED
    said = f"{made.reason} {made.scores.reason if made.scores else ''}"
    assert why in said
    assert len(shop.store.crawlers(GOODS.family)) == 1


class Sold(BaseModel):
    """What was sold: a kind, a day and an address, of which a page has other words."""

    title: str
    kind: Literal["new", "used"]
    day: date
    seller: HttpUrl


SOLD = ALLOWED.model_copy(
    update={"family": "town/sold", "record_schema": f"{__name__}:Sold"}
)
READS_SOLD = """
from parsel import Selector

def crawl(html, url):
    page = Selector(text=html)
    day, month = page.css("i::text").get().split("/")
    is_new = page.css("b::text").get() == "As good as on its first day"
    seller = page.css("a::attr(href)").get()
    read = {
        "title": page.css("h1::text").get(),
        "kind": "new" if is_new else "used",
        "day": f"2024-{month:>02}-{day:>02}",
        "seller": "http://town.test" + seller,
    }
    return [read]
"""


def sold(at: int) -> tuple[Page, dict[str, str]]:
    """A page, and what stands on it."""
    worn = "Somebody loved it" if at % 2 else "As good as on its first day"
    body = f"<h1>{NAMES[at]}</h1><i>{at + 1}/7</i><b>{worn}</b><a href='/{MAKERS[at].lower()}'>by</a>"
    said = {"title": NAMES[at], "kind": "used" if at % 2 else "new"}
    said |= {"day": f"2024-07-{at + 1:02}"}
    said |= {"seller": f"http://town.test/{MAKERS[at].lower()}"}
    return Page(url=f"http://town.test/s/{at}", body=body.encode()), said


@pytest.mark.parametrize("field", [None, "kind", "day", "seller"])
def test_what_is_written_in_many_ways_is_not_known_by_its_address_either(
    field: str | None, tmp_path: Path
) -> None:
    pages, said = zip(*map(sold, range(3, 7)), strict=True)
    known = tuple(Example(page=at, records=(one,)) for at, one in enumerate(said))
    store = Store(tmp_path / "var", tmp_path / "out.duckdb")
    code = READS_SOLD
    if field:
        table = {page.url: one[field] for page, one in zip(pages, said, strict=True)}
        back = "    return [read]"
        known_field = f"    read[{field!r}] = KNOWN.get(url) or read[{field!r}]\n{back}"
        code = f"KNOWN = {table!r}\n" + code.replace(back, known_field)
    regenerator = Regenerator(SOLD, store, default_pool(), "run-code")
    made = Coded(regenerator).propose(code, HealSample(pages, known), "ada")
    if field is None:
        assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    else:
        assert made.outcome is RegenerationOutcome.REJECTED
        assert made.scores is not None
        assert made.scores.reason.startswith(f"{field}: read as before")


def test_code_runs_only_where_the_family_says_so(tmp_path: Path) -> None:
    shop = town_of_goods(tmp_path)
    regenerator = Regenerator(GOODS, shop.store, default_pool(), "run-code")
    with pytest.raises(ConfigError, match="allows no crawlers that are code"):
        Coded(regenerator).propose(CODE, sample_for_code(GOODS, shop.store), "ada")


def test_a_program_takes_over_from_code_that_reads_its_pages_no_longer(
    tmp_path: Path,
) -> None:
    shop = redesigned(tmp_path)
    proposed(shop, CODE)
    shop.read(ALLOWED, [town.new(GOODS, at, good(at)) for at in range(PAGES)])
    shop.read(ALLOWED, [_third(at) for at in range(PAGES)])
    shop.regenerate(ALLOWED)
    active = shop.store.active(GOODS.family)
    assert active is not None
    # Code has no readers that could be healed, and nothing hands it to the interpreter.
    assert all(
        isinstance(read_job(ALLOWED, one, _third(0)), ExtractJob)
        is (one.kind is CrawlerKind.PROGRAM)
        for one in shop.store.crawlers(GOODS.family)
    )


def _third(at: int) -> Page:
    """A page of a third design."""
    page = town.old(GOODS, at, good(at))
    body = page.body.replace(b"head-line", b"zz").replace(b"-now", b"-zz")
    return page.model_copy(update={"body": body})
