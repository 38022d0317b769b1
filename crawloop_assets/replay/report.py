"""What a replay came to, as data and as tables."""

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from crawloop_assets.replay.verdict import Cell, Judgement, ServedState

MAX_TEXT = 48
STYLE = {
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
        return any(one.drift for one in self.failed)


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

    `before` judges the table after the first crawl, `after` at the end.
    """

    family: str
    redesign: int
    pages_before: int
    pages_after: int
    pages_both: int
    steps: tuple[ReplayStep, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    before: Judgement = Judgement(cells=())
    after: Judgement = Judgement(cells=())
    green: bool = False
    crawler: int | None = None

    @property
    def verdict(self) -> str:
        """The end in a few words."""
        if self.crawler is None:
            return "no first crawler"
        outcomes = [one.outcome for one in self.decisions if not one.first]
        if outcomes:
            how = "healed" if "promoted" in outcomes else outcomes[-1]
            return f"{how}, {'green' if self.green else 'red'} at the end"
        kept = self.after.counts[ServedState.KEPT] + self.after.counts[ServedState.HELD]
        return ("pages held, " if kept else "") + (
            "never red" if self.green else "red, no regeneration"
        )


def print_report(console: Console, report: ReplayReport) -> None:
    """Tables for a person."""
    console.print(_cells(report.after.cells))
    for step in report.steps:
        for one in step.failed:
            kind = "[red]red[/]" if one.drift else "[yellow]warns[/]"
            console.print(
                f"{step.title}: {kind} {one.check}: {_short(one.sentence, 200)}",
                highlight=False,
            )
    for decision in report.decisions:
        version = f" v{decision.version}" if decision.version else ""
        console.print(
            f"Regeneration: {decision.outcome}{version}: {decision.reason}",
            highlight=False,
        )
        for name, reason in decision.fields.items():
            console.print(f"  {name}: {reason}", highlight=False)
    console.print(_summary(report))


def counts(judgement: Judgement) -> str:
    """`12 right, 1 wrong`."""
    found = judgement.counts
    words = [f"{found[state]} {state.value}" for state in ServedState if found[state]]
    words += (
        [f"{judgement.extra_rows} rows of which nothing is known"]
        if judgement.extra_rows
        else []
    )
    return ", ".join(words) or "nothing known"


def _summary(report: ReplayReport) -> Table:
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
    table = Table("page", "field", "verdict", "published", "known", "by")
    shown = Counter[tuple[str, str, ServedState]]()
    for cell in cells:
        kind = (cell.page, cell.field, cell.state)
        shown[kind] += 1
        if (
            shown[kind] > 3
        ):  # long listings: three rows of a kind say enough, the sums are below
            continue
        style = STYLE.get(cell.state, "dim")
        verdict = f"[{style}]{cell.state.value}[/]"
        published = (
            "" if cell.published is None else _short(str(cell.published), MAX_TEXT)
        )
        table.add_row(
            cell.page,
            cell.field,
            verdict,
            published,
            _short(str(cell.known), MAX_TEXT),
            cell.by,
        )
    return table


def _short(text: str, most: int) -> str:
    flat = " ".join(text.split()).replace("[", "\\[")
    return flat if len(flat) <= most else flat[: most - 1] + "…"
