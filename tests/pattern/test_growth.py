"""How the work of a pattern grows: decided, and seen to be so."""

import re
import time
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.pattern.growth import exponent, most_readings
from crawloop_assets.pattern.machine import Use
from crawloop_assets.pattern.places import TooManyPlaces

# Pattern; the power when it is searched, matched at the beginning, matched as a whole.
POWERS = [
    ("", 1, 1, 1),
    (r"\bfoo\b", 1, 1, 1),
    (r"\d+", 1, 1, 1),  # it holds after the first digit, whatever follows
    (r"\d+x", 2, 1, 1),
    (r"\d++x", 2, 1, 1),
    (r"(?<!\d)\d+x", 1, 1, 1),  # begins at the first digit of a number only
    (r"\d+(?!\d)", 1, 1, 1),
    (r"^\d+x", 1, 1, 1),
    (r"(?m)^\d+x", 1, 1, 1),
    (r"\s+$", 2, 1, 1),
    (r"\s*\S+\s+[\d.]+[wx]\s*$", 2, 1, 1),
    (r"x*y*z*w", 2, 1, 1),
    (r"[^\"]*\"", 2, 1, 1),
    (r"a*a*b", 3, 2, 2),
    (r"a*+a*b", 2, 1, 1),  # what the first has read it does not give back
    (r".*?(\d+) x", 3, 2, 2),
    (r"\d+\d+\d+x", 4, 3, 3),
    (r"(?i)a*A*b", 3, 2, 2),
    (r"a*A*b", 2, 1, 1),
    (r"\w+\b\W+x", 2, 1, 1),
    (r"(.)\1*x", 2, 1, 1),
    (r"(?=\d+x)\d", 2, 1, 1),
    (r"(a)?(?(1)b*c|d*e)", 2, 1, 1),
    (r"(a+)+$", inf, inf, inf),
    (r"(a|a)*b", inf, inf, inf),
    (r"(a|aa)*b", inf, inf, inf),
    (r"(?:\s*\d*)*x", inf, inf, inf),
    (r"a(?:(b+)+c)?", inf, inf, inf),  # it holds after "a", but the rest is tried first
    (r"(\d{1,30}){1,30}x", inf, inf, inf),
    (r"(?:\d{1,3}[.,]?){1,4}x", 1, 1, 1),  # few times: it grows to an end
    (r"[A-Za-z]{0,6}[ \-]?\d[\w\-:/]+", 1, 1, 1),
    (rb"(?s)<.*>.*!", 3, 2, 2),
]


@pytest.mark.parametrize(("pattern", "search", "match", "full"), POWERS)
def test_the_power_of_a_pattern(
    pattern: str | bytes, search: float, match: float, full: float
) -> None:
    found = [exponent(pattern, 0, use) for use in Use]
    assert found == [search, match, full]


def seconds(pattern: str, text: str) -> float:
    """Of work, to search a text."""
    compiled = re.compile(pattern)
    began = time.process_time()
    compiled.search(text)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("pattern", "text", "most"),
    [(r"(?<!\d)\d+x", "1" * 400_000, 1), (r"\d+(?!\d)", "1" * 400_000, 1)],
)
def test_what_is_linear_is_quick_on_long_texts(
    pattern: str, text: str, most: float
) -> None:
    assert exponent(pattern) == 1
    assert seconds(pattern, text) < most


def test_what_is_not_linear_grows_as_said() -> None:
    growth = seconds(r"\d+x", "1" * 8_000) / seconds(r"\d+x", "1" * 2_000)
    assert exponent(r"\d+x") == 2
    assert growth > 8  # 16, less what a clock is wrong
    assert seconds(r"(a+)+$", "a" * 21 + "b") > 10 * seconds(r"(a+)+$", "a" * 15 + "b")


@pytest.mark.parametrize(
    ("pattern", "least", "most"),
    [
        ("a", 1, 2),
        (r"\d+x", 60, 70),
        ("a?" * 30 + "b", 10**8, inf),
        (r"\d{0,16}" * 5 + "x", 10**4, inf),
        (r"(?:\d{1,3}[.,]?){1,4}x", 10, 100),
    ],
)
def test_ways_to_read_one_text(pattern: str, least: float, most: float) -> None:
    assert least <= most_readings(pattern) <= most


PIECES = ["a", "b", ".", "\\d", "\\w", "[a-c]", "[^a]", "^", "$", "\\b", "x"]
PATTERNS = st.recursive(
    st.sampled_from(PIECES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(
            lambda two: f"(?:{two[0]}){two[1]}"
        ),
        inner.map(lambda one: f"(?={one})"),
    ),
    max_leaves=6,
)


@given(PATTERNS)
def test_each_use_is_no_harder_than_the_next_wider_one(pattern: str) -> None:
    # As a whole a pattern may fail where a match at the beginning has held already.
    assert exponent(pattern, 0, Use.MATCH) <= exponent(pattern, 0, Use.SEARCH)
    assert exponent(pattern, 0, Use.MATCH) <= exponent(pattern, 0, Use.FULLMATCH)


@given(PATTERNS)
def test_what_is_called_linear_is(pattern: str) -> None:
    if exponent(pattern) == 1 and most_readings(pattern) < 100:
        for text in ("a" * 3_000, "ab" * 1_500, "a1" * 1_500 + "!"):
            assert seconds(pattern, text) < 0.5


@pytest.mark.filterwarnings("ignore:Possible nested set")
@pytest.mark.filterwarnings(
    "ignore:Possible set"
)  # "[1||" means something else one day
@given(st.text("ab\\d[]()*+?{},1^$|.<!=:P", max_size=12))
def test_whatever_is_written_is_judged_or_no_pattern(pattern: str) -> None:
    try:
        assert exponent(pattern) >= 1
    except (re.error, TooManyPlaces, OverflowError, RecursionError) as error:
        assert error.args
