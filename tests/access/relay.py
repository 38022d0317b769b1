"""A proxy on loopback that relays requests, refuses them or tunnels them."""

import asyncio
from contextlib import suppress


class RelayProxy:
    """`heads` are the heads of all requests it got; `status` is what it refuses with, 0
    if it relays."""

    def __init__(self, status: int = 0):
        self.status = status
        self.heads: list[str] = []
        self.url = ""

    async def __aenter__(self) -> "RelayProxy":
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _relay(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            if self.status:
                lines = f"HTTP/1.1 {self.status} No", "Content-Length: 0"
                writer.write(
                    "\r\n".join([*lines, "Connection: close", "", ""]).encode()
                )
            else:
                writer.write(await _answer(head.split(" ")[1]))
            await writer.drain()
        writer.close()


async def _answer(target: str) -> bytes:
    host, _, path = target.removeprefix("http://").partition("/")
    name, _, port = host.partition(":")
    reader, writer = await asyncio.open_connection(name, int(port))
    request = f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nX-Relayed: yes\r\n\r\n"
    writer.write(request.encode())
    answer = await reader.readuntil(b"\r\n\r\n") + await reader.read(65_536)
    writer.close()
    return answer
