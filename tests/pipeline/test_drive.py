"""Driving a running Dagster over GraphQL; here a small server answers in its place."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import dagster as dg
import pytest
from dagster._core.test_utils import create_run_for_test

from crawloop_assets.pipeline.drive import Drive, DriveError
from crawloop_assets.pipeline.names import AssetNames, RunMode
from tests.store.conftest import family

FAMILY = family("shop/item")
NAMES = AssetNames(FAMILY)
LAUNCHED = {
    "data": {"launchRun": {"__typename": "LaunchRunSuccess", "run": {"runId": "run-1"}}}
}


@dataclass
class Webserver:
    """What it was asked, and what it answers."""

    url: str = ""
    answer: dict[str, Any] = field(default_factory=lambda: LAUNCHED)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def launched(self) -> tuple[str, dict[str, str]]:
        """Job and tags of the last launch."""
        params = self.asked[-1][1]["variables"]["params"]
        tags = params["executionMetadata"]["tags"]
        return params["selector"]["jobName"], {tag["key"]: tag["value"] for tag in tags}


@pytest.fixture
def webserver() -> Iterator[Webserver]:
    made = Webserver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            made.asked.append((self.path, json.loads(body)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(made.answer).encode())

        def log_message(self, *arguments: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        yield made
        server.shutdown()


@pytest.fixture
def drive(webserver: Webserver) -> Iterator[Drive]:
    with dg.DagsterInstance.ephemeral() as instance:
        yield Drive(webserver.url, instance)


def test_a_launch_names_job_and_tags(drive: Drive, webserver: Webserver) -> None:
    assert drive.launch("toy", {"a": "1"}) == "run-1"
    path, body = webserver.asked[0]
    assert path == "/graphql" and "launchRun" in body["query"]
    assert webserver.launched == ("toy", {"a": "1"})
    assert body["variables"]["params"]["runConfigData"] == {}
    drive.launch("toy", {}, {"ops": {"toy_op": {}}})
    _, body = webserver.asked[1]
    assert body["variables"]["params"]["runConfigData"] == {"ops": {"toy_op": {}}}
    drive.discover(FAMILY)
    assert webserver.launched == ("discover_shop__item", NAMES.tags(RunMode.REFRESH))


def test_a_refresh_spans_all_batches_or_those_named(
    drive: Drive, webserver: Webserver
) -> None:
    with pytest.raises(DriveError, match="shop/item has no batches"):
        drive.refresh(FAMILY)
    batches = ["000002", "000003", "000001"]
    drive.instance.add_dynamic_partitions(NAMES.partition_set, batches)
    assert drive.batches(FAMILY) == sorted(batches)
    drive.refresh(FAMILY)
    job, tags = webserver.launched
    assert job == "refresh_shop__item"
    assert tags == NAMES.tags(RunMode.REFRESH, batches=("000001", "000003"))
    drive.refresh(FAMILY, ["000003", "000002"])
    assert webserver.launched[1] == NAMES.tags(
        RunMode.REFRESH, batches=("000002", "000003")
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"errors": [{"message": "no such field"}]}, "no such field"),
        (
            {"data": {"launchRun": {"__typename": "PythonError", "message": "boom"}}},
            "toy: .*boom",
        ),
    ],
)
def test_what_dagster_refuses_is_said(
    drive: Drive, webserver: Webserver, answer: dict[str, Any], why: str
) -> None:
    webserver.answer = answer
    with pytest.raises(DriveError, match=why):
        drive.launch("toy", {})


def test_waiting_ends_with_the_runs_and_tells_of_a_failed_one(drive: Drive) -> None:
    good, bad = (
        create_run_for_test(drive.instance, status=status).run_id
        for status in (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE)
    )
    drive.wait([good], patience_s=0)
    with pytest.raises(DriveError, match=f"{bad} ended as FAILURE"):
        drive.wait([good, bad], patience_s=0)
    running = create_run_for_test(drive.instance, status=dg.DagsterRunStatus.STARTED)
    with pytest.raises(DriveError, match="gave up waiting for the runs to end"):
        drive.wait([running.run_id], patience_s=-1)


def test_something_can_be_done_while_waiting(drive: Drive) -> None:
    ticks: list[None] = []
    drive.until(lambda: bool(ticks), "a tick", 5, lambda: ticks.append(None))
    assert len(ticks) == 1


def test_a_family_is_idle_when_no_run_of_it_is_activity(drive: Drive) -> None:
    assert drive.idle(FAMILY) and drive.red(FAMILY) == []
    other = AssetNames(family("shop/offer"))
    started = dg.DagsterRunStatus.STARTED
    create_run_for_test(drive.instance, tags=other.tags(), status=started)
    assert drive.idle(FAMILY)
    create_run_for_test(drive.instance, tags=NAMES.tags(), status=started)
    assert not drive.idle(FAMILY)
