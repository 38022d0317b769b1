"""What is written down of a heal wave."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from crawloop_assets.drift.check import CheckName, CheckResult
from crawloop_assets.errors import ConfigError
from crawloop_assets.store import (
    AuditKind,
    BatchReport,
    HeldPage,
    HeldReason,
    LlmCall,
    NewCrawler,
    Store,
)
from tests.models import Item
from tests.store.conftest import commit, family, served

A, WAVE = "https://shop.test/a", "wave-1"


def crawl(store: Store, run: str, price: str, version: int) -> None:
    """A refresh that read one price."""
    page = served(A, Item(title="Tea", price=Decimal(price)), version=version)
    store.commit_batch(commit(run, [page]))


def test_a_wave_has_what_began_it_what_was_made_spent_and_changed(store: Store) -> None:
    name = family().family
    first = store.add_crawler(NewCrawler(family=name, body='{"made": 1}'))
    store.promote(name, first, "first")
    crawl(store, "r1", "1", 1)
    red = CheckResult(
        name=CheckName.COUNT, passed=False, sentence="no records on the page"
    )
    held = HeldPage(
        url=A, page_sha256="b" * 64, version=1, reasons=[HeldReason(check="count")]
    )
    store.commit_batch(commit("r2", held=[held], report=BatchReport(checks=(red,))))
    detail = {"wave": WAVE, "batches": {"000001": "r2"}}
    store.audit(AuditKind.WAVE_STARTED, name, None, detail)
    store.audit(AuditKind.HEAL_STARTED, name, "r3", {"wave": WAVE})
    store.record_calls(
        LlmCall(family=name, purpose="repair", model="m", run_id="r3", usd=0.5),
        LlmCall(family=name, purpose="serve", model="m", run_id="r9", usd=9),
    )
    made = store.add_crawler(NewCrawler(family=name, body='{"made": 2}', wave=WAVE))
    store.promote(name, made, "healed")
    crawl(store, "r4", "2", 2)

    (known,) = store.waves.known(name)
    assert (known.id, known.batches) == (WAVE, {"000001": "r2"})
    found = store.waves.history(family(), WAVE)
    assert found.made and found.before
    assert (found.made.version, found.before.version) == (made, first)
    assert [(one.check, one.sentence) for one in found.findings] == [
        ("count", red.sentence)
    ]
    assert found.drifted == [(A, "b" * 64)]
    assert [call.usd for call in found.calls] == [0.5]
    (change,) = found.changes
    assert (change.before["price"], change.after["price"]) == ("1", "2")
    assert {AuditKind.WAVE_STARTED, AuditKind.HEAL_STARTED} <= {
        one.kind for one in found.events
    }
    with pytest.raises(ConfigError, match="no wave 'other'"):
        store.waves.history(family(), "other")


def test_changes_since_a_moment_have_the_values_before_them(store: Store) -> None:
    crawl(store, "r1", "1", 1)
    between = datetime.now(UTC)
    crawl(store, "r2", "2", 1)
    store.commit_batch(commit("r3", gone=[A]))
    changed, removed = store.waves.changes(family(), between)
    assert (changed.state, changed.before["price"], changed.after["price"]) == (
        "changed",
        "1",
        "2",
    )
    assert (removed.state, removed.before["price"], removed.after) == (
        "removed",
        "2",
        {},
    )
    assert len(store.waves.changes(family(), datetime(2020, 1, 1, tzinfo=UTC))) == 3
