import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.transforms import Op, Step, apply

CASES = [
    (Op.STRIP_PREFIX, ("By ",), ["by Ada", "Bob"], ["Ada", "Bob"]),
    (Op.STRIP_SUFFIX, (" | Shop",), ["Lamp | shop", "Lamp"], ["Lamp", "Lamp"]),
    (Op.AFTER, ("Author:",), ["X Author: Ada", "none"], ["Ada"]),
    (Op.BEFORE, ("(",), ["Lamp (new)", "none"], ["Lamp"]),
    (Op.BETWEEN, ("[", "]"), ["a [b] c", "[d", "e"], ["b"]),
    (Op.SPLIT, (",",), ["a, b,,c"], ["a", "b", "c"]),
    (Op.PART, ("/", -1), ["x/y/z", "z"], ["z", "z"]),
    (Op.JOIN, (", ",), ["a", "b"], ["a, b"]),
    (Op.FIRST, (), ["a", "b"], ["a"]),
    (Op.LAST, (), ["a", "b"], ["b"]),
    (Op.NTH, (1,), ["a", "b"], ["b"]),
    (Op.NTH, (5,), ["a"], []),
    (Op.NUMBER, (1, ""), ["2 of 1,250.5"], ["1250.5"]),
    (Op.NUMBER, (0, "."), ["1.299 l"], ["1.2990"]),  # reads back as itself
    (Op.ROUND, (2,), ["4.804166", "4.5", "none"], ["4.80", "4.50"]),
    (Op.DATE, (1,), ["3 May 2020 - 4 May 2021"], ["4 May 2021"]),
    (Op.SUM_MINUTES, (), ["PT30M", "1 hour", "x"], ["90"]),
    (Op.REGEX, (r"\d+-[a-z]+",), ["No. 12-cv", "none"], ["12-cv"]),
    (Op.REGEX, (r"id=(\d+)",), ["?id=77"], ["77"]),
    (Op.TEMPLATE, ("{} servings",), ["4"], ["4 servings"]),
    (Op.SRCSET, (), ["/a.jpg 300w, /b.jpg 1024w,/c.jpg 2x"], ["/b.jpg"]),
    (Op.CURRENCY, (), ["1.299,00 €", "USD 5", "R$ 3", "5"], ["EUR", "USD", "BRL"]),
    (Op.MAP, ("In stock", "yes"), ["in  stock", "sold"], ["yes", "sold"]),
    (Op.DROP, ("Marinade",), ["salt", "MARINADE:"], ["salt"]),
    (Op.LONGER, (3,), ["ab", "abc"], ["abc"]),
    (
        Op.UNHEADED,
        (),
        ["FOR THE SAUCE", "2 EGGS", "salt", "<b>To serve:</b>", "BBQ", "rice"],
        ["2 EGGS", "salt", "BBQ", "rice"],
    ),
    (
        Op.UNCOUNTED,
        (),
        ["Step 1 Mix.", "Step 2 Bake 2 eggs."],
        ["Mix.", "Bake 2 eggs."],
    ),
    (Op.SHORTER, (2,), ["ab", "abc"], ["ab"]),
    (Op.TAKE, (2,), ["a", "b", "c"], ["a", "b"]),
    (Op.DEDUPE, (), ["a", "B", "A", "c"], ["a", "B", "c"]),
]


@pytest.mark.parametrize(("op", "args", "texts", "result"), CASES)
def test_transform(
    op: Op, args: tuple[str | int, ...], texts: list[str], result: list[str]
) -> None:
    assert Step(op=op, args=args)(texts) == result


def test_every_transform_is_shown_here() -> None:
    assert {case[0] for case in CASES} == set(Op)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_transforms_are_total(texts: list[str]) -> None:
    for op, args, _, _ in CASES:
        result = apply([Step(op=op, args=args)], list(texts))
        assert all(isinstance(text, str) for text in result)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a*)*b", r"(x)\1", "a{2,}{3}", "(?=a)", "(", "a" * 300, "(a|b+)*"],
)
def test_patterns_that_can_explode_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        Step(op=Op.REGEX, args=(pattern,))
