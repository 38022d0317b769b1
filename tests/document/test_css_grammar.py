"""Selectors as data, as far as the index goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.css_grammar import (
    AttributeTest,
    BadSelector,
    Compound,
    parse_css,
)


def compound(tag: str = "", **more: object) -> Compound:
    parts = {"classes": (), "tests": (), "nth": (), "child": False}
    return Compound(tag=tag, **(parts | more))


@pytest.mark.parametrize(
    ("selector", "paths"),
    [
        ("p", [(compound("p"),)]),
        (" P ", [(compound("p"),)]),
        ("*", [(compound(),)]),
        ("h1.a.b", [(compound("h1", classes=("a", "b")),)]),
        ("#a", [(compound(tests=(AttributeTest("id", "=", "a"),)),)]),
        ("[A]", [(compound(tests=(AttributeTest("a", "", ""),)),)]),
        ("[a=b-c]", [(compound(tests=(AttributeTest("a", "=", "b-c"),)),)]),
        ("[ a |= 'b, c' ]", [(compound(tests=(AttributeTest("a", "|=", "b, c"),)),)]),
        ('[a*="]"]', [(compound(tests=(AttributeTest("a", "*=", "]"),)),)]),
        ('[a="x\\"y"]', [(compound(tests=(AttributeTest("a", "=", 'x"y'),)),)]),
        (".a\\:z", [(compound(classes=("a:z",)),)]),
        (".a\\,z", [(compound(classes=("a,z",)),)]),
        ("p:nth-child( 2 )", [(compound("p", nth=(("nth-child", 2),)),)]),
        ("p:first-child", [(compound("p", nth=(("nth-child", 1),)),)]),
        ("p:first-of-type", [(compound("p", nth=(("nth-of-type", 1),)),)]),
        ("p:last-of-type", [(compound("p", nth=(("nth-last-of-type", 1),)),)]),
        ("p:nth-last-of-type(3)", [(compound("p", nth=(("nth-last-of-type", 3),)),)]),
        ("a b", [(compound("a"), compound("b"))]),
        ("a>b", [(compound("a"), compound("b", child=True))]),
        ("a > b c", [(compound("a"), compound("b", child=True), compound("c"))]),
        ("> a", [(compound("a", child=True),)]),
        ("a,b", [(compound("a"),), (compound("b"),)]),
        ("a , > b", [(compound("a"),), (compound("b", child=True),)]),
    ],
)
def test_a_selector_is_paths_of_compounds(
    selector: str, paths: list[tuple[Compound, ...]]
) -> None:
    assert parse_css(selector) == tuple(paths)


@pytest.mark.parametrize(
    "selector",
    [
        "",
        " ",
        "a,",
        ",a",
        "a,,b",
        "a >",
        "> > a",
        ">",
        "a > , b",
        ".ap#",
        ".a*",
        "a + b",
        "a ~ b",
        "a:not(.b)",
        "a:hover",
        "a::text",
        "a:nth-child(2n)",
        "[a",
        "[a=]",
        "[a='b]",
        "a)",
        ".\\31 2",
        '[a="\\31"]',
    ],
)
def test_what_is_beyond_the_index_is_left_to_others(selector: str) -> None:
    assert parse_css(selector) is None


NAME = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)


@given(
    st.lists(NAME, min_size=1, max_size=4),
    st.lists(st.sampled_from([" ", " > "]), min_size=3, max_size=3),
)
def test_steps_come_in_the_order_they_are_written(
    tags: list[str], gaps: list[str]
) -> None:
    pairs = zip(tags[1:], gaps, strict=False)
    selector = tags[0] + "".join(f"{gap}{tag}" for tag, gap in pairs)
    paths = parse_css(selector)
    assert paths is not None and len(paths) == 1
    assert [step.tag for step in paths[0]] == tags
    children = [gap == " > " for gap in gaps[: len(tags) - 1]]
    assert [step.child for step in paths[0]] == [False, *children]


def test_a_bad_selector_is_a_bad_value() -> None:
    assert issubclass(BadSelector, ValueError)
