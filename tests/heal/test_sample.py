"""Which pages a regeneration sees."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.heal.sample import MAKING, PROVING, HealSample, sample_of
from crawloop_assets.page import Page


def pages(count: int) -> list[Page]:
    return [
        Page(url=f"https://shop.example/{at:03}", body=b"<p>x</p>", headers={})
        for at in range(count)
    ]


def records(shown: list[Page], on_sale: set[int]) -> dict[str, list[dict[str, str]]]:
    sale = {"was": "9.00"}
    return {
        page.url: [{"title": "x", **(sale if at in on_sale else {})}]
        for at, page in enumerate(shown)
    }


def has_sale(sample: HealSample) -> list[int]:
    return [example.page for example in sample.known if "was" in example.records[0]]


def test_a_field_that_few_records_have_is_shown_to_the_maker_and_in_the_proof() -> None:
    shown = pages(60)
    sample = sample_of(shown, records(shown, {7, 23, 41, 42}))
    making, proving = sample.split()
    assert len(proving.pages) == MAKING + PROVING
    assert len(has_sale(making)) == 2
    assert len(has_sale(proving)) == 4


def test_pages_that_show_the_same_fields_are_spread_over_all() -> None:
    shown = pages(60)
    sample = sample_of(shown, records(shown, set()))
    assert [page.url[-3:] for page in sample.pages] == [
        f"{at:03}" for at in range(0, 60, 6)
    ]


def test_pages_with_known_records_come_first_and_none_is_taken_twice() -> None:
    shown = pages(9)
    known = {url: rows for url, rows in records(shown, {8}).items() if url[-1] in "248"}
    sample = sample_of(shown, known)
    assert {page.url[-1] for page in sample.pages[:3]} == set("248")
    assert len({page.url for page in sample.pages}) == len(sample.pages) == 9
    assert {example.page for example in sample.known} == {0, 1, 2}


@given(st.integers(0, 40))
def test_the_maker_never_sees_all_pages_of_the_proof_if_there_are_more_than_three(
    count: int,
) -> None:
    making, proving = HealSample(tuple(pages(count)), ()).split()
    assert len(proving.pages) == count
    assert making.pages == proving.pages[: len(making.pages)]
    hidden = count - len(making.pages)
    if count <= 3:
        assert hidden == 0
    else:
        assert len(making.pages) == max(3, min(MAKING, count - 2))
        assert hidden > 0


def test_the_maker_is_told_of_its_own_pages_only() -> None:
    known = tuple(Example(page=at, records=({"title": "x"},)) for at in (0, 2, 3, 5))
    making, proving = HealSample(tuple(pages(6)), known).split()
    assert [example.page for example in making.known] == [0, 2, 3]
    assert proving.known == known


def test_pages_without_known_records_fill_up_the_sample() -> None:
    shown = pages(40)
    known = {page.url: [{"title": "x"}] for page in shown[:3]}
    sample = sample_of(shown, known)
    assert len(sample.pages) == MAKING + PROVING
    assert [example.page for example in sample.known] == [0, 1, 2]
    rest = [int(page.url[-3:]) for page in sample.pages[3:]]
    assert rest == [3, 8, 13, 18, 24, 29, 34], "spread evenly over the others"


def test_a_page_known_to_have_no_record_is_one_without() -> None:
    shown = pages(2)
    sample = sample_of(shown, {shown[0].url: [], shown[1].url: [{"title": "x"}]})
    assert [page.url for page in sample.pages] == [shown[1].url, shown[0].url]
    assert [example.page for example in sample.known] == [0]


@pytest.mark.parametrize("empty", [None, "", []])
def test_a_field_without_a_value_is_not_shown(empty: object) -> None:
    shown = pages(20)
    known: dict[str, list[dict[str, Any]]] = {
        page.url: [{"title": "x", "was": empty}] for page in shown
    }
    known[shown[15].url] = [{"title": "x", "was": "9.00"}]
    sample = sample_of(shown, known)
    first = sample.pages.index(shown[15])
    assert first < MAKING, "the one page that shows it is among the maker's"


def test_a_sample_of_nothing_is_empty() -> None:
    assert sample_of([], {}) == HealSample((), ())


def test_a_page_without_a_field_that_most_have_is_shown_to_the_maker_too() -> None:
    shown = pages(40)
    sample = sample_of(shown, records(shown, set(range(40)) - {17}))
    making, proving = sample.split()
    for part in (making, proving):
        assert len(part.known) - len(has_sale(part)) == 1


def test_the_maker_sees_each_value_of_a_flag() -> None:
    shown = pages(40)
    known = {
        page.url: [{"title": f"Car {at}", "damaged": at in (11, 12, 30, 31)}]
        for at, page in enumerate(shown)
    }
    making, proving = sample_of(shown, known).split()
    for part in (making, proving):
        values = [example.records[0]["damaged"] for example in part.known]
        assert values.count(True) >= 2 and values.count(False) >= 2


def test_records_that_are_known_to_have_none_left_are_shown_to_the_maker() -> None:
    """Pages say that in words: which ones is told by several."""
    shown = pages(60)
    known: dict[str, list[dict[str, Any]]] = {
        page.url: [{"title": "x", "left": 0 if at in (7, 23, 41) else at}]
        for at, page in enumerate(shown)
    }
    making, proving = sample_of(shown, known).split()
    left = [example.records[0]["left"] for example in making.known]
    assert left.count(0) == 2
    assert [one.records[0]["left"] for one in proving.known].count(0) == 4


def test_the_maker_sees_the_beginning_of_a_range_that_has_no_end() -> None:
    shown = pages(60)
    known = records(shown, set())
    for at, page in enumerate(shown[:30]):
        known[page.url][0] |= {"least": "9"} | ({} if at in (9, 21) else {"most": "12"})
    making, _ = sample_of(shown, known).split()
    named = [set(example.records[0]) for example in making.known]
    assert {"title", "least"} in named
    assert {"title", "least", "most"} in named and {"title"} in named
