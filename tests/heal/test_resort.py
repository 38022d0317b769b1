"""What was asked of somebody, in words."""

from crawloop_assets.heal.resort import ModelTry, asked_in_words, tries_in_words

FIRST = ModelTry("any", "readers of price", "price: 0 right, 2 wrong")
LAST = ModelTry("dear", "readers of price", "it wrote no reader")


def test_nobody_was_asked() -> None:
    assert (asked_in_words(()), tries_in_words(())) == ("", "")


def test_who_was_asked_is_said_once_and_what_came_last() -> None:
    assert asked_in_words([FIRST, FIRST]) == "any was asked 2 time(s)"
    said = "; any, dear was asked 2 time(s), at last: it wrote no reader"
    assert tries_in_words([FIRST, LAST]) == said
    assert str(FIRST) == "readers of price: price: 0 right, 2 wrong"
