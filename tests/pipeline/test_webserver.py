"""A real `crawloop dev` on loopback, asked as browsers and programs ask."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.page import Verdict
from crawloop_assets.pipeline.launch import free_port
from crawloop_assets.pipeline.verbs import launchpad
from crawloop_assets.pipeline.webserver import guarded
from crawloop_assets.project import Project
from crawloop_assets.store import (
    AuditKind,
    BatchCommit,
    CrawlerStatus,
    FetchedPage,
    FoundUrl,
    HeldPage,
    HeldReason,
    NewCrawler,
    Store,
)
from tests.world import HOST, PRODUCT, lay_out

TOKEN = "s3cret"
START = "from crawloop_assets.cli.app import main; main()"
WIPE = "mutation { setNuxSeen }"
ASK = {"query": "{ version }"}


@dataclass
class Dev:
    """A running `crawloop dev`."""

    home: Path
    port: int
    process: subprocess.Popen[str]
    address_line: str

    @property
    def client(self) -> httpx.Client:
        """Somebody who knows the token."""
        headers = {"authorization": f"Bearer {TOKEN}"}
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=headers)


def start(home: Path, port: int, *more: str) -> subprocess.Popen[str]:
    """`crawloop dev` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", START, "dev", "--port", str(port), *more],
        cwd=home,
        env=os.environ | {"CRAWLOOP_HOME": str(home), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def daemons(home: Path) -> Iterator[int]:
    """The daemons of a project that run."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            settings = (folder / "environ").read_bytes().split(b"\0")
            of_home = f"DAGSTER_HOME={home}".encode() in settings
            if of_home and b"pipeline.daemon" in (folder / "cmdline").read_bytes():
                yield int(folder.name)


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dev]:
    home = lay_out(tmp_path_factory.mktemp("dev") / "project").root
    port = free_port()
    process = start(home, port, "--token", TOKEN)
    assert process.stdout is not None
    try:
        said_at_once, line = (process.stdout.readline() for _ in range(2))
        assert line, process.stderr and process.stderr.read()
        assert said_at_once.startswith("starting")
        yield Dev(home, port, process, line)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def websocket_answer(port: int, headers: dict[str, str]) -> str:
    """The first line that a websocket's opening is answered with."""
    lines = [
        "GET /graphql HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: graphql-ws",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *(f"{key}: {value}" for key, value in headers.items()),
    ]
    with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
        wire.sendall("\r\n".join([*lines, "", ""]).encode())
        return wire.recv(100).decode().partition("\r\n")[0]


def test_the_address_that_is_printed_opens_the_ui(dev: Dev) -> None:
    assert f"http://127.0.0.1:{dev.port}/?token={TOKEN}" in dev.address_line
    with httpx.Client(follow_redirects=True) as browser:
        page = browser.get(f"http://127.0.0.1:{dev.port}/?token={TOKEN}")
        assert page.status_code == 200 and "<html" in page.text
        assert TOKEN not in str(page.url)
        asked = browser.post(f"http://127.0.0.1:{dev.port}/graphql", json=ASK)
        assert asked.json()["data"]["version"]


def test_who_does_not_know_the_token_sees_nothing(dev: Dev) -> None:
    for path in ("/", "/server_info", "/graphql", "/static/x.js"):
        assert httpx.get(f"http://127.0.0.1:{dev.port}{path}").status_code == 401


def test_an_image_changes_nothing(dev: Dev) -> None:
    with dev.client as client:
        answer = client.get("/graphql", params={"query": WIPE})
        assert answer.status_code == 405 and "by POST" in answer.text
        answer = client.post("/graphql", params={"query": WIPE})
        assert answer.status_code in (405, 415)


def test_a_form_and_a_name_of_another_site_are_refused(dev: Dev) -> None:
    with dev.client as client:
        origin = {"origin": "https://evil.test"}
        assert client.post("/graphql", json=ASK, headers=origin).status_code == 403
        answer = client.post("/graphql", json=ASK, headers={"host": "evil.test"})
        assert answer.status_code == 421
        form = client.post("/graphql", data={"query": WIPE})
        assert form.status_code == 415
        assert client.post("/graphql", json=ASK).json()["data"]["version"]


def test_a_websocket_of_another_site_is_refused(dev: Dev) -> None:
    known = {"Authorization": f"Bearer {TOKEN}"}
    own = known | {"Origin": f"http://127.0.0.1:{dev.port}"}
    assert " 101 " in websocket_answer(dev.port, own)
    assert " 403 " in websocket_answer(
        dev.port, known | {"Origin": "https://evil.test"}
    )
    assert " 403 " in websocket_answer(
        dev.port, {"Origin": f"http://127.0.0.1:{dev.port}"}
    )


def test_a_second_one_is_refused_with_one_sentence(dev: Dev) -> None:
    second = start(dev.home, free_port())
    _, said = second.communicate(timeout=60)
    assert second.returncode == 1 and len(said.strip().splitlines()) == 1
    assert f"running already: process {dev.process.pid}" in said


def test_a_port_in_use_is_said_before_anything_starts(dev: Dev, tmp_path: Path) -> None:
    other = lay_out(tmp_path / "other").root
    second = start(other, dev.port)
    _, said = second.communicate(timeout=60)
    assert second.returncode == 1 and len(said.strip().splitlines()) == 1
    assert f"port {dev.port} is in use" in said
    assert not (other / "var" / "daemon.log").exists()


def test_what_it_writes_is_its_owners_alone(dev: Dev) -> None:
    var = dev.home / "var"
    open_to_others = [
        str(path)
        for path in (var, *var.rglob("*"))
        if path.stat().st_mode & 0o077 and path.parent.name != "published"
    ]
    assert open_to_others == []
    assert (var / "webserver.log").exists()


def test_after_a_kill_it_can_be_started_again(tmp_path: Path) -> None:
    home = lay_out(tmp_path / "killed").root
    for _ in range(2):
        process = start(home, free_port())
        assert process.stdout is not None
        assert "Dagster UI" in process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    deadline = time.monotonic() + 10
    while list(daemons(home)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert list(daemons(home)) == [], "a daemon does not outlive what started it"


def test_the_environment_names_the_hosts_of_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def app(*_: object) -> None:
        return None

    monkeypatch.setenv("CRAWLOOP_UI_HOSTS", "ui.example.org")
    monkeypatch.setenv("CRAWLOOP_UI_TOKEN", "x")
    one = guarded(app, 3000)
    assert "ui.example.org" in one.hosts and one.token == "x"


LAMP = {
    "title": "Lamp",
    "brand": "Lumen",
    "sku": "LA-1001",
    "price": "99.00",
    "currency": "EUR",
    "availability": "in stock",
    "description": "It gives light to all of the room.",
}
LAUNCH = """
mutation Launch($params: ExecutionParams!) {
  launchRun(executionParams: $params) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
    ... on RunConfigValidationInvalid { errors { message } }
  }
}
"""
ENDED = """
query Ended($id: ID!) {
  runOrError(runId: $id) { ... on Run { status eventConnection(limit: 500) { events {
    __typename ... on ExecutionStepFailureEvent { failureMetadata { description } } } } } }
}
"""


def ask(dev: Dev, query: str, **variables: Any) -> Any:
    """What the UI asks and is answered."""
    with dev.client as client:
        asked = {"query": query, "variables": variables}
        answer = client.post("/graphql", json=asked, timeout=60).json()
    assert "errors" not in answer, answer
    return answer["data"]


def launched(dev: Dev, verb: str, **said: Any) -> str:
    """Click "Launch run" in the launchpad of a verb; the id of the run."""
    word = {"family": PRODUCT, "who": "ada", "why": "I looked", **said}
    params = {
        "runConfigData": launchpad(verb, word),
        "selector": {
            "repositoryLocationName": "crawloop",
            "repositoryName": "__repository__",
            "jobName": verb,
        },
    }
    found = ask(dev, LAUNCH, params=params)["launchRun"]
    assert found["__typename"] == "LaunchRunSuccess", found
    return str(found["run"]["runId"])


def ended(dev: Dev, run: str) -> tuple[str, str]:
    """How a run ended, and what its failure says, "" if it has none."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        found = ask(dev, ENDED, id=run)["runOrError"]
        if found["status"] in ("SUCCESS", "FAILURE", "CANCELED"):
            failures = [
                one["failureMetadata"]["description"]
                for one in found["eventConnection"]["events"]
                if one.get("failureMetadata")
            ]
            return found["status"], "".join(failures)
        time.sleep(0.3)
    raise AssertionError(f"{run} did not end")


@pytest.fixture
def reviewed(dev: Dev) -> Store:
    """Two versions served, a third waits, a page is held, another is blocked."""
    project = Project.at(dev.home)
    store, family = Store(project.var, project.published), project.family(PRODUCT)
    programs = [
        Program(fields=(FieldProgram(spec=spec),)).to_json()
        for spec in family.schema_spec().fields[:3]
    ]
    for body in programs[:2]:
        store.promote(
            PRODUCT, store.add_crawler(NewCrawler(family=PRODUCT, body=body)), ""
        )
    waits = CrawlerStatus.AWAITING_REVIEW
    store.add_crawler(NewCrawler(family=PRODUCT, body=programs[2], status=waits))
    now = datetime.now(UTC)
    urls = [f"http://{HOST}/product/lamp-{number}" for number in (1, 2)]
    store.add_urls(family, [FoundUrl(url) for url in urls])
    values = LAMP | {"url": urls[0]}
    reason = HeldReason(check="history", field="price", message="100 times that")
    page = HeldPage(
        url=urls[0], page_sha256="a" * 64, version=2, reasons=[reason], values=[values]
    )
    blocked = FetchedPage(url=urls[1], verdict=Verdict.BLOCKED, fetched_at=now)
    store.commit_batch(
        BatchCommit(
            family=family,
            batch="000001",
            run_id="r",
            held=[page],
            fetched=[blocked],
        )
    )
    return store


def test_a_whole_review_is_driven_in_the_ui(dev: Dev, reviewed: Store) -> None:
    (held,) = reviewed.quarantine(PRODUCT)
    # They do not wait for each other, as four people would not.
    runs = [
        launched(dev, "shadow"),
        launched(dev, "release", ids=[held.id]),
        launched(dev, "retry"),
        launched(dev, "rollback", who=""),
    ]
    *good, (status, said) = [ended(dev, run) for run in runs]
    assert good == [("SUCCESS", "")] * 3
    assert status == "FAILURE"
    assert said == "nobody stands for this rollback. say in `who` who decides"
    run = reviewed.reviews.shadow(PRODUCT, 3)
    assert run is not None and run.beside == 2
    (row,) = reviewed.known(Project.at(dev.home).family(PRODUCT)).values()
    assert row[0]["title"] == LAMP["title"]
    for verb, version in (("approve", 3), ("rollback", 2), ("pin", 2)):
        assert ended(dev, launched(dev, verb)) == ("SUCCESS", "")
        active = reviewed.active(PRODUCT)
        assert active is not None and active.version == version, verb
    assert reviewed.reviews.pins()[PRODUCT].who == "ada"
    kinds = {event.kind for event in reviewed.audits(PRODUCT) if event.run_id}
    assert {
        AuditKind.CRAWLER_APPROVED,
        AuditKind.CRAWLER_ROLLED_BACK,
        AuditKind.CRAWLER_PINNED,
        AuditKind.QUARANTINE_RELEASED,
        AuditKind.RETRY_ASKED,
    } <= kinds
