import pytest

from crawloop_assets.induce.listing.groups import CellPlace, Column, Group, groups
from tests.induce.listing.documents import RECORDS, document, elements, items


def columns(group: Group) -> dict[tuple[str, str], Column]:
    return {tuple(column.place): column for column in group.columns}


def test_elements_of_one_kind_are_a_group_with_columns() -> None:
    page = document(items())
    (group,) = groups(page)
    assert list(group.nodes) == list(group.rows) == elements(page, "li")
    found = columns(group)
    assert found[". > a:1", "text"].texts == tuple(one["name"] for one in RECORDS)
    assert found[". > a:1", "@href"].texts == tuple(one["url"] for one in RECORDS)
    assert found[". > time:1", "text"].texts == tuple(one["filed"] for one in RECORDS)
    assert {"title"} <= found[". > a:1", "text"].words


@pytest.mark.parametrize(
    "body",
    [
        items(2),
        f"<nav>{items()}</nav>" + "<b>x</b>" * 50,
        f"<div class='side menu'>{items()}</div>" + "<b>x</b>" * 50,
        "<ul>" + "<li>the same text</li>" * 5 + "</ul>",
        "<ul>" + "".join(f"<li>x{n}</li>" for n in range(5)) + "</ul>",
    ],
)
def test_few_framed_equal_and_tiny_elements_are_no_records(body: str) -> None:
    page = document(body)
    kinds = {page.tags[group.nodes[0]] for group in groups(page)}
    rows = [group for group in groups(page) if len(group.columns) > 1]
    assert "a" not in kinds
    assert rows == []


def test_a_menu_class_on_the_whole_page_frames_nothing() -> None:
    page = document(f"<div class='with-sidebar'>{items()}</div>")
    assert [page.tags[group.nodes[0]] for group in groups(page)] == ["li"]


def test_elements_inside_each_other_are_one_group() -> None:
    rows = "".join(f"<div><p>{one['name']} and others</p></div>" for one in RECORDS)
    page = document(rows)
    assert [page.tags[group.nodes[0]] for group in groups(page)] == ["div"]


def test_the_group_with_most_in_it_comes_first_and_ten_are_enough() -> None:
    few = "".join(f"<h4>Some heading number {n}</h4>" for n in range(3))
    page = document(few + items())
    assert [page.tags[group.nodes[0]] for group in groups(page)] == ["li", "h4"]
    many = "".join(
        f"<p class='kind{chr(97 + n)}'>Some text number {n} {row}</p>"
        for n in range(12)
        for row in range(3)
    )
    assert len(groups(document(many))) == 10


def test_columns_are_filled_in_half_of_the_rows_at_least() -> None:
    extra = ("<b>one</b>", "<b>two</b>", "", "")
    rows = "".join(
        f"<li>{one['name']} of the court {more}</li>"
        for one, more in zip(RECORDS, extra, strict=True)
    )
    (group,) = groups(document(f"<ul>{rows}</ul>"))
    found = columns(group)
    assert found[". > b:1", "text"].texts == ("one", "two", "", "")
    assert found[". > b:1", "text"].filled == 0.5
    assert (".", "own") in found
    fewer = rows.replace("<b>two</b>", "")
    (group,) = groups(document(f"<ul>{fewer}</ul>"))
    assert (". > b:1", "text") not in columns(group)


def test_the_header_of_a_table_says_what_its_columns_are() -> None:
    rows = "".join(
        f"<tr><td>{one['name']}</td><td>{one['filed']}</td></tr>" for one in RECORDS
    )
    page = document(f"<table><tr><th>Case</th><th>Filing date</th></tr>{rows}</table>")
    group = next(group for group in groups(page) if page.tags[group.nodes[0]] == "tr")
    found = columns(group)
    assert found[". > td:1", "text"].words == {"case"}
    assert found[". > td:2", "text"].words == {"filing", "date"}


def test_only_a_dozen_rows_are_looked_at() -> None:
    rows = "".join(f"<li>Some case with the number {n}</li>" for n in range(100))
    (group,) = groups(document(f"<ul>{rows}</ul>"))
    assert (len(group.nodes), len(group.rows)) == (100, 12)


def test_a_column_without_rows_is_not_filled() -> None:
    assert Column(CellPlace(".", "text"), (), frozenset()).filled == 0.0


def test_what_comes_before_a_group_does_not_count_as_its_text() -> None:
    page = document("<b>x</b>" * 250 + items())
    assert page.tags[groups(page)[0].nodes[0]] == "li"
