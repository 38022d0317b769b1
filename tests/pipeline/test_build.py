"""All definitions of a project, by what each family asks for."""

from pathlib import Path

import dagster as dg
import pytest
import yaml

from crawloop_assets.family import Family
from crawloop_assets.pipeline import build
from crawloop_assets.pipeline.assets import build_assets
from crawloop_assets.pipeline.build import build_definitions, build_for, build_jobs
from crawloop_assets.pipeline.names import PUBLISHED, RunMode, Tag
from crawloop_assets.project import Project
from tests.store.conftest import family
from tests.world import lay_out


@pytest.fixture
def project(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = lay_out(tmp_path / "project", ("shop_product", "shop_offer"))  # type: ignore[operator]
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    return made


def targets(sensor: object) -> set[str]:
    return {target.job_name for target in sensor.targets}  # type: ignore[attr-defined]


def test_the_sensors_know_the_jobs_of_every_family(project: Project) -> None:
    definitions = build_definitions(project)
    heal = definitions.resolve_sensor_def("heal_on_drift")
    assert targets(heal) == {
        f"{job}_shop__{name}"
        for job in ("regenerate", "replay")
        for name in ("product", "offer")
    }
    due = definitions.resolve_sensor_def("refresh_due")
    assert targets(due) == {"refresh_shop__product", "refresh_shop__offer"}


def test_only_a_family_with_a_cron_has_a_schedule(project: Project) -> None:
    file = project.families / "shop_offer.yaml"
    offer = yaml.safe_load(file.read_text(encoding="utf-8"))
    offer["refresh"] = {"max_interval": "1d"}
    file.write_text(yaml.safe_dump(offer), encoding="utf-8")
    schedules = build_definitions(project).schedules or ()
    assert [schedule.name for schedule in schedules] == [
        "refresh_shop__product_schedule",
        "prune_schedule",
    ]


def test_what_dagster_refuses_costs_its_own_family_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def assets(one: Family, families: object) -> list[dg.AssetsDefinition]:
        if one.family == "shop/offer":
            raise dg.DagsterInvalidDefinitionError("no such owner")
        return build_assets(one)

    monkeypatch.setattr(build, "build_assets", assets)
    definitions = build_definitions(project)
    definitions.get_repository_def()
    heal = definitions.resolve_sensor_def("heal_on_drift")
    assert targets(heal) == {"regenerate_shop__product", "replay_shop__product"}
    crawler = dg.AssetKey(["shop", "offer", "crawler"])
    (spec,) = (
        one for one in definitions.resolve_all_asset_specs() if one.key == crawler
    )
    assert "Dagster takes it for wrong: no such owner" in str(spec.description)


@pytest.mark.parametrize(
    ("offer", "names"),
    [
        ("shop__product", {"shop__product", "shop/pro_duct"}),
        ("shop/pro_duct", {"shop/product", "shop/pro_duct"}),
    ],
)
def test_names_that_are_one_to_dagster_do_not_end_all_runs(
    project: Project, offer: str, names: set[str]
) -> None:
    file = project.families / "shop_offer.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("shop/offer", offer), encoding="utf-8")
    other = project.families / "zz.yaml"
    other.write_text("family: shop/pro_duct\nsed: 1", encoding="utf-8")
    third = project.families / "zzz.yaml"
    third.write_text("family: shop__pro_duct\nsed: 1", encoding="utf-8")
    made = build_definitions(project)
    made.get_repository_def()
    assert {
        "/".join(spec.key.path[:-1])
        for spec in made.resolve_all_asset_specs()
        if spec.key.path[-1] == "urls"
    } == names


def test_the_published_file_depends_on_the_records_of_all(project: Project) -> None:
    graph = build_definitions(project).resolve_asset_graph()
    assert {key.to_user_string() for key in graph.get(PUBLISHED).parent_keys} == {
        "shop/product/records",
        "shop/offer/records",
    }


def test_what_a_family_does_once_at_a_time_is_in_a_pool_of_its_own(
    project: Project,
) -> None:
    pools = {
        node.name: node.pool
        for job in ("discover", "refresh")
        for node in build_definitions(project)
        .resolve_job_def(f"{job}_shop__offer")
        .all_node_defs
        if isinstance(node, dg.OpDefinition)
    }
    assert pools == {
        "urls_shop__offer": "discover_shop__offer",
        "crawl_shop__offer": "crawl_shop__offer",
        "crawler_shop__offer": "regenerate_shop__offer",
    }
    kept = yaml.safe_load(Path("dagster.yaml").read_text())["concurrency"]
    assert kept["pools"] == {"default_limit": 1, "granularity": "run"}


@pytest.mark.parametrize("file", ["dagster.yaml", "deploy/dagster.yaml"])
def test_runs_that_wait_for_a_model_leave_room_for_other_families(file: str) -> None:
    runs = yaml.safe_load(Path(file).read_text())["concurrency"]["runs"]
    (limit,) = [one for one in runs["tag_concurrency_limits"] if one["key"] == Tag.MODE]
    assert limit["value"] == RunMode.FALLBACK
    assert limit["limit"] < runs["max_concurrent_runs"]


def test_an_empty_project_publishes_and_watches_nothing(project: Project) -> None:
    for file in project.families.glob("*.yaml"):
        file.unlink()
    definitions = build_definitions(project)
    assert not definitions.sensors and not definitions.schedules
    published, overview, inbox = definitions.assets or ()
    assert isinstance(published, dg.AssetsDefinition)
    assert isinstance(overview, dg.AssetsDefinition)
    assert isinstance(inbox, dg.AssetsDefinition)
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [published, overview, inbox],
            resources=dict(definitions.resources or {}),
            instance=instance,
        )
    assert result.success and project.published.exists()
    (event,) = result.asset_materializations_for_node("published")
    assert event.metadata["bytes"].value == project.published.stat().st_size


def test_each_job_makes_its_part_and_says_why() -> None:
    jobs = build_jobs(family("shop/item"))
    assert [job.name for job in jobs.values()] == [
        f"{name}_shop__item"
        for name in ("discover", "refresh", "retry_failed", "replay", "regenerate")
    ]
    modes = {job.name.split("_")[0]: job.tags["crawloop/mode"] for job in jobs.values()}
    assert modes == {
        "discover": "refresh",
        "refresh": "refresh",
        "retry": "refresh",
        "replay": "replay",
        "regenerate": "regenerate",
    }
    tags = jobs[RunMode.REGENERATE].tags
    assert tags["crawloop/regenerates"] == "shop__item"


@pytest.mark.parametrize(
    ("job", "made"),
    [
        ("discover", {"urls", "crawler"}),
        ("refresh", {"pages", "records"}),
        ("retry_failed", {"pages", "records"}),
        ("replay", {"records"}),
        ("regenerate", {"crawler"}),
    ],
)
def test_a_job_selects_assets_of_its_family_only(
    project: Project, job: str, made: set[str]
) -> None:
    definitions = build_definitions(project)
    found = definitions.resolve_job_def(f"{job}_shop__offer")
    selected = {key.to_user_string() for key in found.asset_layer.executable_asset_keys}
    assert selected == {f"shop/offer/{last}" for last in made}


@pytest.mark.parametrize(
    "job", ["discover", "refresh", "retry_failed", "replay", "regenerate"]
)
def test_a_run_of_one_family_builds_no_other(project: Project, job: str) -> None:
    name = f"{job}_shop__product"
    whole, own = build_definitions(project), build_for(project, name)
    families = {key.path[1] for key in own.resolve_all_asset_keys()}
    assert families == {"product"}
    theirs, ours = (one.resolve_job_def(name) for one in (whole, own))
    assert ours.get_job_snapshot_id() == theirs.get_job_snapshot_id()


@pytest.mark.parametrize("job", ["", "__ASSET_JOB", "heal", "refresh_shop__none"])
def test_any_other_run_has_all_families(project: Project, job: str) -> None:
    keys = set(build_for(project, job).resolve_all_asset_keys())
    assert keys == set(build_definitions(project).resolve_all_asset_keys())
