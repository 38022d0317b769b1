"""A fetch that failed says nothing about the page: neither its interval nor its hash nor its rows change."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.page import Verdict
from crawloop_assets.store import FrontierUrl
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, World

pytestmark = pytest.mark.slow

MINUTE = timedelta(minutes=1)


def entries(made: World) -> dict[str, FrontierUrl]:
    return {
        url.url: url
        for url in made.store.frontier(PRODUCT)
        if url.batch == made.batches[0]
    }


def rows(made: World) -> list[tuple[str, object, object]]:
    found = published_rows(
        made.project.published, "product", ["_key", "_hash", "_changed_at"]
    )
    return sorted((row["_key"], row["_hash"], row["_changed_at"]) for row in found)


def test_errors_back_off_and_leave_interval_hash_and_rows_alone(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, kept = entries(healthy), rows(healthy)
    monkeypatch.setenv("CRAWLOOP_RESOLVE", "shop.test=127.0.0.1:1")
    monkeypatch.setattr(
        "crawloop_assets.access.retry.Patience.pause_s", lambda patience, tries: 0.0
    )
    for number, wait in ((1, 5 * MINUTE), (2, 10 * MINUTE)):
        assert healthy.refresh(healthy.batches[0]).success
        for url, now in entries(healthy).items():
            was = before[url]
            assert (now.verdict, now.errors) == (Verdict.TRANSIENT, number)
            assert now.next_due is not None
            assert abs(now.next_due - datetime.now(UTC) - wait) < 2 * MINUTE
            same = {"verdict", "errors", "next_due", "fetched_at", "status"}
            assert replace(now, **{name: getattr(was, name) for name in same}) == was  # type: ignore[arg-type]
    assert rows(healthy) == kept
    assert healthy.store.quarantine(PRODUCT) == []
    said = (
        CliRunner()
        .invoke(
            app,
            ["why", next(iter(before))],
            catch_exceptions=False,
            env={"COLUMNS": "200"},
        )
        .output
    )
    assert "2 in a row; the interval stays" in said


def test_the_interval_goes_on_from_where_it_was_within_both_bounds(
    healthy: World,
) -> None:
    refresh = healthy.family.refresh
    url = next(iter(entries(healthy)))
    seen = []
    for _ in range(3):
        healthy.refresh(healthy.batches[0])
        seen.append(timedelta(seconds=entries(healthy)[url].interval_s or 0))
    assert seen == [min(timedelta(days=2**n), refresh.max_interval) for n in (1, 2, 3)]
    for _ in range(4):
        healthy.shop.change_prices()
        healthy.refresh(healthy.batches[0])
        seen.append(timedelta(seconds=entries(healthy)[url].interval_s or 0))
    expected = [
        max(refresh.max_interval * 0.2**n, refresh.min_interval) for n in (1, 2, 3, 4)
    ]
    assert [round(one / MINUTE) for one in seen[3:]] == [
        round(one / MINUTE) for one in expected
    ]
