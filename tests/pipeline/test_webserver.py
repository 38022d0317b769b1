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
from pathlib import Path

import httpx
import pytest

from crawloop_assets.pipeline.launch import free_port
from crawloop_assets.pipeline.webserver import guarded
from tests.world import lay_out

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
    first_line: str

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
        line = process.stdout.readline()
        assert line, process.stderr and process.stderr.read()
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
    assert f"http://127.0.0.1:{dev.port}/?token={TOKEN}" in dev.first_line
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
