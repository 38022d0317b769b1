"""`crawloop demo`: a shop breaks and heals, told step by step, through the real Dagster
instance of the project."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

import dagster as dg
from rich.console import Console
from rich.table import Table

from crawloop_assets.demo.site.changes import Only
from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.demo.steps import StepProgress
from crawloop_assets.demo.witness import Witness
from crawloop_assets.errors import ConfigError, CrawloopError
from crawloop_assets.family import Family
from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import dagster_processes, free_port, port_is_free
from crawloop_assets.project import Project
from crawloop_assets.starter import lay_out_shop
from crawloop_assets.store import Store
from crawloop_assets.store.published import published_rows
from crawloop_assets.store.tables import table_name

HOST = "shop.test"
PORT = 8717
PREFIX = "shop/"
FOLDER = "crawloop-demo"
_PATIENCE_S = (
    600  # on a busy machine every run of Dagster is a process that takes its time
)
REDESIGNED_FIRST = Only(categories=frozenset({"audio", "kitchen", "outdoor"}))


@dataclass(frozen=True)
class StoryLine:
    """One line of the final table."""

    step: str
    pages: int
    records: int
    served_by: str
    red: str
    model_calls: int
    cost: float
    seconds: float


@dataclass
class Story:
    """The steps of the demo.

    `lines` is the final table, `faults` what must not have happened.
    """

    project: Project
    drive: Drive
    witness: Witness
    progress: StepProgress
    families: Sequence[Family]
    lines: list[StoryLine] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def tell(self) -> None:
        """The whole story."""
        shop = self.witness.shop
        self.witness.note()
        self.step(
            "Find the urls, compile the first crawlers", self.discover, complete=False
        )
        self.step("Crawl the healthy shop (layout A)", self.refresh)
        shop.redesign("B", REDESIGNED_FIRST)
        self.step("Half the shop is redesigned (B): crawl", self.refresh)
        self.step("Heal", self.heal)
        shop.redesign("C")
        shop.change_prices(0.1)
        self.step("All of it is redesigned (C), prices move: crawl", self.refresh)
        self.step("Heal", self.heal)
        shop.redesign("A")
        self.step("The first layout comes back (A): crawl", self.refresh)
        shop.redesign("C")
        self.step("And the third again (C): crawl", self.refresh)

    def step(
        self,
        title: str,
        act: Callable[[Callable[[str], None]], None],
        *,
        complete: bool = True,
    ) -> None:
        """Run a step under its own progress line, then hold the tables against what is
        true."""
        title = f"{len(self.lines) + 1}. {title}"
        task = self.progress.add_task(title, total=None)
        started, fetched, calls = time.monotonic(), self._fetched(), self._model_calls()
        self.witness.note()
        act(
            lambda what: self.progress.update(
                task, description=f"{title} [dim]{what}[/]"
            )
        )
        rows = self._rows()
        self.lines.append(
            StoryLine(
                step=title,
                pages=self._fetched() - fetched,
                records=len(rows),
                served_by=_served_by(rows),
                red=self.red(),
                model_calls=self._model_calls() - calls,
                cost=0.0 if self._model_calls() == calls else self._cost(),
                seconds=time.monotonic() - started,
            )
        )
        self.progress.update(
            task,
            description=f"{title} [green]{self.lines[-1].red or 'all green'}[/]",
            total=1,
        )
        self.progress.advance(task)
        self.faults.extend(
            f"after {title!r}: {fault}"
            for fault in self.witness.faults(complete=complete)
        )

    def discover(self, say: Callable[[str], None]) -> None:
        """Find the urls; the same run compiles the first crawler of each family."""
        self.drive.wait(list(map(self.drive.discover, self.families)), _PATIENCE_S)

    def refresh(self, say: Callable[[str], None]) -> None:
        """One run per family over all its batches."""
        self.drive.wait(list(map(self.drive.refresh, self.families)), _PATIENCE_S)

    def heal(self, say: Callable[[str], None]) -> None:
        """Wait until the sensor, the fallback and the regeneration have made everything
        green."""

        def green() -> bool:
            """True once all is green and nothing runs any more; tells what it waits
            for."""
            red = self.red()
            say(red or "finishing")
            return not red and all(map(self.drive.idle, self.families))

        self.drive.until(green, "all checks to be green", _PATIENCE_S)

    def red(self) -> str:
        """Red batches per family, in words."""
        found = {
            family.family: (self.drive.red(family), self.drive.batches(family))
            for family in self.families
        }
        return ", ".join(
            f"{name} {len(red)} of {len(of)} red"
            for name, (red, of) in found.items()
            if red
        )

    def _rows(self) -> list[dict[str, object]]:
        """The published rows of all families, as far as the table of the story needs
        them."""
        columns = ["_served_by", "_crawler_version", "_family", "_stale_since"]
        tables = {table_name(family.model().__name__) for family in self.families}
        return [
            row
            for table in sorted(tables)
            for row in published_rows(self.project.published, table, columns)
        ]

    def _fetched(self) -> int:
        """Requests the shop got, robots.txt apart."""
        return sum(not hit.path.startswith("/robots") for hit in self.witness.shop.hits)

    def _model_calls(self) -> int:
        """Model calls so far."""
        return len(published_rows(self.project.published, "llm_calls", ["family"]))

    def _cost(self) -> float:
        """What they cost, in dollars."""
        return sum(
            float(row["usd"] or 0)
            for row in published_rows(self.project.published, "llm_calls", ["usd"])
        )


def run_demo(*, port: int = 0, keep: bool = False) -> int:
    """Run the demo; 0 if everything ended green, with true values and without a model
    call."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    project, families = _project_with_shop()
    _must_be_new(project, families)
    started = time.monotonic()
    console.print(
        "[bold]Crawloop demo[/]: a shop is redesigned three times. No key, no network beyond loopback.\n"
    )
    shop_port = PORT if port_is_free(PORT) else free_port()
    environment = {"CRAWLOOP_RESOLVE": f"{HOST}=127.0.0.1:{shop_port}"}
    with (
        served(Shop(), shop_port) as shop,
        dagster_processes(
            project, port=port, loop_seconds=2, env=environment
        ) as processes,
    ):
        console.print(
            f"Shop [link]{shop.base_url}[/]   Dagster UI [link]{processes.url}[/]\n"
        )
        shop.base_url = f"http://{HOST}"
        witness = Witness(shop, project.published, families)
        story = _whole_story(console, project, processes.url, witness)
        _report(console, project, story, time.monotonic() - started)
        if keep:
            _wait_for_ctrl_c(console)
    return 1 if story.faults else 0


def _project_with_shop() -> tuple[Project, list[Family]]:
    """The project that is here if it has the shop's families, as the checkout has;
    else one that is made for the story in the current folder."""
    project = _project_here()
    families = _shop_families(project) if project else []
    if project is None or not families:
        project = lay_out_shop(Path.cwd() / FOLDER).project
        families = _shop_families(project)
    return project, families


def _project_here() -> Project | None:
    """The project that the command is called in, None if there is none."""
    try:
        return Project.find()
    except ConfigError:
        return None


def _shop_families(project: Project) -> list[Family]:
    """The families of the shop that a project declares."""
    return [one for one in project.load_families() if one.family.startswith(PREFIX)]


def _whole_story(
    console: Console, project: Project, url: str, witness: Witness
) -> Story:
    """The story, told to its end; an error that breaks it off is a fault of the story,
    so that what was told until then is still shown. `url` is that of the Dagster UI."""
    with (
        dg.DagsterInstance.get() as instance,
        StepProgress(console) as progress,
    ):
        drive = Drive(url, instance)
        story = Story(project, drive, witness, progress, witness.families)
        try:
            story.tell()
        except CrawloopError as error:
            story.faults.append(str(error))
    return story


def _wait_for_ctrl_c(console: Console) -> None:
    """Keeps the shop and Dagster up, for a look around, until somebody has had enough;
    then the demo ends as it would have at once."""
    console.print("Leaving everything running; Ctrl-C stops it.")
    with suppress(KeyboardInterrupt):
        while True:
            time.sleep(1)


def _must_be_new(project: Project, families: Sequence[Family]) -> None:
    """ConfigError if the shop was crawled here before: the story begins with a first
    crawl."""
    store = Store(project.var, project.published)
    if any(store.batches(family.family) for family in families):
        raise ConfigError(
            "the demo shop was crawled in this project before, and the story begins with a first crawl",
            file=str(project.var),
            hint=f"delete {project.var.name}/ and {project.published.name} to tell it again",
        )


def _served_by(rows: Sequence[dict[str, object]]) -> str:
    """How many rows each version serves, one line for each."""
    counts = Counter(
        f"{row['_family']} v{row['_crawler_version']}{' (last good)' if row['_stale_since'] else ''}"
        for row in rows
    )
    return "\n".join(f"{count} {who}" for who, count in sorted(counts.items()))


def _cells(line: StoryLine) -> tuple[str, ...]:
    """One step as texts for the columns of the table; families that are red stand below
    each other."""
    return (
        line.step,
        str(line.pages),
        str(line.records),
        line.served_by,
        line.red.replace(", ", "\n") or "[green]all green[/]",
        str(line.model_calls),
        f"${line.cost:.2f}",
        f"{line.seconds:.1f}",
    )


def _report(console: Console, project: Project, story: Story, seconds: float) -> None:
    """The story as a table, what went wrong in it, and where to look on."""
    table = Table(
        "step",
        "pages",
        "rows",
        "served by",
        "red",
        "calls",
        "cost",
        "seconds",
        show_lines=True,
    )
    for line in story.lines:
        table.add_row(*_cells(line))
    console.print(table)
    for fault in story.faults:
        console.print(f"[red]{fault}[/]")
    if not story.faults:
        calls = sum(map(attrgetter("model_calls"), story.lines))
        console.print(
            f"[green]All checks are green, every published value is true, {calls} model calls, {seconds:.0f} s.[/]"
        )
    query = "SELECT title, price, _crawler_version, _served_by FROM product LIMIT 3"
    console.print(
        f"\nThe tables: duckdb -readonly {project.published.name} -c '{query}'",
        highlight=False,
    )
    console.print(
        f"What just happened, in the Dagster UI: crawloop dev in {project.root} (in a checkout: make dev)",
        highlight=False,
        soft_wrap=True,
    )
