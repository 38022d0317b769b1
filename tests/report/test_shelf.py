"""Where reports lie, and how those about a url are found again."""

from pathlib import Path

from crawloop_assets.report.html import write_page
from crawloop_assets.report.shelf import Reports, last_wave_address, wave_address


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


def test_the_address_of_a_report_is_its_place_below_the_folder(tmp_path: Path) -> None:
    shelf = Reports(tmp_path)
    for address, file in (
        (wave_address("shop/item", "heal-1"), shelf.of_wave("shop/item", "heal-1")),
        (last_wave_address("shop/item"), shelf.of_last_wave("shop/item")),
    ):
        assert address == f"/{file.relative_to(tmp_path).as_posix()}"


def test_reports_that_mention_a_text_are_found_however_it_is_escaped(
    tmp_path: Path,
) -> None:
    shelf = Reports(tmp_path)
    plain = write_page(
        shelf.of_record("a", "1"), "see https://shop.test/?a=1&b=2 there"
    )
    escaped = write_page(
        shelf.of_wave("a", "1"), "see https://shop.test/?a=1&amp;b=2 there"
    )
    write_page(shelf.of_wave("a", "2"), "see https://shop.test/?a=1 there")
    assert {*shelf.mentioning(["https://shop.test/?a=1&b=2"])} == {plain, escaped}
    assert [*shelf.mentioning(["nothing like it"])] == []
