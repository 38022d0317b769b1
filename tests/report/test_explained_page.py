"""The page that explains a row."""

from crawloop_assets.report.explained_page import explained_html
from tests.report.test_explained import explained
from tests.world import World


def test_a_row_shows_every_value_with_its_votes_and_when_it_changed(
    healthy: World,
) -> None:
    row = explained(healthy)
    page = explained_html("shop/product", row)
    for name in row.row.values:
        assert f"<td>{name}</td>" in page
    assert page.count("<h2>Readers of ") == len(row.fields) > 3
    assert "agreement 1.00" in page and "data-says=&quot;price: " in page
