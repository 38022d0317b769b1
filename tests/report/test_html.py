"""Static pages: what is not ours is text, and in Chromium nothing of a hostile page runs or asks for anything."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.document.display import FIRST_MARK, Mark, MarkRole, displayed
from crawloop_assets.report.html import (
    facts_html,
    frame_html,
    heading_html,
    note_html,
    page_html,
    table_html,
    write_page,
)
from tests.document.build import document
from tests.document.hostile import hostile_page

EVIL = '</iframe></td><script>document.title="ran"</script>" onload="x'


def test_every_text_is_escaped() -> None:
    parts = [
        facts_html([(EVIL, EVIL)]),
        table_html([EVIL], [[EVIL]]),
        heading_html(EVIL),
        note_html(EVIL),
        frame_html(f"<p>{'x'}</p>"),
    ]
    text = page_html(EVIL, EVIL, parts)
    assert "<script" not in text and text.count("<iframe sandbox ") == 1
    assert "default-src 'none'" in text.partition("<body>")[0]


def test_only_its_owner_reads_a_page(tmp_path: Path) -> None:
    file = write_page(tmp_path / "reports" / "shop" / "a.html", "a\ud800")
    assert file.read_text() == "a?" and file.parent.stat().st_mode & 0o077 == 0
    assert file.stat().st_mode & 0o077 == 0


def test_a_page_changes_nothing_of_a_folder_that_is_there(tmp_path: Path) -> None:
    """It may be that of all users, as for a page in /tmp, or of devices."""
    tmp_path.chmod(0o777)
    file = write_page(tmp_path / "a.html", "a")
    assert tmp_path.stat().st_mode & 0o777 == 0o777
    assert file.stat().st_mode & 0o077 == 0


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """A server, and what it was asked for."""
    paths: list[str] = []

    class Note(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Note)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    server.server_close()


@pytest.mark.e2e
@pytest.mark.skipif(not find_chromium(), reason="there is no Chromium here")
def test_in_chromium_nothing_runs_nothing_is_asked_for_and_the_mark_is_in_sight(
    asked: tuple[str, list[str]], tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    address, paths = asked
    page = document(f"{'<p>far</p>' * 2_000}<p><u>12.50</u></p>{hostile_page(address)}")
    number = page.by_tag["u"][0]
    shown = displayed(
        page, [Mark(element=number, role=MarkRole.READ, says="price: 12.50")]
    )
    # Beside what is made of it, the page as it came: the frame alone has to hold it.
    raw = frame_html(hostile_page(address))
    file = write_page(
        tmp_path / "page.html", page_html("explained", "", [frame_html(shown), raw])
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"]
        )
        tab = browser.new_page()
        tab.goto(file.as_uri())
        made, _ = tab.main_frame.child_frames[:2]
        tab.wait_for_timeout(300)
        assert tab.title() == "explained"
        box = made.locator(f"#{FIRST_MARK}").bounding_box()
        around = tab.locator("iframe").first.bounding_box()
        assert (
            box and around and around["y"] < box["y"] < around["y"] + around["height"]
        )
        made.get_by_text("leads").first.click()
        assert tab.title() == "explained" and tab.url == file.as_uri()
        browser.close()
    assert paths == []
