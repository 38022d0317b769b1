"""`crawloop eval`: run the benchmark on a folder of captured pages."""

import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from crawloop_assets.cli.options import PlainConsole, progress
from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.tasks import CPU_SECONDS, Input, Task

if TYPE_CHECKING:
    from crawloop_assets.eval.pack import PackFamily
    from crawloop_assets.eval.pool import EvalJob, FamilyResult


def eval_command(  # noqa: PLR0913 - each is one option of the command
    data_dir: Annotated[
        Path, typer.Argument(help="Folder of captured pages with an index.json.")
    ],
    form: Annotated[
        Input, typer.Option("--input", help="How much of each page is shown.")
    ] = Input.AS_IS,
    schema: Annotated[
        list[str] | None,
        typer.Option(help="Only families of this schema (repeatable)."),
    ] = None,
    families: Annotated[
        str,
        typer.Option(help="Only families whose name matches this regular expression."),
    ] = "",
    limit: Annotated[
        int,
        typer.Option(
            help="At most this many families, spread evenly; 0 is all.", min=0
        ),
    ] = 0,
    task: Annotated[
        list[Task] | None,
        typer.Option(help="Only this group of the report (repeatable)."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(help="Families evaluated side by side.", min=1)
    ] = 1,
    cpu_seconds: Annotated[
        int, typer.Option(help="CPU seconds a family may take.", min=1)
    ] = CPU_SECONDS,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="Another value of the compiler's trust table: NAME=x1.2 or NAME=0.3 (repeatable)."
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the whole report here.")
    ] = None,
    errors_file: Annotated[
        Path | None,
        typer.Option("--errors", help="Write every field not right (JSONL)."),
    ] = None,
) -> None:
    """Measure on real pages how well programs compile, read listings, notice drift and
    heal.

    Example: crawloop eval data/pages --task compile
    """
    from crawloop_assets.eval.pack import load_pack
    from crawloop_assets.eval.pool import EvalJob
    from crawloop_assets.eval.report import eval_report
    from crawloop_assets.eval.table import report_table
    from crawloop_assets.induce.trust import check_changes

    console = PlainConsole(stderr=True)
    chosen = _choose(load_pack(data_dir), schema or [], families, limit)
    tasks = frozenset(task or ())
    changes = tuple(vary or ())
    check_changes(changes)
    work = [
        EvalJob(data_dir, family, form, cpu_seconds, tasks, changes)
        for family in chosen
    ]
    results = _with_progress(work, jobs)
    tree = {"input": form.value, "data": data_dir.name, **eval_report(results)}
    if changes:
        tree["vary"] = changes
    if json_file:
        json_file.write_text(json.dumps(tree, indent=2, sort_keys=True) + "\n")
    if errors_file:
        _write_errors(errors_file, results)
    width = None if sys.stdout.isatty() else 140
    title = f"{data_dir.name}, {form.value}"
    PlainConsole(width=width).print(report_table(tree, title))
    _print_failures(console, tree["failures"])


def _print_failures(console: Console, failures: "Mapping[str, Sequence[str]]") -> None:
    """The families that could not be measured to their end, each with all reasons; they
    go to stderr, so that the table alone can be kept."""
    for name, reasons in failures.items():
        message = f"[red]failed[/red] {name}: {'; '.join(reasons)}"
        console.print(message, highlight=False)


def _choose(
    pack: "Sequence[PackFamily]", schemas: list[str], pattern: str, limit: int
) -> "list[PackFamily]":
    """The families asked for, at most `limit` of them, spread over the pack;
    ConfigError if there are none, or the pattern is none."""
    named = _named(pattern)
    chosen = [family for family in pack if named.search(family.family)]
    if schemas:
        chosen = [family for family in chosen if family.schema_name in schemas]
    if not chosen:
        raise ConfigError(
            "no family of the pack matches", hint="check --schema and --families"
        )
    return _spread(chosen, limit)


def _spread(chosen: "list[PackFamily]", limit: int) -> "list[PackFamily]":
    """At most `limit` families, 0 for all, at equal distances: a pack is sorted by site,
    and its first families would be those of a few sites."""
    if not limit:
        return chosen
    return chosen[:: math.ceil(len(chosen) / limit)]


def _named(pattern: str) -> re.Pattern[str]:
    """The pattern of --families; ConfigError if it is none."""
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ConfigError(f"--families is not a regular expression: {error}") from error


def _with_progress(work: "list[EvalJob]", jobs: int) -> "list[FamilyResult]":
    """The result of each family; how far it is, is said while they are evaluated."""
    from crawloop_assets.eval.pool import evaluate

    with progress("evaluating families", len(work)) as step:

        def done(_: "FamilyResult") -> None:
            """One family more."""
            step()

        return evaluate(work, jobs, done)


def _write_errors(file: Path, results: "list[FamilyResult]") -> None:
    """Writes each field that is not right as one line of JSON."""
    from crawloop_assets.eval.report import errors

    with file.open("w") as out:
        for row in errors(results):
            out.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
