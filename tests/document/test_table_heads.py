import pytest

from crawloop_assets.document.table_heads import head_over
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
