"""Quarantine as a person decides about it, in the UI and on the command line; and what an analyst can join to it."""

from dataclasses import replace

import duckdb
import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.store import AuditKind, HeldState
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, PRODUCTS, World


def decide(made: World, verb: str, ids: list[str]) -> str:
    """Run one of the two jobs as the launchpad does; its run id."""
    job = build_definitions(made.project).resolve_job_def(f"{verb}_{made.family.slug}")
    config = {
        "ops": {
            f"{verb}_{made.family.slug}_op": {
                "config": {"ids": ids, "who": "ada", "why": "I looked"}
            }
        }
    }
    result = job.execute_in_process(instance=made.instance, run_config=config)
    assert result.success
    return result.run_id


def say(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_held_pages_are_shown_rejected_and_released_by_people_who_are_named(
    red: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    first, second, third, *_ = red.store.quarantine(PRODUCT)
    shown = say("quarantine", "show", first.id)
    assert (
        first.url in shown
        and str(first.page_sha256) in shown
        and first.reasons[0].message[:40] in shown
    )
    run = decide(red, "reject", [first.id])
    say("quarantine", "reject", PRODUCT, second.id, "--who", "bob", "--why", "no price")
    states = {
        one.id: (one.state, one.decided_by)
        for one in red.store.quarantine(PRODUCT, None)
    }
    assert states[first.id] == (HeldState.REJECTED, "ada")
    assert states[second.id] == (HeldState.REJECTED, "bob")
    assert states[third.id] == (HeldState.HELD, None)
    listed = say("quarantine", "list", PRODUCT)
    assert third.id in listed and first.id not in listed
    assert first.id in say("quarantine", "list", PRODUCT, "--decided")
    ada, bob = red.store.audits(PRODUCT, AuditKind.QUARANTINE_REJECTED)
    assert (ada.run_id, ada.detail["who"], ada.detail["why"]) == (
        run,
        "ada",
        "I looked",
    )
    assert ada.detail["urls"] == [first.url]
    assert (bob.run_id, bob.detail["who"], bob.detail["why"]) == (
        None,
        "bob",
        "no price",
    )


def test_what_a_person_releases_is_published_as_theirs(healthy: World) -> None:
    urls = [url.url for url in healthy.store.urls(PRODUCT, healthy.batches[0])][:2]
    items = [
        next(item for item in healthy.shop.items if url.endswith(item.path))
        for url in urls
    ]
    for item in items:
        healthy.shop._items[item.id] = replace(
            item, price=item.price * 10, list_price=None
        )
    healthy.shop._touch()
    assert healthy.refresh(healthy.batches[0]).success
    held = {one.url: one.id for one in healthy.store.quarantine(PRODUCT)}
    decide(healthy, "release", [held[urls[0]]])
    rows = published_rows(
        healthy.project.published,
        "product",
        ["_url", "price", "_served_by", "_stale_since"],
    )
    found = {row.pop("_url"): row for row in rows}
    assert found[urls[0]] == {
        "price": items[0].price * 10,
        "_served_by": "person",
        "_stale_since": None,
    }
    assert (
        found[urls[1]]["price"] == items[1].price
        and found[urls[1]]["_stale_since"] is not None
    )
    assert len(rows) == PRODUCTS
    (event,) = healthy.store.audits(PRODUCT, AuditKind.QUARANTINE_RELEASED)
    assert event.detail["who"] == "ada"


def test_drift_reports_join_with_pages_crawlers_audit_and_waves(red: World) -> None:
    (request,) = red.tick().run_requests
    assert red.regenerate(request.tags["crawloop/wave"]).success
    red.store.publish()
    with duckdb.connect(str(red.project.published), read_only=True) as connection:
        rows = connection.execute(
            """
            with waves as (
                select family, detail->>'wave' as wave, unnest(json_keys(detail->'batches')) as batch, detail
                from audit where kind = 'wave_started'
            ), examples as (
                select family, batch, run_id, version, unnest(examples) as one from drift_reports
            )
            select distinct r.batch, w.wave, old.version as read_by, new.version as healed_by, h.kind
            from examples r
            join pages p on p.family = r.family and p.url = r.one.url and p.sha256 = r.one.page_sha256
            join waves w on w.family = r.family and w.batch = r.batch
                and json_extract_string(w.detail, '$.batches."' || r.batch || '"') = r.run_id
            join crawlers old on old.family = r.family and old.version = r.version
            join crawlers new on new.family = r.family and new.wave = w.wave
            join audit h on h.family = r.family and h.detail->>'wave' = w.wave and h.kind = 'heal_finished'
            order by 1
            """
        ).fetchall()
    wave = request.tags["crawloop/wave"]
    assert rows == [
        (batch, wave, 1, 2, "heal_finished") for batch in red.batches_of("kitchen")
    ]
