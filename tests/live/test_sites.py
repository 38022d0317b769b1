"""Two sites that are there to be crawled, as they are today. Only where somebody asks for it:
`CRAWLOOP_LIVE=1`; else they are left out, which the end of the test run says."""

import shutil
from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import Project
from crawloop_assets.store.published import published_rows

FAMILIES = Path(__file__).parent / "families"
DOMAINS = """\
user_agent: "crawloop tests (+https://example.org/who-we-are)"
domains: [{host: books.toscrape.com}, {host: quotes.toscrape.com}]
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of both families."""
    shutil.copytree(FAMILIES, tmp_path / "families")
    (tmp_path / "domains.yaml").write_text(DOMAINS)
    for name in ("CRAWLOOP_HOME", "DAGSTER_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    made = Project.at(tmp_path)
    prepare(made)
    return made


def test_the_families_are_right(project: Project) -> None:
    assert [one.family for one in project.load_families()] == [
        "live/book",
        "live/quote",
    ]


@pytest.mark.live
@pytest.mark.parametrize(
    ("family", "table", "fewest"),
    [("live/book", "book", 15), ("live/quote", "quote", 10)],
)
def test_a_site_is_crawled_into_a_table(
    project: Project, family: str, table: str, fewest: int
) -> None:
    names, definitions = AssetNames(project.family(family)), build_definitions(project)
    with dg.DagsterInstance.get() as instance:
        for verb in ("discover", "refresh"):
            batches = sorted(instance.get_dynamic_partitions(names.partition_set))
            span = (batches[0], batches[-1]) if batches else None
            job = definitions.resolve_job_def(f"{verb}_{names.family.slug}")
            tags = names.tags(RunMode.REFRESH, batches=span)
            assert job.execute_in_process(instance=instance, tags=tags).success
    rows = published_rows(project.published, table)
    assert len(rows) >= fewest
    if table == "book":
        assert all(str(row["price"]).count(".") == 1 and row["title"] for row in rows)
    else:
        assert all(row["text"].startswith("“") and row["author"] for row in rows)
