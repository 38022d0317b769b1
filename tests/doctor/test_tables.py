"""Tables that do not take what the models of their families declare by now."""

from pathlib import Path

import pytest
from pydantic import create_model

from crawloop_assets.doctor.surroundings import about_declared
from crawloop_assets.doctor.tables import refused_by_tables
from crawloop_assets.store import Store
from tests.doctor.test_files import wrong
from tests.store.conftest import commit, family, served
from tests.store.models import Row
from tests.world import lay_out

ROWS = family("shop/row", "tests.store.models:Row")


def test_a_field_of_another_type_than_its_table_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = lay_out(tmp_path / "project")
    assert refused_by_tables(project, [ROWS]) == {}, "there is no store yet"
    (project.families / "shop_row.yaml").write_text(
        "family: shop/row\nschema: tests.store.models:Row\ndiscover: {}\nkey: [title]\n"
    )
    store = Store(project.var, project.published)
    store.commit_batch(
        commit("r1", [served("http://shop.test/1", Row(title="Tea", price=None))], ROWS)
    )
    assert refused_by_tables(project, [ROWS]) == {}
    other = create_model("Row", title=(int, ...), price=(int | None, None))
    monkeypatch.setattr("tests.store.models.Row", other)
    (why,) = refused_by_tables(project, [ROWS]).values()
    assert why.startswith("Row.title is stored as VARCHAR and now declared as")
    (told,) = wrong(list(about_declared(project)))
    assert told.about == "tables" and told.says == f"shop/row: {why}"


def test_a_store_that_cannot_be_read_is_told_elsewhere(tmp_path: Path) -> None:
    project = lay_out(tmp_path / "project")
    store = Store(project.var, project.published)
    store.commit_batch(
        commit("r1", [served("http://shop.test/1", Row(title="Tea", price=None))], ROWS)
    )
    for file in project.var.glob("store-*"):
        file.write_bytes(b"no database" * 1000)
    assert refused_by_tables(project, [ROWS]) == {}
