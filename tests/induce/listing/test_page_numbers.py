import pytest

from crawloop_assets.induce.listing.page_numbers import is_number_of, leads_onward

HERE = "https://court.example/list?page=2"


@pytest.mark.parametrize(
    ("base", "href", "expected"),
    [
        (HERE, "?page=3", True),
        (HERE, " ?page=3 ", True),
        (HERE, "?page=2", False),
        (HERE, "?page=2#end", False),
        (HERE, "?page=1", False),
        (HERE, "?page=2&sort=a", False),
        (HERE, "/other", True),
        (HERE, "https://other.example/list?page=3", False),
        (HERE, "", False),
        (HERE, "#top", False),
        (HERE, "javascript:next()", False),
        (HERE, "mailto:a@court.example", False),
        (HERE, "http://[broken", False),
        ("http://[broken", "?page=3", False),
        ("https://court.example/list/page/2", "/list/page/3", True),
        ("https://court.example/list/page/2", "/list/page/1", False),
        ("https://court.example/list?start=20&page=2", "?start=10&page=3", False),
        ("https://court.example/list?year=2024", "?year=2023", True),
    ],
)
def test_a_link_leads_on_if_no_page_number_goes_down(
    base: str, href: str, expected: bool
) -> None:
    assert leads_onward(base, href) is expected


@pytest.mark.parametrize(
    ("number", "href", "expected"),
    [
        (3, "?page=3", True),
        (3, "?page=2", True),
        (3, "?page=4", False),
        (3, "/list/p/3", True),
        (3, "?day=3", False),
        (3, "?page=three", False),
        (3, "http://[broken", False),
    ],
)
def test_a_number_counts_pages_from_one_or_from_zero(
    number: int, href: str, expected: bool
) -> None:
    assert is_number_of(number, HERE, href) is expected
