"""The page of scout: harmless, and one that turns clicks into the lines of the terminal."""

from pathlib import Path

import pytest

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.report.scouted_page import (
    ScoutedCell,
    ScoutedTable,
    scouted_html,
)

_EVIL = "<script>document.title='run'</script>\"'"
_TABLE = ScoutedTable(
    family="shop/item",
    notes=("2 records",),
    names=("title", "price"),
    rows=(
        (
            3,
            "http://s/1",
            (
                ScoutedCell(text=_EVIL, is_sure=True),
                ScoutedCell(text="1", is_sure=False),
            ),
        ),
    ),
    pages={
        "http://s/1": "<p>Lamp</p><b>19.90 €</b><script>document.title='run'</script>"
    },
)


def test_what_is_not_sure_is_marked_and_nothing_of_a_page_is_markup() -> None:
    text = scouted_html("http://s/", [_TABLE])
    assert text.count("<script>") == 1
    assert 'class="unsure">1 ?' in text
    assert 'sandbox="allow-same-origin"' in text and "allow-scripts" not in text


@pytest.mark.e2e
@pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine")
def test_a_click_on_a_cell_and_on_the_page_gives_the_line(tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    file = tmp_path / "scouted.html"
    file.write_text(scouted_html("http://s/", [_TABLE]), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(file.as_uri())
        page.click("td[data-cell='3 price']")
        page.frame_locator("iframe").locator("b").click()
        said, title = page.inner_text("#said"), page.title()
        browser.close()
    assert said == "3 price = 19.90 €"
    assert title != "run"
