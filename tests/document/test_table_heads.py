import pytest

from crawloop_assets.document.table_heads import column_names, head_over
from tests.induce.listing.documents import document

HEAD = "<tr><th>Case</th><th>Filed</th></tr>"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (f"{HEAD}<tr><td>A</td><td><b>5 May</b></td></tr>", "Filed"),
        (f"{HEAD}<tr><th>A</th><td><b>5 May</b></td></tr>", "Filed"),
        (f"{HEAD}<tr><td><b>5 May</b></td></tr>", ""),
        ("<tr><td>A</td><td><b>5 May</b></td></tr>", ""),
        (f"{HEAD}</table><p><b>5 May</b></p>", ""),
    ],
)
def test_a_cell_has_the_header_of_its_column(table: str, expected: str) -> None:
    page = document(f"<table>{table}</table>")
    assert head_over(page, page.by_tag["b"][0]) == expected


def test_a_page_says_what_its_tables_call_their_columns() -> None:
    rows = "<table><tr><th>Case  name</th><th>Filed</th></tr></table>"
    page = document(f"{rows}<table><tr><th>FILED</th><th>Judge</th></tr></table>")
    assert column_names(page) == ("case name", "filed", "judge")
    assert column_names(document("<p>none</p>")) == ()
