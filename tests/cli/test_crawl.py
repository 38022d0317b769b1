from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.project import Project
from crawloop_assets.store import FoundUrl, Store
from tests.scout.newcomer import empty_project, rows_of_json, typed
from tests.scout.sites import events, served
from tests.store.conftest import commit, fetched


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


def test_a_stored_page_is_read_without_asking(project: Project) -> None:
    with served(events()) as site:
        url = f"{site}/events"
        assert typed("scout", url, "--yes").exit_code == 0
    family = project.family("site/list")
    store = Store(project.var, project.published)
    (batch,) = store.add_urls(family, [FoundUrl(url)])
    assert "no page" in str(typed("crawl", url, "--offline").exception)
    body = events()["/events"][1].encode()
    kept = fetched(url, page_sha256=store.bodies.put(body), status=200)
    store.commit_batch(commit("r1", of=family, batch=batch, fetched=[kept]))
    assert len(rows_of_json(url, "--offline")) == 7


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
