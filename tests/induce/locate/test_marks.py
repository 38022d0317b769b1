"""Flags that are said by words which stand where they are true, and nowhere else."""

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.marks import Marked, mark_steps
from crawloop_assets.schema import FieldKind, FieldSpec

OUTSIDE = FieldSpec(name="outside", kind=FieldKind.BOOLEAN)
GARDEN = FieldSpec(name="garden", kind=FieldKind.BOOLEAN)
FLAGS = [True, False, False, True, True, False, True, False] * 2
TOWNS = ("Ash", "Birchwood", "Elmstead", "Ash")


def rows(true: str, false: str, flags: list[bool] = FLAGS) -> list[Marked]:
    return [
        ([f"Flat {at}", f"{TOWNS[at % 4]}, 3 rooms{true if flag else false}"], flag)
        for at, flag in enumerate(flags)
    ]


def said(known: list[Marked], text: str) -> list[str]:
    steps = mark_steps(known, OUTSIDE)
    return apply(steps, [text]) if steps else []


@pytest.mark.parametrize(
    ("true", "false", "having", "lacking"),
    [
        (", with a garden", "", "1", "0"),
        ("", " – on request", "0", "1"),
        (" · With a garden", " · no outside", "1", "0"),
    ],
)
def test_words_of_just_those_rows_tell_the_flag(
    true: str, false: str, having: str, lacking: str
) -> None:
    known = rows(true, false)
    mark = "with a garden" if "garden" in true else "on request"
    assert said(known, f"Flat 99 Oakham, 5 rooms, {mark}") == [having]
    assert said(known, "Flat 98 Oakham, 2 rooms") == [lacking]


def test_a_row_that_has_changed_since_is_no_hindrance_but_two_are() -> None:
    many = FLAGS + FLAGS[:5]
    known = rows(", with a garden", "", many)
    known[1] = (known[0][0], known[1][1])
    assert said(known, "with a garden") == ["1"]
    known[2] = (known[0][0], known[2][1])
    assert mark_steps(known, OUTSIDE) == ()


def test_of_few_rows_any_words_may_be_of_just_those() -> None:
    assert mark_steps(rows(", with a garden", "", FLAGS[:10]), OUTSIDE) == ()
    assert mark_steps(rows(", with a garden", "", [True] * 20), OUTSIDE) == ()


def test_of_fewer_rows_words_of_the_own_name_tell_the_flag_unless_they_are_very_few() -> (
    None
):
    few = rows(", with a garden", ", on request", FLAGS[:10])
    (step,) = mark_steps(few, GARDEN)
    assert step.args == ("with a garden", 1)
    assert mark_steps(few[:8], GARDEN) == ()
    assert mark_steps(rows(", with a garden", "", [True] * 10), GARDEN) == ()


@pytest.mark.parametrize("sign", ["✓", "♿", "✔"])
def test_a_sign_in_just_those_rows_tells_the_flag(sign: str) -> None:
    known = [
        ([*texts, sign] if flag else list(texts), flag) for texts, flag in rows("", "")
    ]
    (step,) = mark_steps(known, OUTSIDE)
    assert step.args == (sign, 1)
    both = [([*texts, sign], flag) for texts, flag in known]
    assert mark_steps(both, OUTSIDE) == ()


@pytest.mark.parametrize(
    "mark", [", 4th floor", " →", " €", " ✓✓✓", ", top", ", " + "very " * 9]
)
def test_numbers_short_and_long_texts_are_no_marks(mark: str) -> None:
    assert mark_steps(rows(mark, ""), OUTSIDE) == ()


@pytest.mark.parametrize("end", [".", "!", "?"])
def test_a_sentence_among_others_may_be_a_mark(end: str) -> None:
    known = rows(f". With a garden{end} Ask for it", ". Ask for it")
    (step,) = mark_steps(known, OUTSIDE)
    assert step.args == ("With a garden", 1)


def test_a_short_word_is_a_mark_if_it_is_the_fields_own() -> None:
    flags = [True, False, False, True, False, False, True, False, False] * 2
    known = rows(" · BETA", "", flags)
    beta = FieldSpec(name="beta", kind=FieldKind.BOOLEAN)
    (step,) = mark_steps(known, beta)
    assert step.args == ("BETA", 1)
    assert mark_steps(known, OUTSIDE) == ()
    bio = FieldSpec(name="bio", kind=FieldKind.BOOLEAN)
    assert mark_steps(rows(" · bio", "", flags), bio) == (), "it stands in other words"
