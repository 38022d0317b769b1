"""The promise end to end: a real webserver and daemon, a real shop, redesigns, a kill -9 and a lost cursor."""

import itertools
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import Processes, dagster_processes
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.project import Project
from tests.e2e.dagster_ui import Ui
from tests.world import KITCHEN, PRODUCT, World, world

pytestmark = pytest.mark.e2e

PATIENCE_S = 240


@pytest.fixture
def story(crawled: Path, tmp_path: Path) -> Iterator[World]:
    """A healthy project. Dead runs are looked for more often than in production: the test does not have to wait."""
    home = tmp_path / "project"
    shutil.copytree(crawled, home)
    config = home / "dagster.yaml"
    config.write_text(
        config.read_text().replace(
            "poll_interval_seconds: 15", "poll_interval_seconds: 2"
        )
    )
    with pytest.MonkeyPatch.context() as patch, world(Project.at(home), patch) as made:
        yield made


@contextmanager
def running(story: World) -> Iterator[tuple[Processes, Ui]]:
    with dagster_processes(story.project, loop_seconds=2) as processes:
        yield processes, Ui(Drive(processes.url, story.instance), story.names)


def wait_green(story: World, ui: Ui) -> None:
    family = story.family
    ui.drive.until(
        lambda: not ui.drive.red(family) and ui.drive.idle(family), "green", PATIENCE_S
    )
    assert ui.shown() == {"succeeded": story.batches}


def one_after_the_other(story: World, runs: Sequence[str]) -> bool:
    """Whether a run began when the one before it had ended."""
    records = story.instance.get_run_records(dg.RunsFilter(run_ids=list(runs)))
    times = sorted((one.start_time or 0.0, one.end_time or 0.0) for one in records)
    return all(before[1] <= after[0] for before, after in itertools.pairwise(times))


def test_red_exactly_where_it_drifted_then_one_wave_then_green(story: World) -> None:
    witness = story.witness()
    with running(story) as (_, ui):
        assert ui.shown() == {"succeeded": story.batches}
        ui.pause()
        story.shop.redesign("B", KITCHEN)
        hit = story.batches_of("kitchen")
        ui.backfill(story.batches)
        ui.drive.until(
            lambda: bool(ui.runs(mode="refresh")) and ui.drive.idle(story.family),
            "the crawl",
            PATIENCE_S,
        )
        assert {run["status"] for run in ui.runs(mode="refresh")} == {"SUCCESS"}, (
            "drift never fails a run"
        )
        assert ui.shown() == {
            "failed": hit,
            "succeeded": [one for one in story.batches if one not in hit],
        }
        assert list(witness.faults(complete=False)) == []

        ui.resume()
        wait_green(story, ui)
        (wave,) = ui.waves()
        assert sorted(wave["partitionNames"]) == hit
        (regeneration,) = ui.runs(mode="regenerate", wave=wave["id"])
        assert regeneration["status"] == "SUCCESS"
        assert ui.runs(mode="regenerate") == [regeneration]
        assert list(witness.faults(complete=False)) == []

        runs = ui.runs(family=story.family.slug)
        ui.reset_cursor()
        reset_at = time.time()
        ui.drive.until(lambda: ui.ticks(reset_at) >= 2, "two more ticks", PATIENCE_S)
        assert (ui.waves(), ui.runs(family=story.family.slug)) == ([wave], runs), (
            "a lost cursor launches nothing"
        )


def test_everything_killed_between_the_failed_check_and_the_launch_heals_once(
    story: World,
) -> None:
    witness = story.witness()
    story.shop.redesign("C")
    witness.note()
    with running(story) as (processes, ui):
        before = ui.drive.refresh(story.family)
        # All of them: a run that is killed before it has judged the last is another story.
        ui.drive.until(
            lambda: len(ui.drive.red(story.family)) == len(story.batches),
            "red",
            PATIENCE_S,
        )
        processes.kill()
        assert ui.drive.red(story.family)
        assert story.instance.get_backfills() == []
    with running(story) as (_, ui):
        wait_green(story, ui)
        (wave,) = ui.waves()
        assert [run["status"] for run in ui.runs(mode="regenerate")] == ["SUCCESS"]
        assert [
            run["status"] for run in ui.runs(mode="regenerate", wave=wave["id"])
        ] == ["SUCCESS"]
        assert before in {run["runId"] for run in ui.runs(mode="refresh")}, (
            "history survives"
        )
        assert list(witness.faults(complete=False)) == []

        single = {
            **story.names.tags(RunMode.REFRESH),
            "dagster/partition": story.batches[2],
        }
        twice = [
            ui.drive.launch(f"refresh_{story.family.slug}", single) for _ in range(2)
        ]
        ui.drive.wait(twice, PATIENCE_S)
        assert one_after_the_other(story, twice)
        assert ui.shown() == {"succeeded": story.batches}
        assert {version.version for version in story.store.crawlers(PRODUCT)} == {1, 2}
