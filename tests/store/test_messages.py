"""Who has told what."""

from datetime import UTC, datetime, timedelta

import pytest

from crawloop_assets.store import Store
from crawloop_assets.store.messages import MOST_TRIES, MessageTo

ABOUT = MessageTo("drift:heal1", "team", "drift", "shop/item")


def at(patch: pytest.MonkeyPatch, moment: datetime) -> None:
    patch.setattr("crawloop_assets.store.messages.now", lambda: moment)


def test_a_thing_is_taken_by_one_and_told_once(store: Store) -> None:
    assert store.messages.begun() == store.messages.begun()
    assert store.messages.take(ABOUT)
    assert not store.messages.take(ABOUT)
    assert store.messages.take(ABOUT._replace(receiver="mail"))
    store.messages.done(ABOUT, "drift")
    assert store.messages.sent() == {("drift:heal1", "team")}


def test_what_failed_is_tried_again_a_few_times_after_longer_pauses(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime.now(UTC)
    for tries in range(1, MOST_TRIES + 1):
        at(monkeypatch, moment)
        assert store.messages.take(ABOUT), tries
        store.messages.done(ABOUT, "drift", "no route")
        at(monkeypatch, moment + timedelta(minutes=(1 << tries) - 0.1))
        assert not store.messages.take(ABOUT)
        moment += timedelta(minutes=1 << tries)
    at(monkeypatch, moment + timedelta(days=1))
    assert not store.messages.take(ABOUT)
    assert store.messages.sent() == set()


def test_what_a_killed_process_took_on_itself_is_taken_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.messages.take(ABOUT)
    at(monkeypatch, datetime.now(UTC) + timedelta(minutes=11))
    assert store.messages.take(ABOUT)


def test_without_outcomes_and_reports_there_is_nothing(store: Store) -> None:
    since = datetime.now(UTC) - timedelta(hours=1)
    assert store.messages.blocked(since, 1) == []
    assert store.messages.examples("shop/item", ["r1"]) == []
