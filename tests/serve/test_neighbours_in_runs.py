"""Two families of one host whose patterns match the same urls: the layout of a page decides, in real runs."""

from collections.abc import Iterator

import dagster as dg
import pytest
import yaml
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import FoundUrl, UrlState
from crawloop_assets.store.published import published_rows
from tests.access.serving import running
from tests.access.shop import product
from tests.access.site import Site
from tests.access.wire import Asked, Told
from tests.serve.runs import examples, run, store

pytestmark = pytest.mark.slow

BOOKS, FILMS = "shop/book", "shop/film"
BOOK_NUMBERS, FILM_NUMBERS = range(0, 16, 2), range(1, 17, 2)


def item(asked: Asked) -> Told:
    """Books have even numbers. The pages share nothing but their frame."""
    shown = product(asked.number)
    if asked.number % 2:
        facts = (
            f'<h2 class="name">{shown.title}</h2><p class="price">{shown.price:.2f}</p>'
        )
        inner = f'<section class="film"><div class="facts">{facts}</div><aside><dl><dt>About</dt></dl></aside></section>'
    else:
        words = "".join(
            f"<li><i>{word}</i></li>" for word in shown.description.split()[:9]
        )
        inner = f'<article><h1>{shown.title}</h1><p class="price">{shown.price:.2f}</p><ul>{words}</ul></article>'
    return Told(
        f"<!DOCTYPE html><html><head><title>Shop</title></head><body>{inner}</body></html>".encode()
    )


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        site.routes["item"] = item
        yield site


@pytest.fixture
def instance(site: Site, project_instance: dg.DagsterInstance) -> dg.DagsterInstance:
    """Of a project with both families."""
    for name, numbers in ((BOOKS, BOOK_NUMBERS), (FILMS, FILM_NUMBERS)):
        discover = {"seeds": [site.url("/")], "include": ["^/item/"], "max_depth": 0}
        family = {"family": name, "schema": "tests.models:Item", "discover": discover}
        family["examples"] = examples(site, "/item", *numbers[:3])
        file = Project.find().families / f"{name.partition('/')[2]}.yaml"
        file.write_text(yaml.safe_dump(family))
    return project_instance


def asked_for(family: str) -> list[int]:
    """The numbers of the pages that a family still asks for."""
    return sorted(
        int(url.url.rpartition("/")[2])
        for url in store().frontier(family)
        if url.state is UrlState.ACTIVE
    )


def published() -> dict[int, str]:
    rows = published_rows(Project.find().published, "item", ["_url", "_family"])
    return {int(row["_url"].rpartition("/")[2]): row["_family"] for row in rows}


def test_each_family_keeps_the_pages_of_its_layout(
    site: Site, instance: dg.DagsterInstance
) -> None:
    everything = [
        FoundUrl(site.url(f"/item/{number}"))
        for number in sorted([*BOOK_NUMBERS, *FILM_NUMBERS])
    ]
    for name in (BOOKS, FILMS):
        run(instance, Project.find().family(name), "discover")
        store().add_urls(Project.find().family(name), everything)
    for name in (BOOKS, FILMS, BOOKS):
        run(instance, Project.find().family(name))
    assert asked_for(BOOKS) == list(BOOK_NUMBERS)
    assert asked_for(FILMS) == list(FILM_NUMBERS)
    assert published() == dict.fromkeys(BOOK_NUMBERS, BOOKS) | dict.fromkeys(
        FILM_NUMBERS, FILMS
    )
    assert store().quarantine() == []
    site.reset()
    run(instance, Project.find().family(BOOKS))
    assert {int(hit.path.rpartition("/")[2]) for hit in site.hits("/item/")} == set(
        BOOK_NUMBERS
    )
    for number, name in ((1, FILMS), (2, BOOKS)):
        said = (
            CliRunner()
            .invoke(app, ["why", site.url(f"/item/{number}")], catch_exceptions=False)
            .output
        )
        assert name in said
        assert "yes, next at" in said
