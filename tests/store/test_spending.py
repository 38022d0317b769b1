"""A call whose price nobody knows is no free call."""

from datetime import UTC, datetime, timedelta

from crawloop_assets.store import LlmCall, Spent, Store


def test_an_unknown_price_is_counted_apart(store: Store) -> None:
    call = LlmCall(family="a", purpose="serve", model="own")
    assert call.usd is None and call.outcome == "ok"
    store.record_calls(call)
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    assert store.spent("a", hour_ago) == Spent(usd=0.0, unknown_cost_calls=1, calls=1)
