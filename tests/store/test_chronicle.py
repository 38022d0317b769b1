"""What happened, from all ledgers in one order; what was read and spent."""

from datetime import UTC, datetime
from decimal import Decimal

from crawloop_assets.drift.check import CheckName, CheckResult
from crawloop_assets.store import AccessOutcome, BatchReport, LlmCall, NewCrawler, Store
from crawloop_assets.store.chronicle import HappeningKind
from tests.models import Item
from tests.store.conftest import commit, family, served

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def crawl(store: Store, run: str, passed: bool) -> None:
    """A refresh of one page, red or green."""
    check = CheckResult(
        name=CheckName.VOTES, passed=passed, sentence="readers disagree"
    )
    page = served("https://shop.test/a", Item(title="Tea", price=Decimal(1)))
    store.commit_batch(commit(run, [page], report=BatchReport(checks=(check,))))


def test_drift_recovery_blocks_and_calls_stand_beside_decisions(store: Store) -> None:
    name = family().family
    store.promote(name, store.add_crawler(NewCrawler(family=name, body="{}")), "first")
    for run, passed in (("r1", True), ("r2", False), ("r3", False), ("r4", True)):
        crawl(store, run, passed)
    blocked = AccessOutcome(
        family=name,
        domain="shop.test",
        rung="plain",
        outcome="blocked",
        reason="403",
        run_id="r5",
    )
    store.record_access(blocked, blocked)
    store.record_calls(LlmCall(family=name, purpose="repair", model="m", usd=0.25))
    found = store.chronicle.happenings(name)
    assert [one.created_at for one in found] == sorted(one.created_at for one in found)
    said = {(one.what, one.says) for one in found}
    assert (HappeningKind.DRIFT, "batch 000001: readers disagree") in said
    assert (HappeningKind.RECOVERED, "batch 000001 is green again") in said
    assert (HappeningKind.BLOCKED, "shop.test over plain: 2 page(s), 403") in said
    assert (HappeningKind.MODEL_CALL, "repair by m: ok, $0.25") in said
    assert {"crawler_added", "crawler_promoted"} <= {what for what, _ in said}
    assert {one.run_id for one in store.chronicle.happenings(what="drift")} == {
        "r2",
        "r3",
    }
    assert len(store.chronicle.happenings(what="drift", limit=1)) == 1
    assert store.chronicle.happenings("other") == []


def test_costs_are_by_family_with_what_a_page_cost_that_a_model_read(
    store: Store,
) -> None:
    crawl(store, "r1", True)
    store.record_calls(
        LlmCall(
            family="shop/item",
            purpose="serve",
            model="m",
            usd=0.2,
            tokens_in=10,
            prompt="serve-1",
        ),
        LlmCall(family="shop/other", purpose="repair", model="m", reserved=0.5),
        LlmCall(family="shop/item", purpose="test", model="m", usd=0.1),
        LlmCall(
            family="shop/item", purpose="serve", model="m", usd=0, outcome="cached"
        ),
    )
    own, other = store.chronicle.costs(LONG_AGO)
    assert (own.family, own.pages, own.calls, own.usd_of_a_page) == (
        "shop/item",
        1,
        2,
        0.2,
    )
    assert [(of.purpose, of.calls, of.cached, of.usd) for of in own.purposes] == [
        ("serve", 1, 1, 0.2),
        ("test", 1, 0, 0.1),
    ]
    assert [of.prompts for of in own.purposes] == [("serve-1",), ()]
    assert [of.counted for of in other.purposes] == [0.5]
    assert store.chronicle.costs(LONG_AGO, "shop/other") == [other]
    assert (other.pages, other.unknown, other.usd_of_a_page) == (0, 1, None)
    assert store.chronicle.costs(datetime(2100, 1, 1, tzinfo=UTC)) == []
