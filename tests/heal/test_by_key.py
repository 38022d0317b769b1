"""The record of a page that a person means, by its key."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.drift.matching import Record
from crawloop_assets.errors import ConfigError
from crawloop_assets.heal.by_key import row_of_key
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.sandbox import default_pool
from tests.heal.test_unmoved import SHARES, shares, table
from tests.heal.town import Town

QUOTES = SHARES.model_copy(update={"record_schema": "tests.heal.test_unmoved:Quote"})
BY_BOTH = QUOTES.model_copy(update={"key": ("symbol", "listed")})
TWICE: tuple[Record, ...] = (
    {"symbol": "AX", "listed": "2001-01-01"},
    {"symbol": "BO", "listed": "2001-01-01"},
    {"symbol": "AX", "listed": "2002-02-02"},
)


def test_a_lesson_is_of_the_record_with_the_key(tmp_path: Path) -> None:
    town = Town(tmp_path)
    unlisted = [{"symbol": one["symbol"], "price": one["price"]} for one in shares(0)]
    examples = (Example(page=0, records=tuple(unlisted)),)
    regenerator = Regenerator(QUOTES, town.store, default_pool(), "run-0")
    regenerator.first(HealSample((table(0),), examples))
    assert not town.read(QUOTES, [table(1)]).judgement.drifted
    true, decisions = shares(1)[3], Decisions(QUOTES, town.store, "run-9")
    said = PersonSays("listed", "ada", true["listed"], url=table(1).url)

    def teach(key: str) -> RegenerationOutcome:
        return decisions.teach(
            PersonSays(**vars(said) | {"key": key}), default_pool()
        ).outcome

    with pytest.raises(ConfigError, match=r"0 of \d+ known records .* symbol 'ZZ'"):
        teach("ZZ")
    assert not town.store.questions.lessons(QUOTES.family), "nothing is kept of it"
    assert teach(true["symbol"]) is RegenerationOutcome.PROMOTED
    assert [one.row for one in town.store.questions.lessons(QUOTES.family)] == [3]


@pytest.mark.parametrize(
    ("key", "row"), [("BO", 1), ("2002-02-02", 2), (" AX, 2001-01-01 ", 0)]
)
def test_a_part_that_no_other_has_is_enough(key: str, row: int) -> None:
    assert row_of_key(BY_BOTH, TWICE, key) == row


def test_of_several_the_whole_key_is_asked_for() -> None:
    with pytest.raises(ConfigError, match="2 of 3 known records") as raised:
        row_of_key(BY_BOTH, TWICE, "AX")
    assert "AX, 2001-01-01; BO, 2001-01-01" in str(raised.value.hint)


def test_where_the_page_is_the_key_there_are_only_numbers() -> None:
    alone = QUOTES.model_copy(update={"key": ("url",)})
    with pytest.raises(ConfigError, match="no key but their page") as raised:
        row_of_key(alone, TWICE, "AX")
    assert "--row" in str(raised.value.hint)
