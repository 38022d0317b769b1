"""A listing of two pages that was redesigned, as a pack would give it."""

from pathlib import Path

import pytest

from crawloop_assets.eval.schemas import Quote
from crawloop_assets.replay.server import ReplayFamily, ReplayPage, Snapshot

ONE = "http://quotes.example/1"
TWO = "http://quotes.example/2"


def snapshot(folder: Path, name: str, url: str, *texts: str) -> Snapshot:
    """A page of quotes, all by one author whose name is not on the page."""
    file = folder / f"{name}.html"
    file.write_text("".join(f"<q>{text}</q>" for text in texts), encoding="utf-8")
    gold = tuple({"text": (text,), "author": ("Ada",)} for text in texts)
    return Snapshot(name, file, url, gold, {"text": 1.0, "author": 0.0})


@pytest.fixture
def quotes(tmp_path: Path) -> ReplayFamily:
    """One page before and after, another that came with the redesign."""
    pages = (
        ReplayPage(
            ONE,
            snapshot(tmp_path, "old", ONE, "First words", "Second words"),
            snapshot(tmp_path, "new", ONE, "First words", "Third words"),
        ),
        ReplayPage(TWO, None, snapshot(tmp_path, "later", TWO, "Last words")),
    )
    return ReplayFamily("Quotes/To Scrape", "listing", Quote, pages)
