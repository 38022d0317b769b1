"""A redesign that nothing heals: the price has moved, and no word says which number it is.

What it comes to is made once in each process of tests, and copied: many begin with it.
"""

from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.domain import Domains
from crawloop_assets.family import Family
from crawloop_assets.heal.asking import regenerate_or_ask
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import Question
from tests.heal.town import GOODS, Town, _page, good, old

PAGES = 6

_Make = Callable[[Path], Town]


def _copied(make: _Make) -> _Make:
    """What makes a town in a folder: a copy of what it made the first time."""

    @cache
    def made() -> tuple[TemporaryDirectory[str], int]:
        folder = TemporaryDirectory(prefix="crawloop-town-")
        return folder, make(Path(folder.name)).runs

    @wraps(make)
    def copied(folder: Path) -> Town:
        first, runs = made()
        copytree(first.name, folder, dirs_exist_ok=True)
        town = Town(folder)
        town.runs = runs
        return town

    return copied


def price(at: int) -> str:
    """What a good costs after the redesign."""
    return f"{at + 3}.{75 + at}"


def unlabelled(at: int, more: str = "") -> Page:
    """A good among other amounts, of which none is named."""
    shown = good(at)
    maker = shown["maker"].replace("&", "&amp;")
    numbers = (f"{at + 41}.10", price(at), f"{at * 3 + 11}.90")
    cells = "".join(f"<li><b>{number}</b></li>" for number in numbers)
    body = f"<section id='top'><h2 class='t1'>{shown['title']}</h2><div><i class='q5'>{maker}</i></div>"
    return _page(GOODS, at, f"{body}<ul class='nums'>{cells}</ul>{more}</section>")


@_copied
def town_of_goods(folder: Path) -> Town:
    """Goods that are published in the first design."""
    town = Town(folder)
    pages = [old(GOODS, at, good(at)) for at in range(PAGES)]
    made = town.learn(GOODS, pages, [good(at) for at in range(3)])
    assert made.outcome is RegenerationOutcome.PROMOTED
    town.read(GOODS, pages)
    return town


@_copied
def redesigned(folder: Path) -> Town:
    """The same, red in a design that nothing reads."""
    town = town_of_goods(folder)
    served = town.read(GOODS, [unlabelled(at) for at in range(PAGES)])
    assert served.judgement.drifted
    return town


def wave(
    town: Town, name: str | None = "heal0", family: Family = GOODS
) -> Regeneration:
    """One regeneration of a heal wave, or of none, to its end; no site may be asked."""
    fetcher = Fetcher(Domains(), town.folder)
    return regenerate_or_ask(
        family, town.store, default_pool(), fetcher, run_id=f"run-{name}", wave=name
    )


@_copied
def in_question(folder: Path) -> Town:
    """The same, whose wave ended in a question."""
    town = redesigned(folder)
    wave(town)
    return town


def asked(town: Town) -> Question:
    """The one question of the goods."""
    (question,) = town.store.questions.all(GOODS.family)
    return question
