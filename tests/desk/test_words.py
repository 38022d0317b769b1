"""What is said with a verb."""

from dataclasses import FrozenInstanceError, fields

import pytest

from crawloop_assets.desk.verbs import VERBS
from crawloop_assets.desk.words import PersonsWord


def test_everything_that_can_be_said_explains_itself() -> None:
    for verb in VERBS:
        for one in fields(verb.word):
            assert one.metadata["says"].endswith("."), (verb.name, one.name)


def test_who_decides_is_always_said() -> None:
    word = PersonsWord(who="ada", why="I looked")
    assert (word.who, word.why) == ("ada", "I looked")
    with pytest.raises(FrozenInstanceError):
        word.who = "eve"  # type: ignore[misc]
    assert all(issubclass(verb.word, PersonsWord) for verb in VERBS)
