"""A way to a Postgres of a test's own that can be cut."""

import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread

from tests.postgres import PORT


class CuttableWay:
    """A socket in a folder that leads to the one in another. While it is cut, what was
    connected is closed, and nobody is let in."""

    def __init__(self, folder: Path, to: Path):
        name = f".s.PGSQL.{PORT}"
        self._to, self._is_cut = str(to / name), Event()
        self._open: list[socket.socket] = []
        self._lock = Lock()
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(folder / name))
        self._door.listen(64)
        self.refused = 0
        Thread(target=self._let_in, daemon=True).start()

    def cut(self) -> int:
        """How many connections that ended."""
        with self._lock:
            self._is_cut.set()
            ended, self._open = self._open, []
        for one in ended:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        return len(ended) // 2

    def mend(self) -> None:
        """It leads there again."""
        self._is_cut.clear()

    def close(self) -> None:
        """For good."""
        self.cut()
        self._door.close()

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                self._led(self._door.accept()[0])

    def _led(self, near: socket.socket) -> None:
        with self._lock:
            if self._is_cut.is_set():
                self.refused += 1
                near.close()
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._to)
            self._open += [near, far]
        for one, other in ((near, far), (far, near)):
            Thread(target=_pump, args=(one, other), daemon=True).start()


def _pump(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    for each in (one, other):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
