"""A code and a town are cut out of their line by its form."""

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.fit import fit
from crawloop_assets.induce.locate.town_lines import in_town_line
from crawloop_assets.schema import FieldSpec

TOWN = FieldSpec(name="town")


@pytest.mark.parametrize(
    ("text", "wanted", "other", "there"),
    [
        ("75008 Paris, France", "75008", "13100 Aix-en-Provence, France", "13100"),
        ("75008 Paris, France", "Paris", "13100 Aix-les-Bains", "Aix-les-Bains"),
        ("112 34 Umeå", "112 34", "981 31 Kiruna", "981 31"),
        ("112 34 Umeå", "Umeå", "981 31 Gamla Kiruna (centrum)", "Gamla Kiruna"),
        ("4711-123 Braga", "Braga", "1000-999 Vila Nova", "Vila Nova"),
        ("Hafengasse 3, 8001 Zürich", "8001", "Am Tor 12b, 3011 Bern", "3011"),
        ("Hafengasse 3, 8001 Zürich", "Zürich", "Am Tor 12b, 3011 Bern", "Bern"),
    ],
)
def test_the_form_of_a_line_tells_its_code_and_its_town(
    text: str, wanted: str, other: str, there: str
) -> None:
    (cut,) = in_town_line(text, wanted)
    assert apply(cut, [other]) == [there]
    assert fit(text, wanted, TOWN, "") == cut


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("75008 Paris, France", "France"),
        ("12 Rose Lane", "12"),  # of two digits
        ("Braga 4711", "4711"),
        ("Route 1075 West", "1075"),  # within a line
        ("1200 views a day", "views a day"),
        ("129 Kč", "Kč"),
        ("", ""),
    ],
)
def test_what_no_code_leads_is_none_of_both(text: str, wanted: str) -> None:
    assert list(in_town_line(text, wanted)) == []
