"""The simulation finds what it looks for, and nothing at a few hosts."""

from pathlib import Path

import pytest

from bench.simulate import Plot, crawl, main, waves
from crawloop_assets.access import limiter

SMALL = Plot(hosts=40, processes=2, seed=7, urls=2, batch=20)


def test_a_few_hosts_are_asked_as_they_allow_and_for_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = crawl(SMALL, tmp_path)
    assert found.figures["urls"] == 80 and not any(found.wrong.values())
    assert main(["--hosts", "20"]) == 0
    assert '"hosts without every url": 0' in capsys.readouterr().out


def test_a_limiter_that_keeps_half_the_distance_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "SPREAD", 0.5)
    assert crawl(SMALL, tmp_path).wrong["requests sooner than allowed"] > 0


def test_a_limiter_that_gives_a_place_twice_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limiter, "try_lock", lambda _handle: True)
    wrong = crawl(Plot(10, 2, 7, urls=20, batch=50), tmp_path).wrong
    assert wrong["requests at once beyond what is allowed"] > 0


def test_every_redesign_has_one_wave_though_sensors_are_killed() -> None:
    found = waves(Plot(hosts=2_000, processes=1, seed=3))
    assert found.figures["redesigns"] == 4 and not any(found.wrong.values())
