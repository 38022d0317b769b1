"""A badge that is shown in another look, or in other words, is still there; with a real store and
real workers."""

from collections.abc import Callable
from pathlib import Path

import pytest

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.drift.check import CheckName
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import NewCrawler, Store
from tests.serve.readings import SITE
from tests.serve.refreshes import html_page, refreshed
from tests.serve.test_silent_in_runs import FAMILY

TITLE, SOLD, _ = FAMILY.schema_spec().fields
PAGES = 24
BADGES = {
    "as before": '<span class="badge">Sold out</span>',
    "in another look": '<em class="tag">Sold out</em>',
    "in other words": '<span class="badge">Gone for good</span>',
    "as a picture": '<img class="stamp" src="/stamp.png">',
    "": "",
}


def is_sold(number: int) -> bool:
    return number % 3 == 0


def item(number: int, badge: str) -> Page:
    shown = BADGES[badge] if is_sold(number) else ""
    body = f"<main><h1>Lamp no. {number}</h1>{shown}<p>Made of oak.</p></main>"
    return html_page(f"{SITE}/{number}", f"<html><body>{body}</body></html>")


def by_words(op: Op, said: str | int) -> Reader:
    step = Step(op=op, args=("Sold out", said))
    return Reader(src=Source.CSS, at=".badge", get="text", pipe=(step,))


@pytest.fixture(params=[by_words(Op.MAP, "true"), by_words(Op.HAS, 1)])
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Store:
    """One in which the badges of all pages are known."""
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    title = FieldProgram(spec=TITLE, readers=(Reader(src=Source.CSS, at="h1"),))
    sold = FieldProgram(spec=SOLD, readers=(request.param,))
    body = Program(fields=(title, sold)).to_json()
    version = made.add_crawler(NewCrawler(family=FAMILY.family, body=body))
    made.promote(FAMILY.family, version, why="a test")
    for day in range(2):
        refresh(made, day, lambda number: "as before")
    assert wrong(made, is_sold) == []
    return made


def refresh(store: Store, day: int, badge: Callable[[int], str]) -> ServedBatch:
    pages = [item(number, badge(number)) for number in range(PAGES)]
    return refreshed(store, FAMILY, pages, f"run-{day}")


def wrong(store: Store, truth: Callable[[int], bool]) -> list[str]:
    """The rows that say another thing than is true."""
    urls = {f"{SITE}/{number}": truth(number) for number in range(PAGES)}
    rows = store.known(FAMILY, list(urls))
    return [url for url in urls if [row["sold"] for row in rows[url]] != [urls[url]]]


@pytest.mark.parametrize("look", ["in another look", "in other words", "as a picture"])
@pytest.mark.parametrize("changed", [PAGES, PAGES // 2])
def test_a_badge_that_has_changed_is_noticed_and_no_other_side_is_published(
    store: Store, look: str, changed: int
) -> None:
    for day in (2, 3):
        served = refresh(
            store, day, lambda number: look if number < changed else "as before"
        )
        assert wrong(store, is_sold) == []
        failed = {one.name for one in served.judgement.checks if not one.passed}
        assert failed == {CheckName.COVERAGE}


def test_badges_that_leave_nothing_behind_are_no_more(store: Store) -> None:
    served = refresh(store, 2, lambda number: "" if number < 12 else "as before")
    assert wrong(store, lambda number: is_sold(number) and number >= 12) == []
    assert not any(one for one in served.judgement.checks if not one.passed)
    assert served.counts.held == 0


LISTED = Family.model_validate(
    FAMILY.model_dump(by_alias=True)
    | {"family": "shop/listed", "kind": "listing", "key": ["title"]}
)


def listed(badge: str, changed: int = PAGES) -> Page:
    """All of them in one list, the first ones with a badge that looks so."""
    rows = []
    for number in range(PAGES):
        look = badge if number < changed else "as before"
        shown = BADGES[look] if is_sold(number) else ""
        rows.append(f"<li><h3>Lamp no. {number}</h3>{shown}<p>Made of oak.</p></li>")
    body = f"<html><body><ul>{''.join(rows)}</ul></body></html>"
    return html_page(f"{SITE}/all", body)


def test_a_badge_of_another_look_is_noticed_in_the_rows_of_a_list(
    tmp_path: Path,
) -> None:
    made = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    title = FieldProgram(spec=TITLE, readers=(Reader(src=Source.CSS, at="h3"),))
    sold = FieldProgram(spec=SOLD, readers=(by_words(Op.MAP, "true"),))
    rows = Boundary(mode=BoundaryMode.NODES, at="li", keep_if=("title",))
    program = Program(kind=FamilyKind.LISTING, record=rows, fields=(title, sold))
    version = made.add_crawler(NewCrawler(family=LISTED.family, body=program.to_json()))
    made.promote(LISTED.family, version, why="a test")
    for day, look in enumerate(["as before", "as before", "in another look"]):
        served = refreshed(made, LISTED, [listed(look, PAGES // 2)], f"run-{day}")
    said = {
        row["title"]: row["sold"]
        for row in made.known(LISTED, [f"{SITE}/all"])[f"{SITE}/all"]
    }
    assert said == {f"Lamp no. {at}": is_sold(at) for at in range(PAGES)}
    failed = {one.name for one in served.judgement.checks if not one.passed}
    assert failed == {CheckName.COVERAGE}
