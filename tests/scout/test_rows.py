from crawloop_assets.document.document import Document
from crawloop_assets.scout.columns import columns_of
from crawloop_assets.scout.rows import row_sheets
from tests.scout.pages_of import document, site_page
from tests.scout.sites import events

_CARD = (
    '<li class="card"><h3><a href="/b/{0}" title="The long title of {0}">The long …</a></h3>'
    '<p class="by">by <b class="author">Jane {0}</b></p><p>Price: {0} EUR</p>'
    '<div class="tags">{1}</div></li>'
)


def page(rows: int) -> str:
    tags = [
        '<a class="tag" href="/t">red</a>' * (1 + number % 3) for number in range(rows)
    ]
    cards = "".join(_CARD.format(number, tags[number]) for number in range(rows))
    return f"<html><body><ul>{cards}</ul></body></html>"


def test_rows_have_a_place_for_each_thing_in_them() -> None:
    columns = {one.name: one for one in columns_of(next(row_sheets(document(page(6)))))}
    assert columns["title"].values[1] == "The long title of 1", (
        "whole, not cut with dots"
    )
    assert columns["author"].values[1] == "Jane 1"
    assert columns["price"].values[1] == "1"
    assert columns["url"].values[1] == "http://s.test/b/1"


def test_a_table_is_named_by_its_header_which_is_no_row() -> None:
    listing = Document(site_page(events(), "/events"))
    columns = columns_of(next(row_sheets(listing)))
    assert sorted(one.name for one in columns) == ["date", "title", "venue"]
    assert len(columns[0].values) == 7


def test_a_link_in_a_cell_is_an_address_and_not_another_of_its_column() -> None:
    head = "<tr><th>Contract</th><th>Value</th></tr>"
    row = "<tr><td><a href='/t/{0}.pdf'>Bridge {0}</a></td><td>£{0},000</td></tr>"
    rows = "".join(map(row.format, range(2, 8)))
    listing = document(f"<html><body><table>{head}{rows}</table></body></html>")
    columns = {one.name: one for one in columns_of(next(row_sheets(listing)))}
    assert sorted(columns) == ["contract", "url", "value"]
    assert columns["url"].values[0] == "http://s.test/t/2.pdf"
