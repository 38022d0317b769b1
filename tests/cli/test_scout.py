"""A newcomer's first table, on three sites of different kinds, by the command as it is typed."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import dagster as dg
import pytest

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames, RunMode
from crawloop_assets.project import Project
from crawloop_assets.store.published import published_rows
from tests.scout.newcomer import empty_project, rows_of_json, typed
from tests.scout.sites import event, events, lamp, served, shop, station, stations


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with empty_project(tmp_path / "p") as made:
        yield made


def test_a_shop_gives_its_listing_and_its_pages(project: Project) -> None:
    with served(shop()) as site:
        html = project.root / "scouted.html"
        result = typed(
            "scout", f"{site}/", "--family", "shop", "--yes", "--html", str(html)
        )
        assert result.exit_code == 0, (result.output, result.exception)
        assert "The Amber lamp" in result.output
        assert f">{site}/lamps/6.html</td>" in html.read_text(), "its own address"
        listing = rows_of_json(f"{site}/")
        page = rows_of_json(f"{site}/lamps/20.html")
        assert "in doubt" not in typed("crawl", f"{site}/lamps/20.html").stderr
    assert [(row["title"], row["price"]) for row in listing] == [
        (lamp(number)["title"], lamp(number)["price"]) for number in range(8)
    ]
    assert listing[3]["url"] == f"{site}/lamps/3.html"
    (record,) = page
    wanted = lamp(20)
    assert record["name"] == wanted.pop("title")
    assert record | wanted == record
    assert (record["currency"], record["availability"]) == ("EUR", "InStock")
    families = {one.family: one for one in project.load_families()}
    assert families["shop/list"].discover.follow == ("li.next a",)
    assert families["shop/item"].discover.include == (r"^/lamps/\d+\.html$",)


def test_events_in_plain_html_are_read_with_their_later_pages(project: Project) -> None:
    with served(events()) as site:
        assert typed("scout", f"{site}/events", "--yes").exit_code == 0
        rows = rows_of_json(f"{site}/events/3", "--family", "site/list")
    assert rows == [event(number) for number in range(14, 21)]


def test_the_api_behind_a_page_is_found(project: Project) -> None:
    with served(stations()) as site:
        assert typed("scout", f"{site}/", "--yes").exit_code == 0
        rows = rows_of_json(f"{site}/api/stations?limit=50")
    assert [(row["name"], row["bikes"], row["opened"]) for row in rows] == [
        (one["name"], one["bikes"], one["opened"]) for one in map(station, range(20))
    ]


def test_nothing_is_asked_or_written_before_somebody_said_yes(project: Project) -> None:
    before = project.domains.read_text()
    with served(events()) as site:
        refused = typed("scout", f"{site}/events", answers="n\n")
        assert refused.exit_code == 1
        assert project.domains.read_text() == before
        assert "host: 127.0.0.1" in refused.output, "the diff is shown"
        assert typed("scout", f"{site}/events", answers="y\nn\n").exit_code == 1
        assert not list(project.families.glob("*.yaml"))
        assert typed("scout", f"{site}/events", answers="y\n").exit_code == 0
        again = typed("scout", f"{site}/events", "--yes")
    assert again.exit_code == 1
    assert "is there already" in str(again.exception)


def test_a_cell_is_corrected_and_a_field_left_out(project: Project) -> None:
    said = "y\n1 title = Evening of amber\n99 title = x\nnonsense\ndrop venue\ny\n"
    page = project.root / "scouted.html"
    with served(events()) as site:
        result = typed("scout", f"{site}/events", "--html", str(page), answers=said)
        assert result.exit_code == 0, (result.output, result.exception)
        assert "no row 99" in result.output and "no answer" in result.output
        rows = rows_of_json(f"{site}/events")
    assert rows[2].keys() == {"title", "date"}
    shown = page.read_text()
    assert 'data-cell="1 title"' in shown and "data-cell=&quot;" not in shown
    assert "venue" not in shown.partition("<iframe")[0], "written anew with each answer"


def test_a_scouted_family_is_crawled_by_runs_as_it_stands(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(project.root))
    monkeypatch.chdir(project.root)
    with served(shop()) as site:
        scouted = typed("scout", f"{site}/", "--family", "shop", "--yes")
        assert scouted.exit_code == 0, (scouted.output, scouted.exception)
        prepare(project)
        with dg.DagsterInstance.get() as instance:
            for verb in ("discover", "refresh"):
                assert _run_of(project, instance, verb).success
    rows = published_rows(project.published, "shop_item", ["name", "sku", "price"])
    wanted = {
        (one["title"], one["sku"], Decimal(one["price"]))
        for one in map(lamp, range(24))
    }
    assert {tuple(row.values()) for row in rows} == wanted


def _run_of(
    project: Project, instance: dg.DagsterInstance, verb: str
) -> dg.ExecuteInProcessResult:
    """A run of a job of the family, over all batches there are."""
    names = AssetNames(project.family("shop/item"))
    batches = sorted(instance.get_dynamic_partitions(names.partition_set))
    span = (batches[0], batches[-1]) if batches else None
    job = build_definitions(project).resolve_job_def(f"{verb}_{names.family.slug}")
    tags = names.tags(RunMode.REFRESH, batches=span)
    return job.execute_in_process(instance=instance, tags=tags)


def test_a_hostile_page_writes_text_and_nothing_else(project: Project) -> None:
    evil = "\x1b[31mred\x1b[0m"
    rows = "".join(
        f'<li class="class import"><h3><a href="/x/{number}">{evil} {{{{y: *a}}}} {number}</a></h3>'
        f"<p class='lambda'>\"\"\" {number} \\N</p><b class='model_config'>{number} 'k'</b></li>"
        for number in range(5)
    )
    links = "".join(f'<a href="/{number}">{number}</a>' for number in range(12))
    body = f"<html><title>{evil}</title><body><ul>{rows}</ul><nav>{links}</nav></body></html>"
    with served({"/": ("text/html; charset=utf-8", body)}) as site:
        result = typed("scout", f"{site}/", "--yes")
        assert result.exit_code == 0, (result.output, result.exception)
        assert "\x1b" not in result.output
        read = rows_of_json(f"{site}/")
    assert len(read) == 5
    assert len(project.load_families()) == 1


_SOLD = """from decimal import Decimal

from pydantic import BaseModel


class Sold(BaseModel):
    title: str
    price: Decimal


class Dated(Sold):
    published: str
"""


def test_a_model_that_is_there_names_the_fields(project: Project) -> None:
    (project.root / "schemas" / "own.py").write_text(_SOLD)
    asked = ("--yes", "--family", "shop", "--schema")
    with served(shop()) as site:
        refused = typed("scout", f"{site}/", *asked, "schemas.own:Dated")
        assert "published is not found" in str(refused.exception)
        result = typed("scout", f"{site}/", *asked, "schemas.own:Sold")
        assert result.exit_code == 0, (result.output, result.exception)
        page = rows_of_json(f"{site}/lamps/20.html")
    wanted = {name: lamp(20)[name] for name in ("title", "price")}
    assert page == [wanted]
    assert {one.record_schema for one in project.load_families()} == {
        "schemas.own:Sold"
    }
    assert not list(project.root.glob("schemas/shop*"))
