"""The names of the months are those of CLDR, and are read in their own language."""

from datetime import date

import pytest
from babel.dates import format_date
from hypothesis import given, settings
from hypothesis import strategies as st

from checks.months import LANGUAGES, MONTHS, lines, month_names
from crawloop_assets.values.dates import parse_date
from crawloop_assets.values.months import month_number


def test_the_table_is_what_the_script_writes() -> None:
    assert MONTHS.read_text(encoding="utf-8") == "".join(lines())


@pytest.mark.parametrize("language", LANGUAGES.split())
def test_each_name_is_its_month_in_its_language(language: str) -> None:
    for month, forms in enumerate(month_names(language), 1):
        for form in forms:
            assert month_number(form, language) == month
            assert month_number(form) in (month, None)


days = st.dates(date(1971, 1, 1), date(2068, 12, 31))
written_by_name = st.sampled_from(["d MMMM yyyy", "d. MMMM yyyy.", "MMMM d, yyyy", "d MMM yyyy"])  # fmt: skip


@settings(deadline=None, max_examples=600)
@given(days, st.sampled_from(LANGUAGES.split()), written_by_name)
def test_a_day_is_read_right_or_not_at_all(day: date, language: str, form: str) -> None:
    text = format_date(day, form, locale=language.replace("-", "_"))
    assert parse_date(text, language=language) in (day, None), ascii(text)
    assert parse_date(text) in (day, None), ascii(text)
