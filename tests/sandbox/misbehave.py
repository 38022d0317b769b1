"""Jobs for tests only: a worker imports this module in place of the real handlers."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from crawloop_assets.sandbox import frames
from crawloop_assets.sandbox.job import Job, JobAnswer, PageJob, PagesJob
from crawloop_assets.sandbox.slow import SlowJob


class Said(JobAnswer):
    text: str = ""
    value: Any = None


class Echo(PageJob[Said]):
    answer: ClassVar[type[JobAnswer]] = Said


class Count(PagesJob[Said]):
    answer: ClassVar[type[JobAnswer]] = Said


class Do(PageJob[Said]):
    """Carry out one of `DEEDS`."""

    answer: ClassVar[type[JobAnswer]] = Said
    deed: str
    argument: str = ""
    program: str = ""

    def slow_key(self) -> SlowJob | None:
        return SlowJob(self.page.sha256, self.program) if self.program else None


class Number(JobAnswer):
    number: int


class Lie(PageJob[Number]):
    """Answers `text` whatever the answer should look like."""

    answer: ClassVar[type[JobAnswer]] = Number
    text: str


class _Raw(BaseModel):
    text: str

    def model_dump_json(self, **_: Any) -> str:
        return self.text


def _spin() -> None:
    while True:
        pass


def _work() -> str:
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    return "worked"


def _eat() -> int:
    return len([bytearray(1 << 24) for _ in range(100_000)])


def _slow_pid() -> int:
    time.sleep(0.5)
    return os.getpid()


def _environment() -> dict[str, str]:
    return dict(os.environ)


def _parent_environment() -> str:
    return Path(f"/proc/{os.getppid()}/environ").read_text()


def _thread() -> None:
    thread = threading.Thread(target=time.sleep, args=(0,))
    thread.start()
    thread.join()


def _forged() -> bytes:
    """A whole answer, with the number that the worker was asked by."""
    frame = sys._getframe()
    while "number" not in frame.f_locals:
        assert frame.f_back is not None
        frame = frame.f_back
    said = Said(text="forged").model_dump_json().encode()
    answers = frames.pack_answers([(frames.Status.DONE, said)])
    return bytes(frame.f_locals["number"]) + answers


def _asked_number() -> bytes:
    """The number that the worker was asked by."""
    return _forged()[: frames.NUMBER_BYTES]


def _write_and_wait(said: bytes) -> None:
    """Says something, and is silent from there on."""
    os.write(0, said)
    time.sleep(30)


def _forge_later() -> None:
    forged = _forged()
    signal.signal(signal.SIGPROF, lambda *_: os.write(0, forged))
    signal.setitimer(signal.ITIMER_PROF, 0.05)


DEEDS: dict[str, Callable[[], Any]] = {
    "spin": _spin,
    "sleep": lambda: time.sleep(0.3),
    "eat": _eat,
    "work": _work,
    "raise": lambda: 1 / 0,
    "exit": lambda: os._exit(7),
    "flood": lambda: "x" * 5_000_000,
    "half": lambda: {"b\ud800": ["c\udc00"]},
    "pid": os.getpid,
    "slow pid": _slow_pid,
    "environment": _environment,
    "parent environment": _parent_environment,
    "hash": lambda: hash("a string"),
    "flags": lambda: [sys.flags.safe_path, sys.flags.no_user_site],
    "read a file": lambda: Path("/etc/passwd").read_text(),
    "write a file": lambda: Path("written-by-a-worker").write_text("x"),
    "delete a file": lambda: Path("written-by-a-worker").unlink(),
    "socket": lambda: socket.socket(),
    "fork": os.fork,
    "exec": lambda: os.execv("/bin/true", ["/bin/true"]),
    "run": lambda: subprocess.run(["/bin/true"], check=True).returncode,
    "thread": _thread,
    "answer for the next": lambda: os.write(0, _forged()),
    "answer amid the next": _forge_later,
    "foreign number": lambda: os.write(0, os.urandom(16) + _forged()[16:]),
    "greeting": lambda: os.write(0, frames.GREETING + _forged()[16:]),
    "huge frame": lambda: _write_and_wait(
        _asked_number() + frames.ANSWERS.pack(1 << 62)
    ),
    "half a frame": lambda: (os.write(0, _forged()[:-3]), os._exit(0)),
    "too many answers": lambda: _write_and_wait(
        _asked_number()
        + frames.pack_answers(
            [(frames.Status.DONE, b"{}"), (frames.Status.DONE, b"{}")]
        )
    ),
    "noise": lambda: _write_and_wait(os.urandom(5_000)),
    "print": lambda: [
        print("out"),
        print("err", file=sys.stderr),
        warnings.warn("careful", stacklevel=1),
    ],
    "kill the parent": lambda: os.kill(os.getppid(), 0),
    "decode": lambda: (
        [b"\xe9".decode(name) for name in ("cp1252", "koi8-r", "mac-roman", "cp1251")]
        + ["münchen.de".encode("idna").decode(), time.strptime("Mon", "%a").tm_wday]
    ),
}


def _do(job: Do) -> Said:
    return Said(value=DEEDS[job.deed]())


def _echo(job: Echo) -> Said:
    page = job.page
    return Said(
        text=page.sha256,
        value=[page.url, page.status, page.headers, page.fetched_at.isoformat()],
    )


def _count(job: Count) -> Said:
    return Said(value=[[page.url, len(page.body), page.sha256] for page in job.pages])


HANDLERS: dict[type[Job[Any]], Callable[[Any], BaseModel]] = {
    Echo: _echo,
    Count: _count,
    Do: _do,
    Lie: lambda job: _Raw(
        text=json.loads(job.text) if job.text.startswith('"') else job.text
    ),
}
