"""What is stored of a first version: its proof, and whether it is full."""

from pathlib import Path

from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.store import CrawlerVersion
from tests.heal.town import CRAFTS, GOODS, Town, craft, good, old


def first_version(
    town: Town, pages: int, known: int, stranger: bool = False
) -> tuple[CrawlerVersion, ScoreSheet]:
    """The version that is made of some pages with known records, with or without a page of another family."""
    sample = [old(GOODS, at, good(at)) for at in range(pages)]
    sample += [old(CRAFTS, pages, craft(pages))] if stranger else []
    assert (
        town.learn(GOODS, sample, [good(at) for at in range(known)]).outcome
        is RegenerationOutcome.PROMOTED
    )
    (version,) = town.store.crawlers(GOODS.family)
    return version, ScoreSheet.model_validate(version.score_sheet)


def test_a_first_version_is_proved_on_changed_copies_and_on_pages_it_was_not_made_from(
    tmp_path: Path,
) -> None:
    version, sheet = first_version(Town(tmp_path), pages=5, known=3)
    assert sheet.passed and not version.probation
    assert (sheet.pages, sheet.records, sheet.oracle) == (5, 3, "examples")
    for name in ("title", "price", "maker"):
        score = sheet.field(name)
        assert score is not None
        assert (score.right, score.wrong, score.held_out) == (3, 0, 1.0), name
        assert score.robust is not None


def test_a_first_version_made_from_all_pages_there_are_is_on_probation(
    tmp_path: Path,
) -> None:
    version, sheet = first_version(Town(tmp_path), pages=3, known=3)
    assert sheet.passed and sheet.probation and version.probation


def test_what_speaks_against_a_first_version_puts_it_on_probation(
    tmp_path: Path,
) -> None:
    version, sheet = first_version(Town(tmp_path), pages=5, known=3, stranger=True)
    assert version.probation and not sheet.passed
    assert sheet.reason == "required price missing on http://town.test/m/5"
