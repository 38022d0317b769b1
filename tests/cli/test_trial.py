"""`crawloop try`."""

import json
from pathlib import Path

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from tests.cli.conftest import Say
from tests.world import PRODUCT, PRODUCTS, World


def test_a_changed_file_anywhere_is_tried_and_told_row_by_row(
    healthy: World, say: Say, tmp_path: Path
) -> None:
    text = (healthy.project.families / "shop_product.yaml").read_text()
    file = tmp_path / "bound.yaml"
    text = text.partition("examples:")[0]
    file.write_text(text.replace("schemas.product:Product", "tests.models:Cheap"))
    tried = CliRunner().invoke(app, ["try", str(file), "--rows", "1"])
    assert tried.exit_code == 1, "what is refused is no success"
    assert "! http://shop.test/product/" in tried.output and "! … and" in tried.output
    assert "replay_shop__product" in tried.output
    said = json.loads(say("try", PRODUCT, "--crawler", "v1", "--json"))
    assert (said["pages"], said["rows"]["same"]) == (PRODUCTS, PRODUCTS)
    assert (said["version"], said["refused"], said["costs"]) == (1, [], False)
    assert healthy.project.family(PRODUCT).record_schema == "schemas.product:Product"
