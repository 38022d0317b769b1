"""An OpenAI-compatible server on loopback whose answers a test writes, and a ledger in memory."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from crawloop_assets.llm import ModelSettings, Structured
from crawloop_assets.store.ledger import CACHED, UNANSWERED, Allows
from crawloop_assets.store.models import LlmCall, Spent

KEY = "sk-test-0123456789abcdef"


class MemoryLedger:
    """Keeps calls in memory, those under way among them."""

    def __init__(self, usd: float = 0.0):
        self.rows: dict[str, LlmCall] = {}
        self.usd = usd
        self.longest = 0

    @property
    def calls(self) -> list[LlmCall]:
        return list(self.rows.values())

    def record(self, *calls: LlmCall) -> None:
        for call in calls:
            self.rows[f"kept {len(self.rows)}"] = call

    def reserve(self, call: LlmCall, since: datetime, allows: Allows) -> str:
        made = [one for one in self.calls if one.outcome != CACHED]
        counted = sum(one.usd or one.reserved or 0 for one in made)
        used = Spent(self.usd, 0, len(made), self.usd + counted, longest=self.longest)
        reserved = allows(used)
        name = f"call {len(self.rows)}"
        self.rows[name] = replace(call, outcome=UNANSWERED, reserved=reserved)
        return name

    def settle(self, name: str, call: LlmCall) -> None:
        self.rows[name] = call


class Model:
    """What the server was asked, and what it will say next: texts, a number for an HTTP error, or a whole response."""

    def __init__(self, server: HTTPServer):
        self.requests: list[dict] = []
        self.says: list[str | int | Response] = []
        self.ended = "stop"
        self.url = server.url_for("/v1")
        server.expect_request(
            "/v1/chat/completions", method="POST"
        ).respond_with_handler(self._answer)

    def _answer(self, request: Request) -> Response:
        self.requests.append(json.loads(request.data))
        said = self.says.pop(0)
        if isinstance(said, Response):
            return said
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
            "choices": [{"index": 0, "message": message, "finish_reason": self.ended}],
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
            "budget_usd": 100,
        }
        return ModelSettings.model_validate(given | changes)

    return make
