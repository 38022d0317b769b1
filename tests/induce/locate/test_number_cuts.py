"""Numbers in other words than those in which known ones are read right."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.number_cuts import (
    ShownNumber,
    by_wording,
    cut_by_words,
    is_open,
    made_of,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

FREE = FieldSpec(name="free", kind=FieldKind.INTEGER, volatile=True)
PRICE = FREE.model_copy(update={"kind": FieldKind.NUMBER})
TENTS = [("2 of 8 tents free", 2), ("6 of 7 tents free", 6), ("1 of 1 tent free", 1)]
TAKEN = ("All 5 tents are taken", 0)
UNCUT = (Step(op=Op.NUMBER, args=(0, "")),)


def rows(*said: tuple[str, Value], spec: FieldSpec = FREE) -> list[ShownNumber]:
    found = [made_of(spec, (), text) for text, _ in said]
    return [
        ShownNumber(text, one, value)
        for (text, value), one in zip(said, found, strict=True)
    ]


def as_zero(values: Sequence[Value]) -> str:
    return "0" * (len(values) > 1)


def cut(*said: tuple[str, Value]) -> Pipe | None:
    return next(cut_by_words(FREE, rows(*said), as_zero, UNCUT), None)


def test_numbers_in_other_words_are_the_one_that_is_known_there() -> None:
    pipe = cut(*TENTS, TAKEN, ("All 9 tents are taken", 0))
    assert pipe is not None and not is_open(pipe)
    assert [made_of(FREE, pipe, text) for text, _ in TENTS] == [2, 6, 1]
    assert made_of(FREE, pipe, "All 12 tents are taken") == 0
    assert made_of(FREE, pipe, "12 people ask") is None


def test_numbers_of_which_nothing_tells_what_they_are_are_not_read() -> None:
    pipe = cut(*TENTS, TAKEN)
    assert pipe is not None and is_open(pipe)
    assert [made_of(FREE, pipe, text) for text, _ in TENTS] == [2, 6, 1]
    assert made_of(FREE, pipe, TAKEN[0]) is None
    two = cut(*TENTS, TAKEN, TAKEN, ("Asked for 3 times", 0), ("Asked for 4 times", 0))
    assert two is not None and made_of(FREE, two, TAKEN[0]) is None


def test_several_wordings_may_be_right() -> None:
    pipe = cut(("8 free", 8), ("5 left", 5), ("7 tents taken", 0))
    assert pipe is not None
    assert [made_of(FREE, pipe, one) for one in ("3 free", "4 left")] == [3, 4]
    assert made_of(FREE, pipe, "7 tents taken") is None


def test_words_that_no_pattern_holds_leave_no_reader() -> None:
    assert cut(("8" + " day" * 14, 8), ("7 tents taken", 0)) is None


@pytest.mark.parametrize(
    "others",
    [
        [],
        [("3 of 8 tents free", 4), ("4 of 8 tents free", 0)],
        [("1 tent free", 3)],
        [("3 tents left", 3), ("4 tents left", 0)],
    ],
    ids=["none", "moved", "one other", "right elsewhere"],
)
def test_what_may_have_moved_is_read_as_ever(others: list[tuple[str, Value]]) -> None:
    assert cut(*TENTS, *others) == UNCUT


def test_many_counts_do_not_all_move_where_they_stand_in_other_words() -> None:
    many = [("More than 20", 34), ("More than 20", 41), ("More than 20", 26)]
    assert by_wording(FREE, rows(*many)) == ([], []), "nothing is read right"
    known, off = by_wording(FREE, rows(*TENTS, *many))
    assert [len(one) for one in known] == [3] and [len(one) for one in off] == [3]
    assert by_wording(FREE, rows(*TENTS, *many[:2]))[1] == []
    price = by_wording(PRICE, rows(*TENTS, *many, spec=PRICE))
    assert price[1] == [], "all that is on sale has another price"


def test_a_pipe_that_does_something_else_is_not_open() -> None:
    assert is_open(())
    assert not is_open(UNCUT)
