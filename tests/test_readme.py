"""The commands the README and the documentation show exist; their links lead somewhere."""

import re
from pathlib import Path

import pytest

from checks.site import site_pages
from tests.cli.test_app import commands

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MADE = {ROOT / "docs" / path for path in site_pages()}
"""Pages that are made when the site is built."""


def shown(pattern: str) -> set[str]:
    """What a pattern finds in the code of all pages (blocks and backticks)."""
    code = [
        part
        for page in PAGES
        for part in re.findall(
            r"```.*?```|`[^`\n]+`", page.read_text(encoding="utf-8"), re.DOTALL
        )
    ]
    return {found.strip() for part in code for found in re.findall(pattern, part)}


def test_every_make_target_exists() -> None:
    targets = set(
        re.findall(
            r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    asked = shown(r"\bmake ([a-z]+)\b")
    assert {"demo", "dev", "test", "check"} <= asked
    assert asked <= targets


def test_every_crawloop_command_exists() -> None:
    known = set(commands())
    asked = shown(
        r"\bcrawloop ([a-z]+(?: (?:list|show|release|reject|accept|teach|undo|ignore)\b)?)"
    )
    assert asked
    assert asked <= known | {name.split()[0] for name in known}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    prose = re.sub(r"`[^`\n]+`", "", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", prose)
    targets = {link: (page.parent / link).resolve() for link in links}
    lost = [
        link for link, file in targets.items() if not file.exists() and file not in MADE
    ]
    assert lost == []
