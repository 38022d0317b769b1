"""What sites were asked, and what was not asked for."""

from crawloop_assets.store import AccessOutcome, Store

URL = "https://shop.test/a"


def outcome(rung: str, result: str, url: str = URL, **more: object) -> AccessOutcome:
    return AccessOutcome(domain="shop.test", rung=rung, outcome=result, url=url, **more)  # type: ignore[arg-type]


def test_the_last_attempts_at_a_url_come_newest_first(store: Store) -> None:
    store.record_access(
        outcome("plain", "blocked", status=403, ms=12.5, reason="a challenge"),
        outcome("plain", "ok", url="https://shop.test/b"),
        outcome("browser", "ok", status=200, family="shop/item", run_id="r1"),
    )
    store.record_access(outcome("plain", "gone", status=404))
    found = store.attempts(URL)
    assert [(one.rung, one.outcome, one.status) for one in found] == [
        ("plain", "gone", 404),
        ("browser", "ok", 200),
        ("plain", "blocked", 403),
    ]
    assert [one.outcome for one in store.attempts(URL, limit=1)] == ["gone"]
    blocked = found[-1]
    assert (blocked.reason, blocked.ms, blocked.family) == ("a challenge", 12.5, None)
    assert (found[1].family, found[1].run_id, found[1].reason) == (
        "shop/item",
        "r1",
        "",
    )
    assert blocked.created_at is not None and blocked.created_at.tzinfo is not None
    assert store.attempts("https://shop.test/never") == []


def test_a_discovery_replaces_what_the_one_before_skipped(store: Store) -> None:
    store.record_skips("shop/item", [(URL, "exclude"), ("https://shop.test/b", "host")])
    store.record_skips("shop/offer", [(URL, "depth")])
    assert [(skip.family, skip.rule) for skip in store.skips(URL)] == [
        ("shop/item", "exclude"),
        ("shop/offer", "depth"),
    ]
    store.record_skips("shop/item", [("https://shop.test/b", "robots")])
    assert [skip.family for skip in store.skips(URL)] == ["shop/offer"]
    (skip,) = store.skips("https://shop.test/b")
    assert (skip.rule, skip.url) == ("robots", "https://shop.test/b")
    assert skip.seen_at.tzinfo is not None
