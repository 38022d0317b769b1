"""What is left of a family whose file is gone is marked in the published file, and said."""

from decimal import Decimal

import dagster as dg
import pytest

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.leftovers import mark_leftovers
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from tests.models import Item
from tests.store.conftest import commit, family, served
from tests.world import lay_out

LAMP = family("shop/lamp")


@pytest.fixture
def project(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with one family, and rows of another one in its store."""
    made = lay_out(tmp_path / "project")  # type: ignore[operator]
    monkeypatch.setenv("CRAWLOOP_HOME", str(made.root))
    item = Item(title="Lamp", price=Decimal(1))
    page = served("https://shop.test/a", item)
    Store(made.var, made.published).commit_batch(commit("r1", [page], LAMP))
    return made


def stale(project: Project) -> list[bool]:
    rows = published_rows(project.published, "item", ["_stale_since"])
    return [row["_stale_since"] is not None for row in rows]


def published(project: Project) -> dg.AssetMaterialization:
    """What the asset `published` says after it was made."""
    definitions = build_definitions(project)
    (asset,) = [
        one
        for one in definitions.assets or ()
        if isinstance(one, dg.AssetsDefinition) and one.node_def.name == "published"
    ]
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [asset],
            resources=dict(definitions.resources or {}),
            instance=instance,
        )
    (event,) = result.asset_materializations_for_node("published")
    return event


def test_its_rows_are_marked_where_analysts_and_operators_look(
    project: Project,
) -> None:
    said = published(project).metadata["families_without_a_file"].value
    assert "shop/lamp has no family file any more; 1 rows" in str(said)
    assert stale(project) == [True]


def test_a_family_that_this_process_or_a_new_file_declares_is_not_gone(
    project: Project,
) -> None:
    store = Store(project.var, project.published)
    assert mark_leftovers(store, [LAMP]) == {}
    text = (project.families / "shop_product.yaml").read_text(encoding="utf-8")
    file = project.families / "shop_lamp.yaml"
    file.write_text(text.replace("shop/product", "shop/lamp"), encoding="utf-8")
    assert mark_leftovers(store, []) == {}
    store.publish()
    assert stale(project) == [False]


def test_nothing_is_gone_while_a_file_cannot_be_read_or_there_is_none(
    project: Project,
) -> None:
    store = Store(project.var, project.published)
    broken = project.families / "shop_lamp.yaml"
    broken.write_text("family: [", encoding="utf-8")
    assert mark_leftovers(store, []) == {}
    for file in project.families.glob("*.yaml"):
        file.unlink()
    assert mark_leftovers(store, []) == {}
    store.publish()
    assert stale(project) == [False]
