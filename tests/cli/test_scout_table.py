from crawloop_assets.cli.scout_table import cell_text


def test_a_cell_is_one_short_line_that_no_terminal_obeys() -> None:
    assert cell_text("a\n b") == "a b"
    assert cell_text(["x", "y"]) == "x, y"
    assert cell_text(None) == ""
    assert len(cell_text("w" * 500)) == 44
    assert cell_text("\x1b[31m\u202ered") == "�[31m�red"
