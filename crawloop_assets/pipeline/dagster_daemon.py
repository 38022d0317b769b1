"""Dagster's daemon process, which looks for work more often than Dagster's own and keeps
its server of code for as long as that is of use.

Beyond the public API, like `dagster_private`: the contract test is
tests/pipeline/test_dagster_daemon.py.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import dagster as dg
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.remote_representation.grpc_server_registry import (
    GrpcServerRegistry,
    ServerRegistryEntry,
)

__all__ = [
    "hurry_sensors",
    "keep_code_server",
    "outlive_storage",
    "shorten_daemon_loops",
]

_log = logging.getLogger(__name__)

_BUSY_S, _IDLE_S = 1, 5
"""Between two looks of the daemon at which sensors are due; Dagster's own is the second."""
_LONGEST_S = 3600.0
"""How old a server of code gets: what nobody sees change, such as a package that a schema is
imported from, counts from then on."""


class _Pause(float):
    """Seconds between two looks for work. The loop over backfills takes off it what the
    look has taken, each time: there it is as short as that between looks at sensors,
    while that is short (see `hurry_sensors`)."""

    def __sub__(self, taken: float) -> float:
        """How long to wait now."""
        sensors: Any = import_module("dagster._daemon.sensor")
        return min(float(self), float(sensors.MIN_INTERVAL_LOOP_TIME)) - taken


def shorten_daemon_loops(seconds: int) -> None:
    """Let the daemons of this process look for work this often; Dagster's own 30 s
    cannot be configured."""
    # Imported here: a run would pay more than a second of CPU for it.
    controller: Any = import_module("dagster._daemon.controller")
    controller.DEFAULT_DAEMON_INTERVAL_SECONDS = _Pause(seconds)


def hurry_sensors(is_busy: Callable[[dg.DagsterInstance], bool]) -> None:
    """Let the daemon of this process see within a second that a sensor is due, or what
    became of a backfill, while its instance `is_busy`; that is asked every five seconds, and a run takes longer."""
    controller: Any = import_module("dagster._daemon.controller")
    sensors: Any = import_module("dagster._daemon.sensor")
    checked = controller.DagsterDaemonController.check_daemon_threads

    def checked_and_paced(self: Any) -> None:
        """What the main loop does first, each time."""
        sensors.MIN_INTERVAL_LOOP_TIME = _IDLE_S
        with _outliving_its_storage():
            if is_busy(self._instance):
                sensors.MIN_INTERVAL_LOOP_TIME = _BUSY_S
        checked(self)

    controller.DagsterDaemonController.check_daemon_threads = checked_and_paced


def outlive_storage() -> None:
    """Let the daemon of this process go on where Dagster's storage does not answer, as its
    threads do: else its main loop ends it, at the next look at their signs of life."""
    controller: Any = import_module("dagster._daemon.controller")
    checked = controller.DagsterDaemonController.check_daemon_heartbeats

    def checked_if_known(self: Any) -> None:
        with _outliving_its_storage():
            checked(self)

    controller.DagsterDaemonController.check_daemon_heartbeats = checked_if_known


@contextmanager
def _outliving_its_storage() -> Iterator[None]:
    """What fails inside is said, and asked again at the next turn of the main loop."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - each storage has errors of its own
        _log.warning("Dagster's storage does not answer: %s", type(error).__name__)


def keep_code_server(has_changed: Callable[[], bool]) -> None:
    """Let the daemon of this process have one server of code until that ends or does not
    answer, the project `has_changed`, or an hour is over; Dagster's own begins a new one
    every minute."""
    controller: Any = import_module("dagster._daemon.controller")
    made_anew = controller.DagsterDaemonController.check_workspace_freshness

    def when_needed(self: Any, last: float) -> float:
        """`last` is when the server was begun (seconds since 1970)."""
        if has_changed():
            return float(made_anew(self, last - controller.RELOAD_WORKSPACE_INTERVAL))
        is_young = controller.get_current_timestamp() - last < _LONGEST_S
        if is_young and _is_served(self._grpc_server_registry):
            return last
        return float(made_anew(self, last))

    controller.DagsterDaemonController.check_workspace_freshness = when_needed


def _is_served(registry: GrpcServerRegistry) -> bool:
    """Whether this process has servers of code, and all of them run and answer."""
    servers = list(registry._active_entries.values())
    return bool(servers) and all(
        isinstance(server, ServerRegistryEntry)
        and server.process.server_process.poll() is None
        and _answers(server)
        for server in servers
    )


def _answers(server: ServerRegistryEntry) -> bool:
    """Whether it does so within Dagster's minute: one that hangs would start no run and
    make no tick, and never end."""
    process: Any = server.process
    try:
        process.create_client().ping("")
    except DagsterUserCodeUnreachableError:
        return False
    return True
