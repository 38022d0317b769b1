import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from crawloop_assets.crawler.transforms import Op, Step, apply
from tests.values.page_texts import page_texts

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
    (Op.SCALE, (-2,), ["1299 ct", "none", "5"], ["12.99", "0.05"]),
    (Op.SCALE, (3,), ["1.5 km"], ["1500"]),
    (Op.SCALE, (99,), ["1"], []),
    (Op.UNIT, ("km", ""), ["650 m", "1.2 km", "12", "8 kg"], ["0.65", "1.2"]),
    (Op.UNIT, ("gib", ""), ["512 GB", "1 TB SSD"], ["512", "1024"]),
    (
        Op.UNIT,
        ("one", ","),
        ["1,25 Mio. €", "900k €", "5"],
        ["1250000.00", "900000", "5"],
    ),
    (Op.DATE, (1,), ["3 May 2020 - 4 May 2021"], ["4 May 2021"]),
    (
        Op.SPAN,
        (),
        ["12–14 June 2026", "3 May 2026"],
        ["2026-06-12 – 2026-06-14", "3 May 2026"],
    ),
    (Op.COUNT, ("★",), ["★★★☆☆", "☆☆☆", "3 stars"], ["3"]),
    (Op.COUNT, ("",), ["★"], []),
    (Op.HAS, ("a garden", 1), ["With A Garden", "none"], ["1", "0"]),
    (Op.HAS, ("closed doors", 0), ["behind closed doors", "room 4"], ["0", "1"]),
    (
        Op.EPOCH,
        (),
        ["1772346147", "1772346147000", "id 1772346147", "12"],
        ["2026-03-01T06:22:27+00:00"] * 2,
    ),
    (Op.SUM, ("minutes",), ["PT30M", "1 hour", "x"], ["90"]),
    (Op.REGEX, (r"\d+-[a-z]+",), ["No. 12-cv", "none"], ["12-cv"]),
    (Op.REGEX, (r"id=(\d+)",), ["?id=77"], ["77"]),
    (Op.TEMPLATE, ("{} servings",), ["4"], ["4 servings"]),
    (Op.SRCSET, (), ["/a.jpg 300w, /b.jpg 1024w,/c.jpg 2x"], ["/b.jpg"]),
    (Op.CURRENCY, (), ["1.299,00 €", "USD 5", "R$ 3", "5"], ["EUR", "USD", "BRL"]),
    (Op.MAP, ("In stock", "yes"), ["in  stock", "sold"], ["yes", "sold"]),
    (Op.DROP, ("Marinade",), ["salt", "MARINADE:"], ["salt"]),
    (Op.LONGER, (3,), ["ab", "abc"], ["abc"]),
    (
        Op.WITHOUT,
        ("headings",),
        ["FOR THE SAUCE", "2 EGGS", "salt", "<b>To serve:</b>", "BBQ", "rice"],
        ["2 EGGS", "salt", "BBQ", "rice"],
    ),
    (
        Op.WITHOUT,
        ("counts",),
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


@settings(deadline=None, max_examples=300)
@given(st.lists(page_texts, max_size=5))
def test_transforms_are_total(texts: list[str]) -> None:
    empty_marks = [
        (Op.AFTER, ("",)),
        (Op.BEFORE, ("",)),
        (Op.PART, ("", 0)),
        (Op.SPLIT, ("",)),
        (Op.STRIP_PREFIX, ("",)),
        (Op.MAP, ("", "")),
    ]
    for op, args in [*(case[:2] for case in CASES), *empty_marks]:
        result = apply([Step(op=op, args=args)], list(texts))
        assert all(isinstance(text, str) for text in result)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a*)*b", r"(x)\1", "a{2,}{3}", "(?=a)", "(", "a" * 300, "(a|b+)*"],
)
def test_patterns_that_can_explode_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        Step(op=Op.REGEX, args=(pattern,))


@pytest.mark.parametrize(
    ("op", "args", "texts", "result"),
    [
        (Op.STRIP_PREFIX, ("",), [" a"], ["a"]),
        (Op.STRIP_SUFFIX, ("",), ["a "], ["a "]),
        (Op.STRIP_SUFFIX, ("b",), ["a b"], ["a"]),
        (Op.AFTER, (":",), ["a:", "b: c: d"], ["c: d"]),
        (Op.BEFORE, (":",), [": a", "b : c : d"], ["b"]),
        (Op.BETWEEN, ("", "]"), ["a ] b", "c"], ["a"]),
        (Op.BETWEEN, ("[", ""), ["a [ b", "c"], ["b"]),
        (Op.BETWEEN, ("", ""), ["a"], ["a"]),
        (Op.SPLIT, (" ",), [" a  b\tc "], ["a", "b", "c"]),
        (Op.AFTER, ("",), ["a b"], ["a b"]),
        (Op.BEFORE, ("",), ["a b"], ["a b"]),
        (Op.PART, ("", 0), ["a b"], ["a b"]),
        (Op.PART, ("", 1), ["a b"], []),
        (Op.PART, ("/", 3), ["x/y/z"], []),
        (Op.PART, ("/", -4), ["x/y/z"], []),
        (Op.PART, ("/", -3), ["x / y/z"], ["x"]),
        (Op.NTH, (-1,), ["a", "b"], ["b"]),
        (Op.NTH, (-3,), ["a", "b"], []),
        (Op.NTH, (2,), ["a", "b"], []),
        (Op.NUMBER, (2, ""), ["1 of 2"], []),
        (Op.ROUND, (0,), ["4.8"], ["5"]),
        (Op.ROUND, (9,), ["0.5"], ["0.500000000"]),
        (Op.ROUND, (10,), ["0.5"], []),
        (Op.ROUND, (-1,), ["5"], []),
        (Op.DATE, (-1,), ["3 May 2020 - 4 May 2021"], ["4 May 2021"]),
        (Op.DATE, (2,), ["3 May 2020 - 4 May 2021"], []),
        (Op.SUM, ("minutes",), ["soon"], []),
        (Op.SUM, ("number",), ["$1.50", "2 x", "none"], ["3.50"]),
        (Op.SRCSET, (), ["/a.jpg"], ["/a.jpg"]),
        (Op.SRCSET, (), ["/a.jpg, /b.jpg 0.5x"], ["/a.jpg"]),
        (Op.SRCSET, (), [" "], []),
        (Op.SRCSET, (), ["/a.jpg 1.2.3x, /b.jpg 2x"], ["/b.jpg"]),
        (Op.LONGER, (2,), ["a", "ab"], ["ab"]),
        (Op.SHORTER, (1,), ["a", "ab"], ["a"]),
        (Op.TAKE, (-1,), ["a"], []),
        (Op.WITHOUT, ("headings",), ["For it:", "And:"], ["For it:", "And:"]),
        (
            Op.WITHOUT,
            ("headings",),
            ["SALT AND OIL", "PEPPER", "For it:"],
            ["SALT AND OIL", "PEPPER"],
        ),
        (Op.WITHOUT, ("headings",), ["FOR THE SAUCE", "salt"], ["salt"]),
    ],
)
def test_the_edges_of_a_transform(
    op: Op, args: tuple[str | int, ...], texts: list[str], result: list[str]
) -> None:
    assert Step(op=op, args=args)(texts) == result


def test_steps_follow_each_other_until_nothing_is_left() -> None:
    split, last = Step(op=Op.SPLIT, args=(",",)), Step(op=Op.LAST)
    after = Step(op=Op.AFTER, args=("=",))
    assert apply([split, last], ["a,b"]) == ["b"]
    assert apply([last, split], ["x", "a,b"]) == ["a", "b"]
    assert apply([after, last], ["a"]) == []
    # What nothing is left of is not joined to one empty text.
    assert apply([after, Step(op=Op.JOIN, args=(", ",))], ["a"]) == []


def test_a_step_is_written_as_a_call() -> None:
    assert str(Step(op=Op.STRIP_SUFFIX, args=(" | Shop",))) == "strip_suffix(' | Shop')"
    assert str(Step(op=Op.PART, args=("/", -1))) == "part('/', -1)"
    assert str(Step(op=Op.FIRST)) == "first"


@pytest.mark.parametrize(
    ("op", "args"),
    [(Op.FIRST, ("a",)), (Op.PART, ("/",)), (Op.PART, (1, "/")), (Op.NTH, ("1",))],
)
def test_arguments_of_another_kind_are_refused(
    op: Op, args: tuple[str | int, ...]
) -> None:
    with pytest.raises(ValueError, match=rf"{op.value} takes \("):
        Step(op=op, args=args)


@pytest.mark.parametrize(
    "pattern", ["a" * 200, "a+b*c+d*e+f*g+h*i+j*k+l*m+n*", "(?:ab)+", r"(.+?)\s+\S+$"]
)
def test_patterns_within_bounds_are_taken(pattern: str) -> None:
    assert Step(op=Op.REGEX, args=(pattern,))


def test_a_pattern_beyond_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        Step(op=Op.REGEX, args=("a" * 201,))


# Each of them passed the checks of before, and kept a worker busy for its whole deadline.
SPINNING = [
    (r"\d+\d+\d+x", "1" * 20_000),
    ("a+b*" * 6 + "c", "a" * 20_000),
    (r"\s*([^,]+?)\s*,", " " * 20_000),
    ("a?" * 60 + "b", "a" * 20_000),
    (r"\d{0,16}" * 20 + "x", "1" * 20_000),
]


@pytest.mark.parametrize(("pattern", "text"), SPINNING)
def test_a_pattern_that_would_spin_is_refused(pattern: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"very many ways.*let no repeat"):
        Step(op=Op.REGEX, args=(pattern,))


@pytest.mark.parametrize("pattern", [r"(.+?)\s+\S+$", r".*?(\d+) x", r"(.*)\s+end"])
def test_a_pattern_that_begins_with_anything_ends_soon_and_finds_the_same(
    pattern: str,
) -> None:
    step = Step(op=Op.REGEX, args=(pattern,))
    for text in ("a b  c", "one\ntwo 12 x\n three  end", "no", "", "\n\n 7 x"):
        found = re.search(pattern, text)
        assert step([text]) == ([found[1]] if found else [])
    began = time.process_time()
    assert step([" " * 4_000 + "1"]) in ([], [" "])
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    ("op", "word"), [(Op.SUM, "euros"), (Op.WITHOUT, "advertisements"), (Op.SUM, "")]
)
def test_an_operation_that_knows_a_few_words_refuses_others(op: Op, word: str) -> None:
    with pytest.raises(ValidationError, match="does not know"):
        Step(op=op, args=(word,))
