"""An OpenAI-compatible server on loopback whose answers a test writes, and a ledger in memory."""

import json
from collections.abc import Callable
from datetime import datetime

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.llm import ModelSettings, Structured
from crawloop_assets.llm.breaker import breaker
from crawloop_assets.store.models import LlmCall, Spent

KEY = "sk-test-0123456789abcdef"


class MemoryLedger:
    """Keeps calls in a list."""

    def __init__(self, usd: float = 0.0):
        self.calls: list[LlmCall] = []
        self.usd = usd

    def record_calls(self, *calls: LlmCall) -> None:
        self.calls.extend(calls)

    def spent(self, family: str | None, since: datetime) -> Spent:
        return Spent(
            self.usd + sum(call.usd or 0 for call in self.calls), 0, len(self.calls)
        )


class Model:
    """What the server was asked, and what it will say next: texts, or a number for an HTTP error."""

    def __init__(self, server: HTTPServer):
        self.requests: list[dict] = []
        self.says: list[str | int] = []
        self.url = server.url_for("/v1")
        server.expect_request(
            "/v1/chat/completions", method="POST"
        ).respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        self.requests.append(json.loads(request.data))
        said = self.says.pop(0)
        if isinstance(said, int):
            return Response(
                json.dumps({"error": {"message": f"no, {KEY}"}}),
                said,
                content_type="application/json",
            )
        message = {"role": "assistant", "content": said}
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "any",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
        return Response(json.dumps(body), 200, content_type="application/json")


@pytest.fixture
def model(httpserver: HTTPServer) -> Model:
    return Model(httpserver)


@pytest.fixture
def ledger() -> MemoryLedger:
    return MemoryLedger()


@pytest.fixture
def settings(model: Model) -> Callable[..., ModelSettings]:
    """Settings for the loopback server."""

    def make(**changes) -> ModelSettings:
        given = {
            "model": "openai/any",
            "api_base": model.url,
            "api_key": KEY,
            "structured": Structured.JSON_OBJECT,
        }
        return ModelSettings.model_validate(given | changes)

    return make


@pytest.fixture(autouse=True)
def closed_breaker():
    """Every test starts with an endpoint that has not failed."""
    breaker.failures.clear()
    breaker.until.clear()
