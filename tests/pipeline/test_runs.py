"""What a run carries and what it loads."""

import json
import subprocess
import sys

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.names import RunMode, Tag
from tests.world import PRODUCT, World

RUN = """
import json, sys
import dagster as dg
import crawloop_assets.definitions
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.project import Project
defs = build_definitions(Project.find())
name, tags = sys.argv[1], json.loads(sys.argv[2])
with dg.DagsterInstance.get() as instance:
    assert defs.resolve_job_def(name).execute_in_process(instance=instance, tags=tags).success
print(json.dumps([name for name in ("litellm", "openai", "playwright", "cryptography") if name in sys.modules]))
"""


def test_a_plain_crawl_loads_no_model_library_and_no_browser(healthy: World) -> None:
    batch = healthy.batches[0]
    tags = {**healthy.names.tags(RunMode.REFRESH), "dagster/partition": batch}
    command = [
        sys.executable,
        "-c",
        RUN,
        f"refresh_{healthy.family.slug}",
        json.dumps(tags),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_tags_are_plain_text(fresh: World) -> None:
    # Dagster stores and compares them as text; a StrEnum would be written as its repr by some storages.
    for mode in RunMode:
        tags = fresh.names.tags(mode, wave="heal0", batches=("000001", "000002"))
        assert {(type(key), type(value)) for key, value in tags.items()} == {(str, str)}
        assert tags[Tag.FAMILY] == fresh.family.slug
    for job in build_definitions(fresh.project).jobs or ():
        tags = dict(job.tags or {})
        assert {type(each) for each in (*tags, *tags.values())} <= {str}


def test_discovery_in_a_run_of_its_own_makes_the_first_crawler_and_the_batches(
    fresh: World,
) -> None:
    assert fresh.run("discover", fresh.names.tags(RunMode.REFRESH)).success
    assert len(fresh.batches) == 5
    assert fresh.store.batches(PRODUCT) == fresh.batches
    active = fresh.store.active(PRODUCT)
    assert active is not None and active.version == 1
    latest = fresh.instance.get_latest_materialization_event(fresh.names.crawler)
    assert latest is not None and latest.asset_materialization is not None
    shown = latest.asset_materialization.metadata
    assert shown["version"].value == 1
    assert str(shown["diff"].value).startswith("```diff")


def test_a_refresh_may_be_forced_and_is_told_what_it_lacks(healthy: World) -> None:
    job = build_definitions(healthy.project).resolve_job_def("refresh_shop__product")
    tags = healthy.names.tags(RunMode.REFRESH)
    lost = job.execute_in_process(
        instance=healthy.instance, tags=tags, raise_on_error=False
    )
    assert "Choose partitions" in str(lost.all_events), "and nothing was asked for"
    before = len(healthy.shop.hits)
    forced = job.execute_in_process(
        instance=healthy.instance,
        tags={**tags, "dagster/partition": healthy.batches[0]},
        run_config={"ops": {"crawl_shop__product": {"config": {"force": True}}}},
    )
    asked = [hit for hit in healthy.shop.hits[before:] if "/product/" in hit.path]
    assert forced.success and len(asked) >= 8
    assert {hit.status for hit in asked} == {200}, "in full, not as changed since"
