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
        (
            "本品辅料为淀粉、乳糖。",
            "淀粉、乳糖",
            [["strip_prefix('本品辅料为')", "strip_suffix('。')"]],
        ),
        ("医保甲类", "甲类", [["strip_prefix('医保')"]]),
        ("医保A类", "A", []),
        ("Bob", "Ada", []),
        ("Bob", "", []),
    ],
)
def test_what_is_around_a_value_is_cut_off(
    text: str, value: str, steps: list[list[str]]
) -> None:
    assert [list(map(str, cuts)) for cuts in affixes(text, value)] == steps
