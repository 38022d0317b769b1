"""What scout makes of APIs: named by a page, asked for by its scripts, of several pages."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.project import Project
from tests.scout.newcomer import empty_project, rows_of_json, typed
from tests.scout.sites import lamp, served, shop, station, stations


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with empty_project(tmp_path / "p") as made:
        yield made


@pytest.mark.parametrize(
    ("key", "onward"), [("next", "/api/all?page={}"), ("next_page", "{}")]
)
def test_an_api_is_proved_on_its_later_pages(
    key: str, onward: str, project: Project
) -> None:
    pages = {}
    for page in (1, 2, 3):
        rows = [station(number) for number in range(6 * page - 6, 6 * page)]
        said = onward.format(page + 1) if page < 3 else None
        answer = json.dumps({"stations": rows, key: said})
        pages[f"/api/all?page={page}"] = ("application/json", answer)
    with served(pages) as site:
        result = typed("scout", f"{site}/api/all?page=1", "--yes")
        assert result.exit_code == 0, (result.output, result.exception)
        assert "18 records on 3 pages" in result.output
        assert len(rows_of_json(f"{site}/api/all?page=3")) == 6


@pytest.mark.e2e
@pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine")
def test_an_address_that_a_script_puts_together_is_seen_in_a_browser(
    project: Project,
) -> None:
    pages = stations()
    kind, text = pages["/"]
    joined = "['', 'a' + 'pi', 'stati' + 'ons?limit=50'].join('/')"
    hidden = text.replace("'/api/stations?limit=50'", joined)
    with served({**pages, "/": (kind, hidden)}) as site:
        result = typed("scout", f"{site}/", "--yes")
        assert result.exit_code == 0, (result.output, result.exception)
        rows = rows_of_json(f"{site}/api/stations?limit=50")
    assert [row["name"] for row in rows] == [
        station(number)["name"] for number in range(20)
    ]


def test_what_a_page_names_and_nobody_has_ends_nothing(project: Project) -> None:
    pages = stations()
    kind, text = pages["/"]
    gone = text.replace("<script", '<script src="/gone.js"></script><script', 1)
    assert gone != text
    with served({**pages, "/": (kind, gone)}) as site:
        result = typed("scout", f"{site}/", "--yes")
        assert result.exit_code == 0, (result.output, result.exception)
        assert len(rows_of_json(f"{site}/api/stations?limit=50")) == 20


def test_a_front_page_leads_to_the_listing(project: Project) -> None:
    pages = shop()
    kind, listing = pages.pop("/")
    pages["/lamps"] = (kind, listing)
    about, imprint = (
        f"<title>{name}</title><h1>{name}</h1><p>{name} our house, since 1{year}.</p>"
        for name, year in (("About", 950), ("Imprint of", 977))
    )
    links = "".join(
        f'<a href="{at}">see</a>' for at in ("/about", "/imprint", "/lamps")
    )
    front = f"<title>Lamps</title><h1>Lamps</h1><p>We sell light.</p>{links}"
    pages |= {"/": (kind, front), "/about": (kind, about), "/imprint": (kind, imprint)}
    with served(pages) as site:
        result = typed("scout", f"{site}/", "--family", "shop", "--yes")
        assert result.exit_code == 0, (result.output, result.exception)
        assert f"shop/list (listing) of {site}/lamps\n" in result.output
        rows = rows_of_json(f"{site}/lamps")
    assert [row["title"] for row in rows] == [lamp(at)["title"] for at in range(8)]
    families = {one.family for one in project.load_families()}
    assert families == {"shop/list", "shop/item"}
