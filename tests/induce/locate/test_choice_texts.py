"""Which text of a place stands for which choice."""

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.choice_texts import (
    choice_steps,
    is_code,
    may_be_choice,
)

IN, OUT = "In stock", "Sold out"


def test_each_text_stands_for_one_choice() -> None:
    said = [(["Auf Lager"], IN), (["auf lager "], IN), (["Weg", "more"], OUT)]
    steps = choice_steps(said, 2)
    assert [apply(steps, texts[:1]) for texts, _ in said] == [[IN], [IN], [OUT]]
    assert choice_steps(said, 3) == (), "too few choices"


def test_few_choices_that_changed_since_leave_the_words_of_the_others() -> None:
    said = [(["Auf Lager"], IN)] * 9 + [(["Weg"], OUT)] * 9
    one = [*said, (["Weg"], IN), (["Bald"], OUT)]
    assert [str(step.args[0]) for step in choice_steps(one, 2, 0.1)] == [
        "Auf Lager",
        "Weg",
    ]
    assert choice_steps(one, 2, 0.09) == choice_steps(one, 2) == ()
    alone = [(["Auf Lager"], IN)] * 19 + [(["Weg"], OUT)]
    assert len(choice_steps(alone, 2, 0.1)) == 2, "nothing has changed"
    assert choice_steps([*alone, (["Bald"], IN)], 2, 0.1) == (), "or that one has"


def test_a_sign_without_letters_is_a_text() -> None:
    said = [(["○"], "True"), (["△"], "False"), (["○ "], "True")]
    steps = choice_steps(said, 2)
    assert [apply(steps, texts) for texts, _ in said] == [["True"], ["False"], ["True"]]
    assert apply(steps, ["●"]) == ["●"], "another sign is none of the two"


def test_a_flag_that_says_the_contrary_now_is_turned_round_once() -> None:
    said = [(["true"], False), (["false"], True)] * 2
    steps = choice_steps(said, 2)
    assert [apply(steps, texts) for texts, _ in said[:2]] == [["0"], ["1"]]
    plain = choice_steps([(["true"], True), (["false"], False)], 2)
    assert [apply(plain, [text]) for text in ("true", "false")] == [["1"], ["0"]]


def test_a_small_number_of_json_stands_for_a_choice_if_two_say_it() -> None:
    said = [(["1"], IN), (["0"], OUT), (["1"], IN), (["0"], OUT)]
    steps = choice_steps(said, 2, may_be_code=True)
    assert [apply(steps, texts) for texts, _ in said] == [[IN], [OUT]] * 2
    assert choice_steps(said, 2) == (), "any element says a number"
    assert choice_steps(said[:3], 2, may_be_code=True) == (), "one page by chance"
    assert choice_steps([*said, (["150"], OUT)], 2, 0.5, may_be_code=True) == ()


@pytest.mark.parametrize("texts", ["Lager,Lager,Lager", "a,b,c", "a,,a", "a,12,a"])
def test_texts_that_do_not_tell_choices_apart_are_none(texts: str) -> None:
    said = zip([[text] for text in texts.split(",")], [IN, OUT, IN], strict=True)
    assert choice_steps(said, 2) == ()


@pytest.mark.parametrize(
    ("text", "may_be"),
    [
        ("after 90 days", True),
        ("Sold out", True),
        ("90 days", False),
        ("12", False),
        ("3 km", False),
        ("2026-11-26", False),
        ("", False),
        ("A2", False),
        ("x" * 41, False),
    ],
)
def test_the_words_of_a_choice_are_few_and_no_number(text: str, may_be: bool) -> None:
    assert may_be_choice(text) is may_be


def test_a_code_is_a_small_number() -> None:
    assert list(map(is_code, ("1", "42", "042", "-1", "1.5", "", "a"))) == [
        *(True, True),
        *(False,) * 5,
    ]
