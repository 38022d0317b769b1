"""What an operator writes and nothing could use is refused where it is written."""

from datetime import timedelta
from typing import Any

import dagster as dg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from crawloop_assets.written import (
    Address,
    Duration,
    Headers,
    Owner,
    Replacement,
    Slashed,
    name_within,
    slug_of,
)


def _said(kind: Any, value: object) -> str:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind).validate_python(value)
    return str(caught.value.errors()[0]["msg"])


@pytest.mark.parametrize("value", ["36501d", "99999999999d", "9" * 400 + "d", -5, 1e12])
def test_no_duration_is_negative_or_has_no_end(value: object) -> None:
    assert "a duration is from 0s to 36500d" in _said(Duration, value)


@pytest.mark.parametrize("value", ["36500d", "0s", 0])
def test_the_longest_and_the_shortest_can_be_added_to_a_moment(value: object) -> None:
    assert TypeAdapter(Duration).validate_python(value) <= timedelta(days=36_500)


@pytest.mark.parametrize(
    "value", ["shop", "shop/product", "a_1/b/c", "x" * 63, "a/" * 20 + "abc"]
)
def test_a_name_is_words_and_slashes(value: str) -> None:
    assert TypeAdapter(Slashed).validate_python(value) == value
    dg.asset(name="x", group_name="x", tags={"crawloop/family": slug_of(value)})(
        lambda: None
    )


@given(st.from_regex(r"[a-z0-9_]+(/[a-z0-9_]+)*", fullmatch=True))
def test_of_a_name_that_is_too_long_enough_is_left_for_one(value: str) -> None:
    assert TypeAdapter(Slashed).validate_python(name_within(value))


@pytest.mark.parametrize(
    "value", ["Goods Item!", "", "a//b", "/a", "a/", "a\n", "x" * 64, "a/" * 21 + "a"]
)
def test_what_is_no_name_is_told_what_one_is(value: str) -> None:
    assert "words of a-z, 0-9 and _ with / between them" in _said(Slashed, value)


@given(
    st.text(max_size=20) | st.from_regex(r"[a-z.%_-]{1,5}@[a-z.-]{1,9}\.[a-z|]{1,9}")
)
def test_whoever_may_own_a_family_may_own_an_asset(owner: str) -> None:
    try:
        said = TypeAdapter(Owner).validate_python(owner)
    except ValidationError:
        return
    owners = [said] if said else []
    assert dg.AssetSpec("x", owners=owners).owners == owners


@pytest.mark.parametrize("owner", ["", "ada@shop.example", "team:pricing"])
def test_an_owner_is_a_mail_address_or_a_team(owner: str) -> None:
    assert TypeAdapter(Owner).validate_python(owner) == owner


@pytest.mark.parametrize("owner", ["Data Team", "team:", "ada@shop", "@", "a b@c.de"])
def test_another_owner_is_refused(owner: str) -> None:
    assert "a mail address or a team: ada@shop.example, team:pri" in _said(Owner, owner)


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example",
        "http://127.0.0.1:8080/a?b=c#d",
        "https://[::1]:8080/",
        "https://müller.example/ä",
    ],
)
def test_a_whole_address_is_one(url: str) -> None:
    assert TypeAdapter(Address).validate_python(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/list",
        "shop.example/list",
        "ftp://shop.example/",
        "https:///list",
        "https://shop.example/a b",
        "https://shop.example\n",
        "https://shop.example:0/",
        "https://shop.example:99999999/",
        "https://[::1",
        "javascript:alert(1)",
    ],
)
def test_half_of_an_address_is_refused(url: str) -> None:
    assert "is no" in _said(Address, url)


@pytest.mark.parametrize(
    ("headers", "says"),
    [
        ({"X Y": "a"}, "'X Y' is no name of a header"),
        ({"": "a"}, "'' is no name of a header"),
        ({"X-Y": "a\r\nZ: b"}, "X-Y has more than one line"),
        ({"X-Y": "a\0"}, "X-Y has more than one line"),
    ],
)
def test_what_no_request_can_carry_is_refused(
    headers: dict[str, str], says: str
) -> None:
    assert says in _said(Headers, headers)
    assert TypeAdapter(Headers).validate_python({"X-Y": "a: b"}) == {"X-Y": "a: b"}


@pytest.mark.parametrize("text", [r"\9", r"\g<none>", r"\g<"])
def test_a_replacement_refers_to_groups_that_there_are(text: str) -> None:
    assert "cannot be put in its place" in _said(Replacement, ["(a)", text])
    assert TypeAdapter(Replacement).validate_python(["(a)", r"\1"]) == ("(a)", r"\1")
