"""`crawloop init`, `demo`, `dev`, `shop` and `replay`: commands that run until they are
done or stopped."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from crawloop_assets.cli.options import LAST_PORT, opened_to_change, output


def demo_command(
    port: Annotated[
        int,
        typer.Option(
            help="Port of the Dagster UI; 0 takes a free one.", max=LAST_PORT, min=0
        ),
    ] = 0,
    keep: Annotated[
        bool,
        typer.Option(
            help="Leave the shop and the UI running at the end, until Ctrl-C."
        ),
    ] = False,
) -> None:
    """Break a shop, watch it heal: the whole product in two minutes, offline, without a
    key.

    Example: crawloop demo --keep
    """
    from crawloop_assets.demo.story import run_demo

    raise SystemExit(run_demo(port=port, keep=keep))


def init_command(
    folder: Annotated[
        Path, typer.Argument(help="Where the project shall lie; made if need be.")
    ],
    shop: Annotated[
        bool,
        typer.Option("--shop", help="With the demo shop's families, to look at."),
    ] = False,
) -> None:
    """Make a folder a project of your own; files that are there are left as they are.

    Example: crawloop init books
    """
    from crawloop_assets.starter import init_project, lay_out_shop

    made = lay_out_shop(folder) if shop else init_project(folder)
    console = output()
    for name in made.written:
        console.print(f"  [green]+[/] {name}", highlight=False)
    for name in made.kept:
        console.print(f"  [dim]  {name} (was there, left as it is)[/]", highlight=False)
    console.print(
        f"A project lies in {made.folder}. Go there; README.md says how it goes on.",
        highlight=False,
        soft_wrap=True,
    )


def dev_command(
    port: Annotated[
        int,
        typer.Option(
            help="Port of the Dagster UI; 0 takes a free one.", max=LAST_PORT, min=0
        ),
    ] = 3000,
    token: Annotated[
        str,
        typer.Option(
            envvar="CRAWLOOP_UI_TOKEN",
            help="Who opens the UI has to know it; the address that is printed has it.",
        ),
    ] = "",
) -> None:
    """Open the Dagster UI and daemon on this project until Ctrl-C; only this machine
    may use it, and no other site's pages.

    Example: crawloop dev --port 3001
    """
    import time

    from crawloop_assets.pipeline.launch import dagster_processes

    console = output()
    known = {"CRAWLOOP_UI_TOKEN": token}
    # Half a minute on a busy machine: who sees nothing takes it for dead.
    console.print("starting the Dagster UI and daemon ...", highlight=False)
    # On a store that is damaged or lacks what it had, each run would fail, one by one.
    project, _ = opened_to_change()
    with dagster_processes(project, port=port, env=known) as processes:
        address = f"{processes.url}/?token={token}" if token else processes.url
        console.print(
            f"Dagster UI: [link]{address}[/link]   (Ctrl-C stops it)", soft_wrap=True
        )
        try:
            while True:
                processes.check()
                time.sleep(1)
        except KeyboardInterrupt:
            console.print("stopping")


def shop_command(
    port: Annotated[
        int,
        typer.Option(
            help="Port; the shipped domains.yaml expects 8717.", max=LAST_PORT, min=0
        ),
    ] = 8717,
) -> None:
    """Serve the demo shop on loopback until Ctrl-C.

    Example: crawloop shop
    """
    import threading

    from crawloop_assets.demo.site.server import served
    from crawloop_assets.demo.site.shop import Shop
    from crawloop_assets.starter import shop_models

    # The shop says its truth in the words of these models, in whatever folder it is called.
    sys.path.append(str(shop_models().parent))
    with served(Shop(), port) as running, suppress(KeyboardInterrupt):
        output().print(f"the demo shop: {running.base_url}   (Ctrl-C stops it)")
        running.base_url = "http://shop.test"
        threading.Event().wait()


def replay_command(
    data_dir: Annotated[
        Path,
        typer.Argument(exists=True, file_okay=False, help="A folder with index.json."),
    ],
    family: Annotated[
        str, typer.Argument(help="A family of that folder; its name in index.json.")
    ],
    redesign: Annotated[int, typer.Option(help="Which redesign; -1 is the last.")] = -1,
    daemon: Annotated[
        bool,
        typer.Option(help="With a Dagster webserver and daemon of its own; slower."),
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything there as JSON.")
    ] = None,
    serve: Annotated[
        bool,
        typer.Option(
            help="Only serve the pages, to try scout, crawl and shell on them."
        ),
    ] = False,
) -> None:
    """Serve captured pages of a real redesign on loopback and run the whole cycle over
    them; a family without redesigns stays as it is.

    Example: crawloop replay data/pages shop
    """
    import threading

    from crawloop_assets.replay.cycle import run_replay
    from crawloop_assets.replay.serving import served_family

    if serve:
        with (
            served_family(data_dir, family, redesign) as lines,
            suppress(KeyboardInterrupt),
        ):
            print(*lines, sep="\n", flush=True)
            threading.Event().wait()
        return
    raise SystemExit(
        run_replay(data_dir, family, redesign, daemon=daemon, json_file=json_file)
    )
