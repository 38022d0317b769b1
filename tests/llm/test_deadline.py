"""A call ends in time, whatever its server does."""

import threading
import time
from threading import Event

import pytest
from pydantic import BaseModel, SecretStr

from crawloop_assets.errors import NoModelAnswer
from crawloop_assets.llm import deadline
from crawloop_assets.llm.ask import ask
from crawloop_assets.llm.deadline import in_time
from crawloop_assets.llm.prompts import prompt
from crawloop_assets.llm.question import ModelRequest, Purpose
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.llm.trouble import EndpointTrouble
from tests.llm.conftest import MemoryLedger
from tests.llm.scripted import Asked, Scripted, endpoint


class Word(BaseModel):
    word: str


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
QUESTION = ModelRequest("a", Purpose.TEST, prompt("test"), "kettle", Word)


def test_what_a_call_returns_or_raises_comes_through() -> None:
    assert in_time(1, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        in_time(1, lambda: 1 / 0)


def test_a_call_that_does_not_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_GRACE_S", 0.0)
    never = Event()
    with pytest.raises(EndpointTrouble, match=r"within 0\.05 s"):
        in_time(0.05, never.wait)
    never.set()


@pytest.mark.parametrize(
    ("head", "piece", "pause_s"),
    [
        (HEAD + b"\r\n", b" ", 0.02),
        (HEAD + b"\r\n", b" " * 100_000, 0),
        (HEAD + b"x-more: ", b"x", 0.02),
        (b"HTTP/1.1 ", b"2", 0.02),
    ],
    ids=["body that drips", "flood", "header that drips", "status that drips"],
)
def test_of_an_answer_without_an_end_nothing_is_kept(
    head: bytes, piece: bytes, pause_s: float
) -> None:
    ended, is_flood = Event(), not pause_s

    def endless(_asked: Asked, exchange: Scripted) -> None:
        """Sends until nobody listens any more."""
        exchange.wfile.write(head)
        try:
            while True:
                exchange.wfile.write(piece)
                time.sleep(pause_s)
        except OSError:
            ended.set()

    with endpoint(endless) as server:
        settings = ModelSettings(
            model="openai/any",
            api_base=server.url,
            api_key=SecretStr("sk-0123456789"),
            timeout_s=30 if is_flood else 1,
            patience_s=0,
            local=True,
        )
        why = "longer than 8,000,000 bytes" if is_flood else "no whole answer within"
        with pytest.raises(NoModelAnswer, match=why):
            ask(QUESTION, MemoryLedger(), settings)
        assert ended.wait(20), "the connection is closed, so its thread has ended"
    threads = [one for one in threading.enumerate() if one.name == "model call"]
    for one in threads:
        one.join(20)
        assert not one.is_alive()
