"""After a refresh was killed, also twice, its batches are made by themselves."""

from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pytest

from crawloop_assets.access.brakes import Brakes
from crawloop_assets.errors import StoreFailed
from crawloop_assets.page import Verdict
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.names import (
    FIRST_BATCH_TAG,
    LAST_BATCH_TAG,
    RunMode,
    Tag,
)
from crawloop_assets.serve.batch import BatchServer, ServedBatch
from crawloop_assets.store import BatchCommit, FetchedPage, FoundUrl
from tests.world import HOST, PRODUCT, PRODUCTS, World


def kill_at(patch: pytest.MonkeyPatch, batch: str) -> None:
    """Runs die when they have fetched this batch, before they commit it."""
    serve = BatchServer.serve

    async def dying(self: BatchServer, name: str, visits: Any) -> ServedBatch:
        if name == batch:
            raise StoreFailed("the disk is full")
        return await serve(self, name, visits)

    patch.setattr(BatchServer, "serve", dying)


def asked_for(world: World, minutes: float = 10) -> list[dict[str, str]]:
    """The tags of the runs that the sensor asks for after so many minutes."""
    definitions = build_definitions(world.project)
    moment = datetime.now(UTC) + timedelta(minutes=minutes)
    context = dg.build_sensor_context(
        instance=world.instance,
        resources={"store": (definitions.resources or {})["store"]},
        repository_def=definitions.get_repository_def(),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "crawloop_assets.pipeline.retries.datetime",
            type("Later", (datetime,), {"now": lambda zone: moment}),
        )
        sensor = definitions.resolve_sensor_def("retry_failed")
        found: Any = sensor.evaluate_tick(context).run_requests or ()
    assert {one.job_name for one in found} <= {"retry_failed_shop__product"}
    return [dict(request.tags) for request in found]


def ranges(tags: list[dict[str, str]]) -> list[tuple[str, str]]:
    return [(one[FIRST_BATCH_TAG], one[LAST_BATCH_TAG]) for one in tags]


def killed_refresh(world: World, batch: str, tags: dict[str, str] | None = None) -> str:
    """A refresh that dies at a batch; its run."""
    batches = world.batches
    before = {run.run_id for run in world.instance.get_runs()}
    wanted = tags or world.names.tags(
        RunMode.REFRESH, batches=(batches[0], batches[-1])
    )
    with pytest.MonkeyPatch.context() as patch:
        kill_at(patch, batch)
        assert not world.run("refresh", wanted, check=False).success
    (run,) = (run for run in world.instance.get_runs() if run.run_id not in before)
    assert run.status is dg.DagsterRunStatus.FAILURE
    return run.run_id


def test_after_two_kills_a_refresh_goes_on_where_it_was(healthy: World) -> None:
    assert asked_for(healthy) == [], "all is made"
    batches = healthy.batches
    third, last = batches[2], batches[-1]
    first_run = killed_refresh(healthy, third)
    assert asked_for(healthy, minutes=1) == [], "Dagster's own retry comes first"
    (tags,) = asked_for(healthy)
    assert (tags[FIRST_BATCH_TAG], tags[LAST_BATCH_TAG]) == (third, last)
    assert tags[Tag.REFRESH] == first_run
    again = killed_refresh(healthy, batches[3], tags)
    assert asked_for(healthy, minutes=7) == [], "twice as long after the second"
    (tags,) = asked_for(healthy, minutes=30)
    assert (tags[FIRST_BATCH_TAG], tags[LAST_BATCH_TAG]) == (batches[3], last)
    assert tags[Tag.REFRESH] == first_run != again
    assert healthy.run("refresh", tags).success
    assert asked_for(healthy, minutes=30) == []


def test_a_run_that_was_terminated_by_a_person_is_left_alone(healthy: World) -> None:
    run = healthy.instance.create_run_for_job(
        build_definitions(healthy.project).resolve_job_def("refresh_shop__product"),
        tags=healthy.names.tags(
            RunMode.REFRESH, batches=(healthy.batches[0], healthy.batches[1])
        ),
        status=dg.DagsterRunStatus.STARTED,
    )
    assert asked_for(healthy) == [], "it runs"
    healthy.instance.report_run_canceled(run)
    assert asked_for(healthy) == []


def test_pages_left_out_of_a_batch_are_asked_for_again(healthy: World) -> None:
    """Those that could not be had, and new ones in a batch that was made; a batch that
    never was is left to whoever starts it."""
    store, family = healthy.store, healthy.family
    urls = [FoundUrl(f"http://{HOST}/product/new-{n}") for n in range(8)]
    (batch,) = store.add_urls(family, urls)
    healthy.instance.add_dynamic_partitions(healthy.names.partition_set, [batch])
    assert asked_for(healthy) == []
    row = FetchedPage(
        url=store.urls(PRODUCT, healthy.batches[1])[0].url,
        verdict=Verdict.TRANSIENT,
        fetched_at=datetime.now(UTC),
        next_due=datetime.now(UTC) + timedelta(minutes=5),
        errors=1,
    )
    store.commit_batch(
        BatchCommit(
            family=family, batch=healthy.batches[1], run_id="one", fetched=[row]
        )
    )
    assert asked_for(healthy, minutes=1) == [], "it is left alone for five minutes"
    (tags,) = asked_for(healthy)
    assert ranges([tags]) == [(healthy.batches[1], healthy.batches[1])]
    assert Tag.REFRESH not in tags, "a refresh of its own"


def test_a_paused_site_loses_nothing_and_is_gone_on_with_once_it_is_resumed(
    healthy: World,
) -> None:
    before = {url.url: url for url in healthy.store.frontier(PRODUCT)}
    brakes = Brakes(healthy.project.var / "brakes")
    brakes.pause(HOST, "ann", "they asked us to")
    healthy.shop.hits.clear()
    assert healthy.refresh().success
    assert healthy.shop.hits == []
    assert healthy.shown() == {"succeeded": healthy.batches}, "nothing is red for it"
    event = healthy.instance.get_latest_materialization_event(healthy.names.pages)
    assert event is not None and event.asset_materialization is not None
    said = str(event.asset_materialization.metadata["left_for_later"].value)
    assert said.startswith("8 pages: paused since ")
    assert said.endswith("by ann: they asked us to")
    after = {url.url: url for url in healthy.store.frontier(PRODUCT)}
    assert {url.verdict for url in after.values()} == {Verdict.PAUSED}
    for name, url in after.items():
        old = before[name]
        assert (url.errors, url.fetched_at, url.page_sha256, url.interval_s) == (
            old.errors,
            old.fetched_at,
            old.page_sha256,
            old.interval_s,
        )
    assert asked_for(healthy) == [], "while it is paused"
    brakes.resume(HOST)
    (tags,) = asked_for(healthy)
    assert ranges([tags]) == [(healthy.batches[0], healthy.batches[-1])]
    assert healthy.run("refresh", tags).success
    assert len(healthy.shop.hits) >= PRODUCTS
    verdicts = {url.verdict for url in healthy.store.frontier(PRODUCT)}
    assert verdicts == {Verdict.OK}
    assert healthy.shown() == {"succeeded": healthy.batches}
    assert asked_for(healthy) == []
