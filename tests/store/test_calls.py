"""Calls are written down before they are made: nobody spends what another one holds."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawloop_assets.store import LlmCall, Spent, Store

CALL = LlmCall(family="a", purpose="serve", model="m", wave="w")
TODAY = datetime.now(UTC) - timedelta(hours=1)


def test_calls_at_once_and_of_several_processes_hold_a_budget_together(
    tmp_path: Path,
) -> None:
    stores = [Store(tmp_path / "var", tmp_path / "out.duckdb") for _ in range(2)]

    def allows(spent: Spent) -> float:
        if spent.counted + 0.25 > 1.0:
            raise ValueError
        return 0.25

    def reserve(number: int) -> bool:
        try:
            stores[number % 2].calls.reserve(CALL, TODAY, allows)
        except ValueError:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(reserve, range(8)))
    assert made.count(True) == 4
    spent = stores[0].calls.spent("a", TODAY, "w")
    assert (spent.usd, spent.counted, spent.open, spent.of_wave) == (0, 1.0, 1.0, 1.0)


def test_a_call_that_is_settled_counts_what_it_cost(store: Store) -> None:
    name = store.calls.reserve(CALL, TODAY, lambda _: 0.5)
    store.calls.settle(name, LlmCall(family="a", purpose="serve", model="m", usd=0.1))
    kept = LlmCall(family="a", purpose="serve", model="m", usd=0.0, outcome="cached")
    store.calls.record(kept)
    spent = store.spent("a", TODAY)
    assert (spent.usd, spent.counted, spent.open, spent.calls) == (0.1, 0.1, 0, 1)
