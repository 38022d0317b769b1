"""What is written down beside the records comes back as it was written."""

from datetime import UTC, datetime, timedelta

import pytest

from crawloop_assets.store import AuditKind, LlmCall, Store


def test_the_audit_keeps_order_kind_and_detail(store: Store) -> None:
    store.audit(AuditKind.CRAWLER_PROMOTED, "a", "run-1", {"version": 1})
    store.audit(AuditKind.CRAWLER_REJECTED, "a", None, {"version": 2})
    store.audit(AuditKind.CRAWLER_PROMOTED, "b")
    assert [event.kind for event in store.audits("a")] == [
        AuditKind.CRAWLER_PROMOTED,
        AuditKind.CRAWLER_REJECTED,
    ]
    (first,) = store.audits("a", AuditKind.CRAWLER_PROMOTED)
    assert (first.run_id, first.detail) == ("run-1", {"version": 1})
    assert [event.family for event in store.audits(limit=1)] == ["b"], "the newest"


def test_what_models_cost_is_summed_by_family_and_since(store: Store) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    store.record_calls(
        LlmCall(family="a", purpose="serve", model="m", usd=0.25),
        LlmCall(family="a", purpose="serve", model="m", usd=0.5),
        LlmCall(family="a", purpose="serve", model="own"),
        LlmCall(family="b", purpose="serve", model="m", usd=8.0),
    )
    spent = store.spent("a", before)
    assert spent.usd == pytest.approx(0.75)
    assert (spent.calls, spent.unknown_cost_calls) == (3, 1)
    assert store.spent(None, before).usd == pytest.approx(8.75)
    assert store.spent("a", datetime.now(UTC) + timedelta(hours=1)).calls == 0


def test_what_discovery_left_out_is_known_by_its_rule(store: Store) -> None:
    store.record_skips("a", [("http://x.test/p", "exclude: p")])
    (skip,) = store.skips("http://x.test/p")
    assert (skip.family, skip.rule) == ("a", "exclude: p")
    assert store.skips("http://x.test/q") == []
    assert store.attempts("http://x.test/p") == []
