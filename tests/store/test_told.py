"""Who has told what."""

from datetime import UTC, datetime, timedelta

import pytest

from crawloop_assets.store import Store
from crawloop_assets.store.told import MOST_TRIES, ToldAbout

ABOUT = ToldAbout("drift:heal1", "team", "drift", "shop/item")


def at(patch: pytest.MonkeyPatch, moment: datetime) -> None:
    patch.setattr("crawloop_assets.store.told.now", lambda: moment)


def test_a_thing_is_taken_by_one_and_told_once(store: Store) -> None:
    assert store.told.begun() == store.told.begun()
    assert store.told.take(ABOUT)
    assert not store.told.take(ABOUT)
    assert store.told.take(ABOUT._replace(receiver="mail"))
    store.told.done(ABOUT, "drift")
    assert store.told.sent() == {("drift:heal1", "team")}


def test_what_failed_is_tried_again_a_few_times_after_longer_pauses(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = datetime.now(UTC)
    for tries in range(1, MOST_TRIES + 1):
        at(monkeypatch, moment)
        assert store.told.take(ABOUT), tries
        store.told.done(ABOUT, "drift", "no route")
        at(monkeypatch, moment + timedelta(minutes=(1 << tries) - 0.1))
        assert not store.told.take(ABOUT)
        moment += timedelta(minutes=1 << tries)
    at(monkeypatch, moment + timedelta(days=1))
    assert not store.told.take(ABOUT)
    assert store.told.sent() == set()


def test_what_a_killed_process_took_on_itself_is_taken_over(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.told.take(ABOUT)
    at(monkeypatch, datetime.now(UTC) + timedelta(minutes=11))
    assert store.told.take(ABOUT)


def test_without_outcomes_and_reports_there_is_nothing(store: Store) -> None:
    since = datetime.now(UTC) - timedelta(hours=1)
    assert store.told.blocked(since, 1) == []
    assert store.told.examples("shop/item", ["r1"]) == []
