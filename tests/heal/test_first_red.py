"""Known values that have moved on since the pages first were red still speak against what is read elsewhere."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.heal.first_red import as_first_red, with_contradicted
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from tests.heal.stuck import PAGES, town_of_goods
from tests.heal.town import GOODS, Town, _page, good


def members(at: int, day: int) -> Page:
    """A good whose old place of the price has what members pay, whose price stands beside it, and whose maker is
    called otherwise; prices move from the second day on."""
    shown = good(at)
    maker = shown["maker"].replace("&", "&amp;")
    price = float(shown["price"]) + day
    body = (
        f"<main class='sheet'><h1 class='head-line'>{shown['title']}</h1>"
        f"<dl><dt>Price</dt><dd class='price-now'>${price - 1:.2f}</dd></dl>"
        f"<p>For all others <b>${price:.2f}</b></p><i class='by'>{maker}</i></main>"
    )
    return _page(GOODS, at, body)


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods of which nothing known stands on the pages any more but their names."""
    town = town_of_goods(tmp_path)
    for day in (0, 1):
        town.read(GOODS, [members(at, day) for at in range(PAGES)])
    return town


def sample(town: Town, day: int) -> HealSample:
    """The pages of a day, and what is known of them."""
    pages = [members(at, day) for at in range(PAGES)]
    known = town.store.known(GOODS, [page.url for page in pages])
    examples = [
        Example(page=at, records=tuple(known[page.url]))
        for at, page in enumerate(pages)
    ]
    return HealSample(tuple(pages), tuple(examples))


def test_the_pages_are_those_that_were_held_first(town: Town) -> None:
    before = as_first_red(town.store, GOODS.family, sample(town, 1))
    assert [page.body for page in before.pages] == [
        members(at, 0).body for at in range(PAGES)
    ]
    assert [example.page for example in before.known] == list(range(PAGES))
    assert as_first_red(town.store, GOODS.family, sample(town, 0)).pages == ()


def test_a_lesson_lets_no_other_field_through_that_was_contradicted(
    town: Town,
) -> None:
    page = members(0, 1)
    decisions = Decisions(GOODS, town.store, "run-9")
    of_maker = PersonSays("maker", "ada", good(0)["maker"], url=page.url)
    refused = decisions.teach(of_maker, default_pool())
    assert refused.outcome is RegenerationOutcome.REJECTED
    assert (
        "price is read where another value stood when the pages first were red"
        in refused.reason
    )
    true = f"{float(good(0)['price']) + 1:.2f}"
    of_price = PersonSays("price", "ada", true, url=page.url)
    assert (
        decisions.teach(of_price, default_pool()).outcome
        is RegenerationOutcome.PROMOTED
    )
    town.read(GOODS, [members(at, 1) for at in range(PAGES)])
    read = {url: row["price"] for url, row in town.published(GOODS).items()}
    assert read == {
        members(at, 1).url: str(float(good(at)["price"]) + 1) for at in range(PAGES)
    }


def relisted(at: int, day: int) -> Page:
    """A good in another design, beside whose price stands what it will be on the sixth day."""
    shown, price = good(at), float(good(at)["price"])
    maker = shown["maker"].replace("&", "&amp;")
    return _page(
        GOODS,
        at,
        f"<main class='sheet'><h1 class='head-line'>{shown['title']}</h1>"
        f"<p>Later <u>${price + 6:.2f}</u></p><p>Now <b>${price + day:.2f}</b></p>"
        f"<i class='by'>{maker}</i></main>",
    )


def test_what_is_taught_of_a_page_says_nothing_of_it_as_it_first_was(
    tmp_path: Path,
) -> None:
    town = town_of_goods(tmp_path)
    for day in (5, 6):
        town.read(GOODS, [relisted(at, day) for at in range(PAGES)])
    true = f"{float(good(0)['price']) + 6:.2f}"
    said = PersonSays("price", "ada", true, at="b", url=relisted(0, 6).url)
    made = Decisions(GOODS, town.store, "run-9").teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason


def score(name: str, right: int, wrong: int = 0, silent: int = 0) -> FieldScore:
    return FieldScore(field=name, right=right, wrong=wrong, silent=silent)


GONE = FieldScore(field="stock", changed=9, gone=True)
PROOF = ScoreSheet(fields=(score("title", 9), score("price", 0), GONE), passed=True)


def test_what_stood_there_then_is_not_gone() -> None:
    then = ScoreSheet(fields=(score("title", 9), score("stock", 0, silent=4)))
    proof = with_contradicted(PROOF, then)
    stock = proof.field("stock")
    assert proof.passed and stock is not None and not stock.gone
    never = ScoreSheet(fields=(score("title", 9), score("stock", 0)))
    stock = with_contradicted(PROOF, never).field("stock")
    assert stock is not None and stock.gone


def test_pages_of_another_layout_say_nothing() -> None:
    then = ScoreSheet(fields=(score("title", 0), score("price", 0, wrong=4)))
    assert with_contradicted(PROOF, then) == PROOF
    alike = ScoreSheet(fields=(score("title", 9), score("price", 0, wrong=4)))
    assert not with_contradicted(PROOF, alike).passed
