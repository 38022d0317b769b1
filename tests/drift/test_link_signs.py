"""Rows that lead elsewhere than all others do."""

import pytest

from crawloop_assets.drift.link_signs import count_link_signs, link_traits
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import LINK, SKU, TITLE, outcome, past, schema

SCHEMA = schema(SKU, LINK)
SHOP = "https://shop.example"
KNOWS = {"link:link": {"shop.example/p": 90, "shop.example/q": 10}}


def page(*links: str, known: tuple[str, ...] = ()) -> PageOutcome:
    rows = [{"sku": str(at), "link": link} for at, link in enumerate(links)]
    return outcome(*rows, previous=[{"sku": "9", "link": link} for link in known])


def signs(*pages: PageOutcome, knows=KNOWS) -> dict[Sign, list[str]]:
    """The links that show each sign."""
    tallies = Tallies()
    norms = Norms(past(3, batch="b", version=1, categories=knows), "b", 1)
    count_link_signs(SCHEMA, pages, norms, tallies)
    return {one.sign: [str(hit.got) for hit in one.hits] for one in tallies}


@pytest.mark.parametrize(
    ("link", "sign"),
    [
        (f"{SHOP}/p/kettle", None),
        ("https://www.shop.example/q/kettle", None),
        (f"{SHOP}/go/123", Sign.ASIDE),
        (f"{SHOP}/go-123/kettle", Sign.ASIDE),
        ("https://ads.example/p/kettle", Sign.ABROAD),
        ("https://ads.shop.example/p/kettle", Sign.ABROAD),
    ],
)
def test_where_a_new_row_leads(link, sign):
    found = signs(page(f"{SHOP}/p/1", link))
    assert found == {
        one: [link] if one is sign else [] for one in (Sign.ABROAD, Sign.ASIDE)
    }


@pytest.mark.parametrize(
    ("title", "link", "found"),
    [
        ("Copper Kettle", f"{SHOP}/p/copper-kettle-7", (0, 1)),
        ("Kettle of copper", f"{SHOP}/c/pots/Kettle%20A7.html", (0, 1)),
        ("Oak shelf", f"{SHOP}/p/copper-kettle-7", (1, 1)),
        ("Oak shelf", f"{SHOP}/oak-shelf/p-7", None),
        ("A7", f"{SHOP}/p/copper-kettle-7", None),
        ("Oak shelf", "", None),
    ],
)
def test_whether_a_new_row_leads_to_what_it_names(
    title: str, link: str, found: tuple[int, int] | None
) -> None:
    fields, row = schema(SKU, TITLE, LINK), {"title": title, "link": link}

    def off(*pages: PageOutcome) -> tuple[int, int] | None:
        tallies = Tallies()
        count_link_signs(fields, pages, Norms(()), tallies)
        tally = tallies.get(Sign.OFF_LINK, "title")
        return tally and (tally.bad, tally.seen)

    assert off(outcome(row, {})) == found
    other = outcome({}, {}, previous=[row])
    assert off(outcome(row, {}), other) is None, "a row that was known on another page"
    assert off(outcome(row)) is None, "a page of one record"


def test_a_name_that_half_of_all_links_end_in_is_none_of_a_row() -> None:
    fields = schema(SKU, TITLE, LINK)

    def off(*ends: str) -> int:
        rows = [
            {"title": f"Case {at}", "link": f"{SHOP}/{at}/{end}"}
            for at, end in enumerate(ends)
        ]
        tallies = Tallies()
        count_link_signs(fields, [outcome(*rows)], Norms(()), tallies)
        tally = tallies.get(Sign.OFF_LINK, "title")
        return tally.bad if tally else 0

    assert off("opinion", "opinion", "opinion", "appeal") == 1
    assert off("opinion", "opinion", "appeal", "order", "writ") == 5


def test_a_row_that_was_let_in_is_no_sign_any_more():
    link = "https://ads.example/1"
    assert signs(page(f"{SHOP}/p/1", link, known=(link,)))[Sign.ABROAD] == []


def test_without_history_nearly_all_rows_of_the_batch_say_it():
    many = [page(*(f"{SHOP}/p/{at}-{row}" for row in range(10))) for at in range(5)]
    odd = page(f"{SHOP}/p/1", "https://ads.example/1")
    assert signs(*many, odd, knows={})[Sign.ABROAD] == ["https://ads.example/1"]
    assert signs(odd, knows={}) == {}


def test_links_that_lead_to_everywhere_say_nothing():
    everywhere = [
        page(*(f"https://s{at}{row}.example/p/1" for row in range(10)))
        for at in range(5)
    ]
    assert signs(*everywhere, knows={}) == {}


def test_a_page_of_one_record_is_no_list():
    assert signs(page("https://ads.example/1")) == {}
    assert list(link_traits(SCHEMA, page("https://ads.example/1"))) == []


def test_what_history_keeps():
    names = [f"{SHOP}/p/1", f"{SHOP}/kettle-77", f"{SHOP}/c3/kettle"]
    kept = [category for _, category in link_traits(SCHEMA, page(*names))]
    assert kept == ["shop.example/p", "shop.example/*", "shop.example/c"]
