"""From a redesign to green through the assets and the sensor, in this process."""

import pytest

from crawloop_assets.demo.loopback import Reply
from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown
from crawloop_assets.page import Verdict
from crawloop_assets.pipeline.dagster_private import (
    backfill_batches,
    end_backfill,
    failed_batches,
    wave_backfills,
)
from crawloop_assets.store import CrawlerStatus
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, PRODUCTS, World


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model may serve what no version reads, though it answers nothing."""
    monkeypatch.setenv("CRAWLOOP_MODEL", "ollama/small")
    monkeypatch.setenv("CRAWLOOP_API_BASE", "http://127.0.0.1:9")


def test_a_healthy_crawl_is_green_and_true(healthy: World) -> None:
    witness = healthy.witness()
    assert healthy.shown() == {"succeeded": healthy.batches}
    assert list(witness.faults(complete=False)) == []
    rows = published_rows(
        healthy.project.published, "product", ["sku", "_crawler_version", "_served_by"]
    )
    assert len({row["sku"] for row in rows}) == len(rows) == PRODUCTS
    assert {(row["_crawler_version"], row["_served_by"]) for row in rows} == {
        (1, "crawler")
    }


def test_red_exactly_on_the_redesigned_batches(red: World) -> None:
    hit = red.batches_of("kitchen")
    assert 0 < len(hit) < len(red.batches)
    assert red.shown() == {
        "failed": hit,
        "succeeded": [one for one in red.batches if one not in hit],
    }
    assert [one.batch for one in failed_batches(red.instance, red.names.gate)] == hit


def test_nothing_wrong_is_published_while_red(red: World) -> None:
    assert list(red.witness().faults(complete=False)) == []
    rows = published_rows(
        red.project.published, "product", ["_stale_since", "_crawler_version"]
    )
    held = [url for url in red.store.frontier(PRODUCT) if url.verdict is Verdict.DRIFT]
    assert len(rows) == PRODUCTS
    assert sum(row["_stale_since"] is not None for row in rows) == len(held) > 15


@pytest.mark.usefixtures("model")
def test_two_ticks_are_one_backfill_and_one_run_key(red: World) -> None:
    first, second = red.tick(), red.tick()
    assert [one.run_key for one in first.run_requests] == [
        one.run_key for one in second.run_requests
    ]
    (backfill,) = wave_backfills(red.instance, red.names.tags())
    (request,) = first.run_requests
    assert request.run_key == f"regenerate:{backfill.backfill_id}"
    assert request.job_name == "regenerate_shop__product"
    assert backfill_batches(backfill, red.names.records) == red.batches_of("kitchen")


@pytest.mark.usefixtures("model")
def test_killed_between_backfill_and_regeneration_the_next_tick_asks_for_the_regeneration_only(
    red: World,
) -> None:
    red.tick()  # the daemon died before it launched what this tick asked for
    again = red.tick()
    assert len(wave_backfills(red.instance, red.names.tags())) == 1
    assert [one.tags["crawloop/mode"] for one in again.run_requests] == ["regenerate"]
    assert again.cursor is not None and "interrupted" in again.cursor


@pytest.mark.usefixtures("model")
def test_after_a_promotion_the_red_batches_are_made_again_from_stored_pages(
    red: World,
) -> None:
    (request,) = red.tick().run_requests
    fall_back(red)
    assert red.shown()["failed"] == red.batches_of("kitchen"), (
        "no older version reads the new layout"
    )
    assert red.regenerate(request.tags["crawloop/wave"]).success
    assert [
        one.version
        for one in red.store.crawlers(PRODUCT)
        if one.status is CrawlerStatus.ACTIVE
    ] == [2]
    asked = len(red.shop.hits)
    requests = red.tick().run_requests
    assert requests and {one.tags["crawloop/mode"] for one in requests} == {"replay"}
    for one in requests:
        assert red.run("replay", dict(one.tags)).success
    assert red.shown() == {"succeeded": red.batches}
    assert len(red.shop.hits) == asked, "a replay asks the site for nothing"
    assert list(red.witness().faults(complete=False)) == []
    assert not red.tick().run_requests
    assert red.tick().skip_message == "no batch is red"


def test_every_version_is_stored_and_shown_with_what_it_proved(red: World) -> None:
    assert red.regenerate("heal0").success
    first, second = red.store.crawlers(PRODUCT)
    for version in (first, second):
        sheet = ScoreSheet.model_validate(version.score_sheet)
        assert sheet.passed, sheet.reason
        assert sheet.probation is version.probation
        for score in sheet.fields:
            assert not score.wrong, score
            assert (score.robust is None) == (not score.right), (
                "what is read was read on changed copies, too"
            )
            assert score.held_out in (None, 1.0), (
                "right on pages that its maker has not seen"
            )
        needed = [score for score in sheet.fields if score.required]
        assert all(score.right and score.held_out for score in needed)
    event = red.instance.get_latest_materialization_event(red.names.crawler)
    assert event is not None and event.asset_materialization is not None
    shown = event.asset_materialization.metadata["scores"].value
    assert shown == score_sheet_markdown(ScoreSheet.model_validate(second.score_sheet))


def test_without_a_model_the_backfill_of_the_wave_is_the_replay(red: World) -> None:
    (request,) = red.tick().run_requests
    wave, asked = request.tags["crawloop/wave"], len(red.shop.hits)
    assert not wave_backfills(red.instance, red.names.tags())
    assert red.regenerate(wave).success
    again = red.tick()
    assert not again.run_requests and wave in str(again.skip_message)
    (backfill,) = wave_backfills(red.instance, red.names.tags())
    assert backfill_batches(backfill, red.names.records) == red.batches_of("kitchen")
    fall_back(red)
    assert red.shown() == {"succeeded": red.batches}
    assert len(red.shop.hits) == asked, "it asks the site for nothing"
    assert list(red.witness().faults(complete=False)) == []
    assert not red.tick().run_requests
    assert red.tick().skip_message == "no batch is red"


def test_a_rejected_candidate_leaves_the_version_and_makes_its_run_red(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(healthy.shop, "_product_page", other_goods)
    assert healthy.refresh().success
    assert healthy.shown() == {"failed": healthy.batches}
    result = healthy.regenerate("heal0", check=False)
    assert not result.success
    assert "unchanged" in str(
        result.failure_data_for_node("crawler_shop__product").error
    )
    assert [(one.version, one.status) for one in healthy.store.crawlers(PRODUCT)] == [
        (1, CrawlerStatus.ACTIVE)
    ]
    rows = published_rows(
        healthy.project.published, "product", ["_stale_since", "_crawler_version"]
    )
    assert len(rows) == PRODUCTS
    assert all(
        row["_stale_since"] is not None and row["_crawler_version"] == 1 for row in rows
    )


def other_goods(name: str) -> Reply:
    """Pages of the wanted kind that say nothing of what was known of them but the name:
    what does not even say that is another page, and opens no wave."""
    number = sum(map(ord, name))
    known = name.rpartition("-")[0].replace("-", " ").title()
    html = f"""<html lang="en"><head><title>Garden gnome no. {number}</title></head><body><main>
        <h3>{known}</h3>
        <section><h2>Garden gnome no. {number}</h2><p>Made of clay, painted by hand, {number} of them exist.</p>
        <dl><dt>Weight</dt><dd>{number % 7} kg</dd><dt>Ours for</dt><dd>{number % 90}.17 USD</dd></dl>
        <p>{"Gnomes keep watch over beds and borders in every weather. " * 8}</p></section></main></body></html>"""
    return Reply(200, html.encode(), {"Content-Type": "text/html; charset=utf-8"})


def fall_back(made: World) -> None:
    """What the backfill daemon does with the backfill of a wave."""
    (backfill,) = wave_backfills(made.instance, made.names.tags())
    batches = backfill_batches(backfill, made.names.records)
    tags = {**backfill.tags, **made.names.tags(batches=(batches[0], batches[-1]))}
    assert made.run("replay", tags).success
    end_backfill(made.instance, backfill)
