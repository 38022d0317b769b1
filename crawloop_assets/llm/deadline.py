"""A call that ends in time: a server may send a byte now and then for ever, or bytes
without an end, and no timeout of a connection sees that."""

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread, get_ident
from typing import Any, Protocol, TypeVar

from crawloop_assets.llm.trouble import EndpointTrouble, TroubleKind

_T = TypeVar("_T")
_GRACE_S = 2.0
"""More than the connection's own timeout, whose error says more."""
_LOOK_S = 0.1
"""Between two looks at how much an answer has grown."""
_MADE = ("connection.connect_tcp.complete", "connection.start_tls.complete")
"""What the client calls it when a connection is there."""
MOST_BYTES = 8_000_000
"""Of an answer on the wire: the longest that a model may write is a small part of it."""


class AnswerOnWire(Protocol):
    """An answer whose body is being read."""

    @property
    def num_bytes_downloaded(self) -> int:
        """Bytes so far."""

    def close(self) -> None:
        """Read no further; for any thread."""


@dataclass(frozen=True)
class _Connection:
    """A connection on which no answer has begun: its head may come for ever, too."""

    stream: Any

    @property
    def num_bytes_downloaded(self) -> int:
        """None that count: a head has a bound of its own."""
        return 0

    def close(self) -> None:
        """End it, also for who waits for its next byte."""
        with suppress(OSError):
            self.stream.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


_on_wire: dict[int, AnswerOnWire] = {}
"""By thread, what a call in it reads."""


def _watch(answer: AnswerOnWire) -> None:
    """Note what the call in this thread reads from now on."""
    _on_wire[get_ident()] = answer


def _watch_connection(request: Any) -> None:
    """Note the connection that the call in this thread makes for a request, which is no
    other call's."""

    def trace(event: str, made: Any) -> None:
        if event in _MADE:
            _on_wire[get_ident()] = _Connection(made["return_value"])

    request.headers["connection"] = "close"
    request.extensions["trace"] = trace


WATCHES: dict[str, list[Callable[..., None]]] = {
    "request": [_watch_connection],
    "response": [_watch],
}
"""What an HTTP client calls, by what it is about to do or has begun to read."""


def in_time(seconds: float, call: Callable[[], _T]) -> _T:
    """What a call returns or raises; EndpointTrouble if it has not after so many
    seconds, or reads too much. That closes what it reads: its thread ends with the next
    byte, or with the timeout of its connection."""
    ended: SimpleQueue[tuple[_T | None, Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            ended.put((call(), None))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            ended.put((None, error))
        _on_wire.pop(get_ident(), None)

    thread = Thread(target=run, name="model call", daemon=True)
    thread.start()
    until = time.monotonic() + seconds + _GRACE_S
    while True:
        left = max(0.0, min(_LOOK_S, until - time.monotonic()))
        try:
            made, error = ended.get(timeout=left)
            break
        except Empty:
            _end_if_endless(thread, is_late=time.monotonic() >= until, seconds=seconds)
    if error is not None:
        raise error
    return made  # type: ignore[return-value]


def _end_if_endless(thread: Thread, *, is_late: bool, seconds: float) -> None:
    """Close what a thread reads if it is too much or too late, and say so."""
    answer = _on_wire.get(thread.ident or 0)
    is_long = answer is not None and answer.num_bytes_downloaded > MOST_BYTES
    if not is_late and not is_long:
        return
    if answer is not None:
        answer.close()
    if is_long:
        says = f"its answer is longer than {MOST_BYTES:,} bytes"
        raise EndpointTrouble("Endless", says, TroubleKind.QUESTION)
    says = f"no whole answer within {seconds:g} s"
    raise EndpointTrouble("Timeout", says, TroubleKind.PASSES)
