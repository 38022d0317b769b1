"""What a JSON page says of the page after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.jsonpath import BadPath
from crawloop_assets.document.next_page import (
    NextValue,
    lists,
    next_links,
    next_value,
    value_at,
)


@pytest.mark.parametrize(
    ("body", "links"),
    [
        ({"next": "/p?2"}, [(("next",), "/p?2")]),
        ({"nextPageUrl": "https://x.example/2"}, [(("nextPageUrl",), "https://x.example/2")]),
        ({"paging": {"next_link": "?p=2"}}, [(("paging", "next_link"), "?p=2")]),
        ({"@odata.nextLink": "http://x/2"}, [(("@odata.nextLink",), "http://x/2")]),
        ({"next": {"href": "/2", "title": "/no"}}, [(("next", "href"), "/2")]),
        ({"next": {"href": 2, "url": "/2"}}, [(("next", "url"), "/2")]),
        ({"links": [{"rel": "prev", "href": "/1"}, {"rel": "next", "href": "/2"}]},
         [(("links", 1, "href"), "/2")]),
        ({"links": ["next", {"rel": "next"}]}, []),
        ({"records": [{"next": "/2"}]}, []),
        ({"next": "two"}, []),
        ({"next": "/a b"}, []),
        ({"next": 2}, []),
        ({"nextstep": "/2"}, []),
        ([{"next": "/2"}], []),
        ("next", []),
    ],
)  # fmt: skip
def test_links_to_the_next_page(body: object, links: list[object]) -> None:
    assert next_links(body) == links


def deep(levels: int, inner: object) -> object:
    for _ in range(levels):
        inner = {"k": inner}
    return inner


def test_nothing_is_looked_for_where_no_page_says_it() -> None:
    assert next_links(deep(12, {"next": "/2"}))
    assert next_links(deep(13, {"next": "/2"})) == []
    assert next_value(deep(12, {"next": 2})) == NextValue("page", 2)
    assert next_value(deep(13, {"next": 2})) is None
    assert len(lists(deep(13, [1]))) == 1
    assert lists(deep(14, [1])) == ()


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ({"next_cursor": "abc"}, NextValue("cursor", "abc")),
        ({"nextPageToken": "t"}, NextValue("pageToken", "t")),
        ({"next": 2}, NextValue("page", 2)),
        ({"NEXT_PAGE": 2}, NextValue("pAGE", 2)),
        ({"meta": {"nextOffset": 0}}, NextValue("offset", 0)),
        ({"next": "abc"}, NextValue("page", "abc")),
        ({"next": "/2", "next_cursor": "c"}, NextValue("cursor", "c")),
        ({"next": " ", "next_page": None, "nextOffset": False}, None),
        ({"next_month": 3}, None),
        ({"rows": [{"next": 2}]}, None),
        ([], None),
    ],
)
def test_the_value_of_the_next_pages_parameter(
    body: object, value: NextValue | None
) -> None:
    assert next_value(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ({"a": {"b": "c"}}, NextValue("", "c")),
        ({"a": {"b": 0}}, NextValue("", 0)),
        ({"a": [{"b": None}, {"b": 3}]}, NextValue("", 3)),
        ({"a": {"b": ""}}, None),
        ({"a": {"b": False}}, None),
        ({"a": {"b": [1]}}, None),
        ({"a": {}}, None),
    ],
)
def test_the_value_at_a_declared_path(body: object, value: NextValue | None) -> None:
    assert value_at(body, "$.a.b") == value
    with pytest.raises(BadPath):
        value_at(body, "$.a[")


def test_lists_are_known_again_whatever_else_changed() -> None:
    first = {"page": 1, "rows": [{"a": 1, "b": 2}], "more": {"tags": ["x"], "none": []}}
    again = {"page": 2, "rows": [{"b": 2, "a": 1}], "more": {"tags": ["x"], "time": 9}}
    assert lists(first) == lists(again)
    assert len(lists(first)) == 2
    other = {"rows": [{"a": 1, "b": 3}], "more": {"tags": ["x"]}}
    assert lists(other)[0] != lists(first)[0] and lists(other)[1] == lists(first)[1]
    moved = {"columns": [{"a": 1, "b": 2}]}
    assert lists(moved)[0] not in lists(first)


@given(st.lists(st.lists(st.integers(), min_size=1), max_size=70))
def test_a_digest_is_short_and_there_are_sixty_at_most(rows: list[list[int]]) -> None:
    digests = lists({f"k{index}": row for index, row in enumerate(rows)})
    assert len(digests) == min(len(rows), 60)
    assert {len(digest) for digest in digests} <= {16}
    assert len(set(digests)) == len(digests)
