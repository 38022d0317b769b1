from crawloop_assets.crawler.program import BoundaryMode
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import (
    CandidateBoundary,
    boundaries,
    candidates_for,
)
from crawloop_assets.induce.listing.occurrences import Occurrences
from tests.induce.listing.documents import (
    DAYS,
    NAMES,
    RECORDS,
    SCHEMA,
    document,
    elements,
    items,
)


def best(page: Document, count: int = 2) -> CandidateBoundary:
    return boundaries(SCHEMA, Occurrences(page), RECORDS[:count])[0]


def test_a_few_known_records_give_a_selector_of_all() -> None:
    page = document(items())
    found = best(page)
    assert found.boundary.mode is BoundaryMode.NODES
    assert [scope.nodes for scope in found.scopes] == [
        (n,) for n in elements(page, "li")
    ]
    assert set(found.known) == {0, 1}
    assert (found.covered, found.alike) == (6, 4)


def test_no_two_candidates_find_the_same_records() -> None:
    page = document(items())
    found = boundaries(SCHEMA, Occurrences(page), RECORDS[:2])
    starts = [
        (one.boundary.mode, tuple(scope.nodes[0] for scope in one.scopes))
        for one in found
    ]
    assert len(starts) == len(set(starts))
    assert [one.covered for one in found] == sorted(
        (one.covered for one in found), reverse=True
    )


def test_records_that_spread_over_siblings_are_runs() -> None:
    rows = "".join(
        f"<dt>{one['name']}</dt><dd>{one['filed']}</dd><dd><a href='{one['url']}'>x</a></dd>"
        for one in RECORDS
    )
    page = document(f"<dl>{rows}</dl>")
    found = best(page)
    assert found.boundary.mode is BoundaryMode.RUN
    assert [scope.nodes[0] for scope in found.scopes] == elements(page, "dt")
    assert found.covered == 6


def test_a_boundary_that_takes_two_records_for_one_is_worth_less() -> None:
    page = document(
        f"<div class='page'>{items(2)}</div><div class='page'>{items(2)}</div>"
    )
    found = boundaries(SCHEMA, Occurrences(page), RECORDS[:2])
    assert {page.tags[one.scopes[0].nodes[0]] for one in found} <= {"li", "a"}


def test_one_known_record_is_a_row_and_not_the_list_around_it() -> None:
    page = document(f"<div class='page'>{items()}</div>")
    found = boundaries(SCHEMA, Occurrences(page), RECORDS[:1])
    assert {page.tags[one.scopes[0].nodes[0]] for one in found} <= {"li", "a", "span"}
    assert len(found[0].scopes) == 4


def test_one_known_record_may_spread_over_siblings() -> None:
    rows = "".join(
        f"<h3>{one['name']}</h3><p>{RECORDS[0]['filed']}</p><p><a href='{one['url']}'>x</a></p>"
        for one in RECORDS
    )
    page = document(f"<div><main><h1>All</h1>{rows}</main></div>")
    found = best(page, 1)
    assert found.boundary.mode is BoundaryMode.RUN
    assert [scope.nodes[0] for scope in found.scopes] == elements(page, "h3")
    assert found.covered == 3


def test_one_known_record_is_a_row_of_a_group_under_a_heading() -> None:
    group = "<h3>{}</h3>{}"
    row = "<p><b>{0}</b> <a href='https://court.example/doc/{1}.pdf'>{1}</a></p>"
    names = [f"{name} No. {at}" for at in (0, 9, 18) for name in NAMES]
    rows = [row.format(name, 31 + at) for at, name in enumerate(names)]
    days = [
        group.format(DAYS[at], "".join(rows[3 * at : 3 * at + 3])) for at in range(4)
    ]
    known = [{"name": f"{NAMES[0]} No. 0", "filed": DAYS[0], "url": RECORDS[0]["url"]}]
    page = document(f"<div><h1>All</h1>{''.join(days)}</div>")
    found = boundaries(SCHEMA, Occurrences(page), known)
    assert {len(one.scopes) for one in found} == {len(rows)}
    assert found[0].covered == 2


def test_the_only_record_of_a_page_may_be_all_of_its_list() -> None:
    page = document(f"<div class='page'>{items(1)}</div>")
    found = boundaries(SCHEMA, Occurrences(page), RECORDS[:1])
    assert "div" in {page.tags[one.scopes[0].nodes[0]] for one in found}


def test_other_things_of_the_same_tag_are_not_taken_for_records() -> None:
    menu = "<ul class='menu'>" + "<li><a href='/x'>Home</a></li>" * 9 + "</ul>"
    page = document(menu + items())
    found = best(page)
    assert len(found.scopes) == 4
    assert found.alike == 4


def test_text_right_after_a_record_belongs_to_it() -> None:
    rows = "".join(
        f"<a href='{one['url']}'>{one['name']}</a> {one['filed']}<br>"
        for one in RECORDS
    )
    found = best(document(f"<div>{rows}</div>"))
    assert found.covered == 6


def test_nothing_known_on_the_page_gives_no_boundary() -> None:
    assert boundaries(SCHEMA, Occurrences(document("<p>x</p>")), RECORDS) == []


def test_known_elements_give_boundaries_without_any_values() -> None:
    page = document(items())
    nodes = dict(enumerate(elements(page, "li")[:2]))
    first, *others = candidates_for(page, nodes)
    assert len(others) <= 2
    assert first.covered == 0
    assert len(first.scopes) == 4
    assert [scope.nodes[0] for scope in first.known.values()] == list(nodes.values())
