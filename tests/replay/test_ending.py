"""How one redesign of many ended, and the shares of all."""

from pathlib import Path

import pytest

from crawloop_assets.eval.pack import load_pack
from crawloop_assets.replay.choice import ChosenRedesign, chosen
from crawloop_assets.replay.ending import (
    EndedReplay,
    ReplayEnd,
    held_share,
    replay_to_the_end,
    share,
)
from crawloop_assets.replay.report import ReplayReport
from crawloop_assets.replay.verdict import Cell, JudgedPage, Judgement, ServedState
from tests.replay.kitchen import lost_layout, new_layout, pack, quiet_layout
from tests.replay.test_cycle import court_pack


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path / "home"))


def ended(folder: Path) -> EndedReplay:
    (one,) = chosen(load_pack(folder))
    return replay_to_the_end(folder, one)


def test_a_redesign_that_heals_needs_nobody(tmp_path: Path) -> None:
    found = ended(pack(tmp_path / "pack", new_layout))
    assert (found.end, found.answers, found.days) == (ReplayEnd.GREEN, (), 1)
    assert (found.wrong_rows, found.schema_name) == (0, "Recipe")
    assert held_share([found]) == "0 of 5 (0.00)"


def test_a_question_is_right_if_its_answer_makes_the_family_green(
    tmp_path: Path,
) -> None:
    found = ended(pack(tmp_path / "pack", quiet_layout, gone="instructions"))
    assert found.report is not None and not found.report.green
    (question,) = found.report.questions
    assert "`instructions` is on no page" in question
    assert (found.end, found.answers) == (ReplayEnd.ASKED, ("accept instructions",))
    assert {cell.state for cell in found.last.cells} == {ServedState.RIGHT}


def test_a_version_that_waits_for_review_is_one_question(tmp_path: Path) -> None:
    one = ChosenRedesign("court", "Opinion", -1)
    found = replay_to_the_end(court_pack(tmp_path / "pack"), one)
    assert (found.end, found.answers) == (ReplayEnd.ASKED, ("accept the version",))
    assert {cell.state for cell in found.last.cells} == {ServedState.RIGHT}


def test_a_site_without_its_records_stays_red(tmp_path: Path) -> None:
    found = ended(pack(tmp_path / "pack", lost_layout))
    assert found.end is ReplayEnd.RED and found.answers
    assert found.wrong_rows == 0


def made(end: ReplayEnd, judgement: Judgement | None = None) -> EndedReplay:
    report = ReplayReport(
        family="soup",
        redesign=0,
        pages_before=1,
        pages_after=1,
        pages_both=1,
        after=judgement or Judgement(cells=()),
    )
    return EndedReplay(
        family="soup", schema_name="Recipe", redesign=0, end=end, report=report
    )


def test_shares_are_of_those_that_went_red() -> None:
    found = [made(end) for end in ReplayEnd]
    assert share(found, ReplayEnd.GREEN) == "1 of 4 (0.25)"
    # One whose process died is not green.
    assert share(found, ReplayEnd.RED, ReplayEnd.FAILED) == "2 of 4 (0.50)"
    assert share([made(ReplayEnd.NEVER_RED)], ReplayEnd.GREEN) == "none"


def test_wrong_rows_are_counted_once_and_what_was_known_apart() -> None:
    def cell(row: int, field: str, *, witnessed: bool) -> Cell:
        return Cell(
            url="http://a.example/",
            page="a",
            row=row,
            field=field,
            state=ServedState.WRONG,
            grounded=True,
            own=True,
            witnessed=witnessed,
            known="Soup",
        )

    cells = (
        cell(0, "title", witnessed=True),
        cell(0, "author", witnessed=False),
        cell(1, "author", witnessed=False),
    )
    found = made(ReplayEnd.GREEN, Judgement(cells=cells))
    assert (found.wrong_rows, found.witnessed_rows) == (2, 1)


def test_right_pages_are_held_or_not() -> None:
    def page(*, right: bool, held: bool) -> JudgedPage:
        return JudgedPage(url="http://a.example/", right=right, held=held)

    pages = (
        page(right=True, held=True),
        page(right=True, held=False),
        page(right=False, held=True),
    )
    found = made(ReplayEnd.GREEN, Judgement(cells=(), pages=pages))
    assert held_share([found, found]) == "2 of 4 (0.50)"
