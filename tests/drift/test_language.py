"""Which language a text is in."""

import pytest

from crawloop_assets.drift.language import spoken_language


def spoken(words: list[str]) -> str:
    return spoken_language(list(map(str.encode, words)))


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("This is THE kettle and it is for the stove with a lid", "en"),
        ("Das ist der Kessel und er ist nicht FÜR den Ofen", "de"),
        ("Le livre est dans les mains des enfants et pour une fois", "fr"),
        ("Die Ketel is een van het huis en niet voor op de tafel", "nl"),
    ],
)
def test_the_commonest_words_tell_the_language(sentence, language):
    assert spoken((sentence * 5).split() + sentence.split() * 5) == language


def test_a_text_of_few_common_words_has_none():
    assert spoken([]) == ""
    assert spoken(["kettle"] * 500) == ""
    assert spoken(["the"] * 11) == ""
    assert spoken(["the"] * 12) == "en"


def test_a_mixed_text_has_none():
    assert spoken(["the"] * 30 + ["und"] * 20) == "en"
    assert spoken(["the"] * 30 + ["und"] * 21) == ""


def test_only_the_beginning_of_a_text_is_looked_at():
    assert spoken(["kettle"] * 1_500 + ["the"] * 100) == ""
    assert spoken(["kettle"] * 1_400 + ["the"] * 100) == "en"
