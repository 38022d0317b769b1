import pytest

from crawloop_assets.induce.locate.affixes import affixes


@pytest.mark.parametrize(
    ("text", "value", "steps"),
    [
        ("Ada", "Ada", [[]]),
        (
            "By Ada, writer",
            "Ada",
            [["strip_prefix('By ')", "strip_suffix(', writer')"]],
        ),
        ("Phone: 030 44", "030 44", [["after('Phone:')"]]),
        ("No. 5 Ada", "Ada", []),  # a number of this page
        ("Adamant", "Ada", []),
        ("Bob", "Ada", []),
        ("Bob", "", []),
    ],
)
def test_what_is_around_a_value_is_cut_off(
    text: str, value: str, steps: list[list[str]]
) -> None:
    assert [list(map(str, cuts)) for cuts in affixes(text, value)] == steps
