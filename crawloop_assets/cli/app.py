"""The `crawloop` command.

Thin: every command loads what it needs when it runs and prints what it did.
"""

import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from crawloop_assets.cli.access import access_app, why_command
from crawloop_assets.cli.evaluate import eval_command
from crawloop_assets.cli.quarantine import quarantine_app, suspects
from crawloop_assets.errors import ConfigError, CrawloopError

if TYPE_CHECKING:
    from crawloop_assets.store import CrawlerVersion

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="A self-healing web-crawling pipeline on Dagster.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
family_app = typer.Typer(no_args_is_help=True, help="The families of this project.")
app.add_typer(family_app, name="family")
app.add_typer(quarantine_app, name="quarantine")
app.command("suspects")(suspects)
app.add_typer(access_app, name="access")
app.command("why")(why_command)
app.command("eval")(eval_command)
# Into a pipe or a file nothing is wrapped or cut.
console = Console(width=None if sys.stdout.isatty() else 200)

FamilyName = Annotated[
    str, typer.Argument(help="The family's name, as in its file: shop/product.")
]
WhoOption = Annotated[str, typer.Option(help="Who decides; goes into the audit.")]


def main() -> None:
    """Entry point: errors of ours are one red sentence and exit code 1."""
    # So that what a command started (servers, daemons, workers) ends with it, however it is asked to stop.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        app()
    except CrawloopError as error:
        Console(stderr=True).print(
            f"[red]{type(error).__name__}[/]: {error}", highlight=False
        )
        raise SystemExit(1) from error


@app.command()
def demo(
    port: Annotated[
        int, typer.Option(help="Port of the Dagster UI; 0 takes a free one.")
    ] = 0,
    keep: Annotated[
        bool,
        typer.Option(
            help="Leave the shop and the UI running at the end, until Ctrl-C."
        ),
    ] = False,
) -> None:
    """Break a shop, watch it heal: the whole product in two minutes, offline, without a
    key."""
    from crawloop_assets.demo.story import run_demo

    raise SystemExit(run_demo(port=port, keep=keep))


@app.command()
def replay(
    data_dir: Annotated[
        Path,
        typer.Argument(exists=True, file_okay=False, help="A folder with index.json."),
    ],
    family: Annotated[
        str, typer.Argument(help="A family of that folder that has a redesign.")
    ],
    redesign: Annotated[int, typer.Option(help="Which redesign; -1 is the last.")] = -1,
    daemon: Annotated[
        bool,
        typer.Option(help="With a Dagster webserver and daemon of its own; slower."),
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything there as JSON.")
    ] = None,
) -> None:
    """Serve captured pages of a real redesign on loopback and run the whole cycle over
    them."""
    from crawloop_assets.replay.cycle import run_replay

    raise SystemExit(
        run_replay(data_dir, family, redesign, daemon=daemon, json_file=json_file)
    )


@app.command()
def dev(
    port: Annotated[int, typer.Option(help="Port of the Dagster UI.")] = 3000,
) -> None:
    """Open the Dagster UI and daemon on this project until Ctrl-C."""
    import time

    from crawloop_assets.pipeline.launch import dagster_processes
    from crawloop_assets.project import Project

    with dagster_processes(Project.find(), port=port) as processes:
        console.print(f"Dagster UI: [link]{processes.url}[/link]   (Ctrl-C stops it)")
        try:
            while True:
                processes.check()
                time.sleep(1)
        except KeyboardInterrupt:
            console.print("stopping")


@app.command()
def shop(
    port: Annotated[
        int, typer.Option(help="Port; the shipped domains.yaml expects 8717.")
    ] = 8717,
) -> None:
    """Serve the demo shop on loopback until Ctrl-C."""
    import threading

    from crawloop_assets.demo.site.server import served
    from crawloop_assets.demo.site.shop import Shop

    with served(Shop(), port) as running, suppress(KeyboardInterrupt):
        console.print(f"the demo shop: {running.base_url}   (Ctrl-C stops it)")
        running.base_url = "http://shop.test"
        threading.Event().wait()


@family_app.command("list")
def family_list() -> None:
    """The families, their versions and how many rows they publish."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    store = Store(project.var, project.published)
    table = Table("family", "schema", "kind", "batches", "active crawler")
    for family in project.load_families():
        active = store.active(family.family)
        table.add_row(
            family.family,
            family.record_schema,
            family.kind.value,
            str(len(store.batches(family.family))),
            f"v{active.version}" if active else "none yet",
        )
    console.print(table)


@family_app.command("show")
def family_show(
    family: FamilyName,
    version: Annotated[
        int | None, typer.Argument(help="Show the score sheet of this version.")
    ] = None,
) -> None:
    """The crawler versions of a family, or what one of them has proved, field by
    field."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    store = Store(project.var, project.published)
    found = project.family(family)
    if version is not None:
        _show_proof(store.crawlers(found.family), version)
        return
    table = Table("version", "status", "made", "promoted", "why", "program")
    for one in store.crawlers(found.family):
        table.add_row(
            f"v{one.version}",
            one.status.value + (" (probation)" if one.probation else ""),
            f"{one.created_at:%Y-%m-%d %H:%M}",
            f"{one.promoted_at:%Y-%m-%d %H:%M}" if one.promoted_at else "",
            one.reason,
            one.sha256[:12],
        )
    console.print(table)


def _show_proof(versions: "Sequence[CrawlerVersion]", number: int) -> None:
    from rich.markdown import Markdown

    from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown

    version = next((one for one in versions if one.version == number), None)
    if version is None or version.score_sheet is None:
        raise ConfigError(
            "there is no such version"
            if version is None
            else f"v{number} was never proved"
        )
    console.print(
        f"v{number}: {version.status.value}, {version.reason}", highlight=False
    )
    console.print(
        Markdown(score_sheet_markdown(ScoreSheet.model_validate(version.score_sheet)))
    )


@app.command()
def rollback(
    family: FamilyName,
    version: Annotated[
        int | None,
        typer.Argument(help="The version to go back to; default: the one before."),
    ] = None,
    who: WhoOption = "operator",
) -> None:
    """Make an earlier crawler version the active one."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    now = Store(project.var, project.published).rollback(
        project.family(family).family, version, who=who
    )
    console.print(f"{family}: v{now} is active")


@app.command()
def audit(
    family: Annotated[str | None, typer.Argument(help="Only this family.")] = None,
    limit: Annotated[int, typer.Option(help="Newest lines to show.")] = 50,
) -> None:
    """Every promotion, rejection, release and heal, newest last."""
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.find()
    table = Table("when", "what", "family", "run", "detail")
    for event in Store(project.var, project.published).audits(
        family=family, limit=limit
    ):
        table.add_row(
            f"{event.created_at:%Y-%m-%d %H:%M:%S}",
            event.kind.value,
            event.family or "",
            (event.run_id or "")[:8],
            ", ".join(
                f"{key}={str(value)[:60]}" for key, value in event.detail.items()
            ),
        )
    console.print(table)
