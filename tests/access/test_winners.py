"""Which rung a site needs, kept from run to run."""

import json
import time
from pathlib import Path

import pytest

from crawloop_assets.access.winners import PROBE_S, Winner, Winners
from crawloop_assets.family import Rung
from crawloop_assets.page import Verdict

KEY = "shop.test:80 shop/item"
RUNGS = (Rung.PLAIN, Rung.PROXY, Rung.BROWSER)


def put(folder: Path, winner: Winner) -> Winners:
    """A run that finds this winner."""
    Winners(folder).won(KEY, winner.rung, winner.why)
    next(folder.glob("*.json")).write_text(winner.model_dump_json())
    return Winners(folder)


def winner(why: Verdict = Verdict.BLOCKED, due: bool = False) -> Winner:
    probe_at = time.time() + (-1 if due else PROBE_S)
    return Winner(rung=Rung.PROXY, why=why, probe_at=probe_at)


def test_without_a_winner_all_rungs_are_tried_from_the_cheapest(tmp_path: Path) -> None:
    winners = Winners(tmp_path / "made" / "here")
    assert winners.get(KEY) is None
    assert winners.order(KEY, RUNGS) == RUNGS


def test_a_winner_is_tried_first_and_by_the_next_run_too(tmp_path: Path) -> None:
    winners = Winners(tmp_path)
    winners.won(KEY, Rung.PROXY, Verdict.BLOCKED)
    for run in (winners, Winners(tmp_path)):
        assert run.order(KEY, RUNGS) == (Rung.PROXY, Rung.BROWSER)
        assert run.order("other.test:80 ", RUNGS) == RUNGS


def test_the_file_says_rung_reason_and_time(tmp_path: Path) -> None:
    before = time.time()
    Winners(tmp_path).won(KEY, Rung.PROXY, Verdict.BLOCKED)
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("shop.test_80_shop_item-")
    kept = json.loads(file.read_text())
    assert (kept["rung"], kept["why"]) == ("proxy", "blocked")
    assert before + PROBE_S <= kept["probe_at"] <= time.time() + PROBE_S
    assert kept.keys() == {"rung", "why", "probe_at"}


def test_a_rung_that_is_no_longer_on_the_ladder_is_no_winner(tmp_path: Path) -> None:
    winners = put(tmp_path, winner())
    assert winners.order(KEY, (Rung.PLAIN, Rung.BROWSER)) == (Rung.PLAIN, Rung.BROWSER)


def test_one_fetch_in_an_hour_tries_the_cheaper_rungs_again(tmp_path: Path) -> None:
    winners = put(tmp_path, winner(due=True))
    assert winners.order(KEY, RUNGS) == RUNGS
    assert winners.order(KEY, RUNGS) == (Rung.PROXY, Rung.BROWSER)
    assert Winners(tmp_path).order(KEY, RUNGS) == (Rung.PROXY, Rung.BROWSER)


def test_what_needs_a_browser_is_never_tried_without(tmp_path: Path) -> None:
    winners = put(tmp_path, winner(Verdict.NEEDS_RENDER, due=True))
    assert winners.order(KEY, RUNGS) == (Rung.PROXY, Rung.BROWSER)


def test_the_moment_itself_is_time_to_probe() -> None:
    last = Winner(rung=Rung.PROXY, why=Verdict.BLOCKED, probe_at=10.0)
    assert [last.is_probed(now) for now in (9.9, 10.0, 11.0)] == [False, True, True]


def test_a_cheaper_rung_that_serves_at_once_ends_the_winner(tmp_path: Path) -> None:
    winners = put(tmp_path, winner())
    winners.won(KEY, Rung.PROXY, None)
    assert winners.get(KEY) is not None, "it served as expected"
    winners.won(KEY, Rung.PLAIN, None)
    assert winners.get(KEY) is None
    assert list(tmp_path.iterdir()) == []
    winners.won(KEY, Rung.PLAIN, None)
    assert winners.get(KEY) is None


@pytest.mark.parametrize("spoiled", ["", "{", '{"rung": "teleport"}', "[]"])
def test_a_spoiled_file_is_no_winner(tmp_path: Path, spoiled: str) -> None:
    put(tmp_path, winner())
    next(tmp_path.glob("*.json")).write_text(spoiled)
    assert Winners(tmp_path).get(KEY) is None
