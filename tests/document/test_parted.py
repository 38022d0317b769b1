"""One text in the elements of another one."""

import pytest

from crawloop_assets.document.parted import clocked_days, parted_texts
from tests.document.build import document


def texts(html: str) -> list[str]:
    page = document(f"<body>{html}</body>")
    return [text for _, text in parted_texts(page, page.by_tag.get("div", []))]


def test_the_elements_of_one_that_holds_nothing_else_are_one_text() -> None:
    assert texts("<div><b>4</b> <i>March</i><i>2025</i></div>") == ["4 March 2025"]
    assert texts("<div><b>4</b><i><u>March</u> 2025</i></div>") == ["4 March 2025"]


@pytest.mark.parametrize(
    "html",
    [
        "<div>on <b>4</b><i>March</i></div>",
        "<div><b>4 March</b></div>",
        "<div><b>4</b><i></i></div>",
        "<div><b>1</b><b>2</b><b>3</b><b>4</b><b>5</b></div>",
    ],
)
def test_words_of_its_own_one_part_an_empty_one_or_many_are_none(html: str) -> None:
    assert texts(html) == []


def test_what_holds_much_is_no_text_in_parts() -> None:
    """Else the text of a deep page would be put together once at every depth."""
    inside = "<b>4</b><i>March</i>"
    deep = "<div><b>4</b><i>" + "<u>" * 14 + "March" + "</u>" * 14 + "</i></div>"
    assert texts(f"<div>{inside}</div>") == ["4 March"]
    assert texts(deep) == []


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (
            "<td>high</td><td>06.03.2026</td><td>18:25</td><td>688</td>",
            ["06.03.2026 18:25"],
        ),
        ("<td><b>6 March 2026</b></td><td>18:25</td>", ["6 March 2026 18:25"]),
        ("<td>06.03.2026 18:20</td><td>18:25</td>", []),
        ("<td>18:25</td><td>06.03.2026</td>", []),
        ("<td>06.03.2026</td><td>no</td><td>18:25</td>", []),
        ("<td>06.03.2026</td><td>18:25 and later</td>", []),
        ("<td>06.03.2026</td></tr><tr><td>at</td><td>18:25</td>", []),
    ],
)
def test_a_day_with_the_time_right_beside_it(cells: str, found: list[str]) -> None:
    page = document(f"<body><table><tr>{cells}</tr></table></body>")
    pairs = [" ".join(map(page.text, pair)) for pair in clocked_days(page)]
    assert pairs == found
