"""A wave whose regeneration was killed once its version served, and is run again."""

from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.store import AuditKind
from tests.heal.stuck import PAGES, town_of_goods, wave
from tests.heal.town import GOODS, Town, good, new


class Killed(BaseException):
    """What the process ends with."""


def killed_after_promotion(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Town:
    """Red goods whose wave has its version, and has not said so."""
    town = town_of_goods(folder)
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    note = Regenerator.note

    def end(self: Regenerator, kind: AuditKind, detail: dict[str, Any]) -> None:
        if kind is AuditKind.HEAL_FINISHED:
            raise Killed
        note(self, kind, detail)

    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(Regenerator, "note", end)
        wave(town)
    return town


def waves(town: Town, kind: AuditKind) -> list[str | None]:
    """Those that a line of the audit was written of."""
    return [event.detail["wave"] for event in town.store.audits(GOODS.family, kind)]


def test_a_wave_that_has_its_version_is_not_healed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = killed_after_promotion(tmp_path, monkeypatch)
    for _ in range(2):
        made = wave(town)
        assert made.outcome is RegenerationOutcome.PROMOTED
        assert (made.version, made.previous) == (2, 1)
        assert made.scores and made.diff
    assert [one.version for one in town.store.crawlers(GOODS.family)] == [1, 2]
    assert waves(town, AuditKind.HEAL_STARTED).count("heal0") == 1
    assert waves(town, AuditKind.HEAL_FINISHED).count("heal0") == 1
    ended = town.store.audits(GOODS.family, AuditKind.HEAL_FINISHED)[-1].detail
    assert (ended["version"], ended["outcome"]) == (2, "promoted")
    assert town.store.questions.all() == []


def test_another_wave_is_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = killed_after_promotion(tmp_path, monkeypatch)
    wave(town, "heal1")
    assert waves(town, AuditKind.HEAL_STARTED)[-2:] == ["heal0", "heal1"]
