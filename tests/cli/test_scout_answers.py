import pytest

from crawloop_assets.cli.scout_answers import answered
from crawloop_assets.cli.scout_crawler import ScoutedFamily, with_crawler
from crawloop_assets.cli.scout_table import shown_rows
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import ConfigError
from crawloop_assets.sandbox import ProposeJob, default_pool
from crawloop_assets.scout.written import FamilyFiles
from tests.scout.pages_of import html_page

_PAGE = (
    "<h1>Lamp {0}</h1><p class='price'>{1}.00 EUR</p><span class='sale_price'>{2}.50 EUR</span>"
    "<div class='description'>All about lamp {0}.</div>"
)


def lamps() -> ScoutedFamily:
    pages = tuple(
        html_page(
            _PAGE.format(number, 10 + 3 * number, 20 + 7 * number),
            f"http://s.test/{number}",
        )
        for number in range(1, 5)
    )
    job = ProposeJob(pages=pages, kind=FamilyKind.DETAIL)
    proposal = default_pool().run(job).proposal
    assert proposal is not None
    files = FamilyFiles("shop/item", pages[0].url, proposal, {"seeds": [pages[0].url]})
    return with_crawler(files, pages, default_pool())


def test_what_a_person_says_of_a_cell_is_read_from_then_on() -> None:
    family = lamps()
    assert shown_rows(family)[0][1].values["price"] == "13.00"
    first = answered([family], "1 price = 27.50", default_pool())
    second = answered(first, "2 price = 34.50", default_pool())
    prices = [record.values["price"] for _, record in shown_rows(second[0])]
    assert prices == ["27.50", "34.50", "41.50", "48.50"]


@pytest.mark.parametrize(
    "answer",
    ["what?", "77 price = 1", "1 colour = red", "1 title = Not on the page at all"],
)
def test_what_cannot_be_done_is_said(answer: str) -> None:
    with pytest.raises(ConfigError):
        answered([lamps()], answer, default_pool())
