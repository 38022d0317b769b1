"""Whatever a family file may say of its cron is a schedule to Dagster, and comes."""

from datetime import UTC, datetime
from itertools import islice
from typing import Any

import pytest
from dagster._utils.schedules import cron_string_iterator, is_valid_cron_string
from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop_assets.cron import cron_of, next_moment
from crawloop_assets.pipeline.dagster_private import longest_pause


def _lists(item: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(item, min_size=1, max_size=3).map(",".join)


def _part(low: int, high: int, names: str = "") -> st.SearchStrategy[str]:
    number: Any = st.integers(low, high).map(str)
    if names:
        number |= st.sampled_from(names.split())
    ranges = st.tuples(number, number).map("-".join)
    steps = st.tuples(st.just("*") | ranges | number, st.integers(1, 70).map(str))
    return _lists(st.just("*") | number | ranges | steps.map("/".join))


CRONS = st.tuples(
    _part(0, 59),
    _part(0, 23),
    _part(1, 31) | st.just("l") | st.just("L"),
    _part(1, 12, "jan feb Mar DEC"),
    _part(0, 7, "sun Mon fri") | _lists(st.sampled_from(["1#2", "L5", "0#4", "3"])),
).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(CRONS)
def test_what_is_taken_is_taken_by_dagster(cron: str) -> None:
    try:
        cron_of(cron)
    except ValueError:
        return
    assert is_valid_cron_string(cron), cron
    assert longest_pause(cron)


@pytest.mark.parametrize(
    "cron",
    [
        "0 5 * * *",
        " 0  5 * * * ",
        "*/15 8-18 * * mon-fri",
        "0 0 29 2 *",
        "0 0 31 1,2 *",
        "0 6 L * *",
        "0 6 * * FRI-MON",
        "5/20 * * JAN 1#2",
        "@daily",
        "@hourly",
    ],
)
def test_a_cron_is_kept_as_it_is_written(cron: str) -> None:
    assert cron_of(cron) == cron
    assert len(list(islice(cron_string_iterator(0, cron, "UTC"), 2))) == 2


@pytest.mark.parametrize(
    ("cron", "says"),
    [
        ("99 5 * * *", "'99 5 * * *' is no cron: "),
        ("0 24 * * *", "is no cron"),
        ("0 5 0 * *", "is no cron"),
        ("0 5 * 13 *", "is no cron"),
        ("0 5 * * 8", "is no cron"),
        ("0 5 * janu *", "is no cron"),
        ("*/0 5 * * *", "is no cron"),
        ("1,,2 5 * * *", "is no cron"),
        ("R R * * *", "by chance"),
        ("H H * * *", "by chance"),
        ("0 0 31 2 *", "'0 0 31 2 *' never comes"),
        ("0 0 30-31 feb *", "never comes"),
        ("0 0 31 4,6 *", "never comes"),
        ("* * 30 2 0", "'* * 30 2 0' never comes"),
        ("0 5 31 4,6 mon", "never comes"),
        ("0 5 L * mon", "`L` and `#` are alone"),
        ("0 5 * * 1#2,3", "`L` and `#` are alone"),
        ("0 5 1 * L5", "`L` and `#` are alone"),
        ("0 5 1 * 1#2", "`L` and `#` are alone"),
        ("0 5 * *", "a cron has five parts"),
        ("0 0 5 * * *", "a cron has five parts"),
        ("", "a cron has five parts"),
        ("@reboot", "a cron has five parts"),
        ("5m", "a cron has five parts"),
    ],
)
def test_what_never_comes_or_is_none_is_said_in_words(cron: str, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        cron_of(cron)
    assert says in str(caught.value)


def test_the_next_moment_is_the_first_one_after() -> None:
    after = datetime(2026, 11, 30, 5, tzinfo=UTC)
    assert next_moment("0 5 * * *", after) == datetime(2026, 12, 1, 5, tzinfo=UTC)
    assert next_moment("@hourly", after) == datetime(2026, 11, 30, 6, tzinfo=UTC)
