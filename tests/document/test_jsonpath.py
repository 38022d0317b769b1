import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.jsonpath import (
    BadPath,
    Segment,
    join_path,
    parse_path,
    scalar_text,
    scalars,
    step,
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


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("$", [DATA]),
        ("$.a[-3]", []),
        ("$.a[2]", []),
        ("$.a[-2].b", [1]),
        ("$.one[-1].b", [5]),
        ("$.one[1].b", []),
        ("$.one.*", [5]),
        ("$.o[*].x", [{"n": "p"}]),
        ("$.a[*].*", [1, [2, 3]]),
        ("$.one.b.c", []),
        ("$.one.b[*]", [5]),
        ('$["one","o"].*', [5, {"n": "p"}, {"n": "q"}]),
    ],
)
def test_paths_that_lead_elsewhere(path: str, values: list[object]) -> None:
    assert list(walk(DATA, parse_path(path)[1])) == values


@pytest.mark.parametrize(
    ("segment", "written"),
    [
        (None, "[*]"),
        (-2, "[-2]"),
        ("a b", ".a b"),
        ("a.b", '["a.b"]'),
        ("*", '["*"]'),
        ('"\\', '["\\"\\\\"]'),
        (("a", "b.c"), '["a","b.c"]'),
    ],
)
def test_a_segment_is_written_as_plainly_as_can_be(
    segment: Segment, written: str
) -> None:
    assert step(segment) == written


def test_roots_end_where_segments_begin() -> None:
    assert parse_path("js:a b.c") == ("js:a b", ("c",))
    assert parse_path("body[0]") == ("body", (0,))
    assert parse_path("body") == ("body", ())
    with pytest.raises(BadPath, match="at 3"):
        parse_path("$.a..b")


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (False, ["false"]),
        (1.50, ["1.5"]),
        (" ", []),
        (" a ", [" a "]),
        ({"name": "", "url": "u", "@id": "i"}, ["u"]),
        ({"text": "t", "name": "n"}, ["t"]),
        ({"@value": {"name": "n"}}, ["n"]),
        ({"other": "o"}, []),
        ([[[["a"]]]], ["a"]),
        ([[[[["a"]]]]], []),
        ({"name": {"name": {"name": {"name": "n"}}}}, ["n"]),
        ({"name": {"name": {"name": {"name": {"name": "n"}}}}}, []),
    ],
)
def test_the_texts_a_value_stands_for(value: object, texts: list[str]) -> None:
    assert list(scalars(value)) == texts


def test_scalars_are_texts_as_json_writes_them() -> None:
    values = (True, False, 0, -1.5, 10**20, "a b", "")
    texts = ["true", "false", "0", "-1.5", "1" + 20 * "0", "a b", ""]
    assert [scalar_text(value) for value in values] == texts
