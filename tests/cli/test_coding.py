"""`crawloop code`."""

from pathlib import Path

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from tests.sandbox.code.attacks import source_of
from tests.world import PRODUCT, World


def test_code_is_proved_where_the_family_allows_it(
    healthy: World, tmp_path: Path
) -> None:
    file = tmp_path / "crawler.txt"
    file.write_text(source_of("return [{'title': 'Always this'}]"))
    ask = ["code", PRODUCT, str(file)]
    refused = CliRunner().invoke(app, ask)
    assert isinstance(refused.exception, ConfigError)
    assert "heal: {code: true}" in str(refused.exception)
    declared = healthy.project.families / "shop_product.yaml"
    before = declared.read_text()
    try:
        declared.write_text(f"{before}\nheal: {{code: true}}\n")
        proved = CliRunner().invoke(app, ask)
    finally:
        declared.write_text(before)
    assert proved.exit_code == 1, proved.output
    assert "did not pass the gauntlet" in proved.output
    assert "title" in proved.output
    assert [one.version for one in healthy.store.crawlers(PRODUCT)] == [1]
