import pytest

from crawloop_assets.induce.locate.labels import label_form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Wood parts:", "woodparts"),
        ("ISBN-13:", "isbn13"),
        ("ISBN 10 :", "isbn10"),
        ("ISBN-13", None),
        ("Émissions CO2", "émissionsco2"),
        ("PM10", "pm10"),
        ("Volume, cm³", "volumecm3"),
        ("AX1895", None),
        ("5kg", None),
        ("4 servings:", None),
        ("Updated 2024:", None),
        ("By Ada on 3 May 2:", None),
        ("a", None),
        ("a" * 31, None),
        ("::", None),
    ],
)
def test_a_label_has_no_number_but_one_of_its_name(text: str, form: str | None) -> None:
    assert label_form(text, 30) == form
