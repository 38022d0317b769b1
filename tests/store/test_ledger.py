from collections.abc import Callable
from datetime import timedelta
from typing import Any

from crawloop_assets.store import AccessOutcome, AuditKind, LlmCall, Spent, Store
from crawloop_assets.store.rows import now
from tests.heal.clock import Clock


def test_the_audit_log_keeps_order_and_can_be_asked_by_family_and_kind(
    store: Store,
) -> None:
    store.audit(
        AuditKind.HEAL_STARTED,
        "shop/item",
        "run1",
        {"wave": "w1", "text": "half \ud83d"},
    )
    store.audit(AuditKind.HEAL_FINISHED, "shop/item", "run1")
    store.audit(AuditKind.WAVE_STARTED, None)
    assert [event.kind for event in store.audits()] == [
        AuditKind.HEAL_STARTED,
        AuditKind.HEAL_FINISHED,
        AuditKind.WAVE_STARTED,
    ]
    assert [event.kind for event in store.audits(limit=1)] == [AuditKind.WAVE_STARTED]
    (event,) = store.audits("shop/item", AuditKind.HEAL_STARTED)
    assert event.run_id == "run1" and event.detail["wave"] == "w1"


def test_the_audit_log_is_in_the_order_of_what_happened_whatever_the_clock_said(
    store: Store,
) -> None:
    clock = Clock()
    with clock.running():
        store.audit(AuditKind.HEAL_FAILED, "shop/item")
        clock.go_on(-timedelta(hours=2))
        store.audit(AuditKind.HEAL_FINISHED, "shop/item")
        (event,) = store.audits("shop/item", limit=1)
    assert event.kind is AuditKind.HEAL_FINISHED


def test_money_is_summed_and_unknown_prices_are_counted_not_guessed(
    store: Store,
) -> None:
    start = now()
    assert store.spent("shop/item", start) == Spent(0.0, 0, 0)
    call = LlmCall(
        family="shop/item", purpose="repair", model="m", tokens_in=10, usd=0.25
    )
    store.record_calls(
        call, call, LlmCall(family="shop/item", purpose="repair", model="local")
    )
    store.record_calls(LlmCall(family="other", purpose="serve", model="m", usd=1.0))
    assert store.spent("shop/item", start) == Spent(0.5, 1, 3, counted=0.5)
    assert store.spent(None, start) == Spent(1.5, 1, 4, counted=1.5)
    assert store.spent(None, now() + timedelta(seconds=1)).calls == 0


def test_access_outcomes_are_kept(
    store: Store, rows: Callable[..., list[dict[str, Any]]]
) -> None:
    store.record_access(
        AccessOutcome(
            domain="shop.test", rung="plain", outcome="blocked", status=403, ms=12.5
        ),
        AccessOutcome(domain="shop.test", rung="browser", outcome="ok", status=200),
    )
    store.record_access()
    assert rows(
        "select rung, outcome, status from access_outcomes order by status desc"
    ) == [
        {"rung": "plain", "outcome": "blocked", "status": 403},
        {"rung": "browser", "outcome": "ok", "status": 200},
    ]
