"""All web servers of the world in one: it hears on every address, and answers for every name."""

import asyncio
import re
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import repeat

from bench.adversary.seen import How, Record, Seen

HTTP_PORTS = (80, 3000, 5432, 6379, 8000, 8080, 9200)
HTTPS_PORTS = (443, 8443)
HTML = "text/html; charset=utf-8"
_HEAD_BYTES = 64 * 1024
_LENGTH = re.compile(rb"\r\ncontent-length:\s*(\d{1,9})\s*\r\n", re.IGNORECASE)
_HOST = re.compile(rb"\r\nhost:\s*([^\r\n]*)\r\n", re.IGNORECASE)
_HUNG_UP = (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError)


@dataclass(frozen=True)
class Question:
    """A request: the host it names, its target as it came, whether it came over TLS."""

    host: str
    target: str
    method: str
    secure: bool


@dataclass
class Reply:
    """An answer. `raw` is sent instead of everything else; `length` lies about the
    body; `pieces` are sent after it, one every `pause_s`."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: list[tuple[str, str]] = field(default_factory=list)
    length: int | None = None
    raw: bytes = b""
    pieces: Iterable[bytes] = ()
    pause_s: float = 0.0


def endless(piece: bytes) -> Iterable[bytes]:
    """The same bytes for ever."""
    return repeat(piece)


Answer = Callable[[Question], Reply]


class Web(threading.Thread):
    """Serves from `start` on, until the process ends."""

    def __init__(self, record: Record, context: ssl.SSLContext, answer: Answer):
        """`answer` says what every request gets; it may be asked from another thread."""
        super().__init__(daemon=True, name="web")
        self._record, self._context, self._answer = record, context, answer
        self.ready = threading.Event()

    def run(self) -> None:
        """Until the process ends."""
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        for secure, ports in ((False, HTTP_PORTS), (True, HTTPS_PORTS)):
            for port in ports:
                for address in ("0.0.0.0", "::"):
                    await asyncio.start_server(
                        self._accept,
                        address,
                        port,
                        limit=_HEAD_BYTES,
                        backlog=1_000,
                        ssl=self._context if secure else None,
                    )
        self.ready.set()
        await asyncio.Event().wait()

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One connection, which serves one request."""
        with closing(writer), suppress(*_HUNG_UP):  # the other side had enough
            await self._talk(reader, writer)

    async def _talk(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if length := _LENGTH.search(head):
            await reader.readexactly(int(length[1]))
        method, target, _ = head.split(b"\r\n")[0].decode("latin-1").split(" ", 2)
        named = _HOST.search(head)
        host = named[1].decode("latin-1").strip().lower() if named else ""
        address, port = writer.get_extra_info("sockname")[:2]
        seen = Seen(How.REQUEST, host, target, port, method, address)
        self._record.note(seen)
        secure = writer.get_extra_info("ssl_object") is not None
        reply = self._answer(Question(host, target, method, secure))
        await _send(writer, reply, method != "HEAD")


async def _send(writer: asyncio.StreamWriter, reply: Reply, with_body: bool) -> None:
    """Writes an answer, at the pace that it wants."""
    writer.write(reply.raw or _head(reply))
    if with_body and not reply.raw:
        writer.write(reply.body)
    await writer.drain()
    for piece in reply.pieces:
        await asyncio.sleep(reply.pause_s)
        writer.write(piece)
        await writer.drain()


def _head(reply: Reply) -> bytes:
    length = len(reply.body) if reply.length is None else reply.length
    lines = [f"HTTP/1.1 {reply.status} Status", f"Content-Type: {reply.kind}"]
    if not reply.pieces:
        lines.append(f"Content-Length: {length}")
    lines += [f"{name}: {value}" for name, value in reply.headers]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1")
