"""What several commands have in common: their options, their console, their project.

Nothing heavy is imported here: `crawloop --help` answers at once, and every command
loads what it needs when it runs.
"""

import getpass
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from crawloop_assets.errors import ConfigError
from crawloop_assets.foreign import printable

if TYPE_CHECKING:
    from crawloop_assets.errors import CrawloopError
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

LAST_PORT = 65_535

FamilyName = Annotated[
    str, typer.Argument(help="The family's name, as in its file: shop/product.")
]
OneFamily = Annotated[str | None, typer.Argument(help="Only this family.")]
Who = Annotated[
    str,
    typer.Option(
        help="Who decides; goes into the audit. Default: the user of this machine."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]
Why = Annotated[str, typer.Option(help="Why; goes into the audit.")]


class PlainConsole(Console):
    """A console on which nothing that a page says moves the cursor, colours the screen
    or becomes a picture (`:bomb:`): whatever is printed goes through here."""

    def __init__(self, **given: Any):
        super().__init__(emoji=False, **given)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is printed, piece by piece; our own colours are no text."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


def output() -> Console:
    """Where a command prints; into a pipe or a file nothing is wrapped or cut."""
    return PlainConsole(width=None if sys.stdout.isatty() else 200)


def print_page(file: Path, text: str, *, asked: bool) -> None:
    """Write a page beside what was printed, and say on stderr where it is. Where it was
    not asked for by name, a project that cannot be written is no trouble for who only
    looks."""
    from crawloop_assets.report.html import write_page

    said = f"on its page: {file}"
    try:
        write_page(file, text)
    except OSError as error:
        if asked:
            raise
        said = f"no page is written: {error}"
    PlainConsole(stderr=True).print(said, highlight=False, markup=False, soft_wrap=True)


def print_rows(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, as_json: bool = False
) -> None:
    """A table of texts, or a list of objects for programs."""
    from rich.markup import escape
    from rich.table import Table

    if as_json:
        names = [column.replace(" ", "_") for column in columns]
        found = [dict(zip(names, row, strict=True)) for row in rows]
        print_json(found)
        return
    table = Table(*columns)
    for row in rows:
        table.add_row(*map(escape, row))
    output().print(table)


def print_json(answer: object) -> None:
    """An answer for programs, as `desk/answers.py` has it: one JSON document."""
    from pydantic_core import to_json

    sys.stdout.write(f"{to_json(answer, indent=2).decode()}\n")


_AGO = re.compile(r"(\d{1,6})\s*([mhdw])")
_MINUTES = {"m": 1, "h": 60, "d": 1_440, "w": 10_080}


def moment_of(text: str) -> datetime:
    """A day, a moment, or how long ago ("45m", "36h", "7d", "2w"), in UTC; ConfigError
    for anything else."""
    ago = _AGO.fullmatch(text.strip())
    try:
        if ago:
            return datetime.now(UTC) - timedelta(minutes=int(ago[1]) * _MINUTES[ago[2]])
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise ConfigError(
            f"{text!r} is no day", hint="write it as 2026-12-01, or as 7d, 36h or 45m"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_EVERY_S = 5.0


@contextmanager
def progress(doing: str, total: int) -> Iterator[Callable[[], None]]:
    """Says how far long work is: a bar on a terminal, into a pipe or a file a line every
    few seconds, on stderr. What it gives is called after every piece."""
    console = Console(stderr=True)
    if console.is_terminal:
        from rich.progress import Progress

        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(doing, total=total)
            yield lambda: bar.advance(task)
        return
    yield _Lines(doing, total).step


class _Lines:
    """Progress as lines."""

    def __init__(self, doing: str, total: int):
        self._doing, self._total, self._done = doing, total, 0
        self._last = time.monotonic()

    def step(self) -> None:
        """One piece more is done."""
        self._done += 1
        if time.monotonic() - self._last >= _EVERY_S:
            self._last = time.monotonic()
            print(
                f"{self._doing}: {self._done} of {self._total}",
                file=sys.stderr,
                flush=True,
            )


def person(who: str) -> str:
    """The name that goes into the audit."""
    return who or getpass.getuser()


def print_trouble(error: "CrawloopError") -> None:
    """What a person has to put right, in one red sentence."""
    from rich.markup import escape

    kind, said = type(error).__name__, escape(str(error))
    PlainConsole(stderr=True, soft_wrap=True).print(
        f"[red]{kind}[/]: {said}", highlight=False
    )


def opened() -> "tuple[Project, Store]":
    """The project the command is called in, and its store, to look at it; that it has
    lost something is said, and stops nobody who only looks."""
    from crawloop_assets.errors import CommitsLost

    project, store = _project_and_store()
    try:
        store.publisher.check_whole()
    except CommitsLost as error:
        print_trouble(error)
    return project, store


def opened_to_change() -> "tuple[Project, Store]":
    """The same for a command that changes something; CommitsLost before it does if the
    store has lost something."""
    return open_store(check=True)


def open_store(*, check: bool) -> "tuple[Project, Store]":
    """The project and its store; with a `check` of whether it has lost something,
    CommitsLost if it has."""
    project, store = _project_and_store()
    if check:
        store.publisher.check_whole()
    return project, store


def _project_and_store() -> "tuple[Project, Store]":
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    return project, Store(project.var, project.published)
