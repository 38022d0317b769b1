import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.jsonpath import (
    BadPath,
    Segment,
    join_path,
    parse_path,
    scalars,
    walk,
)

DATA = {
    "a": [{"b": 1}, {"b": [2, 3]}],
    "o": {"x": {"n": "p"}, "y": {"n": "q"}},
    "one": {"b": 5},
    'k."[': 7,
}


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$.a[*].b", [1, [2, 3]]),
        ("$.a[*].b[*]", [1, 2, 3]),
        ("$.a[1].b[-1]", [3]),
        ("$.a.b", [1, [2, 3]]),
        ("$.o.*.n", ["p", "q"]),
        ("$.one[*].b", [5]),
        ("$.one[0].b", [5]),
        ("$.missing[*].b", []),
        ('$["k.\\"["]', [7]),
        ('$["one","a"].b', [5, 1, [2, 3]]),
        ('$.one["missing","b"]', [5]),
    ],
)
def test_walk(path: str, values: list[object]) -> None:
    assert list(walk(DATA, parse_path(path)[1])) == values


@pytest.mark.parametrize("path", ["$.a[", "$.a[x]", "$..b", "$.a[1"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(BadPath):
        parse_path(path)


KEYS = st.lists(st.text(min_size=1), min_size=2, max_size=3).map(tuple)


@given(
    st.lists(
        st.one_of(st.text(min_size=1), st.integers(-5, 5), st.none(), KEYS), max_size=6
    )
)
def test_a_path_survives_being_written(segments: list[Segment]) -> None:
    assert parse_path(join_path("ld:Recipe", segments)) == (
        "ld:Recipe",
        tuple(segments),
    )


def test_scalars_give_the_face_of_an_object() -> None:
    assert list(
        scalars([{"@type": "Person", "name": "Ada"}, "Bob", 3, True, None])
    ) == ["Ada", "Bob", "3", "true"]
