"""The verbs as jobs: quarantine as a person decides about it, in the UI and on the command line; and what an
analyst can join to it."""

from dataclasses import replace
from typing import Any

import dagster as dg
import duckdb
import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.desk.verbs import VERBS
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.names import INBOX
from crawloop_assets.pipeline.verbs import build_verbs, launchpad
from crawloop_assets.store import AuditKind, HeldState
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, PRODUCTS, World, definitions_of


def decide(made: World, verb: str, *, check: bool = True, **said: Any) -> Any:
    """Run the job of a verb as the launchpad does; the run."""
    job = definitions_of(made.project).resolve_job_def(verb)
    config = launchpad(
        verb,
        {"family": PRODUCT, "who": "ada", "why": "I looked", **said},
    )
    return job.execute_in_process(
        instance=made.instance, run_config=config, raise_on_error=check
    )


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
    run = decide(red, "reject", ids=[first.id]).run_id
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
    decide(healthy, "release", ids=[held[urls[0]]])
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


def test_each_verb_is_one_job_with_a_launchpad_that_is_filled_in(
    fresh: World,
) -> None:
    jobs = {job.name: job for job in build_verbs([fresh.family])}
    assert [name for name in jobs if "shop" not in name] == [
        verb.name for verb in VERBS
    ]
    for verb in VERBS:
        job = jobs[verb.name]
        assert verb.says in str(job.description) and verb.usage in str(job.description)
        assert job.run_config is not None
        (op,) = job.run_config["ops"].values()
        assert op["config"]["who"] == "", "who decides has to be said"
        assert op["config"].get("family", PRODUCT) == PRODUCT
        assert dg.validate_run_config(job, job.run_config)
    assert build_verbs([]) == []


def test_a_launchpad_that_was_not_filled_in_does_nothing_and_says_so(
    red: World,
) -> None:
    run = decide(red, "rollback", check=False, who="")
    assert not run.success
    (failure,) = [event for event in run.all_events if event.is_step_failure]
    data = failure.step_failure_data.user_failure_data
    assert data is not None
    assert (
        data.description == "nobody stands for this rollback. say in `who` who decides"
    )
    run = decide(red, "rollback", check=False)
    (failure,) = [event for event in run.all_events if event.is_step_failure]
    data = failure.step_failure_data.user_failure_data
    assert data is not None and "has no earlier version" in str(data.description)
    assert failure.step_failure_data.error.cause is None


def test_what_serves_is_shown_in_the_history_of_the_crawler(red: World) -> None:
    (request,) = red.tick().run_requests
    assert red.regenerate(request.tags["crawloop/wave"]).success
    run = decide(red, "rollback", why="wrong brands")
    event = red.instance.get_latest_materialization_event(red.names.crawler)
    assert event is not None and event.asset_materialization is not None
    metadata = event.asset_materialization.metadata
    assert (metadata["version"].value, metadata["by"].value) == (1, "ada")
    tags = red.instance.get_run_by_id(run.run_id).tags  # type: ignore[union-attr]
    assert tags["crawloop/family"] == "shop__product"
    assert red.instance.get_latest_materialization_event(INBOX) is not None
    (audited,) = red.store.audits(PRODUCT, AuditKind.CRAWLER_ROLLED_BACK)
    assert (audited.run_id, audited.detail["why"]) == (run.run_id, "wrong brands")


def test_the_jobs_of_the_release_before_work_and_say_that_they_are_deprecated(
    red: World,
) -> None:
    (held, *_) = red.store.quarantine(PRODUCT)
    job = build_definitions(red.project).resolve_job_def("reject_shop__product")
    assert "Deprecated: the job `reject`" in str(job.description)
    said = {"ids": [held.id], "who": "ada"}
    run = job.execute_in_process(
        instance=red.instance,
        run_config={"ops": {"reject_shop__product_op": {"config": said}}},
    )
    assert run.success
    assert held.id not in [one.id for one in red.store.quarantine(PRODUCT)]


def test_the_jobs_that_families_had_in_the_first_release_still_decide(
    red: World,
) -> None:
    first = red.store.quarantine(PRODUCT)[0]
    name = f"reject_{red.family.slug}"
    job = build_definitions(red.project).resolve_job_def(name)
    said = {"who": "ada", "why": "I looked", "ids": [first.id]}
    run = job.execute_in_process(
        instance=red.instance, run_config=launchpad(name, said)
    )
    decided = {one.id: one for one in red.store.quarantine(PRODUCT, None)}[first.id]
    assert run.success and decided.decided_by == "ada"
    assert decided.state is HeldState.REJECTED
