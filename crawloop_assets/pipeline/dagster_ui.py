"""Dagster's webserver, and the server of code that it begins.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_ui.py.
"""

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

_LOOK_EVERY_S = 5.0


def run_webserver(port: int, guard: Callable[[Any], Any]) -> None:
    """Dagster's webserver on a port of loopback, until it is asked to stop; `guard` is
    given its ASGI app and gives the one that is served."""
    cli: Any = import_module("dagster_webserver.cli")

    made = cli.create_app_from_workspace_process_context

    def made_with_care(context: Any, *given: Any, **more: Any) -> Any:
        watch = threading.Thread(target=_keep_code, args=[context], daemon=True)
        watch.start()
        return guard(made(context, *given, **more))

    cli.create_app_from_workspace_process_context = made_with_care
    cli.cli.main(
        args=["-h", "127.0.0.1", "-p", str(port)], prog_name="crawloop-webserver"
    )


def _keep_code(context: Any) -> None:
    """Look after the server of code for as long as this process lives."""
    while True:
        threading.Event().wait(_LOOK_EVERY_S)
        revive_code(context)


def revive_code(context: Any) -> bool:
    """Whether a server of code of a workspace had ended, as one that was killed, and was
    begun anew. Dagster's webserver does not: each launch is answered with "Internal
    Server Error" from then on, until somebody reloads the code."""
    servers = list(context._grpc_server_registry._active_entries.values())
    processes = [getattr(server, "process", None) for server in servers]
    ended = any(one and one.server_process.poll() is not None for one in processes)
    if ended:
        context.reload_workspace()
    return ended
