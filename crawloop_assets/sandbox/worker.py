"""The child process: import everything, lock up, then answer jobs until the parent
hangs up.

Nothing here is trusted by the parent. Descriptor 0 is the socket to it; there is no
other open descriptor that leads anywhere.
"""

import codecs
import encodings
import gc
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json

from crawloop_assets.sandbox import frames, lock
from crawloop_assets.sandbox.job import Job
from crawloop_assets.values.text import sound_data
from crawloop_assets.zones import load_zones

Handlers: TypeAlias = Mapping[type[Job[Any]], Callable[[Any], BaseModel]]
"""What does each kind of job."""

PARENT_SOCKET = 0
MESSAGE_CHARS = 500
GC_THRESHOLDS = (100_000, 10, 10)
"""A page is ten thousand objects and no cycle: looking for cycles all the time cost a
fifth of reading it."""


class Nowhere(io.TextIOBase):
    """Takes what a library prints.

    Writing to a real descriptor is refused and would look like a crawler's fault.
    """

    def write(self, text: str) -> int:
        """Takes the text and keeps nothing."""
        return len(text)


def serve(handlers: str, memory_mb: int, longest_s: float) -> None:
    """Serve the jobs of module `handlers` for good; no group may take `longest_s`
    seconds, parent or no parent."""
    handler_of, containment = prepared(handlers, memory_mb)
    serve_locked(handler_of, containment, memory_mb, longest_s)


def prepared(handlers: str, memory_mb: int) -> tuple[Handlers, lock.Containment]:
    """What does each job of a module, with all it will ever need imported, and what
    holds a process that locks itself here."""
    handler_of = importlib.import_module(handlers).HANDLERS
    import_the_rest()
    sys.stderr.flush()
    # /dev/null from here on; until now the parent was listening for import errors.
    os.dup2(1, 2)
    sys.stdout = sys.stderr = Nowhere()
    containment = lock.prove_locked(PARENT_SOCKET, memory_mb)
    keep_what_is_imported()
    return handler_of, containment


def serve_locked(
    handler_of: Handlers,
    containment: lock.Containment,
    memory_mb: int,
    longest_s: float,
) -> NoReturn:
    """Lock up, greet and serve jobs for good."""
    lock.lock(PARENT_SOCKET, memory_mb)
    greet(containment)
    kinds = {kind.__name__: kind for kind in handler_of}
    while True:
        try:
            number = read_request(frames.NUMBER_BYTES)
            jobs = frames.unpack(read_request, kinds)
        except EOFError:
            os._exit(0)
        lock.die_after(longest_s)
        send_answers(number, [_outcome(handler_of[type(job)], job) for job in jobs])
        lock.die_after(0)


def greet(containment: lock.Containment) -> None:
    """Say to the parent, unasked, that this process is there."""
    said = frames.Hello(containment=containment).model_dump_json().encode()
    send_answers(frames.GREETING, [(frames.Status.DONE, said)])


def keep_what_is_imported() -> None:
    """From here on garbage is looked for again, seldom, and only among what is new."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    gc.enable()


def import_the_rest() -> None:
    """What libraries would import on first use: a locked worker can open no file.

    A missing codec would not raise but decode a page wrongly.
    """
    for module in pkgutil.iter_modules(encodings.__path__):
        if module.name not in ("mbcs", "oem"):  # Windows only
            importlib.import_module(f"encodings.{module.name}")
    codecs.lookup("idna")
    for name in (
        "_strptime",
        "html.entities",
        "unicodedata",
        "traceback",
        "linecache",
        "stringprep",
    ):
        importlib.import_module(name)
    load_zones()


def _outcome(
    handler: Callable[[Any], BaseModel], job: Job[Any]
) -> tuple[frames.Status, bytes]:
    """What a job came to. Whatever its handler raises is the job's own fault, in
    words."""
    try:
        return frames.Status.DONE, _encoded(handler(job))
    except MemoryError:
        return frames.Status.OUT_OF_MEMORY, b""
    except Exception as error:  # noqa: BLE001 - the parent raises it again
        message = f"{type(error).__name__}: {error}"[:MESSAGE_CHARS]
        return frames.Status.RAISED, message.encode("utf-8", "replace")


def _encoded(answer: BaseModel) -> bytes:
    """An answer as JSON; halves of characters that a page wrote cost themselves, not the
    page."""
    try:
        return answer.model_dump_json().encode()
    except PydanticSerializationError:
        return to_json(sound_data(answer.model_dump()))


def read_request(size: int) -> bytes:
    """Exactly so many bytes; EOFError if the parent hung up.

    As a rule all of it is there, and is copied once.
    """
    data = os.read(PARENT_SOCKET, size) if size else b""
    while len(data) < size:
        chunk = os.read(PARENT_SOCKET, size - len(data))
        if not chunk:
            raise EOFError
        data += chunk
    return data


def send_answers(number: bytes, answers: Sequence[tuple[frames.Status, bytes]]) -> None:
    """Sends all answers to a request, however many writes that takes."""
    unsent = memoryview(number + frames.pack_answers(answers))
    while unsent:
        unsent = unsent[os.write(PARENT_SOCKET, unsent) :]
