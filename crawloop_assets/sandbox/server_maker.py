"""A process that has imported all that workers need, and makes the servers that fork them.

Runs of Dagster are copies of one process. That starts this one, so that what a run needs
is imported once for all of them, and not by the server of each. Like a server it sees no
page; it is asked for servers only, over a socket that all copies share, and never answers
on it.
"""

import contextlib
import os
import signal
import socket
from typing import IO, NoReturn

from crawloop_assets.errors import SandboxUnavailable
from crawloop_assets.sandbox import worker
from crawloop_assets.sandbox.fork_server import CAN_FORK, ForkServer, make_workers
from crawloop_assets.sandbox.process import Limits, launch

_CONTROL = 3
"""Where it is asked; 0 becomes the socket of each server."""
_MOST_OPEN = 64

OF_RUNS = "crawloop_assets.sandbox.handlers"
"""What the workers of runs do."""


class ServerMaker:
    """Makes servers of one kind, for this process and all copies of it.

    It ends when all of them have, and a server with the one that it was made for.
    """

    def __init__(self, limits: Limits, handlers: str):
        """Starts it, and does not wait: who asks meanwhile is answered in time."""
        self._kind = limits, handlers
        self._socket, theirs = socket.socketpair()
        with theirs:
            serving = ("server_maker", "serve_servers")
            self.process = launch(limits, handlers, theirs.fileno(), serving=serving)

    def makes(self, limits: Limits, handlers: str) -> bool:
        """Whether its servers are of this kind."""
        return self._kind == (limits, handlers)

    def started(self, socket_of_server: int) -> "MadeServer":
        """A new server that is asked through a descriptor.

        SandboxUnavailable if the maker is gone.
        """
        try:
            socket.send_fds(self._socket, [b"+"], [socket_of_server])
        except OSError as error:
            raise SandboxUnavailable(f"no worker could be started: {error}") from error
        return MadeServer()


class MadeServer:
    """What a server is to who asked for it: a process that ends when its socket closes."""

    stderr: IO[bytes] | None = None
    pid = 0
    """It is nobody's child here, and its maker does not say."""

    def poll(self) -> int | None:
        """Whether it lives is told by its socket."""
        return None

    def kill(self) -> None:
        """It ends by itself."""

    def wait(self, timeout: float | None = None) -> int:
        """How it ended is not known."""
        return 0


_kept: list[ServerMaker] = []
"""What this process has started, or the one that it is a copy of."""


def keep_maker() -> None:
    """Start a maker of what runs need, for this process and its copies."""
    if CAN_FORK and not _kept:
        with contextlib.suppress(OSError):
            _kept.append(ServerMaker(Limits(), OF_RUNS))


def server_for(limits: Limits, handlers: str) -> ForkServer:
    """A server of workers, made by a maker if this process has one of its kind that
    answers; else it starts from nothing."""
    for maker in _kept:
        if maker.makes(limits, handlers):
            with contextlib.suppress(SandboxUnavailable):
                return ForkServer(limits, handlers, maker.started)
    return ForkServer(limits, handlers)


def serve_servers(handlers: str, memory_mb: int, longest_s: float) -> NoReturn:
    """In the maker: make servers until nobody is left who could ask."""
    os.dup2(worker.PARENT_SOCKET, _CONTROL)
    prepared = worker.prepared(handlers, memory_mb)
    os.close(worker.PARENT_SOCKET)
    os.open(os.devnull, os.O_RDONLY)  # takes the place of the socket
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how a server ended
    with socket.socket(fileno=_CONTROL) as control:
        while True:
            asked, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if not asked:
                os._exit(0)
            if descriptors and os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                os.dup2(descriptors[0], worker.PARENT_SOCKET)
                os.closerange(_CONTROL, _MOST_OPEN)
                make_workers(prepared, memory_mb, longest_s)
            for descriptor in descriptors:
                os.close(descriptor)
