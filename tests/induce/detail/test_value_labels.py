"""What looks like a label may be a value of another field."""

import pytest

from crawloop_assets.induce.detail.value_labels import is_of_value
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

PAY = FieldSpec(name="pay", kind=FieldKind.NUMBER)
ROWS: dict[int, dict[str, Value]] = {
    0: {"town": "Halle", "kind": "Stelle", "pay": "2100"},
    1: {"town": "Mainz", "kind": "Stelle", "pay": "2400"},
}


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("hallevollzeit", True),
        ("mainz", True),
        ("gehalt", False),
        ("stelle", False),  # all pages say it
        ("2100", False),  # the field's own value
    ],
)
def test_what_one_page_is_known_to_say_is_no_label(label: str, expected: bool) -> None:
    assert is_of_value(label, PAY, ROWS) is expected


def test_short_values_are_in_many_a_word() -> None:
    rows: dict[int, dict[str, Value]] = {0: {"size": "XL"}, 1: {"size": "M"}}
    assert not is_of_value("xlabel", PAY, rows)
