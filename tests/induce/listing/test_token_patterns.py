import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.token_patterns import token_patterns

LETTERS = r"[^\W\d_]+"
ANY = r"[^\W\d_]{0,6}[ \-]?\d[\w\-:/]+"


def test_shared_words_stay_and_the_digits_of_numbers_are_counted() -> None:
    assert token_patterns(["20-CV-171", "21-CV-85"]) == [
        r"\d+\-CV\-\d+",
        rf"\d+\-{LETTERS}\-\d+",
        rf"\d{{2}}\-{LETTERS}\-\d+",
        ANY,
    ]


def test_one_value_tells_nothing_of_what_is_shared() -> None:
    assert token_patterns(["20 CV"]) == [rf"\d+\s{LETTERS}", ANY]


def test_values_of_several_kinds_are_alternatives_the_longest_first() -> None:
    first, *_ = token_patterns(["12-34", "12-34-cv"])
    assert first == rf"(?:\d+\-\d+\-{LETTERS}|\d+\-\d+)"


@pytest.mark.parametrize("values", [["A17", "no digits"], ["1" * 61]])
def test_texts_without_digits_and_long_ones_have_no_pattern(values: list[str]) -> None:
    assert token_patterns(values) == []


def test_patterns_that_no_program_may_have_are_left_out() -> None:
    assert token_patterns(["-".join("1" * 13)]) == [ANY]
    assert len(token_patterns(["-".join("1" * 12)])) == 2


@pytest.mark.parametrize(
    ("values", "first"),
    [
        (["Straße 5", "Königsallee 7"], rf"{LETTERS}\s\d+"),
        (["улица 5", "Allee 7"], rf"{LETTERS}\s\d+"),
        (["5 Église", "7 Église"], r"\d+\sÉglise"),
    ],
)
def test_letters_of_any_script_are_one_kind(values: list[str], first: str) -> None:
    assert token_patterns(values)[0] == first


@pytest.mark.parametrize(
    "value", ["5² m", "x²5³", "٣5 a", "5_7", "a_b 5", "हिन्दी 5", "²³"]
)
def test_no_value_makes_a_pattern_that_no_program_takes(value: str) -> None:
    assert all(Step(op=Op.REGEX, args=(one,)) for one in token_patterns([value, value]))


@given(st.lists(st.text(max_size=12).map("{}5".format), min_size=1, max_size=3))
def test_every_pattern_may_be_a_step(values: list[str]) -> None:
    assert all(Step(op=Op.REGEX, args=(one,)) for one in token_patterns(values))


@given(
    st.lists(
        st.from_regex(r"[A-C]{0,2}[ -]?[0-9]{1,4}", fullmatch=True),
        min_size=1,
        max_size=4,
    )
)
def test_every_pattern_of_the_values_finds_each_of_them_whole(
    values: list[str],
) -> None:
    for pattern in token_patterns(values)[:-1]:
        assert all(re.fullmatch(pattern, value) for value in values)
        assert Step(op=Op.REGEX, args=(pattern,))
