"""The layout of a page as hashes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.document import Document
from crawloop_assets.document.layout import (
    html_layout,
    is_far,
    json_groups,
    json_sketch,
    steps_of_these,
    template_distance,
)
from crawloop_assets.page import Page

TEMPLATES = st.lists(st.integers(0, 300), max_size=150, unique=True).map(
    lambda steps: tuple(sorted(steps)[:128])
)


def parsed(body: str, kind: str = "text/html") -> Document:
    page = Page(
        url="https://shop.example/p/1",
        body=body.encode(),
        headers={"content-type": kind},
    )
    return Document(page)


@given(TEMPLATES, TEMPLATES)
def test_a_distance_is_symmetric_and_a_share(a, b):
    distance = template_distance(a, b)
    assert 0 <= distance <= 1
    assert distance == template_distance(b, a)
    assert template_distance(a, a) == 0


def test_distances_of_small_layouts_are_exact():
    assert template_distance((1, 2, 3), (2, 3, 4)) == pytest.approx(1 - 2 / 4)
    assert template_distance((1, 2), (3, 4)) == 1
    assert template_distance((), (1,)) == 0
    assert template_distance((1,), ()) == 0


def test_of_large_layouts_the_smallest_hashes_are_compared():
    first, second = tuple(range(128)), tuple(range(64, 192))
    assert template_distance(first, second) == pytest.approx(1 - 64 / 128)


def test_far_is_further_than_the_distance_from_each():
    assert is_far((1, 2), [], 0.5)
    assert is_far((1, 2), [(3, 4), (5, 6)], 0.5)
    assert not is_far((1, 2), [(3, 4), (1, 2)], 0.5)
    assert not is_far((1, 2, 3), [(2, 3, 4)], 0.5), "just as far is not further"


def test_the_steps_of_some_layouts_are_those_of_all_of_them_and_of_no_other() -> None:
    assert steps_of_these([(1, 2, 7), (1, 2, 8)], [(1, 9)]) == {2}
    assert steps_of_these([(1, 2)], []) == {1, 2}
    assert steps_of_these([(1, 2), (3,)], [(4,)]) == set()


def test_a_step_beyond_the_reach_of_a_sketch_may_be_there_unseen() -> None:
    large = tuple(range(1, 129))
    assert steps_of_these([(0, 5, 500)], [large]) == {0}
    assert steps_of_these([(0, 5, 500)], [large[:-1]]) == {0, 500}


LIST = "<body><ul class='items'>{}</ul><p>end</p></body>"


def items(count: int, name: str = "item") -> str:
    return LIST.format("".join(f"<li class={name}>{at}</li>" for at in range(count)))


def test_siblings_are_a_group_from_three_on():
    assert [count for _, count in html_layout(parsed(items(3))).groups()] == [3]
    assert html_layout(parsed(items(2))).groups() == ()
    assert html_layout(parsed(items(0))).groups() == ()


def test_a_group_is_known_by_the_step_into_it():
    (three,), (five,) = (html_layout(parsed(items(count))).groups() for count in (3, 5))
    (other,) = html_layout(parsed(items(3, "row"))).groups()
    assert (three[0], five[0]) == (five[0], three[0])
    assert (three[1], five[1]) == (3, 5)
    assert other[0] != three[0]


def test_equal_lists_are_one_group():
    lists = "".join(f"<ul>{'<li>a</li>' * 3}</ul>" for _ in range(2))
    groups = html_layout(parsed(f"<body>{lists}</body>")).groups()
    assert [count for _, count in groups] == [6]


def test_the_sketch_has_each_step_once_whatever_the_texts_and_numbers():
    few, many = (html_layout(parsed(items(count))).sketch() for count in (1, 9))
    assert few == many == tuple(sorted(few))
    numbered = html_layout(parsed(items(2, "item-17"))).sketch()
    assert numbered == html_layout(parsed(items(2, "item-18"))).sketch() != few


def test_scripts_and_styles_are_no_layout():
    plain = html_layout(parsed(items(3)))
    script = "<script>a</script><style>b</style><br>" * 4
    scripted = html_layout(parsed(items(3).replace("<p>", script + "<p>")))
    assert scripted.sketch() == plain.sketch()
    assert scripted.groups() == plain.groups()


def test_a_page_without_elements_has_no_layout():
    empty = html_layout(parsed(""))
    assert empty.groups() == ()


def test_the_layout_of_json_are_its_paths():
    rows = '{"rows": [{"name": "a"}, {"name": "b"}], "page": 1}'
    more = '{"rows": [{"name": "x"}], "page": 2}'
    assert json_sketch(parsed(rows, "application/json")) == json_sketch(
        parsed(more, "application/json")
    )
    assert len(json_sketch(parsed(rows, "application/json"))) == 2
    ((_, count),) = json_groups(parsed(rows, "application/json"))
    assert count == 2
    assert json_groups(parsed('{"page": 1}', "application/json")) == ()
