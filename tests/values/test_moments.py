import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.moments import without_moments
from crawloop_assets.values.numbers import numerals


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("2 – 1", [2, 1]),
        ("kl. 18:00", []),
        ("18:00:30", []),
        ("20h30", []),
        ("2 – 1 (18:00)", [2, 1]),
        ("12. June 2025 11 230 visitors", [11230]),
        ("2 18:00 300", [2, 300]),
        ("3:2", [3, 2]),
        ("1:100", [1, 100]),
        ("4 x 30 and 2:75", [4, 30, 2, 75]),
        ("12.50 to 14.75", [12.5, 14.75]),
        ("31 February 2025", [31, 2025]),
    ],
)
def test_numbers_are_left_that_are_no_part_of_a_day_or_a_time(
    text: str, numbers: list[float]
) -> None:
    assert list(map(float, filter(None, numerals(without_moments(text))))) == numbers


@given(st.text(alphabet="345 –x;", max_size=40))
def test_a_text_without_moments_is_as_it_was(text: str) -> None:
    assert without_moments(text) == text
