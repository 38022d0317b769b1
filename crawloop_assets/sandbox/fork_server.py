"""A process that has imported all that workers need, and makes them by fork: the second
worker of a pool costs a tenth of the first, and shares its memory.

It sees no page and runs no job. What a worker is told and answers goes over a socket of
its own, which this process only hands on.
"""

import contextlib
import os
import signal
import socket
import struct
import threading
from collections.abc import Callable
from functools import partial
from typing import IO, NoReturn

from crawloop_assets import errors
from crawloop_assets.sandbox import lock, worker
from crawloop_assets.sandbox.process import Limits, Worker, WorkerProcess, launch

_NUMBER = struct.Struct("<q")
_ANSWER_S = 60.0  # to fork and to end take hundredths of a second
_NEW = 0  # instead of the id of a process that is to end: a new one
_UNKNOWN = 1 << 32  # instead of how it ended
_CONTROL = 3
"""Where the server is asked; 0 becomes the socket of each worker."""
CAN_FORK = hasattr(os, "fork") and hasattr(socket, "send_fds")


class ForkServer(Worker):
    """Makes workers of one kind, and ends them. Safe for threads.

    It ends with the process that started it, and all workers with it.
    """

    def __init__(
        self,
        limits: Limits,
        handlers: str,
        start: Callable[[int], WorkerProcess] | None = None,
    ):
        """Starts it and waits until it has imported everything; SandboxUnavailable if it
        does not."""
        self._asking = threading.Lock()
        start = start or partial(
            launch, limits, handlers, serving=("fork_server", "serve_forks")
        )
        super().__init__(limits, handlers, start)

    def started(self, socket_of_worker: int) -> "ForkedProcess":
        """A new process that serves the jobs which come through a descriptor.

        SandboxUnavailable if the server is gone.
        """
        return ForkedProcess(self, self._asked(_NEW, socket_of_worker))

    def alive(self) -> bool:
        """Whether it still runs."""
        with self._asking:
            return super().alive()

    def ended(self, pid: int) -> int | None:
        """End a worker, if it has not; how it ended, None if that is not known."""
        try:
            code = self._asked(pid)
        except errors.SandboxUnavailable:
            return None  # all of them end with the server
        return None if code == _UNKNOWN else code

    def _asked(self, number: int, *descriptors: int) -> int:
        """What the server answers; SandboxUnavailable if it is gone."""
        with self._asking:
            try:
                self._socket.settimeout(_ANSWER_S)
                socket.send_fds(self._socket, [_NUMBER.pack(number)], descriptors)
                answer = self._socket.recv(_NUMBER.size)
            except OSError:
                answer = b""
        if len(answer) != _NUMBER.size:
            self.kill()  # what it still says would be taken for another answer
            raise errors.SandboxUnavailable("no worker could be started: no server")
        return int(*_NUMBER.unpack(answer))


class ForkedProcess:
    """What a worker's process is to who asks it: as `subprocess.Popen` has it."""

    stderr: IO[bytes] | None = None

    def __init__(self, server: ForkServer, pid: int):
        """`pid` is a child of the server."""
        self._server, self.pid = server, pid
        self._code: int | None = None

    def poll(self) -> int | None:
        """How it ended, None where nobody has asked yet: whether it lives is told by its
        socket."""
        return self._code

    def kill(self) -> None:
        """End it, if it has not."""
        if self._code is None:
            code = self._server.ended(self.pid)
            self._code = -signal.SIGKILL if code is None else code

    def wait(self, timeout: float | None = None) -> int:
        """How it ended. Nobody waits for one that lives: it is ended."""
        self.kill()
        return self._code or 0


def serve_forks(handlers: str, memory_mb: int, longest_s: float) -> NoReturn:
    """In the server: make and end workers until nobody asks any more.

    Nothing of a page comes here, so it keeps the powers that a worker gives up.
    """
    os.dup2(worker.PARENT_SOCKET, _CONTROL)
    prepared = worker.prepared(handlers, memory_mb)
    make_workers(prepared, memory_mb, longest_s)


def make_workers(
    prepared: tuple[worker.Handlers, lock.Containment], memory_mb: int, longest_s: float
) -> NoReturn:
    """The same in a process that has imported everything, asked over the socket to its
    parent."""
    handler_of, containment = prepared
    os.dup2(worker.PARENT_SOCKET, _CONTROL)
    worker.greet(containment)
    os.close(worker.PARENT_SOCKET)
    os.open(os.devnull, os.O_RDONLY)  # takes the place of the socket
    children: set[int] = set()
    with socket.socket(fileno=_CONTROL) as control:
        while True:
            asked, descriptors, _, _ = socket.recv_fds(control, _NUMBER.size, 1)
            if len(asked) != _NUMBER.size:
                break
            (number,) = _NUMBER.unpack(asked)
            if number != _NEW:
                answer = _ended(children, number)
            elif child := os.fork():
                children.add(child)
                answer = child
            else:
                os.dup2(descriptors[0], worker.PARENT_SOCKET)
                os.closerange(_CONTROL, 64)
                lock.die_with_parent()
                worker.serve_locked(handler_of, containment, memory_mb, longest_s)
            for descriptor in descriptors:
                os.close(descriptor)
            control.send(_NUMBER.pack(answer))
    for child in list(children):
        _ended(children, child)
    os._exit(0)


def _ended(children: set[int], child: int) -> int:
    """End a child, if it has not; its exit status, or minus the signal."""
    if child not in children:
        return _UNKNOWN
    children.discard(child)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
