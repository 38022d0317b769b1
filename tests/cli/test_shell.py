from pathlib import Path

from tests.scout.newcomer import empty_project, typed
from tests.scout.sites import served, shop


def test_a_page_can_be_asked_in_a_console(tmp_path: Path) -> None:
    said = 'page.status\nfind("The Dune lamp")\ntry_("h1")\ntry_("h1[")\n'
    with empty_project(tmp_path / "p") as project, served(shop()) as site:
        url = f"{site}/lamps/3.html"
        refused = typed("shell", url)
        assert "cannot be had" in str(refused.exception)
        port = site.rpartition(":")[2]
        project.domains.write_text(
            f"domains: [{{host: 127.0.0.1, scheme: http, port: {port}, private: true}}]"
        )
        result = typed("shell", url, answers=said)
        missing = typed("shell", url, "--offline")
    assert result.exit_code == 0, result.exception
    assert "200" in result.output
    assert "ld:Product.name" in result.output
    assert "The Dune lamp\n" in result.output
    assert "claims" in str(missing.exception)
