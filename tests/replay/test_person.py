"""What somebody who sees the pages after a redesign does about what is asked."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.eval.gold import Gold
from crawloop_assets.family import HealPolicy, Promotion
from crawloop_assets.induce.lesson import ANOTHER_ROW, MORE_OF_IT
from crawloop_assets.induce.settled import THERE_TOO
from crawloop_assets.replay.person import Onlooker
from crawloop_assets.replay.server import Snapshot
from crawloop_assets.store import (
    BatchCommit,
    HeldPage,
    HeldReason,
    NewQuestion,
    QuestionKind,
    QuestionState,
)
from tests.heal.stuck import (
    PAGES,
    asked,
    price,
    redesigned,
    town_of_goods,
    unlabelled,
    wave,
)
from tests.heal.town import GOODS, Town, good, new, old


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


def test_a_version_in_review_is_let_serve(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    reviewed = HealPolicy(promotion=Promotion.REVIEW)
    wave(town, family=GOODS.model_copy(update={"heal": reviewed}))
    gold: Gold = {"price": (good(0)["price"],)}
    assert onlooker(town, gold).decide() == ["accept the version"]
    active = town.store.active(GOODS.family)
    assert active is not None and active.version == 2


@pytest.mark.parametrize(
    ("shown", "done"),
    [
        ("9.75", ["accept maker, price"]),
        # Who shows one field does not accept the rest: it is said as well.
        ("8.11", ["teach maker: ", "teach price: rejected"]),
    ],
)
def test_news_is_accepted_if_the_page_bears_it_out(
    tmp_path: Path, shown: str, done: list[str]
) -> None:
    town = town_of_goods(tmp_path)
    page = old(GOODS, 0, good(0))
    held = HeldPage(
        url=page.url,
        page_sha256=page.sha256,
        version=1,
        reasons=[HeldReason(check="history")],
        values=[{**good(0), "price": "9.75"}],
    )
    commit = BatchCommit(family=GOODS, batch="000001", run_id="run-8", held=[held])
    town.store.commit_batch(commit)
    asks = NewQuestion(
        family=GOODS.family,
        kind=QuestionKind.NEWS,
        fields=("maker", "price"),
        sentence="it says something else",
        since=datetime.now(UTC),
        url=page.url,
    )
    town.store.questions.ask(asks)
    gold: Gold = {"maker": (good(0)["maker"],), "price": (shown,)}
    did = onlooker(town, gold).decide()
    assert len(did) == len(done) and all(map(str.startswith, did, done))


def test_a_version_in_review_that_reads_another_value_is_shown_the_right_one(
    tmp_path: Path,
) -> None:
    town = town_of_goods(tmp_path)
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    reviewed = HealPolicy(promotion=Promotion.REVIEW)
    wave(town, family=GOODS.model_copy(update={"heal": reviewed}))
    (did,) = onlooker(town, {"price": ("77.70",)}).decide()
    assert did.startswith("teach price: ")
    assert asked(town).state is QuestionState.OPEN


def test_what_cannot_be_shown_is_accepted_as_gone(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    lacking = [{**good(at), "maker": ""} for at in range(PAGES)]
    pages = [
        old(GOODS, at, {name: value for name, value in one.items() if value})
        for at, one in enumerate(lacking)
    ]
    town.read(GOODS, pages)
    wave(town)
    taught, accepted = onlooker(town, {"maker": ("Harlow & Sons",)}).decide()
    assert taught.startswith("teach maker: rejected") and "does not stand" in taught
    assert accepted == "accept maker"
    assert asked(town).state is QuestionState.ACCEPTED


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["promoted"], ["price 0"]),
        ([MORE_OF_IT, "promoted"], ["price 0", "title 0"]),
        ([MORE_OF_IT, ANOTHER_ROW, "promoted"], ["price 0", "title 0", "price 1"]),
        ([THERE_TOO, ANOTHER_ROW, THERE_TOO], ["price 0", "price 1"]),
    ],
)
def test_more_is_said_where_the_answer_is_that_it_helps(
    town: Town, monkeypatch: pytest.MonkeyPatch, answers: list[str], said: list[str]
) -> None:
    replies = iter(answers)

    def answer(_: Onlooker, url: str, name: str, gold: Gold, row: int) -> str:
        assert gold[name] == (f"{name} {row}",) and url == asked(town).url
        return f"teach {name}: rejected, {next(replies)}"

    monkeypatch.setattr(Onlooker, "_taught", answer)
    rows: list[Gold] = [
        {name: (f"{name} {row}",) for name in ("price", "title")} for row in range(2)
    ]
    shot = Snapshot("x", Path("unread"), "x", tuple(rows))
    person = Onlooker(GOODS, {asked(town).url: shot}, town.store)
    done = person.decide()
    assert done == [
        f"teach {what.split()[0]}: rejected, {reply}"
        for what, reply in zip(said, answers, strict=False)
    ]
