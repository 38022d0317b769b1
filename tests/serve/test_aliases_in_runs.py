"""One page is one record, however many urls lead to it: canonicals and permanent redirects in real runs."""

from collections.abc import Iterator

import dagster as dg
import pytest
import yaml
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.store import FoundUrl, UrlState
from crawloop_assets.store.published import published_rows
from tests.access.serving import running
from tests.access.shop import product_page
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.serve.runs import examples, run, store

pytestmark = pytest.mark.slow

FAMILY = "shop/item"


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


@pytest.fixture
def instance(project_instance: dg.DagsterInstance) -> dg.DagsterInstance:
    """Of a project with one family of the site, without a seed yet."""
    return project_instance


def declare(
    site: Site,
    instance: dg.DagsterInstance,
    *paths: str,
    key: str = "url",
    batch_size: int = 100,
) -> Family:
    """The family, its first crawler, and these pages as if a discovery had come across them."""
    family = {
        "family": FAMILY,
        "schema": "tests.models:Item",
        "key": [key],
        "discover": {
            "seeds": [site.url("/")],
            "include": ["^/(p|dup|old)/"],
            "max_depth": 0,
        },
        "batch_size": batch_size,
        "examples": examples(site, "/p", 20, 24, 28),
    }
    project = Project.find()
    (project.families / "item.yaml").write_text(yaml.safe_dump(family))
    found = project.family(FAMILY)
    run(instance, found, "discover")
    store().add_urls(found, [FoundUrl(site.url(path)) for path in paths])
    site.reset()
    return found


def rows() -> list[str]:
    """Where everything published comes from, without the host."""
    found = published_rows(Project.find().published, "item", ["_url"])
    return sorted(str(row["_url"]).split("/", 3)[3] for row in found)


def test_one_page_is_one_record_however_many_urls_lead_to_it(
    site: Site, instance: dg.DagsterInstance
) -> None:
    names = ("/p/4?ref=mail", "/dup/4", "/old/4")
    family = declare(site, instance, "/p/8", *names, "/p/4")
    run(instance, family)
    assert rows() == ["p/4", "p/8"]
    entries = {url.url: url for url in store().frontier(FAMILY)}
    for name in names:
        assert (entries[site.url(name)].state, entries[site.url(name)].alias_of) == (
            UrlState.ALIAS,
            site.url("/p/4"),
        )
    site.reset()
    run(instance, family)
    assert sorted((hit.path, hit.status) for hit in site.hits()) == [
        ("/p/4", 304),
        ("/p/8", 304),
    ]
    assert rows() == ["p/4", "p/8"]
    said = (
        CliRunner()
        .invoke(
            app,
            ["why", site.url("/dup/4")],
            catch_exceptions=False,
            env={"COLUMNS": "200"},
        )
        .output
    )
    assert f"no: it is another name of {site.url('/p/4')}" in said


def test_a_name_nobody_knew_is_read_before_it_is_believed(
    site: Site, instance: dg.DagsterInstance
) -> None:
    family = declare(site, instance, "/dup/4", batch_size=1)
    run(instance, family)
    assert rows() == ["dup/4"], "nothing is missing meanwhile"
    site.reset()
    run(instance, family)
    assert sorted((hit.path, hit.status) for hit in site.hits()) == [
        ("/dup/4", 200),
        ("/p/4", 200),
    ]
    assert "p/4" in rows()
    run(instance, family)
    assert rows() == ["p/4"]


def test_a_record_with_a_key_of_its_own_is_never_missing(
    site: Site, instance: dg.DagsterInstance
) -> None:
    family = declare(site, instance, "/p/4", "/dup/4", key="title", batch_size=1)
    for _ in range(3):
        run(instance, family)
        assert len(rows()) == 1
    assert rows() == ["p/4"]
    assert store().url(FAMILY, site.url("/dup/4")).state is UrlState.ALIAS  # type: ignore[union-attr]


def test_addresses_that_move_for_good_at_once_are_no_records_with_one_key(
    site: Site, instance: dg.DagsterInstance
) -> None:
    """The site renames a third of its pages; both addresses are read in one batch."""
    numbers = range(4, 64)

    def unnamed(asked: Asked) -> Told:
        return Told(product_page(asked.number).replace(b"canonical", b"start"))

    site.routes |= {"old": unnamed, "dup": unnamed}
    family = declare(site, instance, *(f"/old/{n}" for n in numbers), key="title")
    run(instance, family)
    assert len(rows()) == len(numbers)
    renamed = {f"old/{n}" for n in numbers if n % 3 == 0}

    def renames(asked: Asked) -> Told:
        if asked.number % 3:
            return unnamed(asked)
        return Told(status=301, headers={"Location": f"/dup/{asked.number}"})

    site.routes["old"] = renames
    store().add_urls(family, [FoundUrl(site.url(f"/dup/{n}")) for n in numbers[2::3]])
    run(instance, family)
    assert not store().past.red(FAMILY)
    assert len(rows()) == len(numbers)
    assert not renamed.intersection(rows()), "a row names the address of today"


def test_a_template_that_calls_all_pages_by_one_name_is_not_believed(
    site: Site, instance: dg.DagsterInstance
) -> None:
    def wrong(asked: Asked) -> Told:
        body = product_page(asked.number).replace(
            f'href="/p/{asked.number}"'.encode(), b'href="/p/4"'
        )
        return (
            Told(body, headers={"ETag": f'"{asked.number}"'})
            if "if-none-match" not in asked.headers
            else Told(status=304)
        )

    site.routes["p"] = wrong
    family = declare(site, instance, "/p/4", "/p/8", "/p/12")
    for _ in range(2):
        site.reset()
        run(instance, family)
        assert rows() == ["p/12", "p/4", "p/8"]
    assert {hit.status for hit in site.hits()} == {304}, "and costs nothing"
