"""`crawloop metrics`: what can be measured, for Prometheus."""

import sys
from threading import Event
from typing import Annotated

import typer

from crawloop_assets.cli.options import LAST_PORT, opened, output


def metrics_command(
    port: Annotated[
        int,
        typer.Option(
            help="Where Prometheus asks, on this machine.", max=LAST_PORT, min=0
        ),
    ] = 9464,
    host: Annotated[
        str, typer.Option(help="An address of this machine; others can ask there.")
    ] = "127.0.0.1",
    once: Annotated[
        bool, typer.Option("--once", help="Print everything once, and end.")
    ] = False,
) -> None:
    """Let Prometheus ask what can be measured, until Ctrl-C: fetches by verdict, pages per
    second, drift, waves, heal time, stale rows, held pages, cost; all of it observed in the
    store.

    Example: crawloop metrics --port 9464
    """
    from crawloop_assets.report.metrics import meter_provider, prometheus_reader

    project, store = opened()
    provider = meter_provider(project, store, [prometheus_reader()])
    from prometheus_client import generate_latest, start_http_server

    try:
        if once:
            sys.stdout.write(generate_latest().decode())
            return
        served, _ = start_http_server(port, addr=host)
        where = f"http://{host}:{served.server_port}/metrics"
        output().print(f"metrics are at {where} until Ctrl-C", highlight=False)
        Event().wait()
    finally:
        provider.shutdown()
