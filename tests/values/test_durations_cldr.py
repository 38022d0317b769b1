"""The words of durations are those of CLDR, and none of them counts something else."""

import pytest

from checks.durations import DURATIONS, NO_DURATION, lines, words_of
from checks.months import LANGUAGES
from crawloop_assets.values.durations import has_unit, parse_minutes


def test_the_table_is_what_the_script_writes() -> None:
    assert DURATIONS.read_text(encoding="utf-8") == "".join(lines())


@pytest.mark.parametrize("language", LANGUAGES.split())
def test_each_word_is_its_unit_or_what_it_is_in_english(language: str) -> None:
    # Hours in Turkish, seconds in Malay: read as it always was.
    english = dict(words_of("en")) | {"saat": {60}}
    for word, minutes in words_of(language).items():
        meant = minutes - {NO_DURATION}
        if not meant:
            continue
        of_english = english.get(word, set())
        read = parse_minutes(f"40 {word}")
        assert read in {None, *(40 * one for one in meant | of_english)}, ascii(word)
        if 1 in meant and len(word) > 3:
            assert read == 40, ascii(word)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("40 perc", 40),
        ("1 óra 40 perc", 100),
        ("1 ó 40 p", 100),
        ("2 valandos 5 minutės", 125),
        ("30 phút", 30),
        ("1小时20分钟", 80),
        ("1시간 30분", 90),
        ("2 jam", 120),
        ("2 jam jars, 20 min", 20),  # a short word of another language
        ("4 sat chairs", None),
        ("6 p tag", None),
        ("40 g", None),
        ("2 t", None),
        ("400 г", None),
        ("3 日", None),
    ],
)
def test_a_short_word_is_a_unit_where_it_is_all_there_is(
    text: str, minutes: int | None
) -> None:
    assert parse_minutes(text) == minutes
    assert has_unit(text) is (minutes is not None)
