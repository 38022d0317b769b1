"""The one place a model is called: structured, cached, budgeted, recorded.

The only import of litellm.
"""

import hashlib
import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from crawloop_assets.errors import ModelUnavailable, OverBudget
from crawloop_assets.llm.breaker import breaker
from crawloop_assets.llm.cache import cached_answer, keep_answer
from crawloop_assets.llm.settings import ModelSettings, Structured
from crawloop_assets.store.models import LlmCall, Spent

_T = TypeVar("_T", bound=BaseModel)
_Message = dict[str, str]

_CHARS_PER_TOKEN = 3
# Characters from which on a value is taken for a secret: a shorter one stands in any
# text by chance.
_SECRET_LENGTH = 8
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_FENCE = re.compile(r"^\s*+```[a-z]*+\s*+|(?<!\s)\s*+```\s*+$")


class Purpose(StrEnum):
    """What a call is for, as the ledger calls it."""

    SERVE = "serve"


class Ledger(Protocol):
    """Where calls are written down and budgets are looked up.

    The store is one.
    """

    def record_calls(self, *calls: LlmCall) -> None:
        """Write calls."""

    def spent(self, family: str | None, since: datetime) -> Spent:
        """What a family spent since a moment."""


@dataclass(frozen=True)
class ModelRequest(Generic[_T]):
    """A question: instructions, material, and the pydantic model the answer must
    fit."""

    family: str
    purpose: Purpose
    system: str
    user: str
    answer: type[_T]
    run_id: str | None = None


@dataclass(frozen=True)
class ModelAnswer(Generic[_T]):
    """A valid answer and what it cost.

    `usd` is None where the price is unknown and 0 for a cached answer.
    """

    value: _T
    model: str
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None
    ms: float = 0.0
    cached: bool = False
    repaired: bool = False


@dataclass(frozen=True)
class _Reply:
    text: str
    tokens_in: int
    tokens_out: int
    usd: float | None
    ms: float


_NOTHING = _Reply(text="", tokens_in=0, tokens_out=0, usd=0.0, ms=0.0)


class _EndpointFailed(Exception):
    """An endpoint that gave no answer; `kind` is the name of its own error."""

    def __init__(self, kind: str, text: str):
        super().__init__(text)
        self.kind = kind


def ask(
    request: ModelRequest[_T], ledger: Ledger, settings: ModelSettings
) -> ModelAnswer[_T]:
    """Ask a model once, with one repair round if the answer does not fit.

    Every call is a ledger row, also a failed or cached one. Raises OverBudget before a
    call that would exceed the family's daily budget or while the breaker is open,
    ModelUnavailable if the endpoint fails or answers with something else twice.
    """
    messages = _messages(request, settings)
    digest = _digest(request, settings, messages)
    call = _Call(request, ledger, settings, digest)
    cached = cached_answer(settings.cache, digest, request.answer)
    if cached is not None:
        call.record(None, "cached")
        return ModelAnswer(cached, settings.model, usd=0.0, cached=True)
    reply = call.send(messages)
    value, problem = read_answer(reply.text, request.answer)
    if value is not None:
        return call.done(value, reply)
    call.record(reply, "invalid")
    second = call.send([*messages, *_repair(reply, problem)])
    value, problem = read_answer(second.text, request.answer)
    if value is not None:
        return call.done(value, second, first=reply)
    call.record(second, "invalid")
    raise ModelUnavailable(
        f"The model {settings.model} answered twice with something else than asked for: {problem}"
    )


@dataclass(frozen=True)
class _Call(Generic[_T]):
    """One request on its way to a model: what it spends and brings is written down."""

    request: ModelRequest[_T]
    ledger: Ledger
    settings: ModelSettings
    digest: str

    def send(self, messages: Sequence[_Message]) -> _Reply:
        """The reply to messages.

        OverBudget before it is asked, ModelUnavailable if the endpoint fails.
        """
        endpoint = _endpoint(self.settings)
        breaker.check(endpoint)
        _check_budget(self.request, self.ledger, self.settings, messages)
        try:
            reply = _complete(self.request, self.settings, messages)
        except _EndpointFailed as failure:
            breaker.failed(endpoint)
            self.record(None, f"failed: {failure.kind}")
            raise ModelUnavailable(f"{endpoint}: {failure.kind}: {failure}") from None
        breaker.worked(endpoint)
        return reply

    def done(
        self, value: _T, reply: _Reply, first: _Reply | None = None
    ) -> ModelAnswer[_T]:
        """The answer of a reply, kept for the next time; `first` is the reply that had
        to be repaired."""
        self.record(reply, "repaired" if first else "ok")
        keep_answer(self.settings.cache, self.digest, value)
        total = _sum(first, reply) if first else reply
        return ModelAnswer(
            value=value,
            model=self.settings.model,
            tokens_in=total.tokens_in,
            tokens_out=total.tokens_out,
            usd=total.usd,
            ms=total.ms,
            repaired=first is not None,
        )

    def record(self, reply: _Reply | None, outcome: str) -> None:
        """Write a row of the ledger; without a reply nothing was spent."""
        spent = reply or _NOTHING
        row = LlmCall(
            family=self.request.family,
            purpose=self.request.purpose.value,
            model=self.settings.model,
            run_id=self.request.run_id,
            tokens_in=spent.tokens_in,
            tokens_out=spent.tokens_out,
            usd=spent.usd,
            ms=spent.ms,
            prompt_sha256=self.digest,
            outcome=outcome,
        )
        self.ledger.record_calls(row)


def redacted(text: str, environ: Mapping[str, str]) -> str:
    """Text without the values of environment variables that are named like secrets."""
    for name, value in environ.items():
        if len(value) < _SECRET_LENGTH or not _SECRET_NAME.search(name):
            continue
        text = text.replace(value, "[secret]")
    return text


def _messages(request: ModelRequest[_T], settings: ModelSettings) -> list[_Message]:
    """Without secrets; a model that cannot be held to a schema is told it in words."""
    system = request.system
    if settings.structured is not Structured.JSON_SCHEMA:
        schema = json.dumps(request.answer.model_json_schema(), sort_keys=True)
        system += f"\n\nAnswer with one JSON value that fits this JSON Schema, and with nothing else:\n{schema}"
    return [
        {"role": "system", "content": redacted(system, os.environ)},
        {"role": "user", "content": redacted(request.user, os.environ)},
    ]


def _digest(
    request: ModelRequest[_T], settings: ModelSettings, messages: Sequence[_Message]
) -> str:
    """What names a question in the cache: all that its answer may depend on."""
    question = [
        settings.model,
        settings.structured,
        settings.max_tokens,
        request.answer.model_json_schema(),
        list(messages),
    ]
    return hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()


def _endpoint(settings: ModelSettings) -> str:
    """What fails and rests together: a model at a server."""
    model, at = settings.model, settings.api_base
    return f"{model} at {at}" if at else model


def _check_budget(
    request: ModelRequest[_T],
    ledger: Ledger,
    settings: ModelSettings,
    messages: Sequence[_Message],
) -> None:
    """OverBudget if the family's calls or dollars of today (UTC) are spent, or this
    call could exceed them; a local model has no price."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    spent = ledger.spent(request.family, midnight)
    if spent.calls >= settings.calls_per_day:
        raise OverBudget(
            f"{request.family}: {spent.calls} model calls today, {settings.calls_per_day} are allowed."
        )
    if settings.local:
        return
    if spent.usd >= settings.budget_usd:
        raise OverBudget(
            f"{request.family}: ${spent.usd:.4f} of today's ${settings.budget_usd:.2f} (heal.budget_usd) is spent."
        )
    tokens = sum(len(message["content"]) for message in messages) // _CHARS_PER_TOKEN
    dearest = _price(settings.model, tokens, settings.max_tokens)
    if dearest is not None and spent.usd + dearest > settings.budget_usd:
        raise OverBudget(
            f"{request.family}: this call may cost ${dearest:.4f}; ${spent.usd:.4f} of today's "
            f"${settings.budget_usd:.2f} (heal.budget_usd) is spent."
        )


def _litellm() -> Any:
    """Litellm, quiet and offline.

    Costs seconds of CPU and 200 MB, so nothing else imports it.
    """
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def _price(model: str, tokens_in: int, tokens_out: int) -> float | None:
    """What so many tokens cost in USD, None for a model whose price is not known."""
    known = _litellm().model_cost
    entry = known.get(model) or known.get(model.split("/", 1)[-1])
    if not entry or "input_cost_per_token" not in entry:
        return None
    return float(
        tokens_in * entry["input_cost_per_token"]
        + tokens_out * entry.get("output_cost_per_token", 0.0)
    )


def _complete(
    request: ModelRequest[_T], settings: ModelSettings, messages: Sequence[_Message]
) -> _Reply:
    """What the endpoint replies; _EndpointFailed if it does not."""
    litellm = _litellm()
    # The base of every error that litellm maps a provider's answer to.
    from openai import OpenAIError

    key = _key(settings)
    started = time.monotonic()
    try:
        reply = litellm.completion(
            model=settings.model,
            messages=list(messages),
            api_base=settings.api_base,
            api_key=key,
            response_format=_format(request, settings),
            temperature=0,
            max_tokens=settings.max_tokens,
            timeout=settings.timeout_s,
            num_retries=0,
            max_retries=0,
            drop_params=True,
            stream=False,
        )
    except OpenAIError as error:
        text = _first_line(error, key)
        raise _EndpointFailed(type(error).__name__, text) from None
    return _Reply(
        text=reply.choices[0].message.content or "",
        tokens_in=reply.usage.prompt_tokens or 0,
        tokens_out=reply.usage.completion_tokens or 0,
        usd=_cost(reply, settings),
        ms=(time.monotonic() - started) * 1000,
    )


def _key(settings: ModelSettings) -> str | None:
    """The key to send; a local server gets one that is none."""
    if settings.api_key:
        return settings.api_key.get_secret_value()
    return "none" if settings.local else None


def _first_line(error: Exception, key: str | None) -> str:
    """What an error says, without the key that it may repeat."""
    text = next(iter(str(error).splitlines()), "")[:300]
    if key and len(key) >= _SECRET_LENGTH:
        return text.replace(key, "[key]")
    return text


def _cost(reply: Any, settings: ModelSettings) -> float | None:
    """USD, None where litellm knows no price: a server of one's own costs "0"."""
    cost = reply._hidden_params.get("response_cost")
    if cost is None or (cost == 0 and settings.api_base):
        return None
    return float(cost)


def _format(request: ModelRequest[_T], settings: ModelSettings) -> Any:
    """What the endpoint is told of the answer's form, None if it takes nothing."""
    if settings.structured is Structured.JSON_SCHEMA:
        return request.answer
    if settings.structured is Structured.JSON_OBJECT:
        return {"type": "json_object", "schema": request.answer.model_json_schema()}
    return None


def _sum(first: _Reply, second: _Reply) -> _Reply:
    """The second reply, with what both of them cost."""
    usd = None
    if first.usd is not None and second.usd is not None:
        usd = first.usd + second.usd
    return _Reply(
        text=second.text,
        tokens_in=first.tokens_in + second.tokens_in,
        tokens_out=first.tokens_out + second.tokens_out,
        usd=usd,
        ms=first.ms + second.ms,
    )


def read_answer(text: str, answer: type[_T]) -> tuple[_T | None, str]:
    """The answer in what a model wrote, or None and what is wrong with it."""
    try:
        return answer.model_validate_json(_FENCE.sub("", text)), ""
    except ValidationError as error:
        return None, _problem(error)


def _problem(error: ValidationError) -> str:
    """The first problems, each with where it is."""
    parts = []
    for problem in error.errors()[:5]:
        location = ".".join(map(str, problem["loc"])) or "answer"
        parts.append(f"{location}: {problem['msg']}")
    return "; ".join(parts)


def _repair(reply: _Reply, problem: str) -> list[_Message]:
    """What is said to a model whose reply was not valid."""
    wish = f"That is not valid: {problem}\nAnswer again, with the corrected JSON only."
    return [
        {"role": "assistant", "content": reply.text},
        {"role": "user", "content": wish},
    ]
