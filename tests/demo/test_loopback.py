"""One small site over real HTTP."""

import http.client
from collections.abc import Iterator, Mapping

import pytest

from crawloop_assets.demo.loopback import Reply, listening


def echo(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
    if target == "/same":
        return Reply(304, b"", {"ETag": '"1"'})
    text = f"{method} {target} {headers.get('x-note', '')} ".encode()
    return Reply(201, text + body, {"Content-Type": "text/plain"})


@pytest.fixture
def connection() -> Iterator[http.client.HTTPConnection]:
    with listening(echo) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        yield connection
        connection.close()


def test_the_site_sees_method_target_headers_and_body(
    connection: http.client.HTTPConnection,
) -> None:
    connection.request("POST", "/a?b=1", b"hello", {"X-Note": "seen"})
    answer = connection.getresponse()
    assert (answer.status, answer.reason) == (201, "Created")
    assert answer.read() == b"POST /a?b=1 seen hello"
    assert answer.headers["Content-Type"] == "text/plain"


def test_head_says_how_long_a_body_would_be_and_sends_none(
    connection: http.client.HTTPConnection,
) -> None:
    connection.request("HEAD", "/a")
    answer = connection.getresponse()
    assert answer.headers["Content-Length"] == str(len("HEAD /a  "))
    assert answer.read() == b""
    connection.request("GET", "/b")
    assert connection.getresponse().read() == b"GET /b  "


def test_what_is_unchanged_has_no_length(
    connection: http.client.HTTPConnection,
) -> None:
    connection.request("GET", "/same")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["ETag"]) == (304, '"1"')
    assert "Content-Length" not in answer.headers
    assert answer.read() == b""


def test_the_port_is_free_again_when_the_block_has_ended() -> None:
    with listening(echo) as port:
        pass
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with pytest.raises(ConnectionRefusedError):
        connection.request("GET", "/")
    with listening(echo, port) as again:
        assert again == port
