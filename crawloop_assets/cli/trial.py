"""`crawloop try`: what a change would do to the rows, before it counts."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from crawloop_assets.cli.options import opened, output, print_json
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from crawloop_assets.crawler.program import Program
    from crawloop_assets.family import Family
    from crawloop_assets.heal.trial import Trial
    from crawloop_assets.project import Project


def try_command(
    family: Annotated[
        str, typer.Argument(help="A family's name, or a family file anywhere.")
    ],
    crawler: Annotated[
        str,
        typer.Option(help="Read with this version: its number, or a program's file."),
    ] = "",
    rows: Annotated[
        int, typer.Option(help="How many rows of each sort are shown.")
    ] = 10,
    as_json: Annotated[
        bool, typer.Option("--json", help="For programs: all of it.")
    ] = False,
) -> None:
    """Read all stored pages of a family as its file, its schema and its crawler are now,
    and show what would become of the published rows. Nothing is fetched, published or
    changed. Exit code 1 if pages would be held, rows go, or no crawler could be made.

    Example: crawloop try shop/product
    """
    from tempfile import TemporaryDirectory

    from crawloop_assets.heal.trial import Rehearsal
    from crawloop_assets.sandbox import WorkerPool

    project, store = opened()
    tried, others = _chosen(project, family)
    given = _crawler(crawler)
    doing = f"{tried.family}: its stored pages are read, on a copy of the store ..."
    typer.echo(doing, err=True)
    with TemporaryDirectory(prefix="crawloop-try-") as folder, WorkerPool() as pool:
        trial = Rehearsal(tried, others, store, pool, Path(folder), given).run()
    if as_json:
        print_json(trial.as_json())
    else:
        _print(output(), trial, rows)
        output().print(_apply(tried, trial, crawler), highlight=False, soft_wrap=True)
    raise typer.Exit(int(trial.costs))


def _chosen(project: "Project", name: str) -> "tuple[Family, Sequence[Family]]":
    """The family that is tried, and all of the project with it in its place."""
    from crawloop_assets.project import load_family

    file = Path(name)
    if file.suffix not in (".yaml", ".yml"):
        return project.family(name), project.read_families().families
    project.make_importable()
    tried = load_family(file)
    others = [
        one for one in project.read_families().families if one.family != tried.family
    ]
    return tried, [*others, tried]


def _crawler(given: str) -> "int | Program | None":
    """The version, or the program, to read with; None if none is given."""
    from crawloop_assets.crawler.program import Program

    if not given:
        return None
    if _is_number(given):
        return int(given.removeprefix("v"))
    try:
        return Program.from_json(Path(given).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # not there; no text, no JSON, no program
        why = error.strerror if isinstance(error, OSError) else "it holds no program"
        raise ConfigError(
            f"{given} is neither a version nor the file of a program: {why}",
            hint="give a version of `crawloop family show`, or the JSON of one",
        ) from error


def _print(console: Console, trial: "Trial", most: int) -> None:
    """The counts, then a few rows of each sort."""
    rows = trial.rows
    reader = f"v{trial.version}" if trial.version else "no version: there is none"
    console.print(
        f"{trial.family}: {trial.pages} stored pages, read with {reader}. {trial.made}",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    console.print(
        f"{rows.same} rows stay, {len(rows.new)} new, {len(rows.changed)} changed, "
        f"{len(rows.gone)} gone; {len(trial.refused)} pages refused"
    )
    for name, count in rows.fields.most_common():
        console.print(f"  {name}: another in {count} rows", highlight=False)
    for sign, lines in {
        "+": rows.new,
        "~": list(map(_changed, rows.changed)),
        "-": rows.gone,
        "!": [f"{one.url}: {' '.join(one.why)}" for one in trial.refused],
    }.items():
        for line in lines[:most]:
            console.print(sign, line, highlight=False, markup=False, soft_wrap=True)
        if len(lines) > most:
            console.print(f"{sign} … and {len(lines) - most} more", highlight=False)


def _changed(change: object) -> str:
    """A row that would be changed, field by field."""
    from crawloop_assets.heal.trial import RowChange

    assert isinstance(change, RowChange)
    parts = [f"{name}: {old} → {new}" for name, (old, new) in change.fields.items()]
    return f"{change.row}\n    " + "\n    ".join(parts)


def _apply(family: "Family", trial: "Trial", crawler: str) -> str:
    """What makes it count."""
    steps = [f"the job replay_{family.slug} for all batches"]
    if trial.is_new:
        steps.insert(0, f"the job regenerate_{family.slug}")
    if crawler:
        # A program in a file has no number yet, and no proof.
        version = (
            trial.version
            if _is_number(crawler)
            else "VERSION, once one like it was made,"
        )
        steps.insert(0, f"crawloop promote {family.family} {version}")
    else:
        steps.insert(0, "the file in families/")
    return f"Nothing was changed. To let it count: {', then '.join(steps)}."


def _is_number(crawler: str) -> bool:
    """Whether it names a version: 3 or v3."""
    return crawler.removeprefix("v").isdecimal()
