"""What somebody who sees the pages after a redesign does about what is asked."""

from pathlib import Path

import pytest

from crawloop_assets.eval.gold import Gold
from crawloop_assets.replay.person import Onlooker
from crawloop_assets.replay.server import Snapshot
from crawloop_assets.store import CrawlerStatus, NewCrawler, QuestionState
from tests.heal.stuck import asked, price, redesigned, unlabelled, wave
from tests.heal.town import GOODS, Town


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods whose redesign ended in the question where the price is."""
    town = redesigned(tmp_path)
    wave(town)
    return town


def onlooker(town: Town, gold: Gold) -> Onlooker:
    """Somebody who sees this on every page."""
    pages = [unlabelled(at) for at in range(3)]
    shots = {
        page.url: Snapshot(page.url, Path("unread"), page.url, (gold,))
        for page in pages
    }
    return Onlooker(GOODS, shots, town.store)


def test_a_value_that_the_page_shows_is_taught(town: Town) -> None:
    asking = asked(town)
    (at,) = [at for at in range(3) if unlabelled(at).url == asking.url]
    (done,) = onlooker(town, {"price": (price(at),)}).decide()
    assert done.startswith("teach price: promoted")
    assert asked(town).state is QuestionState.TAUGHT


def test_what_the_verbs_refuse_is_what_was_done(town: Town) -> None:
    (done,) = onlooker(town, {"price": ("99.99",)}).decide()
    assert done.startswith("teach price: rejected")
    # Where the page shows nothing there is nothing to teach, and a price has to be there.
    assert onlooker(town, {}).decide() == []
    assert asked(town).state is QuestionState.OPEN


def test_a_version_in_review_is_let_serve_where_nothing_is_asked(town: Town) -> None:
    active = town.store.active(GOODS.family)
    assert active is not None
    town.store.questions.withdraw(GOODS.family, "nobody has to decide it")
    body = active.body.replace("price", "cost")
    waiting = NewCrawler(
        family=GOODS.family, body=body, status=CrawlerStatus.AWAITING_REVIEW
    )
    version = town.store.add_crawler(waiting)
    assert onlooker(town, {}).decide() == [f"promote v{version}"]
    now = town.store.active(GOODS.family)
    assert now is not None and now.version == version
