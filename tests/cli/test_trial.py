"""`crawloop try`."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from tests.world import PRODUCT, PRODUCTS, World


def test_a_changed_file_anywhere_is_tried_and_told_row_by_row(
    healthy: World, tmp_path: Path
) -> None:
    text = (healthy.project.families / "shop_product.yaml").read_text()
    file = tmp_path / "bound.yaml"
    text = text.partition("examples:")[0]
    file.write_text(text.replace("schemas.product:Product", "tests.models:Cheap"))
    tried = CliRunner().invoke(app, ["try", str(file), "--rows", "1"])
    assert tried.exit_code == 1, "what is refused is no success"
    assert "stored pages are read" in tried.stderr, "it takes seconds"
    assert "! http://shop.test/product/" in tried.output and "! … and" in tried.output
    assert "replay_shop__product" in tried.output
    asked = ["try", PRODUCT, "--crawler", "v1", "--json"]
    said = json.loads(CliRunner().invoke(app, asked).stdout)
    assert (said["pages"], said["rows"]["same"]) == (PRODUCTS, PRODUCTS)
    assert (said["version"], said["refused"], said["costs"]) == (1, [], False)
    assert healthy.project.family(PRODUCT).record_schema == "schemas.product:Product"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "No such file"),
        (b"\xff\xfe", "it holds no program"),
        (b"{", "it holds no program"),
        (b'{"program": 1}', "it holds no program"),
    ],
)
def test_a_crawler_that_is_none_is_one_sentence(
    project: Project, content: bytes | None, says: str
) -> None:
    file = project.root / "program.json"
    if content is not None:
        file.write_bytes(content)
    tried = CliRunner().invoke(app, ["try", PRODUCT, "--crawler", str(file)])
    assert isinstance(tried.exception, ConfigError)
    assert f"neither a version nor the file of a program: {says}" in str(
        tried.exception
    )
