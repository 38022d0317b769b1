"""Captured pages are served and nothing else."""

import urllib.request
from pathlib import Path

from crawloop_assets.replay.serving import served_family
from tests.replay.test_server import pack

__all__ = ["pack"]


def test_the_lines_lead_to_the_pages(pack: Path) -> None:
    with served_family(pack, "soup/soups.example") as lines:
        said, resolve, first, *others = lines
        assert said.startswith("2 pages of soup/soups.example")
        address = resolve.split("soups.example=")[1].split(",")[0]
        url = first.split("'")[1]
        asked = urllib.request.Request(
            url.replace("soups.example", address), headers={"Host": "soups.example"}
        )
        # The page moved: its address leads to where it was captured.
        with urllib.request.urlopen(asked, timeout=10) as answer:
            assert b"leek-old" in answer.read()
        assert len(others) == 1
