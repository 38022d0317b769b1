import pytest

from crawloop_assets.induce.listing.row_forms import texts_formed
from tests.induce.healing.fields import document

PAGE = document(
    "<p>Case No. 17-1040</p><p>17-1041, 18-22</p><p>17-1040</p><i>tel. 555-0117</i>"
)


@pytest.mark.parametrize(
    ("values", "count"),
    [
        (["16-0001", "16-0002"], 2),
        (["16-0001"], 4),  # of one value nobody knows how long its numbers are
        (["CV-1", "CV-2"], 0),
        (["Ames", "Birch"], 0),
    ],
)
def test_different_texts_of_the_form_of_values_are_counted(
    values: list[str], count: int
) -> None:
    assert texts_formed(PAGE, values) == count
