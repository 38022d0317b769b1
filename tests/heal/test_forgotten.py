"""Lessons that are forgotten, and those that are kept for the next."""

from pathlib import Path

from pydantic import BaseModel

from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from tests.heal.stuck import PAGES
from tests.heal.town import GOODS, NAMES, Town, _page


class Hut(BaseModel):
    """What is let by the night."""

    title: str
    beds: int
    free: bool


HUTS = GOODS.model_copy(update={"record_schema": "tests.heal.test_forgotten:Hut"})


def is_free(at: int, *, is_new: bool) -> bool:
    """Half of them are; of two it is the other way round on the day of the new design."""
    return (at % 2 == 0) is not (is_new and at < 2)


def hut(at: int, *, is_new: bool) -> Page:
    """A hut; which words of the new design mean which, nothing on a page says."""
    words = ("A room is left", "All full") if is_new else ("Free: yes", "Free: no")
    said = f"<p class='q1'>{words[not is_free(at, is_new=is_new)]}</p>"
    title = f"<h1>{NAMES[at]}</h1><dl><dt>Beds</dt><dd>{at + 31}</dd></dl>"
    return _page(GOODS, at, f"<main>{said + title if is_new else title + said}</main>")


def test_words_for_a_flag_are_taught_by_two_pages_one_after_the_other(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    before, now = (
        [hut(at, is_new=is_new) for at in range(PAGES)] for is_new in (False, True)
    )
    known = [
        {"title": NAMES[at], "beds": at + 31, "free": not at % 2} for at in range(PAGES)
    ]
    made = town.learn(HUTS, before, known)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    town.read(HUTS, before)
    assert town.read(HUTS, now).judgement.drifted
    said = Decisions(HUTS, town.store, "run-9")
    one = PersonSays("free", "ada", "true", url=now[1].url)
    first = said.teach(one, default_pool())
    assert first.version is None
    assert "say the other one of another page" in first.reason
    other = PersonSays("free", "ada", "false", url=now[0].url)
    made = said.teach(other, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    town.read(HUTS, now)
    read = [bool(row["free"]) for _, row in sorted(town.published(HUTS).items())]
    assert read == [is_free(at, is_new=True) for at in range(PAGES)]


def test_a_number_that_is_not_on_its_page_is_forgotten(tmp_path: Path) -> None:
    town = Town(tmp_path)
    pages = [hut(at, is_new=False) for at in range(PAGES)]
    known = [
        {"title": NAMES[at], "beds": at + 31, "free": not at % 2} for at in range(PAGES)
    ]
    town.learn(HUTS, pages, known)
    town.read(HUTS, [hut(at, is_new=True) for at in range(PAGES)])
    said = PersonSays("beds", "ada", "987", url=pages[0].url)
    made = Decisions(HUTS, town.store, "run-9").teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.REJECTED
    assert town.store.questions.lessons(HUTS.family) == []
