"""Items that head those after them."""

import pytest

from crawloop_assets.crawler.group_headings import is_heading, unheaded


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("For the sauce:", True),
        ("Für die Soße\uff1a", True),
        ("FILLING", True),
        ("SALT", False),  # four letters may be an abbreviation
        ("ROUTE 66", False),
        ("Filling", False),
        ("", False),
    ],
)
def test_a_heading_ends_in_a_colon_or_is_all_in_capitals(
    text: str, heads: bool
) -> None:
    assert is_heading(text) is heads


def test_where_most_are_in_capitals_those_head_nothing() -> None:
    assert unheaded(["FILLING", "salt", "rice"]) == ["salt", "rice"]
    assert unheaded(["WHITE RICE", "TABLE SALT", "To serve:"]) == [
        "WHITE RICE",
        "TABLE SALT",
    ]
    assert unheaded(["To serve:"]) == ["To serve:"], "something is left"
