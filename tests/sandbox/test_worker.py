"""The child process itself, spoken to over its socket without a pool."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawloop_assets.page import Page
from crawloop_assets.sandbox import frames
from crawloop_assets.sandbox.lock import Containment
from tests.sandbox.misbehave import Do, Echo, Said

ROOT = Path(__file__).parent.parent.parent
SERVE = """
import sys
sys.path.insert(0, sys.argv[1])
from crawloop_assets.sandbox.worker import serve
serve("tests.sandbox.misbehave", 768, float(sys.argv[2]))
"""
PAGE = Page(url="https://x.example/", body=b"<p>x</p>")


class Served:
    """A running worker and our end of its socket."""

    def __init__(self, ours: socket.socket, process: "subprocess.Popen[bytes]"):
        self.ours = ours
        self.process = process

    def read(self, size: int) -> bytearray:
        data = bytearray()
        while len(data) < size:
            chunk = self.ours.recv(size - len(data))
            assert chunk, "the worker hung up"
            data += chunk
        return data

    def answers(
        self, count: int, number: bytes = frames.GREETING
    ) -> list[tuple[frames.Status, bytearray]]:
        assert self.read(frames.NUMBER_BYTES) == number
        (size,) = frames.ANSWERS.unpack(self.read(frames.ANSWERS.size))
        return frames.unpack_answers(self.read(size), count)

    def ask(self, *jobs: Echo | Do) -> list[tuple[frames.Status, bytearray]]:
        number = os.urandom(frames.NUMBER_BYTES)
        self.ours.sendall(number + frames.pack(jobs))
        return self.answers(len(jobs), number)


@contextmanager
def served(longest_s: float = 60.0) -> Iterator[Served]:
    ours, theirs = socket.socketpair()
    ours.settimeout(60)
    with ours:
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-c", SERVE, str(ROOT), str(longest_s)],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        try:
            yield Served(ours, process)
        finally:
            process.kill()
            process.wait()


def test_a_worker_greets_answers_and_leaves_when_nobody_listens() -> None:
    with served() as worker:
        ((status, hello),) = worker.answers(1)
        assert status is frames.Status.DONE
        assert frames.Hello.model_validate_json(hello).containment in Containment
        ((status, data),) = worker.ask(Echo(page=PAGE))
        assert status is frames.Status.DONE
        assert PAGE.sha256.encode() in data
        worker.ours.close()
        assert worker.process.wait(30) == 0


def test_what_a_job_raises_is_its_answer_and_the_next_job_is_done() -> None:
    with served() as worker:
        worker.answers(1)
        (first, message), (second, _) = worker.ask(
            Do(page=PAGE, deed="raise"), Do(page=PAGE, deed="print")
        )
        assert first is frames.Status.RAISED
        assert message == b"ZeroDivisionError: division by zero"
        assert second is frames.Status.DONE


def test_half_a_character_in_an_answer_costs_itself() -> None:
    with served() as worker:
        worker.answers(1)
        ((status, data),) = worker.ask(Do(page=PAGE, deed="half"))
        assert status is frames.Status.DONE
        said = frames.unpack_answer(Said, data)
        assert said == Said(value={"b": ["c"]})


def test_a_long_message_is_cut() -> None:
    with served() as worker:
        worker.answers(1)
        ((status, message),) = worker.ask(Do(page=PAGE, deed="x" * 2000))
        assert status is frames.Status.RAISED
        assert message.startswith(b"KeyError: 'xxx") and len(message) == 500


def test_a_request_of_many_pieces_arrives() -> None:
    large = Page(url="https://x.example/", body=b"x" * 3_000_000)
    with served() as worker:
        worker.answers(1)
        ((_, data),) = worker.ask(Echo(page=large))
        assert large.sha256.encode() in data


def test_a_worker_ends_by_itself_when_a_group_takes_too_long() -> None:
    with served(longest_s=0.5) as worker:
        worker.answers(1)
        worker.ask(Echo(page=PAGE))  # quick enough
        request = frames.pack([Do(page=PAGE, deed="spin")])
        worker.ours.sendall(frames.GREETING + request)
        assert worker.process.wait(30) < 0


def test_what_a_job_needs_late_is_loaded_before_the_lock() -> None:
    with served() as worker:
        worker.answers(1)
        ((status, data),) = worker.ask(Do(page=PAGE, deed="decode"))
        assert status is frames.Status.DONE, data
        assert b"xn--mnchen-3ya.de" in data
