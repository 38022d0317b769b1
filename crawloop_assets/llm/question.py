"""What is asked of a model and what comes back: typed, without secrets, named for the
cache."""

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from crawloop_assets.family import Structured
from crawloop_assets.llm.prompts import Prompt
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.store.ledger import Allows
from crawloop_assets.store.models import LlmCall

AnswerT = TypeVar("AnswerT", bound=BaseModel)
Message = dict[str, str]

SECRET_LENGTH = 8
"""Characters from which on a value is taken for a secret: a shorter one stands in any
text by chance."""
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)


class Purpose(StrEnum):
    """What a call is for, as the ledger calls it."""

    SERVE = "serve"
    REPAIR = "repair"
    ORACLE = "oracle"
    JUDGE = "judge"
    FIELDS = "fields"
    SCHEMA = "schema"
    TEST = "test"


class Ledger(Protocol):
    """Where calls are written down and budgets are looked up: `store.calls` is one."""

    def record(self, *calls: LlmCall) -> None:
        """Write answers that were kept."""

    def reserve(self, call: LlmCall, since: datetime, allows: Allows) -> str:
        """Write down a call that is about to be made, if what was spent allows it."""

    def settle(self, name: str, call: LlmCall) -> None:
        """What came of a call that was reserved."""


@dataclass(frozen=True)
class ModelRequest(Generic[AnswerT]):
    """A question: instructions, material, and the pydantic model the answer must
    fit."""

    family: str
    purpose: Purpose
    system: Prompt
    user: str
    answer: type[AnswerT]
    run_id: str | None = None


@dataclass(frozen=True)
class ModelAnswer(Generic[AnswerT]):
    """A valid answer and what it cost.

    `usd` is None where the price is unknown and 0 for a cached answer; `digest` names
    it in the cache.
    """

    value: AnswerT
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None
    ms: float = 0.0
    cached: bool = False
    repaired: bool = False
    digest: str = ""


@dataclass(frozen=True)
class ModelReply:
    """What an endpoint replied, and why it ended there."""

    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = 0.0
    ms: float = 0.0
    ended: str = "stop"


def messages_of(
    request: ModelRequest[AnswerT], structured: Structured
) -> list[Message]:
    """Without secrets; a model that cannot be held to a schema is told it in words."""
    system = request.system.text
    if structured is not Structured.JSON_SCHEMA:
        schema = json.dumps(request.answer.model_json_schema(), sort_keys=True)
        system += f"\n\nAnswer with one JSON value that fits this JSON Schema, and with nothing else:\n{schema}"
    return [
        {"role": "system", "content": redacted(system, os.environ)},
        {"role": "user", "content": redacted(request.user, os.environ)},
    ]


def redacted(text: str, environ: Mapping[str, str]) -> str:
    """Text without the values of environment variables that are named like secrets."""
    for name, value in environ.items():
        if len(value) < SECRET_LENGTH or not _SECRET_NAME.search(name):
            continue
        text = text.replace(value, "[secret]")
    return text


def digest_of(request: ModelRequest[AnswerT], settings: ModelSettings) -> str:
    """What names a question in the cache: all that its answer may depend on, but not
    in which way the answer is held to its form."""
    question = [
        settings.model,
        settings.api_base,
        request.answer.model_json_schema(),
        messages_of(request, Structured.JSON_SCHEMA),
    ]
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()


def repair_messages(reply: ModelReply, problem: str) -> Sequence[Message]:
    """What is said to a model whose reply was not valid."""
    wish = f"That is not valid: {problem}\nAnswer again, with the corrected JSON only."
    return [
        {"role": "assistant", "content": reply.text},
        {"role": "user", "content": wish},
    ]
