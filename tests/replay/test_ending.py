"""How one redesign of many ended, and the shares of all."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

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
from tests.replay.court import (
    MANY_CASES,
    court_pack,
    press_pack,
    renamed_rows_pack,
)
from tests.replay.kitchen import (
    DISHES,
    lost_layout,
    new_layout,
    new_stating,
    old_stating,
    pack,
    quiet_layout,
    with_other_methods,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path / "home"))


def ended(folder: Path) -> EndedReplay:
    (one,) = chosen(load_pack(folder))
    return replay_to_the_end(folder, one)


def test_a_redesign_is_noticed_and_healed(tmp_path: Path) -> None:
    before = (Path.cwd(), dict(os.environ))
    found = ended(pack(tmp_path / "pack", new_layout))
    report = found.report
    assert report is not None
    assert (Path.cwd(), dict(os.environ)) == before
    assert report.before.counts == {ServedState.RIGHT: 20}
    refresh = report.steps[-2]
    assert refresh.title == "Crawl the pages after" and refresh.red
    assert [(one.outcome, one.first) for one in report.decisions] == [
        ("promoted", True),
        ("promoted", False),
    ]
    assert report.green and report.crawler == 2
    # Five dishes: the one that came with the redesign is read as well.
    assert report.after.counts == {ServedState.RIGHT: 25}
    assert report.after.of(own=False).counts == {ServedState.RIGHT: 5}
    assert {cell.by for cell in report.after.cells} == {"crawler v2"}
    # What is known of the pages after is used for the verdict and given to nobody.
    text = (
        tmp_path
        / "home/var/replay/kitchen__kitchen_example/families/kitchen__kitchen_example.yaml"
    ).read_text()
    assert "rye-pancakes-with-plums" in text and DISHES[4]["author"] not in text
    assert len(yaml.safe_load(text)["examples"]) == 4
    assert (found.end, found.answers, found.days) == (ReplayEnd.GREEN, (), 1)
    assert (found.wrong_rows, found.schema_name) == (0, "Recipe")
    assert held_share([found]) == "0 of 5 (0.00)"


@pytest.mark.long
def test_a_question_is_right_if_its_answer_makes_the_family_green(
    tmp_path: Path,
) -> None:
    found = ended(pack(tmp_path / "pack", quiet_layout, gone="instructions"))
    assert found.report is not None and not found.report.green
    (question,) = found.report.questions
    assert "`instructions` is on no page" in question
    assert (found.end, found.answers) == (ReplayEnd.ASKED, ("accept instructions",))
    assert {cell.state for cell in found.last.cells} == {ServedState.RIGHT}


@pytest.mark.long
def test_what_is_stated_beside_known_values_is_news_when_it_is_said_again(
    tmp_path: Path,
) -> None:
    """The layout is another one, and so are the methods; who cooks what is as it was."""
    folder = pack(
        tmp_path / "pack", new_stating, before=old_stating, since=with_other_methods
    )
    found = ended(folder)
    assert found.report is not None and found.report.went_red
    assert (found.end, found.days, found.answers) == (ReplayEnd.GREEN, 2, ())
    assert len(found.withdrawn) == 1 and "`instructions`" in found.withdrawn[0]
    assert {cell.state for cell in found.last.cells} == {ServedState.RIGHT}


@pytest.mark.long
def test_a_guess_that_no_known_value_confirms_waits_for_a_person(
    tmp_path: Path,
) -> None:
    one = ChosenRedesign("court", "Opinion", -1)
    found = replay_to_the_end(court_pack(tmp_path / "pack"), one)
    report = found.report
    assert report is not None
    assert (
        report.before.counts == {ServedState.RIGHT: 24}
        and report.before.extra_rows == 0
    )
    assert [one.outcome for one in report.decisions] == ["promoted", "awaiting_review"]
    assert "none of the known values confirms it" in report.decisions[1].reason
    assert report.crawler == 1 and not report.green
    # Nothing of the page is published under the old crawler or the guess; the known rows stay, marked stale.
    assert (
        report.after.counts == {ServedState.HELD: 24} and report.after.extra_rows == 0
    )
    assert (found.end, found.answers) == (ReplayEnd.ASKED, ("accept the version",))
    assert {cell.state for cell in found.last.cells} == {ServedState.RIGHT}


# Rows that the readers of before find elsewhere, and rows that bear each other out as
# the known ones did.
@pytest.mark.parametrize(
    "pack", [renamed_rows_pack, pytest.param(press_pack, marks=pytest.mark.long)]
)
def test_rows_that_nobody_knows_and_something_vouches_for_need_nobody(
    tmp_path: Path, pack: Callable[[Path], Path]
) -> None:
    one = ChosenRedesign("court", "Opinion", -1)
    found = replay_to_the_end(pack(tmp_path / "pack"), one)
    report = found.report
    assert report is not None and report.went_red
    assert [one.outcome for one in report.decisions] == ["promoted", "promoted"]
    assert (found.end, found.answers) == (ReplayEnd.GREEN, ())
    assert report.after.counts == {ServedState.RIGHT: 4 * len(MANY_CASES)}
    assert report.after.extra_rows == 0


@pytest.mark.long
def test_a_site_that_lost_its_records_is_refused_and_the_last_good_ones_stay(
    tmp_path: Path,
) -> None:
    found = ended(pack(tmp_path / "pack", lost_layout))
    report = found.report
    assert report is not None
    assert report.steps[-2].red and not report.green
    assert [one.outcome for one in report.decisions] == ["promoted", "rejected"]
    assert report.verdict == "rejected, red at the end"
    kept = [cell for cell in report.after.cells if cell.state is ServedState.KEPT]
    assert len(kept) == 20 and all(
        cell.known == cell.published for cell in kept if cell.field == "author"
    )
    assert {cell.state for cell in report.after.cells if cell not in kept} == {
        ServedState.HELD
    }
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
