"""A family whose file is wrong, in a real instance: its jobs say so, its neighbour's run, and nothing is lost."""

from decimal import Decimal
from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.pipeline.broken import broken_metadata
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.leftovers import mark_leftovers
from crawloop_assets.pipeline.names import PUBLISHED
from crawloop_assets.project import Project
from crawloop_assets.store.published import published_rows
from schemas.offer import Offer
from tests.store.conftest import commit, served
from tests.world import PRODUCTS, lay_out, world


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = lay_out(tmp_path / "project", ("shop_product", "shop_offer"))
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    return made


def test_its_jobs_fail_with_file_line_and_field(project: Project) -> None:
    file = project.families / "shop_offer.yaml"
    file.write_text(file.read_text().replace("batch_size: 6", "batch_size: six"))
    definitions = build_definitions(project)
    with dg.DagsterInstance.ephemeral() as instance:
        for name in ("discover_shop__offer", "regenerate_shop__offer"):
            job = definitions.resolve_job_def(name)
            ended = job.execute_in_process(instance=instance, raise_on_error=False)
            assert not ended.success
            failed = [one for one in ended.all_events if one.is_step_failure]
            assert failed
            for event in failed:
                error = event.step_failure_data.user_failure_data
                assert error is not None
                assert f"{file}:" in str(error.description)
                assert "[batch_size]" in str(error.description)


def test_the_published_file_says_who_does_not_run(project: Project) -> None:
    file = project.families / "shop_offer.yaml"
    file.write_text("family: shop/offer\ndiscover: [")
    definitions = build_definitions(project)
    with dg.DagsterInstance.ephemeral() as instance:
        ended = dg.materialize(
            [definitions.resolve_assets_def(PUBLISHED)],
            instance=instance,
        )
    (event,) = ended.asset_materializations_for_node("published")
    said = event.metadata["families_with_a_wrong_file"].value
    assert f"`shop/offer`: {file}:2" in str(said)
    assert broken_metadata(()) == {}


def test_its_neighbour_crawls_and_its_own_rows_are_no_leftovers(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project.families / "shop_offer.yaml"
    with world(project, monkeypatch) as here:
        offer = project.family("shop/offer")
        item = Offer(url="http://shop.test/offer/1", title="Lamp", price=Decimal(1))
        page = served("http://shop.test/offer/1", item)
        here.store.commit_batch(commit("r1", [page], offer))
        file.write_text(file.read_text().replace("batch_size: 6", "batch_size: six"))
        here.run("discover")
        here.refresh()
        here.tick()
        here.store.publish()
        assert mark_leftovers(here.store, [here.family]) == {}
    rows = published_rows(project.published, "product", ["_stale_since"])
    assert len(rows) == PRODUCTS
    (kept,) = published_rows(project.published, "offer", ["_stale_since"])
    assert kept["_stale_since"] is None
