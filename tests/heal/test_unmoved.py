"""Numbers that a candidate reads just as they were known, though most always moved."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.unmoved import always_moving, say_unmoved, unmoved
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.serve.history import History
from tests.heal.town import Town, _page

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
STEADY = PRICE.model_copy(update={"volatile": False})


def past(*moved: int) -> list[BatchStats]:
    """Refreshes of twenty known prices, of which so many moved."""
    return [
        BatchStats(batch="b", rates={"repriced:price": (many, 20)}) for many in moved
    ]


def rested(
    right: int = 20, changed: int = 0, *moved: int, spec: FieldSpec = PRICE
) -> list[str]:
    sheet = ScoreSheet(
        fields=(FieldScore(field="price", right=right, changed=changed),)
    )
    schema = RecordSchema(name="Share", fields=(spec,))
    return list(unmoved(schema, past(*(moved or (18, 17, 19))), sheet))


def test_where_nearly_all_rest_that_always_moved_yesterdays_may_be_read() -> None:
    assert rested() == ["price"]
    assert rested(20, 2) == ["price"], "rows that are gone"
    assert rested(20, 3) == []
    assert rested(7) == [], "so few may rest by chance"


@pytest.mark.parametrize("moved", [(2, 1, 3), (0, 0, 0, 0, 19), (18,)])
def test_of_what_seldom_moved_or_was_seldom_seen_nobody_knows(
    moved: tuple[int, ...],
) -> None:
    assert rested(20, 0, *moved) == []


def test_what_reads_a_refresh_once_more_is_no_rest() -> None:
    assert rested(20, 0, 18, 17, 0, 0, 0, 19) == ["price"]


def test_what_does_not_move_may_rest() -> None:
    assert rested(spec=STEADY) == []


def test_what_always_moves_is_known_without_a_proof() -> None:
    schema = RecordSchema(name="Share", fields=(PRICE,))
    assert list(always_moving(schema, past(18, 17, 19))) == ["price"]
    assert list(always_moving(schema, past(2, 1, 3))) == []
    steady = RecordSchema(name="Share", fields=(STEADY,))
    assert list(always_moving(steady, past(18, 17, 19))) == []


def test_beside_a_lower_number_yesterdays_may_be_read_whatever_moved_before() -> None:
    score = FieldScore(field="price", right=6, changed=4, former=True)
    sheet = ScoreSheet(fields=(score, FieldScore(field="stock", right=9)))
    schema = RecordSchema(name="Share", fields=(PRICE,))
    assert list(unmoved(schema, [], sheet)) == ["price"]
    assert say_unmoved(["price"], sheet).startswith("a lower price stands beside")
    assert say_unmoved(["stock", "price"], sheet) == (
        "no stock moved, and before most always did; "
        "a lower price stands beside the one that is read, and often the known one"
    )
    assert say_unmoved([], sheet) == ""


class Share(BaseModel):
    """A share, and what it costs."""

    VOLATILE: ClassVar = {"price"}

    symbol: str
    listed: date
    price: Decimal


SHARES = Family.model_validate(
    {
        "family": "town/share",
        "schema": "tests.heal.test_unmoved:Share",
        "kind": "listing",
        "key": ["symbol"],
        "discover": {},
    }
)
SYMBOLS = ("AED", "AUD", "BGN", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD")


def shares(days: int) -> list[dict[str, str]]:
    """The shares of a day; most prices move every day."""
    return [
        {
            "symbol": symbol,
            "listed": f"19{70 + at}-03-{4 + at:02}",
            "price": f"{12 + 3 * at + (days - (at + days) % 4 // 3) * Decimal('0.07'):.2f}",
        }
        for at, symbol in enumerate(SYMBOLS)
    ]


def table(days: int) -> Page:
    """The shares of a day."""
    rows = (
        f"<tr><td>{one['symbol']}</td><td>{one['price']}</td><td>{one['listed']}</td></tr>"
        for one in shares(days)
    )
    heads = "<tr><th>Symbol</th><th>Price</th><th>Listed</th></tr>"
    return _page(SHARES, 1, f"<table>{heads}{''.join(rows)}</table>")


def beside_yesterday(days: int) -> Page:
    """The same in a list, with yesterday's price before today's."""
    rows = [
        f"<li><b>{now['symbol']}</b><i>{then['price']}</i><u>{now['price']}</u>"
        f"<em>{now['listed']}</em></li>"
        for then, now in zip(shares(days - 1), shares(days), strict=True)
    ]
    return _page(SHARES, 1, f"<ul>{''.join(rows)}</ul>")


def test_a_heal_that_reads_yesterdays_waits_and_so_does_a_lesson_of_another_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(History, "before", lambda *_: past(18, 17, 19))
    town = Town(tmp_path)
    regenerator = Regenerator(SHARES, town.store, default_pool(), "run-0")
    examples = (Example(page=0, records=tuple(shares(0))),)
    made = regenerator.first(HealSample((table(0),), examples))
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    for days in range(3):
        assert not town.read(SHARES, [table(days)]).judgement.drifted
    page = beside_yesterday(3)
    assert town.read(SHARES, [page]).judgement.drifted
    known = (Example(page=0, records=tuple(shares(2))),)
    ended = regenerator.heal(HealSample((page,), known))
    assert ended.outcome is RegenerationOutcome.AWAITING_REVIEW, ended.reason
    assert ended.unmoved == ("price",) and "no price moved" in ended.reason
    decisions = Decisions(SHARES, town.store, "run-9")

    def teach(field: str) -> Regeneration:
        said = PersonSays(field, "ada", shares(3)[0][field], url=page.url)
        return decisions.teach(said, default_pool())

    refused = teach("symbol").reason
    assert "no price moved" in refused and "say it as well, this is kept" in refused
    assert teach("price").outcome is RegenerationOutcome.PROMOTED


def cut(day: int) -> list[dict[str, str]]:
    """The shares of a day on which three of their prices have fallen."""
    fallen = {1: "11.00", 4: "19.50", 6: "28.00"} if day else {}
    every = enumerate(shares(0))
    return [one | {"price": fallen.get(at, one["price"])} for at, one in every]


def with_both_prices(folder: Path, name: str = "") -> tuple[Town, Page, Regeneration]:
    """A list that begins to show the original prices, which may have a name, before today's, and what a heal of it
    came to."""
    town = Town(folder)
    regenerator = Regenerator(SHARES, town.store, default_pool(), "run-0")
    examples = (Example(page=0, records=tuple(shares(0))),)
    regenerator.first(HealSample((table(0),), examples))
    assert not town.read(SHARES, [table(0)]).judgement.drifted
    rows = [
        f"<li><b>{now['symbol']}</b><i{name}>{then['price']}</i><u>{now['price']}</u>"
        f"<em>{now['listed']}</em></li>"
        for then, now in zip(cut(0), cut(1), strict=True)
    ]
    page = _page(SHARES, 1, f"<ul>{''.join(rows)}</ul>")
    assert town.read(SHARES, [page]).judgement.drifted
    ended = regenerator.heal(HealSample((page,), examples))
    return town, page, ended


def test_a_heal_that_may_read_the_original_price_waits(tmp_path: Path) -> None:
    """Of the day of the redesign most prices are the original ones, which stand first."""
    _, _, ended = with_both_prices(tmp_path)
    assert ended.outcome is RegenerationOutcome.AWAITING_REVIEW, ended.reason
    assert ended.unmoved == ("price",)
    assert "a lower price stands beside the one that is read" in ended.reason


def test_a_heal_reads_the_current_price_where_a_name_tells_the_original(
    tmp_path: Path,
) -> None:
    town, page, ended = with_both_prices(tmp_path, " class=original")
    assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
    assert not town.read(SHARES, [page]).judgement.drifted
    prices = [row["price"] for row in town.store.known(SHARES)[page.url]]
    assert list(map(Decimal, prices)) == [Decimal(one["price"]) for one in cut(1)]


class Quote(BaseModel):
    """A share whose day of listing nobody has asked for yet."""

    VOLATILE: ClassVar = {"price"}

    symbol: str
    price: Decimal
    listed: date | None = None


def test_what_was_published_of_the_very_page_has_not_rested_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another field is taught on the page from which today's prices were published."""
    monkeypatch.setattr(History, "before", lambda *_: past(18, 17, 19))
    town = Town(tmp_path)
    quotes = SHARES.model_copy(
        update={"record_schema": "tests.heal.test_unmoved:Quote"}
    )
    regenerator = Regenerator(quotes, town.store, default_pool(), "run-0")
    unlisted = [{"symbol": one["symbol"], "price": one["price"]} for one in shares(0)]
    examples = (Example(page=0, records=tuple(unlisted)),)
    regenerator.first(HealSample((table(0),), examples))
    assert not town.read(quotes, [table(1)]).judgement.drifted
    said = PersonSays("listed", "ada", shares(1)[0]["listed"], url=table(1).url)
    taught = Decisions(quotes, town.store, "run-9").teach(said, default_pool())
    assert taught.outcome is RegenerationOutcome.PROMOTED, taught.reason
