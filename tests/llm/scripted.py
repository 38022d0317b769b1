"""An OpenAI-compatible endpoint on loopback that says what a test writes, several questions at once, well-formed or not."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

Asked = Mapping[str, Any]
"""The body of a request."""


class Scripted(BaseHTTPRequestHandler):
    """One exchange: `server.answers(asked, self)` writes the answer."""

    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        asked = json.loads(self.rfile.read(size))
        with self.server.lock:
            self.server.asked.append(asked)
        try:
            self.server.answers(asked, self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # whoever asked has gone

    def says(
        self,
        body: str | bytes,
        status: int = 200,
        kind: str = "application/json",
        **headers: str,
    ) -> None:
        """A whole answer."""
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def writes(self, content: str | None, **message: Any) -> None:
        """An answer whose message has this content."""
        self.says(json.dumps(completion(content, **message)))

    def log_message(self, *_args: Any) -> None:
        """Nothing is printed."""


class Endpoint(ThreadingHTTPServer):
    """Notes what it was asked; `answers` may be replaced at any time."""

    daemon_threads = True

    def __init__(self, answers: Callable[[Asked, Scripted], None]):
        super().__init__(("127.0.0.1", 0), Scripted)
        self.answers = answers
        self.asked: list[Asked] = []
        self.lock = Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_args: Any) -> None:
        """A broken exchange is what a test wanted."""


@contextmanager
def endpoint(answers: Callable[[Asked, Scripted], None]) -> Iterator[Endpoint]:
    """The endpoint while it runs."""
    server = Endpoint(answers)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def completion(
    content: str | None, ended: str = "stop", tokens_out: int = 40, **message: Any
) -> dict[str, Any]:
    """A chat completion."""
    said = {"role": "assistant", "content": content} | message
    choice = {"index": 0, "finish_reason": ended, "message": said}
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": tokens_out,
        "total_tokens": 900 + tokens_out,
    }
    head = {"id": "1", "object": "chat.completion", "created": 1, "model": "any"}
    return head | {"choices": [choice], "usage": usage}


def question_of(asked: Asked) -> str:
    """What the user's message says."""
    return str(asked["messages"][1]["content"])
