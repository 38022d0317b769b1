"""The `crawloop` command: all commands under their names."""

import signal
import sys
from collections.abc import Iterable
from typing import Annotated

import typer
from typer.models import CommandInfo

from crawloop_assets import __version__
from crawloop_assets.cli.agents import mcp_command
from crawloop_assets.cli.benchmark import eval_command
from crawloop_assets.cli.coding import code_command
from crawloop_assets.cli.contract import contract_command
from crawloop_assets.cli.crawl import crawl_command
from crawloop_assets.cli.doctor import doctor_command, restore_command
from crawloop_assets.cli.editing import schema_command
from crawloop_assets.cli.explain import explain_command
from crawloop_assets.cli.export import export_command, load_command
from crawloop_assets.cli.families import (
    family_app,
)
from crawloop_assets.cli.fetching import access_app, why_command
from crawloop_assets.cli.forget import forget_command
from crawloop_assets.cli.history import (
    audit_command,
    costs_command,
    diff_command,
    versions_command,
)
from crawloop_assets.cli.inbox import inbox_command
from crawloop_assets.cli.metrics import metrics_command
from crawloop_assets.cli.model import model_command
from crawloop_assets.cli.notify import notify_command
from crawloop_assets.cli.options import print_trouble
from crawloop_assets.cli.pages import pages_command
from crawloop_assets.cli.prune import prune_command
from crawloop_assets.cli.quarantine import quarantine_app, suspects_command
from crawloop_assets.cli.questions import question_app
from crawloop_assets.cli.replaying import replay_pages_command
from crawloop_assets.cli.report import report_command
from crawloop_assets.cli.running import (
    demo_command,
    dev_command,
    init_command,
    replay_command,
    shop_command,
)
from crawloop_assets.cli.scout import scout_command
from crawloop_assets.cli.shell import shell_command
from crawloop_assets.cli.status import status_command
from crawloop_assets.cli.trial import try_command
from crawloop_assets.cli.trouble import trouble_of, unreadable_word
from crawloop_assets.cli.upgrade import upgrade_command
from crawloop_assets.cli.verbs import verb_command
from crawloop_assets.desk.verbs import VERBS

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="A self-healing web-crawling pipeline on Dagster.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    """Which version of the package this is, and nothing else."""
    if wanted:
        typer.echo(f"crawloop {__version__}")
        raise typer.Exit


@app.callback()
def crawloop(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_say_version,
            is_eager=True,
            help="Say which version this is.",
        ),
    ] = False,
) -> None:
    """A self-healing web-crawling pipeline on Dagster."""


app.command("init")(init_command)
app.command("scout")(scout_command)
app.command("crawl")(crawl_command)
app.command("shell")(shell_command)
app.command("demo")(demo_command)
app.command("dev")(dev_command)
app.command("shop")(shop_command)
app.command("status")(status_command)
app.command("explain")(explain_command)
app.command("inbox")(inbox_command)
app.command("notify")(notify_command)
for _verb in VERBS:
    app.command(_verb.name)(verb_command(_verb.name))
app.command("report")(report_command)
app.command("diff")(diff_command)
app.command("versions")(versions_command)
app.command("costs")(costs_command)
app.command("replay-pages")(replay_pages_command)
app.add_typer(family_app, name="family")
app.command("mcp")(mcp_command)
app.command("metrics")(metrics_command)
app.command("contract")(contract_command)
app.command("schema")(schema_command)
app.command("try")(try_command)
app.command("code")(code_command)
app.command("audit")(audit_command)
app.add_typer(quarantine_app, name="quarantine")
app.add_typer(question_app, name="question")
app.command("suspects")(suspects_command)
app.add_typer(access_app, name="access")
app.command("why")(why_command)
app.command("upgrade")(upgrade_command)
app.command("doctor")(doctor_command)
app.command("model")(model_command)
app.command("restore")(restore_command)
app.command("export")(export_command)
app.command("load")(load_command)
app.command("forget")(forget_command)
app.command("prune")(prune_command)
app.command("pages")(pages_command)
app.command("eval")(eval_command)
app.command("replay")(replay_command)


def _in_one_piece(commands: Iterable[CommandInfo]) -> None:
    """Let the list of commands wrap what each does to the width of the terminal, and not
    where its docstring does as well."""
    for command in commands:
        said, _, _ = (command.callback.__doc__ or "").partition("\n\n")
        command.short_help = " ".join(said.split())


for _group in (app, family_app, quarantine_app, question_app, access_app):
    _in_one_piece(_group.registered_commands)


def main() -> None:
    """Entry point: what a person has to put right is one red sentence and exit code 1."""
    # So that what a command started (servers, daemons, workers) ends with it, however
    # it is asked to stop.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if wrong := unreadable_word(sys.argv):
            raise wrong
        app()
    except Exception as error:
        trouble = trouble_of(error)
        if trouble is None:
            raise
        print_trouble(trouble)
        raise SystemExit(1) from error
