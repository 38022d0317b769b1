"""What a replay came to, as data and as tables."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from crawloop_assets.replay.verdict import Cell, Judgement, ServedState

_MAX_TEXT = 48
_MAX_SENTENCE = 200
_ROWS_OF_A_KIND = 3
"""Of long listings, three rows of a kind say enough: the sums are below."""
_STYLE = {
    ServedState.RIGHT: "green",
    ServedState.WRONG: "bold red",
    ServedState.UNSURE: "red",
    ServedState.KEPT: "yellow",
    ServedState.HELD: "yellow",
}


class Red(BaseModel):
    """A check that failed, and what it said.

    `drift`: it makes the batch red; else it only warns.
    """

    check: str
    drift: bool
    sentence: str


class ReplayStep(BaseModel):
    """One step of the cycle.

    `failed` are the checks of its run that did not pass.
    """

    title: str
    seconds: float
    failed: tuple[Red, ...] = ()

    @property
    def red(self) -> bool:
        """Whether the batch was red."""
        return any(map(attrgetter("drift"), self.failed))


class DecisionRow(BaseModel):
    """How one regeneration ended: promoted, awaiting_review or rejected, why, and the
    reason of each field with one.

    `first`: it made the first crawler.
    """

    outcome: str
    first: bool
    reason: str
    version: int | None = None
    fields: dict[str, str] = {}


class ReplayReport(BaseModel):
    """A whole replay.

    `before` judges the table after the first crawl, `after` at the end; `questions` are
    what a person is asked then, `left_out` the fields of the examples that the operator
    had to leave out, since no crawler read them as they say. `went_red`: a batch was
    red once the pages after were crawled.
    """

    family: str
    redesign: int
    pages_before: int
    pages_after: int
    pages_both: int
    steps: tuple[ReplayStep, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    questions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    before: Judgement = Judgement(cells=())
    after: Judgement = Judgement(cells=())
    went_red: bool = False
    green: bool = False
    crawler: int | None = None

    @property
    def verdict(self) -> str:
        """The end in a few words."""
        if self.crawler is None:
            return "no first crawler"
        outcomes = [row.outcome for row in self.decisions if not row.first]
        if outcomes:
            return self._regenerated(outcomes)
        end = "never red" if self.green else "red, no regeneration"
        if self.after.holds_back:
            return f"pages held, {end}"
        return end

    def _regenerated(self, outcomes: Sequence[str]) -> str:
        """How the regenerations after the first crawler ended, and the family."""
        how = outcomes[-1]
        if "promoted" in outcomes:
            how = "healed"
        colour = "green" if self.green else "red"
        return f"{how}, {colour} at the end"


def print_report(console: Console, report: ReplayReport) -> None:
    """Tables for a person."""
    console.print(_cells(report.after.cells))
    for step in report.steps:
        for failed in step.failed:
            console.print(f"{step.title}: {_sentence(failed)}", highlight=False)
    for decision in report.decisions:
        _print_decision(console, decision)
    for question in report.questions:
        console.print(f"Asked: {_short(question, _MAX_SENTENCE)}", highlight=False)
    if report.left_out:
        console.print(f"Left out of the examples: {', '.join(report.left_out)}")
    console.print(_summary(report))


def _sentence(failed: Red) -> str:
    """A failed check as a line for a person."""
    kind = "[red]red[/]" if failed.drift else "[yellow]warns[/]"
    return f"{kind} {failed.check}: {_short(failed.sentence, _MAX_SENTENCE)}"


def _print_decision(console: Console, decision: DecisionRow) -> None:
    """How a regeneration ended, and why each field did."""
    version = f" v{decision.version}" if decision.version else ""
    outcome = f"{decision.outcome}{version}"
    console.print(f"Regeneration: {outcome}: {decision.reason}", highlight=False)
    for name, reason in decision.fields.items():
        console.print(f"  {name}: {reason}", highlight=False)


def counts(judgement: Judgement) -> str:
    """`12 right, 1 wrong`."""
    found = judgement.counts
    words = [f"{found[state]} {state.value}" for state in ServedState if found[state]]
    if judgement.extra_rows:
        words.append(f"{judgement.extra_rows} rows of which nothing is known")
    return ", ".join(words) or "nothing known"


def _summary(report: ReplayReport) -> Table:
    """One row for the whole replay."""
    table = Table(
        "pages before / after / both",
        "end",
        "before",
        "at the end",
        "of these on new pages",
    )
    pages = f"{report.pages_before} / {report.pages_after} / {report.pages_both}"
    new = counts(report.after.of(own=False))
    table.add_row(
        pages, report.verdict, counts(report.before), counts(report.after), new
    )
    return table


def _cells(cells: Sequence[Cell]) -> Table:
    """The cells as a table, with a few rows of each kind."""
    table = Table("page", "field", "verdict", "published", "known", "by")
    shown = Counter[tuple[str, str, ServedState]]()
    for cell in cells:
        kind = (cell.page, cell.field, cell.state)
        shown[kind] += 1
        if shown[kind] <= _ROWS_OF_A_KIND:
            table.add_row(*_row(cell))
    return table


def _row(cell: Cell) -> tuple[str, ...]:
    """A cell as texts for the columns of its table: the verdict in its colour, values
    cut short, and nothing, not "None", for one that is not published."""
    style = _STYLE.get(cell.state, "dim")
    published = "" if cell.published is None else str(cell.published)
    return (
        cell.page,
        cell.field,
        f"[{style}]{cell.state.value}[/]",
        _short(published, _MAX_TEXT),
        _short(str(cell.known), _MAX_TEXT),
        cell.by,
    )


def _short(text: str, most: int) -> str:
    """A text as one line of `most` characters at most, with nothing rich would read as
    markup."""
    flat = " ".join(text.split()).replace("[", "\\[")
    return flat if len(flat) <= most else flat[: most - 1] + "…"
