"""What others say is shown, and not obeyed."""

import pytest

from crawloop_assets.foreign import code_block, harmless, in_markdown, printable

HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07\u202e![x](http://evil.test/?a)<img src=x>`|@here\ud800"
)


def test_a_terminal_is_told_nothing() -> None:
    assert printable("\x1b[31m\u202ered") == "�[31m�red"
    assert printable("12\u00a0€\tand\nmore, می‌خواهم") == "12\u00a0€\tand\nmore, می‌خواهم"
    assert printable(HOSTILE).encode(), "a half of a sign can be written, too"


def test_a_chat_makes_no_link_and_rings_no_bell() -> None:
    assert harmless("a\r\nBcc: eve@x.test") == "a Bcc: eve＠x.test"
    assert not set("<>[]`@\x1b") & set(harmless(HOSTILE))


def test_markdown_makes_no_picture_no_tag_and_no_cell() -> None:
    said = in_markdown(HOSTILE)
    assert r"!\[x\](http://evil.test/?a)\<img src=x\>\`\|" in said
    assert in_markdown("a\n\n# b") == "a # b"


@pytest.mark.parametrize("shown", [harmless, in_markdown])
def test_a_long_text_is_cut(shown: type[str]) -> None:
    assert len(shown("x\n" * 500_000)) <= 1500


def test_a_block_ends_where_we_end_it() -> None:
    block = code_block("- a\n````\n![x](y)", "diff").splitlines()
    assert block[0] == "`````diff" and block[-1] == "`````"
    assert "```" not in code_block("a", "diff")[3:-3]
