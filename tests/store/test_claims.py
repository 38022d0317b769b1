"""A name is one holder's while the holder is there."""

from datetime import datetime

import pytest

from crawloop_assets.store import Store, claims


def _there(_holder: str, _at: datetime) -> bool:
    return True


def _gone(_holder: str, _at: datetime) -> bool:
    return False


def test_a_name_is_of_one_holder_at_a_time(store: Store) -> None:
    take = store.claims.take
    assert take("wave", "a", _there)
    assert take("wave", "a", _there), "who has it may ask again"
    assert not take("wave", "b", _there)
    assert take("other", "b", _there)


def test_who_is_gone_has_nothing(store: Store) -> None:
    take = store.claims.take
    assert take("wave", "a", _there)
    assert take("wave", "b", _gone)
    assert not take("wave", "a", _there)


def test_old_claims_are_forgotten(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.claims.take("wave", "a", _there)
    monkeypatch.setattr(claims, "_FORGOTTEN", -claims._FORGOTTEN)
    assert store.claims.take("wave", "b", _there)
