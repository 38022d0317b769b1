"""A call that ends in time: a server may send a byte now and then for ever, and no timeout
of a connection sees that."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

_T = TypeVar("_T")
_GRACE_S = 2.0
"""More than the connection's own timeout, whose error says more."""


class PastDeadline(Exception):
    """A call did not end in time. What it waits for is given up; its thread ends with the
    process, or when the server does."""


def in_time(seconds: float, call: Callable[[], _T]) -> _T:
    """What a call returns or raises; PastDeadline if it has not after so many
    seconds."""
    ended: SimpleQueue[tuple[_T | None, Exception | None]] = SimpleQueue()

    def run() -> None:
        try:
            ended.put((call(), None))
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            ended.put((None, error))

    Thread(target=run, name="model call", daemon=True).start()
    try:
        made, error = ended.get(timeout=seconds + _GRACE_S)
    except Empty:
        raise PastDeadline(f"no whole answer within {seconds:g} s") from None
    if error is not None:
        raise error
    return made  # type: ignore[return-value]
