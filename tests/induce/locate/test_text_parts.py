"""Texts that say several things."""

from crawloop_assets.induce.locate.text_parts import part_cuts, with_its_parts


def test_a_text_has_its_parts_and_itself() -> None:
    assert list(with_its_parts("On loan")) == ["On loan"]
    parts = list(with_its_parts("12 likes · On loan (2026)"))
    assert parts[0] == "12 likes · On loan (2026)"
    assert {"12 likes", "On loan (2026)", "12 likes · On loan"} <= set(parts)


def test_no_part_of_a_long_text_or_a_long_list_is_cut() -> None:
    assert list(part_cuts("a, b" * 60)) == [()]
    assert len(list(part_cuts(", ".join("abcdefghijk")))) == 1 + 6 + 1
