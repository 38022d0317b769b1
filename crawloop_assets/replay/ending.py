"""How one redesign of many ended: green by itself, after a question that a person
answered, or red."""

from collections.abc import Sequence
from enum import StrEnum
from operator import attrgetter
from pathlib import Path

from pydantic import BaseModel
from rich.console import Console

from crawloop_assets.replay.choice import ChosenRedesign
from crawloop_assets.replay.cycle import Cycle, replaying
from crawloop_assets.replay.person import Onlooker
from crawloop_assets.replay.report import ReplayReport
from crawloop_assets.replay.verdict import Judgement
from crawloop_assets.store import QuestionState

_DAYS = 3
"""So many days a family is left alone at most, whatever it asks: what a wave missed is
tried once more after the cool-down, and what the site says again on another day is
news."""


class ReplayEnd(StrEnum):
    """How a replay ended.

    `asked`: red, until one question was answered with what the page shows. `failed`:
    its process died or took too long.
    """

    NO_CRAWLER = "no first crawler"
    NEVER_RED = "never red"
    GREEN = "green"
    ASKED = "asked"
    RED = "red"
    FAILED = "failed"


WENT_RED = (ReplayEnd.GREEN, ReplayEnd.ASKED, ReplayEnd.RED, ReplayEnd.FAILED)
"""The ends of which shares are told. A process that died may have gone red."""


class EndedReplay(BaseModel):
    """A replay that ended.

    `days` is how many passed before a person answered; `withdrawn` are the questions
    that the pipeline settled before that. `answers` is what a person did about what was
    asked, and `answered` judges the table after that. `why` tells of a failure.
    """

    family: str
    schema_name: str
    redesign: int
    end: ReplayEnd
    report: ReplayReport | None = None
    days: int = 1
    withdrawn: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answered: Judgement | None = None
    why: str = ""

    @property
    def last(self) -> Judgement:
        """The table at the very end."""
        if self.answered is not None:
            return self.answered
        return self.report.after if self.report else Judgement(cells=())

    @property
    def wrong_rows(self) -> int:
        """Rows at the end with a wrong value."""
        return len({(cell.url, cell.row) for cell in self.last.wrong})

    @property
    def witnessed_rows(self) -> int:
        """Those of them with a wrong value where the right one was known."""
        wrong = list(filter(attrgetter("witnessed"), self.last.wrong))
        return len({(cell.url, cell.row) for cell in wrong})


def replay_to_the_end(data_dir: Path, one: ChosenRedesign) -> EndedReplay:
    """Replay one redesign, and where it ends red let somebody who sees the pages decide
    what waits for a person, once."""
    console = Console(quiet=True)
    with replaying(
        data_dir, one.family, one.redesign, daemon=False, console=console
    ) as cycle:
        before, after = cycle.run()
        days = 1
        while _goes_on(cycle) and days < _DAYS:
            cycle.live_on()
            after, days = cycle.judge(), days + 1
        report = cycle.report(one.redesign, before, after)
        ended = EndedReplay(
            family=one.family,
            schema_name=one.schema,
            redesign=one.redesign,
            end=_end(report),
            report=report,
            days=days,
            withdrawn=_withdrawn(cycle),
        )
        return _asked(ended, cycle) if ended.end is ReplayEnd.RED else ended


def _goes_on(cycle: Cycle) -> bool:
    """Whether the pipeline may still find a way by itself: a batch is red. What the
    site says again withdraws a question that nobody has answered yet."""
    if not cycle.went_red or cycle.store.active(cycle.folder.name) is None:
        return False
    return cycle.red()


def _withdrawn(cycle: Cycle) -> tuple[str, ...]:
    """The questions that were asked and settled by what the site said again."""
    asked = cycle.store.questions.all(cycle.folder.name)
    return tuple(one.sentence for one in asked if one.state is QuestionState.WITHDRAWN)


def _end(report: ReplayReport) -> ReplayEnd:
    """How it ended without a person."""
    if report.crawler is None:
        return ReplayEnd.NO_CRAWLER
    if not report.went_red:
        return ReplayEnd.NEVER_RED
    return ReplayEnd.GREEN if report.green else ReplayEnd.RED


def _asked(ended: EndedReplay, cycle: Cycle) -> EndedReplay:
    """The same after what waits for a person was decided. What makes it green, and
    nothing wrong that was not wrong before, was one right question."""
    shown = cycle.folder.replayed.shown(after=True)
    answers = Onlooker(cycle.folder.family, shown, cycle.store).decide()
    if not answers:
        return ended
    cycle.heal()
    answered = cycle.judge()
    is_right = not cycle.red() and len(answered.wrong) <= len(ended.last.wrong)
    end = ReplayEnd.ASKED if is_right else ReplayEnd.RED
    update = {"end": end, "answers": tuple(answers), "answered": answered}
    return ended.model_copy(update=update)


def share(ended: Sequence[EndedReplay], *ends: ReplayEnd) -> str:
    """`12 of 20 (.60)`: how many of those that went red ended so."""
    red = sum(one.end in WENT_RED for one in ended)
    count = sum(one.end in ends for one in ended)
    return _of(count, red)


def held_share(ended: Sequence[EndedReplay]) -> str:
    """Pages of which every value read is right and that are held all the same."""
    pages = [page for one in ended for page in one.last.pages if page.right]
    return _of(sum(map(attrgetter("held"), pages)), len(pages))


def _of(count: int, total: int) -> str:
    """A count with its share."""
    return f"{count} of {total} ({count / total:.2f})" if total else "none"
