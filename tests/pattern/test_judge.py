"""Which patterns of others may run."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.pattern.judge import judged, searched
from tests.pattern.test_growth import PATTERNS


@pytest.mark.parametrize(
    "pattern",
    [
        "^/p/",
        r"/catalogue/[^/]+/index\.html$",
        r"[?&](utm_[a-z]+|ref)=[^&]*",
        r"(?i)/p/\d+",
        r"(\d+)\s*(?:reviews|ratings)",
        r".*/product/.*-[0-9]+",
        "|".join([r"\d+-\d+"] * 26),
    ],
)
def test_what_people_write_may_run(pattern: str) -> None:
    assert searched(pattern)


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", ".*a.*b.*c", r"\s*([^,]+?)\s*,", "a?" * 40 + "b"]
)
def test_what_would_not_end_may_not(pattern: str) -> None:
    with pytest.raises(ValueError, match="very many ways"):
        searched(pattern)


def test_more_time_is_given_where_texts_are_short() -> None:
    assert judged(".*a.*b", 3)
    with pytest.raises(ValueError, match="very many ways"):
        judged(".*a.*b")


@pytest.mark.parametrize("pattern", ["(", "a{2,}{3}", "[", "(?P<a>"])
def test_what_is_no_pattern_is_said_so(pattern: str) -> None:
    for check in (judged, searched):
        with pytest.raises(ValueError, match="not a regular expression"):
            check(pattern)


@given(PATTERNS, st.text("ab1! \nx", max_size=12))
def test_a_search_that_begins_at_lines_finds_the_same(inner: str, text: str) -> None:
    for begin in (".*", "(.+?)", "(?:.*?)", "((.*))"):
        pattern = begin + inner
        try:
            quick = searched(pattern)
        except ValueError:
            continue
        found, expected = quick.search(text), re.search(pattern, text)
        assert (found and (found.span(), found.groups())) == (
            expected and (expected.span(), expected.groups())
        )
