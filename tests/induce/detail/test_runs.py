from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.runs import is_around, runs_of
from tests.induce.detail.documents import document


def numbers(page: Document, tag: str) -> list[int]:
    return page.by_tag[tag]


def test_a_run_takes_one_element_for_each_item_in_page_order() -> None:
    page = document("<p>a</p><p>b</p><p>a</p><p>b</p>")
    a1, b1, a2, b2 = numbers(page, "p")
    assert list(runs_of(page, [[a1, a2], [b1, b2]])) == [[a1, b1], [a2, b2]]


def test_the_element_that_looks_like_its_fellows_is_taken() -> None:
    page = document(
        "<li class='x'>a</li><b>b</b><li class='x'>b</li><li class='x'>c</li>"
    )
    a, b, c = numbers(page, "li")
    aside = numbers(page, "b")[0]
    assert list(runs_of(page, [[a], [aside, b], [c]])) == [[a, b, c]]


def test_of_one_inside_the_other_that_which_looks_like_the_first_is_taken() -> None:
    page = document("<li><i>a</i></li><li><i>b</i></li>")
    outer, inner = numbers(page, "li"), numbers(page, "i")
    items = [[outer[0], inner[0]], [outer[1], inner[1]]]
    assert list(runs_of(page, items)) == [outer, inner]


def test_what_is_behind_no_other_item_begins_again() -> None:
    page = document("<p>b</p><p>a</p>")
    b, a = numbers(page, "p")
    assert list(runs_of(page, [[a], [b]])) == [[a, b]]


def test_each_run_is_given_once_and_only_some_are_tried() -> None:
    page = document("<p>a</p>" * 8 + "<p>b</p>")
    items = numbers(page, "p")
    assert len(list(runs_of(page, [items[:8], [items[8]]]))) == 6
    assert list(runs_of(page, [[items[0], items[0]]])) == [[items[0]]]


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5))
def test_a_run_has_one_element_of_each_item(sizes: list[int]) -> None:
    page = document("".join("<p>a</p>" for _ in range(sum(sizes))))
    left = iter(numbers(page, "p"))
    items = [[next(left) for _ in range(size)] for size in sizes]
    for run in runs_of(page, items):
        assert len(run) == len(items)
        assert all(number in item for number, item in zip(run, items, strict=True))
        assert run == sorted(run)


def test_a_run_is_around_another_whose_elements_it_holds() -> None:
    page = document("<li><i>a</i></li><li><i>b</i></li>")
    outer, inner = numbers(page, "li"), numbers(page, "i")
    assert is_around(page, outer, inner)
    assert not is_around(page, inner, outer)
    assert not is_around(page, outer, outer)
    assert not is_around(page, outer, [inner[0], outer[0]])
