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
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from crawloop_assets.errors import ModelUnavailable, OverBudget
from crawloop_assets.llm.breaker import breaker
from crawloop_assets.llm.settings import ModelSettings, Structured
from crawloop_assets.store.models import LlmCall, Spent

T = TypeVar("T", bound=BaseModel)
Message = dict[str, str]

_CHARS_PER_TOKEN = 3
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[a-z]*\s*|\s*```\s*$")


class Purpose(StrEnum):
    """What a call is for, as the ledger calls it."""

    SERVE = "serve"
    ORACLE = "oracle"
    READERS = "readers"
    PROGRAM = "program"
    CODE = "code"
    SCHEMA = "schema"


class Ledger(Protocol):
    """Where calls are written down and budgets are looked up.

    The store is one.
    """

    def record_calls(self, *calls: LlmCall) -> None:
        """Write calls."""

    def spent(self, family: str | None, since: datetime) -> Spent:
        """What a family spent since a moment."""


@dataclass(frozen=True)
class ModelRequest(Generic[T]):
    """A question: instructions, material, and the pydantic model the answer must
    fit."""

    family: str
    purpose: Purpose
    system: str
    user: str
    answer: type[T]
    run_id: str | None = None


@dataclass(frozen=True)
class ModelAnswer(Generic[T]):
    """A valid answer and what it cost.

    `usd` is None where the price is unknown and 0 for a cached answer.
    """

    value: T
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


def ask(
    request: ModelRequest[T], ledger: Ledger, settings: ModelSettings
) -> ModelAnswer[T]:
    """Ask a model once, with one repair round if the answer does not fit.

    Every call is a ledger row, also a failed or cached one. Raises OverBudget before a
    call that would exceed the family's daily budget or while the breaker is open,
    ModelUnavailable if the endpoint fails or answers with something else twice.
    """
    messages = _messages(request, settings)
    prompt_sha256 = _digest(request, settings, messages)
    cached = _cached(request, settings, prompt_sha256)
    if cached is not None:
        ledger.record_calls(_row(request, settings, prompt_sha256, None, "cached"))
        return ModelAnswer(cached, settings.model, usd=0.0, cached=True)
    problem = ""
    total = _Reply("", 0, 0, 0.0, 0.0)
    for attempt in range(2):
        breaker.check(_endpoint(settings))
        _check_budget(request, ledger, settings, messages)
        reply = _call(request, ledger, settings, messages, prompt_sha256)
        total = _sum(total, reply)
        try:
            value = request.answer.model_validate_json(_FENCE.sub("", reply.text))
        except ValidationError as error:
            problem = _problem(error)
            ledger.record_calls(
                _row(request, settings, prompt_sha256, reply, "invalid")
            )
            messages = [
                *messages,
                {"role": "assistant", "content": reply.text},
                {
                    "role": "user",
                    "content": f"That is not valid: {problem}\nAnswer again, with the corrected JSON only.",
                },
            ]
            continue
        ledger.record_calls(
            _row(
                request, settings, prompt_sha256, reply, "repaired" if attempt else "ok"
            )
        )
        _keep(settings, prompt_sha256, value)
        return ModelAnswer(
            value,
            settings.model,
            total.tokens_in,
            total.tokens_out,
            total.usd,
            total.ms,
            repaired=bool(attempt),
        )
    raise ModelUnavailable(
        f"The model {settings.model} answered twice with something else than asked for: {problem}"
    )


def redacted(text: str, environ: Mapping[str, str]) -> str:
    """Text without the values of environment variables that are named like secrets."""
    for name, value in environ.items():
        if len(value) >= 8 and _SECRET_NAME.search(name) and value in text:
            text = text.replace(value, "[secret]")
    return text


def _messages(request: ModelRequest[T], settings: ModelSettings) -> list[Message]:
    system = request.system
    if settings.structured is not Structured.JSON_SCHEMA:
        schema = json.dumps(request.answer.model_json_schema(), sort_keys=True)
        system += f"\n\nAnswer with one JSON value that fits this JSON Schema, and with nothing else:\n{schema}"
    return [
        {"role": "system", "content": redacted(system, os.environ)},
        {"role": "user", "content": redacted(request.user, os.environ)},
    ]


def _digest(
    request: ModelRequest[T], settings: ModelSettings, messages: Sequence[Message]
) -> str:
    asked = [
        settings.model,
        settings.structured,
        settings.max_tokens,
        request.answer.model_json_schema(),
        list(messages),
    ]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _endpoint(settings: ModelSettings) -> str:
    return (
        f"{settings.model} at {settings.api_base}"
        if settings.api_base
        else settings.model
    )


def _check_budget(
    request: ModelRequest[T],
    ledger: Ledger,
    settings: ModelSettings,
    messages: Sequence[Message],
) -> None:
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


def _call(
    request: ModelRequest[T],
    ledger: Ledger,
    settings: ModelSettings,
    messages: Sequence[Message],
    prompt_sha256: str,
) -> _Reply:
    litellm = _litellm()
    from openai import OpenAIError

    key = (
        settings.api_key.get_secret_value()
        if settings.api_key
        else "none"
        if settings.local
        else None
    )
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
    except (
        OpenAIError
    ) as error:  # the base of every error litellm maps a provider's answer to
        breaker.failed(_endpoint(settings))
        ledger.record_calls(
            _row(
                request,
                settings,
                prompt_sha256,
                None,
                f"failed: {type(error).__name__}",
            )
        )
        text = str(error).splitlines()[0][:300] if str(error) else ""
        hidden = text.replace(key, "[key]") if key and len(key) >= 8 else text
        raise ModelUnavailable(
            f"{_endpoint(settings)}: {type(error).__name__}: {hidden}"
        ) from None
    breaker.worked(_endpoint(settings))
    usage = reply.usage
    cost = reply._hidden_params.get("response_cost")
    return _Reply(
        text=reply.choices[0].message.content or "",
        tokens_in=usage.prompt_tokens or 0,
        tokens_out=usage.completion_tokens or 0,
        usd=None if cost is None or (cost == 0 and settings.api_base) else float(cost),
        ms=(time.monotonic() - started) * 1000,
    )


def _format(request: ModelRequest[T], settings: ModelSettings) -> Any:
    if settings.structured is Structured.JSON_SCHEMA:
        return request.answer
    if settings.structured is Structured.JSON_OBJECT:
        return {"type": "json_object", "schema": request.answer.model_json_schema()}
    return None


def _sum(a: _Reply, b: _Reply) -> _Reply:
    usd = None if a.usd is None or b.usd is None else a.usd + b.usd
    return _Reply(
        b.text, a.tokens_in + b.tokens_in, a.tokens_out + b.tokens_out, usd, a.ms + b.ms
    )


def _problem(error: ValidationError) -> str:
    parts = [
        f"{'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}"
        for one in error.errors()[:5]
    ]
    return "; ".join(parts)


def _row(
    request: ModelRequest[T],
    settings: ModelSettings,
    prompt_sha256: str,
    reply: _Reply | None,
    outcome: str,
) -> LlmCall:
    return LlmCall(
        family=request.family,
        purpose=request.purpose.value,
        model=settings.model,
        run_id=request.run_id,
        tokens_in=reply.tokens_in if reply else 0,
        tokens_out=reply.tokens_out if reply else 0,
        usd=reply.usd if reply else 0.0,
        ms=reply.ms if reply else 0.0,
        prompt_sha256=prompt_sha256,
        outcome=outcome,
    )


def _place(settings: ModelSettings, prompt_sha256: str) -> Path | None:
    return (
        settings.cache / prompt_sha256[:2] / f"{prompt_sha256}.json"
        if settings.cache
        else None
    )


def _cached(
    request: ModelRequest[T], settings: ModelSettings, prompt_sha256: str
) -> T | None:
    place = _place(settings, prompt_sha256)
    if place is None or not place.is_file():
        return None
    try:
        return request.answer.model_validate_json(place.read_text())
    except ValidationError:
        return None


def _keep(settings: ModelSettings, prompt_sha256: str, value: BaseModel) -> None:
    """Store an answer whole or not at all; other processes may be reading."""
    place = _place(settings, prompt_sha256)
    if place is None:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(
        "w", dir=place.parent, suffix=".part", delete=False
    ) as part:
        part.write(value.model_dump_json())
    Path(part.name).replace(place)
