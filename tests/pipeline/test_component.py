"""A family as a Dagster component: the same assets, jobs, schedules and sensors."""

import sys
from pathlib import Path

import dagster as dg
import pytest
import yaml
from dagster_shared.yaml_utils.sample_yaml import generate_sample_yaml

import crawloop_assets
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.component import FamilyComponent, FamilyScaffolder
from crawloop_assets.project import Project
from tests.world import lay_out

PRODUCT = "shop/product"
pytestmark = (
    pytest.mark.filterwarnings(  # inside Dagster: how it reads a component's file
        "ignore:`parse_obj_as` is deprecated"
    )
)


SETTINGS = """\
[tool.dg]
directory_type = "project"

[tool.dg.project]
root_module = "own_shop"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The offers in `families/`, the products as a component of a Dagster project."""
    made = lay_out(tmp_path / "project", ("shop_product", "shop_offer"))
    file = made.families / "shop_product.yaml"
    declared = {
        "type": "crawloop_assets.FamilyComponent",
        "attributes": yaml.safe_load(file.read_text()),
    }
    file.unlink()
    (made.root / "pyproject.toml").write_text(SETTINGS)
    folder = made.root / "own_shop" / "defs" / "product"
    folder.mkdir(parents=True)
    for package in (folder.parents[1], folder.parent):
        (package / "__init__.py").touch()
    (folder / "defs.yaml").write_text(yaml.safe_dump(declared, allow_unicode=True))
    monkeypatch.syspath_prepend(made.root)
    for name in [name for name in sys.modules if name.startswith("own_shop")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    return made


def component_of(project: Project) -> dg.Definitions:
    """What Dagster makes of the component's file, as it loads any Dagster project."""
    return dg.load_from_defs_folder(path_within_project=project.root)


def test_it_brings_what_a_family_file_brings_and_both_are_merged(
    project: Project,
) -> None:
    own, others = component_of(project), build_definitions(project)
    keys = {key.to_user_string() for key in own.resolve_all_asset_keys()}
    assert keys == {
        f"{PRODUCT}/{last}" for last in ("urls", "pages", "records", "crawler")
    }
    merged = dg.Definitions.merge(others, own)
    dg.Definitions.validate_loadable(merged)
    graph = merged.resolve_asset_graph()
    records = dg.AssetKey(["shop", "product", "records"])
    assert records in graph.get(dg.AssetKey("published")).parent_keys
    sensors = {sensor.name for sensor in merged.sensors or []}
    assert {"heal_on_drift", "heal_on_drift_shop__product"} <= sensors
    for name in ("refresh_shop__product", "refresh_shop__offer"):
        assert merged.resolve_job_def(name).name == name


def test_wrong_attributes_are_refused_with_their_place(project: Project) -> None:
    (file,) = project.root.rglob("defs.yaml")
    file.write_text(file.read_text().replace("  kind: detail", "  knid: detail"))
    with pytest.raises(Exception, match="product") as caught:
        component_of(project)
    assert "knid" in str(caught.value.__cause__)


def test_a_scaffold_is_a_family_that_loads_in_any_dagster_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    folder = tmp_path / "src" / "any" / "defs" / "my-books"
    folder.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.dg]\ndirectory_type = "project"\n')
    asked = dg.ScaffoldRequest(
        type_name="crawloop_assets.FamilyComponent",
        target_path=folder,
        scaffold_format="yaml",
        project_root=tmp_path,
        params=None,
    )
    FamilyScaffolder().scaffold(asked)
    project = Project.find()
    assert project.components() == {"my_books"}
    assert project.load_domains().domains == (), "nothing may be fetched yet"
    assert (tmp_path / "schemas" / "__init__.py").exists()
    declared = yaml.safe_load((folder / "defs.yaml").read_text())
    assert declared["attributes"]["schema"] == "schemas:Book"


def test_dagsters_tools_find_it_in_the_package() -> None:
    assert "FamilyComponent" in dir(crawloop_assets)
    assert "defs" not in dir(crawloop_assets), "to look is not to load a project"
    assert crawloop_assets.FamilyComponent is FamilyComponent


def test_dagster_makes_a_sample_of_its_file() -> None:
    model = FamilyComponent.get_model_cls()
    sample = generate_sample_yaml(
        "crawloop_assets.FamilyComponent", model.model_json_schema()
    )
    assert yaml.safe_load(sample)["attributes"]["discover"]["normalize"]
