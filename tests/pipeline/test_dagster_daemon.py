"""What we change of Dagster's daemon is still where it was. Contract tests."""

import inspect
import socket
from types import SimpleNamespace
from typing import Any, cast

import dagster as dg
import pytest
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.remote_representation.grpc_server_registry import (
    ErrorRegistryEntry,
    GrpcServerRegistry,
    ServerRegistryEntry,
)
from dagster._core.test_utils import create_run_for_test
from dagster._daemon import backfill as backfill_daemon
from dagster._daemon import controller
from dagster._daemon import sensor as sensor_daemon
from dagster._grpc import client as client_module
from dagster._grpc.__generated__ import dagster_api_pb2
from dagster._grpc.server import GrpcServerProcess

from crawloop_assets.pipeline.busy import is_busy
from crawloop_assets.pipeline.dagster_daemon import (
    hurry_sensors,
    keep_code_server,
    outlive_storage,
    shorten_daemon_loops,
)
from crawloop_assets.pipeline.sensors import HEAL_EVERY_S


def test_the_backfill_daemon_still_reads_its_interval_where_we_set_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(controller, "DEFAULT_DAEMON_INTERVAL_SECONDS", 30)
    shorten_daemon_loops(3)
    assert controller.DEFAULT_DAEMON_INTERVAL_SECONDS == 3
    loop = inspect.getsource(backfill_daemon.execute_backfill_iteration_loop)
    name = "DEFAULT_DAEMON_INTERVAL_SECONDS"
    assert f"from dagster._daemon.controller import {name}" in loop
    assert f"max(0, {name} - loop_duration)" in loop


@pytest.mark.parametrize(("between_sensors", "pause"), [(5, 1.5), (1, 0.5)])
def test_backfills_are_looked_at_more_often_while_something_runs(
    monkeypatch: pytest.MonkeyPatch, between_sensors: int, pause: float
) -> None:
    """Also by the loop that has begun with the pause of an idle daemon."""
    monkeypatch.setattr(controller, "DEFAULT_DAEMON_INTERVAL_SECONDS", 30)
    monkeypatch.setattr(sensor_daemon, "MIN_INTERVAL_LOOP_TIME", 5)
    shorten_daemon_loops(2)
    taken_by_the_loop = controller.DEFAULT_DAEMON_INTERVAL_SECONDS
    monkeypatch.setattr(sensor_daemon, "MIN_INTERVAL_LOOP_TIME", between_sensors)
    assert max(0, taken_by_the_loop - 0.5) == pause


def test_sensors_are_looked_at_more_often_while_something_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked: list[str] = []
    kind = controller.DagsterDaemonController
    monkeypatch.setattr(sensor_daemon, "MIN_INTERVAL_LOOP_TIME", 5)
    monkeypatch.setattr(kind, "check_daemon_threads", lambda _: checked.append("yes"))
    hurry_sensors(is_busy)
    with dg.DagsterInstance.ephemeral() as instance:
        me: Any = SimpleNamespace(_instance=instance)
        for status, pause in (("STARTED", 1), ("SUCCESS", 5), ("STARTING", 1)):
            instance.run_storage.wipe()
            create_run_for_test(instance, status=dg.DagsterRunStatus(status))
            kind.check_daemon_threads(me)
            assert pause == sensor_daemon.MIN_INTERVAL_LOOP_TIME, status
    assert len(checked) == 3


def test_the_main_loop_goes_on_where_the_storage_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind, checked = controller.DagsterDaemonController, []

    def fails(_: object) -> bool:
        raise ConnectionError

    monkeypatch.setattr(sensor_daemon, "MIN_INTERVAL_LOOP_TIME", 1)
    monkeypatch.setattr(kind, "check_daemon_threads", checked.append)
    monkeypatch.setattr(kind, "_daemon_heartbeat_health", fails)
    monkeypatch.setattr(
        kind, "check_daemon_heartbeats", kind.__dict__["check_daemon_heartbeats"]
    )
    hurry_sensors(fails)
    outlive_storage()
    me = object.__new__(kind)
    me._instance = cast(Any, None)
    kind.check_daemon_threads(me)
    kind.check_daemon_heartbeats(me)
    assert checked == [me]
    assert sensor_daemon.MIN_INTERVAL_LOOP_TIME == 5


def test_the_sensor_daemon_still_reads_its_pause_where_we_set_it() -> None:
    loop = inspect.getsource(sensor_daemon.execute_sensor_iteration_loop)
    assert "max(0, MIN_INTERVAL_LOOP_TIME - loop_duration)" in loop
    assert sensor_daemon.MIN_INTERVAL_LOOP_TIME == 5
    main = inspect.getsource(controller.DagsterDaemonController.check_daemon_loop)
    assert "self.check_daemon_threads()" in main
    assert controller.THREAD_CHECK_INTERVAL == 5


def test_no_tick_of_the_heal_sensor_is_missed_by_a_hair() -> None:
    """Dagster waits for the interval of a sensor from the start of its last tick, and
    its own pause may be a little shorter."""
    assert sensor_daemon.MIN_INTERVAL_LOOP_TIME > 2 * HEAL_EVERY_S


class Registry:
    """One server of code, as the daemon holds it."""

    def __init__(self) -> None:
        self.exit: int | None = None
        self.hangs = False
        self.begun = 0
        self._active_entries: dict[str, Any] = {}
        self.clear_all_grpc_endpoints = lambda: self._active_entries.clear()

    def ping(self, echo: str) -> str:
        """What a server of code answers."""
        if self.hangs:
            raise DagsterUserCodeUnreachableError("timed out")
        return echo

    def serve(self) -> None:
        """What a refresh of the workspace does where no server is held."""
        if not self._active_entries:
            self.begun += 1
            process = SimpleNamespace(
                server_process=SimpleNamespace(poll=lambda: self.exit),
                create_client=lambda: SimpleNamespace(ping=self.ping),
            )
            self._active_entries["crawloop"] = ServerRegistryEntry(
                cast(Any, None), 0.0, cast(Any, process)
            )


@pytest.fixture
def daemon(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Of the daemon's process what looks after the server; the project changes when
    told."""
    made = SimpleNamespace(changed=False, registry=Registry())
    whole = controller.DagsterDaemonController.check_workspace_freshness
    monkeypatch.setattr(
        controller.DagsterDaemonController, "check_workspace_freshness", whole
    )
    keep_code_server(lambda: made.changed)
    made._grpc_server_registry = made.registry
    made._workspace_process_context = SimpleNamespace(
        refresh_workspace=made.registry.serve
    )
    made.registry.serve()
    kept: Any = controller.DagsterDaemonController.check_workspace_freshness
    made.look = lambda last: kept(made, last)
    return made


def test_a_server_of_code_stays_while_nothing_changes(daemon: Any) -> None:
    begun = controller.get_current_timestamp() - 3500
    assert daemon.look(begun) == begun
    assert daemon.registry.begun == 1, "Dagster's own begins one every minute"
    assert daemon.look(begun - 100) > begun
    assert daemon.registry.begun == 2, "an hour is enough, whatever is seen to change"


def test_another_one_is_begun_where_the_project_changed(daemon: Any) -> None:
    daemon.changed = True
    now = controller.get_current_timestamp()
    assert daemon.look(now) >= now
    assert daemon.registry.begun == 2, "at once, however young the first is"


def test_another_one_is_begun_where_it_ended_but_not_all_the_time(
    daemon: Any,
) -> None:
    daemon.registry.exit = -9
    now = controller.get_current_timestamp()
    assert daemon.look(now) == now and daemon.registry.begun == 1
    assert daemon.look(now - 61) >= now and daemon.registry.begun == 2


def test_another_one_is_begun_where_it_does_not_answer(daemon: Any) -> None:
    now = controller.get_current_timestamp()
    daemon.registry.hangs = True
    assert daemon.look(now) == now, "a young one is given time"
    assert daemon.look(now - 61) >= now and daemon.registry.begun == 2


def test_a_server_that_hangs_is_known_to_within_a_minute() -> None:
    """One that takes the connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = GrpcServerProcess.create_client(
            cast(Any, SimpleNamespace(port=silent.getsockname()[1], socket=None))
        )
        with pytest.raises(DagsterUserCodeUnreachableError):
            client._query("Ping", dagster_api_pb2.PingRequest, timeout=1, echo="")
    assert client_module.DEFAULT_GRPC_TIMEOUT == 60


def test_one_that_could_not_be_begun_is_tried_again(daemon: Any) -> None:
    daemon.registry._active_entries["crawloop"] = ErrorRegistryEntry(
        cast(Any, None), 0.0, cast(Any, None)
    )
    daemon.look(1.0)
    assert daemon.registry.begun == 2


def test_dagster_still_holds_its_servers_where_we_look() -> None:
    source = inspect.getsource(GrpcServerRegistry)
    assert "self._active_entries: dict[str, ServerRegistryEntry" in source
    assert "process.server_process.poll()" in source
    looked = inspect.getsource(controller.DagsterDaemonController.check_daemon_loop)
    assert "self.check_workspace_freshness(" in looked
