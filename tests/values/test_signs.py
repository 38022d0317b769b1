import pytest

from crawloop_assets.values.signs import counted_signs


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("★★★☆☆", ["★", "☆"]),
        (" ★ ★ ", ["★"]),
        ("€€€", ["€"]),
        ("$$", ["$"]),
        ("***", ["*"]),
        ("••", ["•"]),
        ("★★★★ 4.0", []),
        ("★☆◐", []),
        ("– –", []),
        ("...", []),
        ("", []),
        ("★" * 13, []),
    ],
)
def test_a_number_may_be_as_many_signs(text: str, signs: list[str]) -> None:
    assert counted_signs(text) == signs
