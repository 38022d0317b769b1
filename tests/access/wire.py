"""HTTP/1.1 as far as the tests need it: what was asked, what is told, and the log of it."""

import asyncio
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol

HTML = "text/html; charset=utf-8"
_CONNECTIONS = count(1)


@dataclass(frozen=True)
class Asked:
    """A request. `host` counts from 0; header names are lower-case."""

    host: int
    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    @property
    def parts(self) -> list[str]:
        return self.path.strip("/").split("/")

    @property
    def number(self) -> int:
        found = [part for part in self.parts[1:2] if part.isdecimal()]
        return int(found[0]) if found else 0

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


@dataclass
class Told:
    """An answer. `length` lies about the body; `drip_s` sends it byte by byte; `delay_s` waits before anything."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drip_s: float = 0.0
    length: int | None = None


@dataclass(frozen=True)
class Hit:
    """One line of the log. `at` is seconds since the epoch, `connection` counts those that were made."""

    at: float
    host: int
    path: str
    status: int
    method: str
    headers: dict[str, str]
    connection: int = 0


class Answering(Protocol):
    """What a connection needs of a site."""

    log: list[Hit]
    at_once: dict[int, int]
    most_at_once: dict[int, int]
    latency_s: float

    def answer(self, asked: Asked) -> Told: ...


class Connection(asyncio.Protocol):
    """HTTP/1.1 as far as the tests need it."""

    def __init__(self, site: Answering, host: int):
        self._site, self._host, self._buffer = site, host, b""
        self._number = next(_CONNECTIONS)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._out = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
            headers = {
                name.strip().lower(): value.strip()
                for name, _, value in (line.partition(":") for line in lines)
            }
            stop = end + 4 + int(headers.get("content-length", 0))
            if len(self._buffer) < stop:
                return
            body, self._buffer = self._buffer[end + 4 : stop], self._buffer[stop:]
            method, target, _ = first.split(" ", 2)
            path, _, query = target.partition("?")
            self._handle(Asked(self._host, method, path, query, headers, body))

    def _handle(self, asked: Asked) -> None:
        site, told = self._site, self._site.answer(asked)
        if asked.path.startswith("/_"):
            self._send(asked, told)
            return
        site.log.append(
            Hit(
                time.time(),
                asked.host,
                asked.target,
                told.status,
                asked.method,
                asked.headers,
                self._number,
            )
        )
        site.at_once[asked.host] += 1
        site.most_at_once[asked.host] = max(
            site.most_at_once[asked.host], site.at_once[asked.host]
        )
        delay = told.delay_s or site.latency_s
        if delay:
            asyncio.get_running_loop().call_later(delay, self._finish, asked, told)
        else:
            self._finish(asked, told)

    def _finish(self, asked: Asked, told: Told) -> None:
        self._site.at_once[asked.host] -= 1
        self._send(asked, told)

    def _send(self, asked: Asked, told: Told) -> None:
        if self._out.is_closing():
            return
        length = len(told.body) if told.length is None else told.length
        headers = {
            "Content-Type": told.kind,
            "Content-Length": str(length),
            **told.headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._out.write(f"HTTP/1.1 {told.status} Status\r\n{head}\r\n".encode())
        if told.drip_s:
            self._drip(told.body, told.drip_s)
            return
        if asked.method != "HEAD":
            self._out.write(told.body)
        if told.length is not None:
            self._out.close()

    def _drip(self, body: bytes, every_s: float) -> None:
        if body and not self._out.is_closing():
            self._out.write(body[:1])
            asyncio.get_running_loop().call_later(
                every_s, self._drip, body[1:], every_s
            )
