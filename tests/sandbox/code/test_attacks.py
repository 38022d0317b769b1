"""Hostile code, judged by what it did: with the gate, and with the kernel alone."""

import asyncio
import os
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from crawloop_assets.errors import CrawlerFault
from crawloop_assets.page import Page
from crawloop_assets.sandbox.code.runner import CodeOutcome, CodeRunner
from crawloop_assets.sandbox.jobs import CodeRows
from crawloop_assets.sandbox.process import Limits
from tests.sandbox.code import attacks

SECRET = "only-the-parent-knows-d41d8"
ENV_NAME = "CRAWLOOP_TEST_CANARY"
FAST = Limits(deadline_s=0.25, long_deadline_s=0.25, memory_mb=512, forks=True)
HONEST = """
from parsel import Selector
import re

def crawl(html, url):
    found = Selector(text=html).css("h1::text").get()
    return [{"title": found, "long": bool(re.match(".", found)), "at": url}]
"""
HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGE = Page(url="http://a.test/1", body=b"<h1>Title</h1>", headers=HTML)
RIGHT = CodeRows(rows=({"title": "Title", "long": True, "at": "http://a.test/1"},))


@dataclass
class Ground:
    """What an attack could do harm to, and who runs it."""

    runner: CodeRunner
    folder: Path
    listener: socket.socket
    kept: dict[str, bytes] = field(default_factory=dict)

    def source(self, body: str) -> str:
        """An attack with the places of this ground."""
        for name, value in (
            ("SECRET_FILE", self.folder / "secret"),
            ("OLD_FILE", self.folder / "old"),
            ("NEW_FILE", self.folder / "new"),
            ("PORT", self.listener.getsockname()[1]),
            ("PARENT", os.getpid()),
            ("ENV_NAME", ENV_NAME),
        ):
            body = body.replace(name, str(value))
        return attacks.source_of(body)

    def read(self, code: str, *pages: Page) -> list[CodeOutcome]:
        """What the code returns for pages."""
        return asyncio.run(self.runner.read(code, pages or (PAGE,)))

    def harm(self) -> list[str]:
        """What was done to files and to the network."""
        found = []
        now = {path.name: path.read_bytes() for path in self.folder.iterdir()}
        if now != self.kept:
            found.append(f"files: {sorted(now)}")
        try:
            self.listener.accept()
            found.append("a connection")
        except BlockingIOError:
            pass
        return found


@pytest.fixture(scope="module", params=[True, False], ids=["gate", "kernel alone"])
def ground(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Ground]:
    folder = tmp_path_factory.mktemp("ground")
    (folder / "secret").write_text(SECRET)
    (folder / "old").write_text("old")
    os.environ[ENV_NAME] = SECRET
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        CodeRunner(limits=FAST, gated=request.param) as runner,
    ):
        listener.setblocking(False)
        made = Ground(runner, folder, listener)
        made.kept = {path.name: path.read_bytes() for path in folder.iterdir()}
        yield made
    del os.environ[ENV_NAME]


@pytest.mark.parametrize("name", attacks.HARMFUL)
def test_an_attack_does_nothing_to_anybody(name: str, ground: Ground) -> None:
    began = time.monotonic()
    (outcome,) = ground.read(ground.source(attacks.HARMFUL[name]))
    took = time.monotonic() - began
    assert isinstance(outcome, CodeRows | CrawlerFault)
    said = repr(outcome)
    assert SECRET not in said
    assert "FORGED" not in said
    assert "mapped" not in said
    assert not ground.harm()
    assert took < 10
    assert ground.read(HONEST) == [RIGHT]


@pytest.mark.parametrize("name", attacks.UNSTEADY)
def test_what_reads_a_page_differently_next_time_is_not_proved(
    name: str, ground: Ground
) -> None:
    source = ground.source(attacks.UNSTEADY[name])
    (outcome,) = asyncio.run(ground.runner.prove(source, [PAGE]))
    assert isinstance(outcome, CrawlerFault), outcome
