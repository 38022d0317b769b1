"""What is refreshed, and when: the sensor for what is due, and the cron of a family."""

from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pytest

from crawloop_assets.page import Verdict
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.schedules import build_schedule
from crawloop_assets.store import BatchCommit, ByWhom, FetchedPage, FoundUrl
from tests.world import HOST, PRODUCT, World


@pytest.fixture
def healthy(healthy: World) -> World:
    """A crawled project whose family is crawled without a hand."""
    file = healthy.project.families / "shop_product.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("automatic: false", "automatic: true"))
    return healthy


def tick(made: World, sensor: str) -> list[dg.RunRequest]:
    """What one tick of a sensor asks for."""
    definitions = build_definitions(made.project)
    context = dg.build_sensor_context(
        instance=made.instance,
        repository_def=definitions.get_repository_def(),
        resources={key: (definitions.resources or {})[key] for key in ("store", "web")},
    )
    found: Any = definitions.resolve_sensor_def(sensor).evaluate_tick(context)
    return list(found.run_requests)


def later(monkeypatch: pytest.MonkeyPatch, **passed: int) -> None:
    """So much time passes for the sensors."""
    then = datetime.now(UTC) + timedelta(**passed)
    clock = {"now": lambda zone: then, "fromtimestamp": datetime.fromtimestamp}
    for module in ("schedules", "busy"):
        name = f"crawloop_assets.pipeline.{module}.datetime"
        monkeypatch.setattr(name, type("Later", (), clock))


def requested(made: World) -> list[tuple[str | None, str, str]]:
    """Job, first and last batch of every run that one tick of the sensor asks for."""
    start, end = (
        "dagster/asset_partition_range_start",
        "dagster/asset_partition_range_end",
    )
    return [
        (one.job_name, one.tags[start], one.tags[end])
        for one in tick(made, "refresh_due")
    ]


def test_only_batches_with_something_due_are_asked_for(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert requested(healthy) == [], "all was fetched just now"
    (batch,) = healthy.store.add_urls(
        healthy.family, [FoundUrl(f"http://{HOST}/product/new-{n}") for n in range(8)]
    )
    healthy.instance.add_dynamic_partitions(healthy.names.partition_set, [batch])
    assert requested(healthy) == [("refresh_shop__product", batch, batch)]
    later(monkeypatch, days=30)
    first, *_, last = healthy.batches
    assert requested(healthy) == [("refresh_shop__product", first, last)], (
        "neighbours share a run"
    )


def test_a_family_that_is_being_crawled_is_left_alone(healthy: World) -> None:
    (batch,) = healthy.store.add_urls(
        healthy.family, [FoundUrl(f"http://{HOST}/product/new-{n}") for n in range(8)]
    )
    healthy.instance.add_dynamic_partitions(healthy.names.partition_set, [batch])
    job = build_definitions(healthy.project).resolve_job_def("refresh_shop__product")
    run = healthy.instance.create_run_for_job(
        job, tags=healthy.names.tags(), status=dg.DagsterRunStatus.STARTED
    )
    assert requested(healthy) == []
    healthy.instance.report_run_canceled(run)
    assert len(requested(healthy)) == 1


def test_the_cron_refreshes_everything_once_each_time(healthy: World) -> None:
    definitions = build_definitions(healthy.project)
    schedule = definitions.resolve_schedule_def(
        f"refresh_{healthy.family.slug}_schedule"
    )
    assert schedule.cron_schedule == healthy.family.refresh.cron
    first, *_, last = healthy.batches
    keys = []
    for day in (1, 2):
        context = dg.build_schedule_context(
            healthy.instance, datetime(2026, 11, day, 5, tzinfo=UTC)
        )
        (request,) = schedule.evaluate_tick(context).run_requests or ()
        assert request.tags["dagster/asset_partition_range_start"] == first
        assert request.tags["dagster/asset_partition_range_end"] == last
        keys.append(request.run_key)
    assert len(set(keys)) == 2


def test_without_a_cron_there_is_no_schedule(healthy: World) -> None:
    family = healthy.family.model_copy(
        update={"refresh": healthy.family.refresh.model_copy(update={"cron": None})}
    )
    job = build_definitions(healthy.project).resolve_job_def("refresh_shop__product")
    assert family.family == PRODUCT
    assert build_schedule(family, job) is None  # type: ignore[arg-type]


def test_what_stays_due_is_asked_for_once_in_the_shortest_interval(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, days=30)
    first, again = tick(healthy, "refresh_due"), tick(healthy, "refresh_due")
    assert [one.run_key for one in first] == [one.run_key for one in again]
    assert all("shop/product" in str(one.run_key) for one in first), (
        "batches of all families are numbered alike"
    )
    later(monkeypatch, days=30, hours=1)
    assert {one.run_key for one in first}.isdisjoint(
        one.run_key for one in tick(healthy, "refresh_due")
    )


def test_a_url_that_was_found_since_waits_for_no_interval(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(monkeypatch, days=30)
    first = tick(healthy, "refresh_due")
    healthy.store.add_urls(healthy.family, [FoundUrl("http://shop.test/product/new")])
    second, again = tick(healthy, "refresh_due"), tick(healthy, "refresh_due")
    assert {one.run_key for one in first}.isdisjoint(one.run_key for one in second)
    assert [one.run_key for one in again] == [one.run_key for one in second]


def test_urls_are_looked_for_again_as_often_as_the_family_says(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tick(healthy, "discover_due") == [], "they were found just now"
    later(monkeypatch, hours=25)
    (request,) = tick(healthy, "discover_due")
    assert request.job_name == "discover_shop__product"
    assert request.asset_selection == [healthy.names.urls], "it has a crawler"


def test_refreshes_that_never_pause_do_not_keep_urls_from_being_looked_for(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it should have been done twice it is, beside them; once at a time."""
    definitions = build_definitions(healthy.project)

    def begin(job: str) -> None:
        healthy.instance.create_run_for_job(
            definitions.resolve_job_def(f"{job}_shop__product"),
            tags=healthy.names.tags(),
            status=dg.DagsterRunStatus.STARTED,
        )

    begin("refresh")
    later(monkeypatch, hours=47)
    assert tick(healthy, "discover_due") == []
    later(monkeypatch, hours=49)
    (request,) = tick(healthy, "discover_due")
    assert request.asset_selection == [healthy.names.urls]
    begin("discover")
    later(monkeypatch, hours=99)
    assert tick(healthy, "discover_due") == []


def test_urls_are_looked_for_at_once_where_the_file_says_otherwise(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tick(healthy, "discover_due") == []
    file = healthy.project.families / "shop_product.yaml"
    file.write_text(file.read_text().replace("^/product/", "^/(product|lamp)/"))
    (request,) = tick(healthy, "discover_due")
    assert request.asset_selection == [healthy.names.urls]
    # Dagster makes one run of a key; if that fails, there is another in the next hour.
    (same,) = tick(healthy, "discover_due")
    assert same.run_key == request.run_key
    later(monkeypatch, hours=1)
    (again,) = tick(healthy, "discover_due")
    assert again.run_key != request.run_key
    healthy.run("discover")
    assert tick(healthy, "discover_due") == []


def test_a_family_that_was_removed_and_is_declared_anew_is_looked_for_at_once(
    healthy: World,
) -> None:
    assert tick(healthy, "discover_due") == []
    healthy.store.families.remove(PRODUCT, "ada")
    (request,) = tick(healthy, "discover_due")
    assert request.asset_selection is None, "it has no crawler either"
    (same,) = tick(healthy, "discover_due")
    assert same.run_key == request.run_key, "once an hour until it has urls"
    healthy.run("discover")
    assert tick(healthy, "discover_due") == []


def test_a_look_that_found_nothing_is_done_again_after_an_hour(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = fresh.project.families / "shop_product.yaml"
    text = file.read_text().replace("automatic: false", "automatic: true")
    file.write_text(text.replace("^/product/", "^/produkt/"))
    fresh.run("discover")
    later(monkeypatch, minutes=59)
    assert tick(fresh, "discover_due") == []
    later(monkeypatch, minutes=61)
    assert len(tick(fresh, "discover_due")) == 1


def test_a_look_that_found_nothing_is_done_again_once_more_is_allowed(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = fresh.project.families / "shop_product.yaml"
    file.write_text(file.read_text().replace("automatic: false", "automatic: true"))
    allowed = fresh.project.domains.read_text()
    fresh.project.domains.write_text("domains: []\n")
    fresh.run("discover", check=False)
    later(monkeypatch, minutes=5)
    assert tick(fresh, "discover_due") == [], "nothing has changed since"
    fresh.project.domains.write_text(allowed)
    assert len(tick(fresh, "discover_due")) == 1
    fresh.run("discover")
    assert tick(fresh, "discover_due") == [], "it has found some"


def test_a_family_without_a_crawler_gets_one_with_its_first_urls(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = fresh.project.families / "shop_product.yaml"
    file.write_text(file.read_text().replace("automatic: false", "automatic: true"))
    (request,) = tick(fresh, "discover_due")
    assert request.asset_selection is None, "the whole job"
    job = build_definitions(fresh.project).resolve_job_def("discover_shop__product")
    run = fresh.instance.create_run_for_job(
        job, tags=fresh.names.tags(), status=dg.DagsterRunStatus.STARTED
    )
    assert tick(fresh, "discover_due") == [], "it is being done"
    fresh.instance.report_run_failed(run)
    later(monkeypatch, minutes=30)
    assert tick(fresh, "discover_due") == [], "it failed half an hour ago"
    later(monkeypatch, minutes=61)
    assert len(tick(fresh, "discover_due")) == 1


def test_what_is_not_automatic_waits_for_a_hand(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = healthy.project.families / "shop_product.yaml"
    crons = build_definitions(healthy.project).schedules or ()
    assert crons[0].default_status is dg.DefaultScheduleStatus.RUNNING  # type: ignore[union-attr]
    file.write_text(file.read_text().replace("automatic: true", "automatic: false"))
    later(monkeypatch, days=30)
    assert tick(healthy, "discover_due") == tick(healthy, "refresh_due") == []
    crons = build_definitions(healthy.project).schedules or ()
    assert crons[0].default_status is dg.DefaultScheduleStatus.STOPPED  # type: ignore[union-attr]


def test_what_a_person_asks_for_again_is_asked_for_once(healthy: World) -> None:
    file = healthy.project.families / "shop_product.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("automatic: true", "automatic: false"))
    batch = healthy.batches[1]
    url = healthy.store.urls(PRODUCT, batch)[0].url
    blocked = FetchedPage(
        url=url, verdict=Verdict.BLOCKED, fetched_at=datetime.now(UTC)
    )
    healthy.store.commit_batch(
        BatchCommit(family=healthy.family, batch=batch, run_id="r", fetched=[blocked])
    )
    assert requested(healthy) == [], "nothing of it is crawled by itself"
    assert healthy.store.past.unfinished.retry(PRODUCT, ByWhom("ada")) == {batch: 1}
    (first,) = tick(healthy, "refresh_due")
    assert requested(healthy) == [("refresh_shop__product", batch, batch)]
    (again,) = tick(healthy, "refresh_due")
    assert again.run_key == first.run_key, "Dagster makes one run of one key"
