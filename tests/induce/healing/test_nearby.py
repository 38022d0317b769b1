"""Numbers that have moved on all pages, found by what they were."""

from dataclasses import replace

import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.nearby import (
    as_moved,
    current_places,
    moved_numbers,
)
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.fields import document, witnesses
from tests.induce.healing.unnamed import known_pages

VIEWS = FieldSpec(name="views", kind=FieldKind.INTEGER, volatile=True)
BEFORE = (1040, 310, 88, 2200, 651)


def moved(by: int, *others: str, spec: FieldSpec = VIEWS) -> list[object]:
    rows = [
        (views, [f"<b>Aufrufe</b> <i>{views + by + at}</i>", *others])
        for at, views in enumerate(BEFORE)
    ]
    return [page.value for page in as_moved(known_pages(rows), spec)]


def test_it_is_the_one_number_near_what_was_known_on_every_page() -> None:
    now = [views + 7 + at for at, views in enumerate(BEFORE)]
    assert moved(7) == now
    assert moved(7, "Room 12", "Floor 3") == now
    assert moved(400) == [], "too far"
    pages = known_pages([(view, [f"<i>{view + 7}</i>"]) for view in BEFORE])
    beside = [
        replace(page, value=view) for page, view in zip(pages, BEFORE, strict=True)
    ]
    assert len(as_moved(beside, VIEWS)) == len(BEFORE)
    assert as_moved(beside[:4], VIEWS) == [], "a few may be near by chance"


@pytest.mark.parametrize(
    "change", [{"volatile": False}, {"kind": FieldKind.TEXT}, {"kind": FieldKind.DATE}]
)
def test_what_does_not_move_is_not_looked_for(change: dict[str, object]) -> None:
    assert moved(7, spec=VIEWS.model_copy(update=change)) == []


def test_two_numbers_near_it_are_none() -> None:
    rows = [
        (views, [f"<b>A</b> <i>{views + 3}</i>", f"<b>B</b> <i>{views + 4}</i>"])
        for views in BEFORE
    ]
    assert as_moved(known_pages(rows), VIEWS) == []


def test_numbers_that_are_all_alike_are_near_by_chance() -> None:
    rows = [
        (views, [f"<b>A</b> <i>{views + 3}</i>"]) for views in (100, 101, 99, 98, 103)
    ]
    assert as_moved(known_pages(rows), VIEWS) == []


def test_a_heal_reads_it_where_nothing_names_it() -> None:
    bodies = [
        f"<h1>Ware</h1><p><b>Aufrufe</b> <i>{views + 9 + at}</i></p>"
        for at, views in enumerate(BEFORE)
    ]
    made = witnesses(VIEWS, (), bodies, BEFORE)
    assert made.aligned()
    best = made.aligned()[0].candidate.reader
    got = [read(best, Scope(page.index.document), VIEWS) for page in made.pages]
    assert got == [views + 9 + at for at, views in enumerate(BEFORE)]


def test_rows_need_it_in_most_of_them_only() -> None:
    counts = [100 * at for at in range(1, 21)]
    rows = [f"<li><b>{at}</b><i>{at + 3}</i></li>" for at in counts]
    rows[4] = "<li><b>500</b></li>"
    rows[9] = "<li><b>1</b><i>9000</i></li>"
    page = document(f"<ul>{''.join(rows)}</ul>")
    lines = [Scope(page, (number,)) for number in page.by_tag["li"]]
    cells = list(zip(lines, counts, strict=True))
    places = [Reader(src=Source.CSS, at="i")]
    wanted: list[int | None] = [at + 3 for at in counts]
    wanted[4], wanted[9] = None, 9000
    found = moved_numbers(VIEWS, cells, lambda _: places, 0.9)
    assert list(found) == wanted
    assert moved_numbers(VIEWS, cells, lambda _: places, 0.95) == ()
    assert moved_numbers(VIEWS, cells, lambda _: places) == ()


NOW = [views + 9 + at for at, views in enumerate(BEFORE)]


def in_json(made: str) -> list[object]:
    """What pages of JSON are found to say; `made` has %d for the number now and %(old)s for one
    of before."""
    bodies = [
        made.replace("%d", str(number)).replace("%(old)s", str(views - 4))
        for number, views in zip(NOW, BEFORE, strict=True)
    ]
    headers = {"content-type": "application/json"}
    pages = [
        KnownValue(
            Index(Document(Page(url="https://x", body=body.encode(), headers=headers))),
            views,
        )
        for body, views in zip(bodies, BEFORE, strict=True)
    ]
    return [page.value for page in as_moved(pages, VIEWS)]


def test_a_key_of_json_says_it_as_an_element_does() -> None:
    assert in_json('{"id": 3, "q": {"x": %d}}') == NOW
    assert in_json('{"id": 3, "q": {"x": %d, "y": "none"}}') == NOW
    assert in_json('{"x": %d, "y": %(old)s}') == [], "two keys say numbers near it"


def test_one_of_a_list_is_known_by_its_number() -> None:
    assert in_json('{"of": [{"v": 8}, {"v": %d}, {"v": 2}]}') == NOW
    assert in_json('{"of": [[8, %d], [2, 1]]}') == [], "a list in a list"
    many = ", ".join('{"v": 1}' for _ in range(8))
    assert in_json(f'{{"of": [{{"v": %d}}, {many}]}}') == [], "any may be near"


def test_what_a_place_says_to_have_been_before_is_not_it() -> None:
    assert in_json('{"x": %d, "previous": %(old)s}') == NOW
    assert in_json('{"x": %d, "previous": {"x": %(old)s}}') == NOW
    assert in_json('{"previous": {"x": %(old)s}}') == []
    for label in ("<b>Yesterday</b>", "<b>Previously:</b>"):
        rows = [(views, [f"{label} <i>{views + 3}</i>"]) for views in BEFORE]
        assert as_moved(known_pages(rows), VIEWS) == []
    rows = [
        (
            views,
            [
                "<table><tr><th>No</th><th>Previous</th></tr>"
                f"<tr><td>1</td><td>{views + 3}</td></tr></table>"
            ],
        )
        for views in BEFORE
    ]
    assert as_moved(known_pages(rows), VIEWS) == []


def test_a_number_near_it_and_another_one_in_another_unit_are_none() -> None:
    def aligned(beside: str) -> bool:
        bodies = [
            f"<h1>Ware</h1><p><b>Aufrufe</b> <i>{number}</i></p><p><b>Hundertstel</b> "
            f"<u>{beside.format((views + 2) * 100)}</u></p>"
            for number, views in zip(NOW, BEFORE, strict=True)
        ]
        return bool(witnesses(VIEWS, (), bodies, BEFORE).aligned())

    assert aligned("no")
    assert not aligned("{}"), "each of them may be what it is now"


def test_a_place_is_an_attribute_for_scripts_that_one_element_has() -> None:
    page = document(
        "<i data-fare-cents='4150' data-unit='cents'></i><b data-n='1'></b><b data-n='2'></b>"
        "<u data-previous-fare='5000' width='40' data-x.y='7'></u>"
    )
    fare = FieldSpec(name="fare", kind=FieldKind.NUMBER, volatile=True)
    places = list(current_places(fare, Scope(page)))
    assert [(one.at, one.get, one.kin) for one in places] == [
        ("[data-fare-cents]", "@data-fare-cents", Kin.DATA)
    ]
