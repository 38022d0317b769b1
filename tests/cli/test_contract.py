"""`crawloop contract`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from schemas.product import Product
from tests.cli.conftest import PRODUCT, Say
from tests.store.conftest import commit, served


@pytest.fixture
def sold(home: Path) -> Path:
    """A project with a product."""
    project = Project.at(home)
    family = project.family(PRODUCT)
    product = Product.model_validate(family.examples[0].record)
    store = Store(project.var, project.published)
    store.commit_batch(commit("r1", [served("http://shop.test/1", product)], family))
    return home


def test_a_contract_is_said_with_what_the_rows_show(sold: Path, say: Say) -> None:
    assert "Fresh: at least 95%" in say("contract", PRODUCT)
    answer = json.loads(say("contract", PRODUCT, "--json"))
    assert answer["figures"]["rows"] == answer["figures"]["fresh"] > 0
    assert answer["broken"] == []


def test_one_that_does_not_hold_ends_with_1(sold: Path) -> None:
    (file,) = Project.at(sold).families.glob("*product*")
    file.write_text(file.read_text() + "\ncontract: {fresh_within: 0s}\n")
    result = CliRunner().invoke(app, ["contract", PRODUCT])
    assert result.exit_code == 1
    assert "broken: 0.0% of" in result.output
