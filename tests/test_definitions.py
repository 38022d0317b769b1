"""The definitions of a project: complete, reloaded with a new file, and clear about a wrong one."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.launch import INSTANCE_FILES
from crawloop_assets.project import PACKAGE, Project
from tests.world import lay_out


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    made = lay_out(tmp_path / "project")
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    return made


def keys(definitions: dg.Definitions) -> set[str]:
    return {
        key.to_user_string()
        for key in definitions.resolve_asset_graph().get_all_asset_keys()
    }


def add_family(project: Project, name: str) -> Path:
    text = (PACKAGE / "families" / f"{name}.yaml").read_text(encoding="utf-8")
    file = project.families / f"{name}.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_family_is_four_assets_sixteen_checks_seven_jobs_and_two_schedules(
    project: Project,
) -> None:
    definitions = build_definitions(project)
    assert keys(definitions) == {
        *(f"shop/product/{last}" for last in ("urls", "pages", "records", "crawler")),
        "published",
        "overview",
        "inbox",
    }
    graph = definitions.resolve_asset_graph()
    checks = graph.get_check_keys_for_assets(
        {dg.AssetKey(["shop", "product", "records"])}
    )
    assert len(checks) == 16 and "drift" in {check.name for check in checks}
    assert {graph.get(key).group_name for key in graph.get_all_asset_keys()} == {
        "shop",
        "published",
    }
    jobs = {job.name for job in definitions.resolve_all_job_defs()}
    verbs = ("discover", "refresh", "replay", "regenerate", "release", "reject")
    verbs = (*verbs, "retry_failed")
    assert {f"{verb}_shop__product" for verb in verbs} <= jobs
    assert [check.name for check in checks if graph.get(check).blocking] == ["drift"], (
        "what others wait for"
    )
    policy = graph.get(dg.AssetKey(["shop", "product", "records"])).freshness_policy
    assert policy == dg.FreshnessPolicy.time_window(
        timedelta(hours=60), timedelta(hours=36)
    ), "its cron is daily"
    assert [schedule.name for schedule in definitions.schedules or ()] == [
        "refresh_shop__product_schedule",
        "prune_schedule",
    ]
    assert {sensor.name for sensor in definitions.sensors or ()} == {
        "discover_due",
        "heal_on_drift",
        "retry_failed",
        "refresh_due",
        "tell_people",
        "watch_runs",
    }


def test_a_new_family_file_is_there_after_a_reload(project: Project) -> None:
    before = keys(build_definitions(project))
    add_family(project, "shop_offer")
    assert keys(build_definitions(project)) - before == {
        f"shop/offer/{last}" for last in ("urls", "pages", "records", "crawler")
    }


def test_no_family_at_all_is_a_project_too(project: Project) -> None:
    (project.families / "shop_product.yaml").unlink()
    assert keys(build_definitions(project)) == {"published", "overview", "inbox"}


def test_a_wrong_file_costs_its_own_family_alone(project: Project) -> None:
    file = add_family(project, "shop_offer")
    whole = keys(build_definitions(project))
    file.write_text(
        file.read_text().replace("schemas.offer:Offer", "schemas.offer:Ofer")
    )
    definitions = build_definitions(project)
    assert keys(definitions) == whole, "its assets stay"
    line = next(
        at for at, text in enumerate(file.read_text().splitlines(), 1) if "Ofer" in text
    )
    said = f"{file}:{line} [schema]: 'schemas.offer' has no class 'Ofer'"
    graph = definitions.resolve_asset_graph()
    for last in ("urls", "pages", "records", "crawler"):
        node = graph.get(dg.AssetKey(["shop", "offer", last]))
        assert said in (node.description or "") and node.group_name == "shop"
    records = graph.get(dg.AssetKey(["shop", "offer", "records"]))
    assert records.partitions_def is not None
    assert not definitions.resolve_sensor_def("refresh_due").has_jobs or {
        target.job_name
        for target in definitions.resolve_sensor_def("refresh_due").targets
    } == {"refresh_shop__product"}


@pytest.mark.e2e
def test_dagster_loads_the_good_files_and_names_what_is_wrong_in_others(
    project: Project,
) -> None:
    for name in INSTANCE_FILES:
        (project.root / name).write_text((PACKAGE.parent / name).read_text())
    assert validate(project)[0] == 0

    file = add_family(project, "shop_offer")
    file.write_text(file.read_text().replace("batch_size: 6", "batch_size: six"))
    code, said = validate(project)
    assert code == 0
    line = next(
        at for at, text in enumerate(file.read_text().splitlines(), 1) if "six" in text
    )
    assert f"shop/offer does not run: {file}:{line}" in said
    assert "batch_size" in said


def validate(project: Project) -> tuple[int, str]:
    command = [sys.executable, "-m", "dagster", "definitions", "validate"]
    done = subprocess.run(command, cwd=project.root, capture_output=True, text=True)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_everything_in_the_ui_says_what_it_is_for(project: Project) -> None:
    add_family(project, "shop_offer")
    definitions = build_definitions(project)
    graph = definitions.resolve_asset_graph()
    said = {
        key.to_user_string(): graph.get(key).description
        for key in graph.get_all_asset_keys()
    }
    said |= {job.name: job.description for job in definitions.resolve_all_job_defs()}
    said |= {
        one.name: one.description
        for one in (*(definitions.sensors or ()), *(definitions.schedules or ()))
    }
    said |= {key.name: graph.get(key).description for key in graph.asset_check_keys}
    said.pop("__ASSET_JOB", None)
    assert {
        name: text for name, text in said.items() if len((text or "").split()) < 5
    } == {}


def test_the_jobs_of_a_family_are_few(project: Project) -> None:
    def jobs() -> set[str]:
        found = build_definitions(project).resolve_all_job_defs()
        return {job.name for job in found if not job.name.startswith("__")}

    one = jobs()
    add_family(project, "shop_offer")
    assert {name.removesuffix("_shop__offer") for name in jobs() - one} == {
        "discover",
        "refresh",
        "retry_failed",
        "replay",
        "regenerate",
        "release",
        "reject",
    }


def test_everything_in_the_ui_is_in_the_documents(project: Project) -> None:
    page = (Path(__file__).parents[1] / "docs" / "dagster.md").read_text()
    definitions = build_definitions(project)
    names = keys(definitions)
    names |= {job.name for job in definitions.resolve_all_job_defs()}
    made = (*(definitions.sensors or ()), *(definitions.schedules or ()))
    names |= {one.name for one in made}
    general = {
        name.replace("shop/product", "<family>").replace("shop__product", "<family>")
        for name in names
        if not name.startswith("__")
    }
    assert {name for name in general if f"`{name}`" not in page} == set()
