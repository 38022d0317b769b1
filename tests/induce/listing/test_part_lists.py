import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.listing.part_lists import lists_in_parts


@pytest.mark.parametrize(
    ("text", "items", "other", "read"),
    [
        (
            "By Ada · 2h53 · Drama, Crime",
            ["Drama", "Crime"],
            "By Bo · 1h · Comedy",
            ["Comedy"],
        ),
        (
            "oak / ash | from 1990",
            ["oak", "ash"],
            "elm / fir | from 7",
            ["elm", "fir"],
        ),
        ("By Ada · 2h53 · Drama", ["Drama"], "By Bo · 1h · Crime", ["Crime"]),
    ],
)
def test_a_part_of_a_text_is_a_list(
    text: str, items: list[str], other: str, read: list[str]
) -> None:
    found = [
        pipe
        for pipe in lists_in_parts(text, items)
        if (apply(pipe, [text]), apply(pipe, [other])) == (items, read)
    ]
    assert found


@pytest.mark.parametrize("text", ["Drama, Crime", "By Ada · Drama, Crime, War"])
def test_a_text_without_parts_and_a_part_with_more_are_none(text: str) -> None:
    assert not list(lists_in_parts(text, ["Drama", "Crime"]))
