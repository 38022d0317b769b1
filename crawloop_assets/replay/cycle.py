"""`crawloop replay`: one real redesign of captured pages, run through the whole cycle
by the same pipeline.

The known values of the pages before are the family's examples. Those of the pages after
are used for the verdict only: the pipeline never sees them.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path

import dagster as dg
from rich.console import Console

from crawloop_assets.demo.steps import StepProgress
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.pipeline.dagster_private import failed_batches
from crawloop_assets.pipeline.names import DRIFT_GATE, AssetNames
from crawloop_assets.project import Project
from crawloop_assets.replay.folder import ReplayFolder
from crawloop_assets.replay.report import (
    DecisionRow,
    Red,
    ReplayReport,
    ReplayStep,
    print_report,
)
from crawloop_assets.replay.runs import Runs, started
from crawloop_assets.replay.server import ReplayFamily, ReplayServer
from crawloop_assets.replay.verdict import Judge, Judgement
from crawloop_assets.store import AuditKind, Store
from crawloop_assets.store.places import STORE_URL


@dataclass
class Cycle:
    """The steps of one replay over a running server and project."""

    folder: ReplayFolder
    server: ReplayServer
    runs: Runs
    say: Callable[[str], None]
    done: Callable[[str], None]
    steps: list[ReplayStep] = field(default_factory=list)
    left_out: frozenset[str] = frozenset()
    went_red: bool = False

    def run(self) -> tuple[Judgement, Judgement]:
        """Crawl, switch, crawl, heal.

        The judgement before the switch and at the end.
        """
        self._step("Find the urls, compile the first crawler", self._discover)
        if self.store.active(self.folder.name) is None:
            self._step("Leave out what is not read of the examples", self._correct)
        if self.store.active(self.folder.name) is None:
            return Judgement(cells=()), Judgement(cells=())
        self._step("Crawl the pages before", self.runs.refresh)
        if self.red():
            self._step("Heal before the redesign", self._heal)
        before = self._judge(after=False)
        self.server.switch()
        self.folder.declare(after=True, without=self.left_out)
        self._step("The redesign: find new urls", self._discover)
        self._step("Crawl the pages after", self.runs.refresh)
        self.went_red = self.red()
        self._step("Heal", self._heal)
        return before, self._judge(after=True)

    @property
    def store(self) -> Store:
        """The project's store."""
        return Store(self.folder.project.var, self.folder.project.published)

    def report(
        self, redesign: int, before: Judgement, after: Judgement
    ) -> ReplayReport:
        """What the steps so far came to."""
        replayed, active = self.folder.replayed, self.store.active(self.folder.name)
        return ReplayReport(
            family=replayed.name,
            redesign=redesign,
            pages_before=len(replayed.urls),
            pages_after=sum(page.after is not None for page in replayed.pages),
            pages_both=_pages_on_both_sides(replayed),
            steps=tuple(self.steps),
            decisions=tuple(_decisions(self.store, self.folder.name)),
            questions=tuple(
                asked.sentence
                for asked in self.store.questions.waiting(self.folder.name)
            ),
            left_out=tuple(sorted(self.left_out)),
            before=before,
            after=after,
            went_red=self.went_red,
            green=active is not None and not self.red(),
            crawler=active.version if active else None,
        )

    def live_on(self) -> None:
        """Let another day pass: the cool-down is over, and the pages are crawled as
        they were."""
        self.folder.end_cooldown(without=self.left_out)
        self._step("Crawl on another day", self.runs.refresh)
        self._step("Heal on another day", self._heal)

    def heal(self) -> None:
        """Let the heal sensor have its way once more, as after what a person
        decided."""
        self._step("Heal as a person decided", self._heal)

    def judge(self) -> Judgement:
        """What is published now against what is true after the redesign."""
        return self._judge(after=True)

    def red(self) -> bool:
        """Whether a batch is red now."""
        return bool(
            failed_batches(self.runs.instance, AssetNames(self.folder.family).gate)
        )

    def _discover(self) -> str:
        """Finds the urls; it has no run whose checks could be looked at."""
        self.runs.discover()
        return ""

    def _correct(self) -> str:
        """Does once what the operator is asked to do whose examples are not read as
        they say: the fields are left out, and a first crawler is made of the rest. A
        version that waits without them says which they are."""
        for event in self.store.audits(self.folder.name, AuditKind.HEAL_FAILED)[-1:]:
            unread = event.detail["scores"]["unread"]
            self.left_out = frozenset(one["field"] for one in unread)
        for version in self.store.reviews.waiting(self.folder.name):
            sheet = ScoreSheet.model_validate(version.score_sheet)
            unread_fields = filterfalse(attrgetter("readers"), sheet.fields)
            names = map(attrgetter("field"), unread_fields)
            self.left_out = frozenset(names).intersection(sheet.unnamed)
        if self.left_out:
            self.folder.declare(after=False, without=self.left_out)
            self.runs.discover()
        return ""

    def _heal(self) -> str:
        """Lets the heal wave run until it is over; its runs are not one step."""
        self.runs.heal()
        return ""

    def _judge(self, *, after: bool) -> Judgement:
        """What is published now against what is true before or after the redesign."""
        return Judge(
            self.folder.replayed,
            self.folder.family,
            self.store,
            self.folder.project.published,
        ).judge(after=after)

    def _step(self, title: str, act: Callable[[], str]) -> None:
        """Takes a step, tells of it while it runs, and notes its seconds and failed
        checks. `act` gives the id of its run, "" if it has none."""
        self.say(title)
        began = time.monotonic()
        run = act()
        failed = tuple(_failed(self.runs.instance, run)) if run else ()
        self.steps.append(
            ReplayStep(title=title, seconds=time.monotonic() - began, failed=failed)
        )
        red = [one.check for one in failed if one.drift]
        self.done(
            f"{title} [red]{', '.join(red)}[/]" if red else f"{title} [green]done[/]"
        )


def run_replay(
    data_dir: Path,
    family: str,
    redesign: int = -1,
    *,
    daemon: bool = False,
    json_file: Path | None = None,
) -> int:
    """Replay one redesign and print what came of it; 1 if anything wrong was published
    at the end, else 0."""
    console = Console()
    report = replay(data_dir, family, redesign, daemon=daemon, console=console)
    print_report(console, report)
    if json_file is not None:
        json_file.write_text(report.model_dump_json(indent=1), encoding="utf-8")
    return 1 if any(cell.state.value == "wrong" for cell in report.after.cells) else 0


def replay(
    data_dir: Path, family: str, redesign: int, *, daemon: bool, console: Console
) -> ReplayReport:
    """Replay one redesign of a pack."""
    with replaying(data_dir, family, redesign, daemon=daemon, console=console) as cycle:
        before, after = cycle.run()
        return cycle.report(redesign, before, after)


@contextmanager
def replaying(
    data_dir: Path, family: str, redesign: int, *, daemon: bool, console: Console
) -> Iterator[Cycle]:
    """The cycle of one redesign, in a project of its own under the project's
    `var/replay/`, with its server and runs until the block ends."""
    replayed = ReplayFamily.load(data_dir, family, redesign)
    server = ReplayServer(replayed)
    parent = Project.find().var / "replay"
    with server.served():
        folder = ReplayFolder.make(parent, replayed, server.port)
        with (
            _inside(folder.project),
            started(folder, daemon=daemon) as runs,
            StepProgress(console) as progress,
        ):
            yield Cycle(folder, server, runs, *_lines(progress))


def _lines(
    progress: StepProgress,
) -> tuple[Callable[[str], None], Callable[[str], None]]:
    """Two callbacks that show the steps: one begins a line, the other ends the last."""
    tasks = []

    def say(title: str) -> None:
        """Begins a line for a step."""
        tasks.append(progress.add_task(title, total=None))

    def done(text: str) -> None:
        """Ends the last line with what came of its step."""
        progress.update(tasks[-1], description=text, total=1, completed=1)

    return say, done


def _pages_on_both_sides(replayed: ReplayFamily) -> int:
    """How many urls show a page before the redesign and after it: of the others nothing
    can be told from what was known."""
    return sum(
        page.before is not None and page.after is not None for page in replayed.pages
    )


@contextmanager
def _inside(project: Project) -> Iterator[None]:
    """Make the replay's project the one that is found, here and in child processes,
    until the block ends."""
    names = ("CRAWLOOP_HOME", "DAGSTER_HOME", "CRAWLOOP_RESOLVE", STORE_URL)
    saved, folder = {name: os.environ.get(name) for name in names}, Path.cwd()
    os.environ["CRAWLOOP_HOME"] = str(project.root)
    os.environ.pop("CRAWLOOP_RESOLVE", None)
    os.environ.pop(STORE_URL, None)  # what is only tried is no matter of other machines
    try:
        yield
    finally:
        os.chdir(folder)
        for name, value in saved.items():
            _set_variable(name, value)


def _set_variable(name: str, value: str | None) -> None:
    """Give an environment variable a value again, or None if it had none: to programs an
    empty one is not the same."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _failed(instance: dg.DagsterInstance, run: str) -> Iterator[Red]:
    """The checks of a run that failed; the gate is only their sum."""
    for entry in instance.all_logs(
        run, of_type=dg.DagsterEventType.ASSET_CHECK_EVALUATION
    ):
        found = entry.get_dagster_event().event_specific_data
        if isinstance(found, dg.AssetCheckEvaluation) and _is_red(found):
            drift = found.severity is dg.AssetCheckSeverity.ERROR
            yield Red(
                check=found.check_name, drift=drift, sentence=found.description or ""
            )


def _is_red(found: dg.AssetCheckEvaluation) -> bool:
    """Whether a check failed for a reason of its own, which the gate has none of."""
    return not found.passed and found.check_name != DRIFT_GATE


def _decisions(store: Store, family: str) -> Iterator[DecisionRow]:
    """How the regenerations ended, the first crawler included, oldest first."""
    sheets = {
        version.version: version.score_sheet or {} for version in store.crawlers(family)
    }
    first = True
    for event in store.audits(family=family):
        detail = event.detail
        if event.kind is AuditKind.HEAL_FINISHED:
            sheet = sheets.get(detail["version"], {})
            yield DecisionRow(
                outcome=detail["outcome"],
                first=first,
                version=detail["version"],
                reason=str(sheet.get("reason", "")),
                fields=_field_reasons(sheet),
            )
            first = False
        elif event.kind is AuditKind.HEAL_FAILED:
            fields = _field_reasons(detail.get("scores", {}))
            yield DecisionRow(
                outcome="rejected", first=first, reason=detail["reason"], fields=fields
            )


def _field_reasons(sheet: dict[str, object]) -> dict[str, str]:
    """Why each field of a score sheet is as it is, for those that say so."""
    scores = sheet.get("fields", ())
    assert isinstance(scores, list | tuple)
    return {score["field"]: score["reason"] for score in scores if score["reason"]}
