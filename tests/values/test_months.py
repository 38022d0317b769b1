"""What month a word is, and in which language."""

import pytest

from crawloop_assets.values.dates import parse_date
from crawloop_assets.values.months import month_number


@pytest.mark.parametrize(
    ("word", "language", "month"),
    [
        ("lipnja", "", 6),
        ("lipanj", "hr", 6),
        ("lipca", "", 7),
        ("lip", "hr", 6),
        ("lip", "pl", 7),
        ("lip", "", None),
        ("listopad", "hr", 10),
        ("listopad", "cs", 11),
        ("listopada", "pl", 11),
        ("listopada", "", None),
        ("listopada", "en", None),
        ("srpnja", "", 7),
        ("srpna", "", 8),
        ("srp", "", None),
        ("July", "hr", 7),
        ("MÄRZ", "", 3),
        ("maerz", "", 3),
        ("aout", "fr", 8),
        ("Sept", "", 9),
        ("Septem", "", 9),
        ("juin", "", 6),
        ("ju", "", None),
        ("jui", "fr", None),
        ("травня", "uk", 5),
        ("Μαΐου", "", 5),  # of which the small letters of Unicode are more than it has
        ("ΜΑΪΟΥ", "", 5),
        ("Marble", "", None),
        ("December", "xx", 12),
        ("", "", None),
    ],
)
def test_a_name_means_a_month_in_a_language(
    word: str, language: str, month: int | None
) -> None:
    assert month_number(word, language) == month


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("12. lipnja 2024.", "", "2024-06-12"),
        ("12 lipca 2024", "", "2024-07-12"),
        ("3. listopada 2024.", "hr", "2024-10-03"),
        ("3 listopada 2024", "pl", "2024-11-03"),
        ("3 listopada 2024", "", None),
        ("2024. március 4.", "hu", "2024-03-04"),
        ("3 Μαΐου 2020", "", "2020-05-03"),
        ("Marble 4, 2021", "", None),
        ("٤ مارس ٢٠٢١", "ar", "2021-03-04"),
    ],
)
def test_a_date_is_read_in_the_language_of_its_family(
    text: str, language: str, day: str | None
) -> None:
    read = parse_date(text, language=language)
    assert (read and read.isoformat()) == day
