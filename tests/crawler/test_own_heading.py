"""What stands above a record: in the heading of its own group, or of one farther up."""

import pytest

from crawloop_assets.crawler.own_heading import nearest_above, nearest_of_group
from crawloop_assets.document.select import css
from tests.induce.listing.documents import document

BOXES = (
    "<section><div class=head><h2>A</h2><em>4.5</em></div><ul><li>1</li><li>2</li></ul></section>"
    "<section><div class=head><h2>B</h2></div><ul><li>3</li></ul></section>"
)
FLAT = "<h2>A <em>4.5</em></h2><p>1</p><p>2</p><h2>B</h2><p>3</p>"
TABLE = (
    "<table><tr class=day><th>A <em>4.5</em></th></tr><tr><td>1</td></tr><tr><td>2</td></tr>"
    "<tr class=day><th>B</th></tr><tr><td>3</td></tr></table>"
)


@pytest.mark.parametrize(
    ("html", "row"), [(BOXES, "li"), (FLAT, "p"), (TABLE, "tr:not(.day)")]
)
def test_what_the_own_heading_lacks_is_not_taken_from_the_one_above(
    html: str, row: str
) -> None:
    page = document(html)
    rows = css(page, row)
    above = [[page.text(n) for n in nearest_above(page, "em", one)] for one in rows]
    own = [[page.text(n) for n in nearest_of_group(page, "em", one)] for one in rows]
    assert above == [["4.5"]] * 3
    assert own == [["4.5"], ["4.5"], []]


def test_above_all_headings_there_is_none() -> None:
    page = document(f"<p>0</p>{FLAT}")
    first = css(page, "p")[0]
    assert nearest_above(page, "em", first) == nearest_of_group(page, "em", first) == []


def test_where_much_stands_between_nobody_looks() -> None:
    page = document(f"<h2><em>4.5</em></h2>{'<p>1</p>' * 1_200}")
    rows = css(page, "p")
    assert nearest_of_group(page, "em", rows[900])
    assert not nearest_of_group(page, "em", rows[1_100])
