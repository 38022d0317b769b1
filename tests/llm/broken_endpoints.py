"""Endpoints that are broken in one way each: what they answer a question with."""

import json
import socket
import struct
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from tests.llm.scripted import Asked, Scripted, completion

RECORD = "{record}"
"""Stands for the right answer about the page."""
Answer = Callable[[Scripted, str], None]
"""Given the exchange and the right answer."""


def _status(code: int, text: str = "no", **headers: str) -> Answer:
    body = json.dumps({"error": {"message": text}})
    return lambda exchange, _right: exchange.says(body, code, **headers)


def _body(body: str, kind: str = "application/json") -> Answer:
    return lambda exchange, _right: exchange.says(body, kind=kind)


def _writes(content: str | None, **more: object) -> Answer:
    def answer(exchange: Scripted, right: str) -> None:
        said = content and content.replace(RECORD, right)
        exchange.says(json.dumps(completion(said, **more)))

    return answer


def _reset(exchange: Scripted, _right: str) -> None:
    linger = struct.pack("ii", 1, 0)
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    exchange.connection.close()


def _nothing(exchange: Scripted, _right: str) -> None:
    exchange.connection.shutdown(socket.SHUT_RDWR)


def _never_ends(exchange: Scripted, piece: bytes, pause_s: float) -> None:
    """An answer of pieces without an end."""
    exchange.send_response(200)
    exchange.send_header("content-type", "application/json")
    exchange.end_headers()
    until = time.monotonic() + 20
    with suppress(OSError):
        while time.monotonic() < until:
            exchange.wfile.write(piece)
            exchange.wfile.flush()
            time.sleep(pause_s)


def _drips(exchange: Scripted, _right: str) -> None:
    """Bytes without an end, each in time."""
    _never_ends(exchange, b" ", 0.05)


def _drips_its_head(exchange: Scripted, _right: str) -> None:
    """A head without an end, byte by byte, each in time."""
    exchange.wfile.write(b"HTTP/1.1 200 OK\r\nx-more: ")
    until = time.monotonic() + 20
    with suppress(OSError):
        while time.monotonic() < until:
            exchange.wfile.write(b"x")
            exchange.wfile.flush()
            time.sleep(0.05)


def _floods(exchange: Scripted, _right: str) -> None:
    """Bytes without an end, as fast as they are taken."""
    _never_ends(exchange, b" " * 100_000, 0)


def _slow(exchange: Scripted, right: str) -> None:
    time.sleep(3)
    with suppress(OSError):
        exchange.writes(right)


def _half(exchange: Scripted, right: str) -> None:
    """Less than it says it will send."""
    data = json.dumps(completion(right)).encode()
    exchange.send_response(200)
    exchange.send_header("content-type", "application/json")
    exchange.send_header("content-length", str(len(data)))
    exchange.end_headers()
    exchange.wfile.write(data[: len(data) // 2])


def _events(exchange: Scripted, right: str) -> None:
    """A stream that nobody asked for."""
    chunk = {"choices": [{"index": 0, "delta": {"content": right}}]}
    exchange.says(
        f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n", kind="text/event-stream"
    )


_TOOL = {
    "id": "1",
    "type": "function",
    "function": {"name": "answer", "arguments": '{"records": []}'},
}
_EXTRA = '{"records": [{record}], "confidence": "high", "notes": ["none"]}'

FOR_ITS_PAGE: Mapping[str, Answer] = {
    "an empty body": _body(""),
    "an empty object": _body("{}"),
    "no choices": _body('{"id": "1", "object": "chat.completion", "choices": []}'),
    "a list": _body("[]"),
    "null": _body("null"),
    "html": _body("<p>We are down</p>", "text/html"),
    "json that is cut": _body('{"choices": [{"message": {"content": "'),
    "less than announced": _half,
    "no content": _writes(None),
    "an empty content": _writes(""),
    "a tool call": _writes(None, tool_calls=[_TOOL]),
    "a refusal": _writes(None, refusal="I cannot help with that."),
    "filtered": _writes("", ended="content_filter"),
    "cut at max_tokens": _writes('{"records": [{"title": "W', ended="length"),
    "cut behind a record": _writes(
        f'{{"records": [{RECORD}, {{"title": "W', ended="length"
    ),
    "cut without a word": _writes(f'{{"records": [{RECORD}, {{"title": "W'),
    "prose": _writes("I am sorry, but here is nothing."),
    "another schema": _writes('{"answer": 42}'),
    "ten thousand records": _writes(json.dumps({"records": [{}] * 10_000})),
    "nested without end": _writes("[" * 50_000),
    "400": _status(400),
    "408": _status(408),
    "413": _status(413),
    "422": _status(422),
    "429 for an hour": _status(429, "slow down", retry_after="3600"),
    "429 without a word": _status(429),
    "429 until a date": _status(429, retry_after="Wed, 21 Oct 2035 07:28:00 GMT"),
    "500": _status(500),
    "502 in html": lambda exchange, _right: exchange.says("<h1>Bad</h1>", 502),
    "503": _status(503),
    "529": _status(529, "overloaded"),
    "a redirect to itself": _status(307, location="/v1/chat/completions"),
    "a stream": _events,
    "a slow answer": _slow,
    "bytes without an end": _drips,
    "a head without an end": _drips_its_head,
    "a flood": _floods,
    "a reset": _reset,
    "no answer": _nothing,
}
"""What costs no more than the page that was asked about."""

FOR_EVERY_PAGE: Mapping[str, Answer] = {
    "a wrong key": _status(401, "Incorrect API key"),
    "an empty account": _status(402, "payment required"),
    "no right": _status(403, "not allowed"),
    "no such model": _status(404, "model not found"),
    "a spent quota": _status(429, "insufficient_quota"),
}
"""What no other page would fare better with."""

ALL_THE_SAME: Mapping[str, Answer] = {
    "extra keys": _writes(_EXTRA),
    "a fence": _writes('Here you are:\n```json\n{"records": [{record}]}\n```'),
    "the record alone": _writes("{record}"),
    "an extra choice": lambda exchange, right: exchange.says(
        json.dumps(completion(right) | {"system": {"x": 1}, "choices_left": 0})
    ),
}
"""What is odd, and an answer all the same."""


def answers_with(
    answer: Answer, is_hit: Callable[[str], bool], right: Callable[[str], str]
) -> Callable[[Asked, Scripted], None]:
    """An endpoint that is broken for some questions and right for others."""

    def answers(asked: Asked, exchange: Scripted) -> None:
        question = str(asked["messages"][1]["content"])
        record = right(question)
        if is_hit(question):
            answer(exchange, record)
        else:
            exchange.writes(f'{{"records": [{record}]}}')

    return answers
