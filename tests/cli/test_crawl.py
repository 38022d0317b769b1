from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.scout.newcomer import empty_project, rows_of_json, typed
from tests.scout.sites import events, served


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with empty_project(tmp_path / "p") as made:
        yield made


def test_a_url_is_read_by_its_family_and_nothing_is_stored(project: Project) -> None:
    with served(events()) as site:
        url = f"{site}/events"
        assert typed("scout", url, "--yes").exit_code == 0
        assert "Evening of amber" in typed("crawl", url).output
        assert len(rows_of_json(url)) == 7
        nobodys = typed("crawl", f"{site}/about")
        gone = typed("crawl", f"{site}/about", "--family", "site/list")
    assert "claims" in str(nobodys.exception)
    assert "cannot be had" in str(gone.exception)
    store = Store(project.var, project.published)
    assert store.frontier("site/list") == []
    assert "no page" in str(typed("crawl", url, "--offline").exception)


def test_a_stored_page_is_read_without_asking(
    crawled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(crawled))
    store = Store(crawled / "var", crawled / "crawloop.duckdb")
    url = store.frontier("shop/product")[0].url
    (row,) = rows_of_json(url, "--offline")
    assert row["title"] and row["price"]


def test_a_family_without_a_crawler_says_so(project: Project) -> None:
    with served(events()) as site:
        url = f"{site}/events"
        assert typed("scout", url, "--yes").exit_code == 0
        file = project.families / "site_list.yaml"
        text = file.read_text().replace("site/list", "site/other", 1)
        (project.families / "other.yaml").write_text(text)
        assert "claimed by" in str(typed("crawl", url).exception)
        said = str(typed("crawl", url, "--family", "site/other").exception)
    assert "no active crawler" in said
