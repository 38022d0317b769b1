"""Where reports lie, and how those about a url are found again."""

from pathlib import Path

from crawloop_assets.report.shelf import Reports


def test_a_record_a_value_and_a_wave_have_a_file_each(tmp_path: Path) -> None:
    shelf = Reports(tmp_path)
    files = {
        shelf.of_record("shop/item", "../../etc/passwd"),
        shelf.of_record("shop/item", "../../etc/passwd", "price"),
        shelf.of_record("shop/item", "b"),
        shelf.of_wave("shop/item", "b"),
    }
    assert len(files) == 4
    assert {file.parent for file in files} == {tmp_path / "reports" / "shop__item"}
