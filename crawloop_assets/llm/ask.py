"""The one place a model is called: structured, cached, budgeted, recorded; the only
import of litellm."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Generic, NamedTuple

from crawloop_assets.errors import AnswerCut, ModelUnavailable, NoModelAnswer
from crawloop_assets.family import Structured
from crawloop_assets.llm.answers import read_answer
from crawloop_assets.llm.breaker import breaker
from crawloop_assets.llm.budget import (
    Allowance,
    BudgetInUse,
    Price,
    midnight,
    price_of,
    prompt_tokens,
)
from crawloop_assets.llm.cache import cached_answer, keep_answer
from crawloop_assets.llm.deadline import WATCHES, in_time
from crawloop_assets.llm.question import (
    SECRET_LENGTH,
    AnswerT,
    Ledger,
    Message,
    ModelAnswer,
    ModelReply,
    ModelRequest,
    digest_of,
    messages_of,
    repair_messages,
)
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.llm.structures import (
    easier_structure,
    keep_structure,
    known_structure,
)
from crawloop_assets.llm.trouble import (
    EndpointTrouble,
    TroubleKind,
    endpoint_trouble,
    first_wait,
    malformed,
)
from crawloop_assets.store.ledger import CACHED
from crawloop_assets.store.models import LlmCall

_POLL_S = 0.2
"""Between two looks at a budget that other calls hold."""

_ENDS = {
    "length": "its answer was cut at {tokens} tokens (heal.model_max_tokens)",
    "content_filter": "it refused to answer",
    "refusal": "it refused to answer",
}
"""What is said of an answer that did not end by itself."""


def ask(
    request: ModelRequest[AnswerT], ledger: Ledger, settings: ModelSettings
) -> ModelAnswer[AnswerT]:
    """Ask a model, with one repair round if the answer does not fit.

    Trouble that passes is waited for, as long as the settings have patience. Every call
    is a ledger row, also a failed or cached one. Raises NoModelAnswer where this
    question has no answer, and what concerns every other question too: OverBudget before
    a call that would pass a budget or while the breaker is open, ModelUnavailable for a
    key or a model that the endpoint does not know.
    """
    digest = digest_of(request, settings)
    call = _Call(request, ledger, settings, digest)
    cached = cached_answer(settings.cache, digest, request.answer)
    if cached is not None:
        ledger.record(replace(call.row, usd=0.0, outcome=CACHED))
        return ModelAnswer(cached, settings.model, usd=0.0, cached=True, digest=digest)
    reply, value, problem = call.answered(())
    if value is not None:
        return call.done(value, reply)
    second, value, problem = call.answered(repair_messages(reply, problem))
    if value is not None:
        return call.done(value, second, first=reply)
    raise NoModelAnswer(
        f"The model {settings.model} answered twice with something else than asked for: {problem}"
    )


class _Sent(NamedTuple):
    """What is sent, for which form of answer, and how it is decided whether it may be."""

    messages: Sequence[Message]
    structure: Structured
    allows: Allowance


class Estimate(NamedTuple):
    """What would be asked, about how many tokens that is, and the most in dollars that
    the call may cost; `is_known`: by a price that somebody knows."""

    messages: tuple[Message, ...]
    tokens_in: int
    usd: float
    is_known: bool


def estimate(request: ModelRequest[AnswerT], settings: ModelSettings) -> Estimate:
    """A question as it would be asked, without asking it."""
    endpoint = endpoint_of(settings)
    messages = messages_of(request, known_structure(endpoint, settings))
    tokens = prompt_tokens(messages)
    price = price_of(settings, lambda: _litellm().model_cost)
    most = price.of(tokens, settings.max_tokens)
    return Estimate(tuple(messages), tokens, most, price.known)


@dataclass(frozen=True)
class _Call(Generic[AnswerT]):
    """One request on its way to a model: what it spends and brings is written down."""

    request: ModelRequest[AnswerT]
    ledger: Ledger
    settings: ModelSettings
    digest: str

    @property
    def row(self) -> LlmCall:
        """A row of the ledger for this question."""
        return LlmCall(
            family=self.request.family,
            purpose=self.request.purpose.value,
            model=self.settings.model,
            run_id=self.request.run_id,
            prompt_sha256=self.digest,
            wave=self.settings.wave,
            prompt=self.request.system.version,
        )

    @property
    def endpoint(self) -> str:
        """What fails and rests together: a model at a server."""
        return endpoint_of(self.settings)

    def answered(
        self, more: Sequence[Message]
    ) -> tuple[ModelReply, AnswerT | None, str]:
        """What the model replies, read as an answer, and what is wrong with it.

        A server that refuses one form of answer is asked for the next one. Trouble that
        passes is waited for.
        """
        until = time.monotonic() + self.settings.patience_s
        wait, structure = first_wait(), known_structure(self.endpoint, self.settings)
        while True:
            try:
                return self._read(structure, more)
            except EndpointTrouble as trouble:
                easiest = easier_structure(structure)
                if trouble.kind is TroubleKind.FORM and easiest is not None:
                    structure = easiest
                    continue
                pause = trouble.retry_after if trouble.retry_after is not None else wait
                if not trouble.passes or time.monotonic() + pause > until:
                    raise self._ended(trouble) from None
                time.sleep(pause)
                wait *= 2

    def _read(
        self, structure: Structured, more: Sequence[Message], *, in_full: bool = False
    ) -> tuple[ModelReply, AnswerT | None, str]:
        """One call that asks for one form of answer; EndpointTrouble if it brings nothing."""
        messages = [*messages_of(self.request, structure), *more]
        breaker.check(self.endpoint)
        sent = _Sent(messages, structure, self._allowance(messages, in_full=in_full))
        reply, settled = self._send(sent)
        breaker.worked(self.endpoint)
        keep_structure(self.endpoint, self.settings, structure)
        value, problem = read_answer(reply.text, self.request.answer)
        if value is None and (said := _ENDS.get(reply.ended)):
            self.ledger.settle(*_outcome(settled, f"ended: {reply.ended}"))
            if reply.ended == "length" and sent.allows.is_short:
                return self._read(structure, more, in_full=True)
            why = said.format(tokens=self.settings.max_tokens)
            ended = AnswerCut if reply.ended == "length" else NoModelAnswer
            raise ended(f"The model {self.settings.model}: {why}")
        repaired = "repaired" if more else "ok"
        outcome = "invalid" if value is None else repaired
        self.ledger.settle(*_outcome(settled, outcome))
        return reply, value, problem

    def _allowance(self, messages: Sequence[Message], *, in_full: bool) -> Allowance:
        """What decides whether a call with these messages may be made."""
        price = price_of(self.settings, lambda: _litellm().model_cost)
        tokens = prompt_tokens(messages)
        family = self.request.family
        return Allowance(family, self.settings, price, tokens, in_full=in_full)

    def _send(self, sent: "_Sent") -> tuple[ModelReply, tuple[str, LlmCall]]:
        """The reply, and what is to be settled; EndpointTrouble if there is none."""
        price, tokens = sent.allows.price, sent.allows.tokens_in
        name = self._reserved(sent.allows)
        most = sent.allows.tokens_out
        try:
            reply = _complete(self.request, self.settings, sent, most)
        except EndpointTrouble as trouble:
            # What the server did not refuse it may have made, and be paid for.
            lost = 0.0 if trouble.is_unbilled else price.of(tokens, most)
            row = replace(self.row, usd=None if lost else 0.0, reserved=lost)
            self.ledger.settle(name, replace(row, outcome=f"failed: {trouble.name}"))
            raise
        counted = price.of(reply.tokens_in or tokens, reply.tokens_out or most)
        usd = reply.usd or _known(price, counted, self.settings)
        row = replace(
            self.row,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            usd=usd,
            ms=reply.ms,
            reserved=counted,
        )
        return replace(reply, usd=usd), (name, row)

    def _reserved(self, allows: Allowance) -> str:
        """The name of the reserved call; OverBudget if it may not be made."""
        until = time.monotonic() + self.settings.timeout_s
        while True:
            try:
                return self.ledger.reserve(self.row, midnight(), allows)
            except BudgetInUse as held:
                if time.monotonic() > until:
                    raise NoModelAnswer(str(held)) from None
                time.sleep(_POLL_S)

    def _ended(self, trouble: EndpointTrouble) -> Exception:
        """What is raised of trouble that nothing helps against."""
        if trouble.kind is not TroubleKind.QUESTION:
            breaker.failed(self.endpoint)
        says = f"{self.endpoint}: {trouble.sentence}"
        if trouble.kind is TroubleKind.EVERYBODY:
            return ModelUnavailable(says)
        return NoModelAnswer(says)

    def done(
        self, value: AnswerT, reply: ModelReply, first: ModelReply | None = None
    ) -> ModelAnswer[AnswerT]:
        """The answer of a reply, kept for the next time; `first` is the reply that had
        to be repaired."""
        keep_answer(self.settings.cache, self.digest, value)
        replies = [reply, first] if first else [reply]
        known = [one.usd for one in replies if one.usd is not None]
        return ModelAnswer(
            value=value,
            model=self.settings.model,
            tokens_in=sum(map(attrgetter("tokens_in"), replies)),
            tokens_out=sum(map(attrgetter("tokens_out"), replies)),
            usd=sum(known) if len(known) == len(replies) else None,
            ms=sum(map(attrgetter("ms"), replies)),
            repaired=first is not None,
            digest=self.digest,
        )


def endpoint_of(settings: ModelSettings) -> str:
    """What fails and rests together, and takes answers in one form: a model at a
    server."""
    at = settings.api_base
    return f"{settings.model} at {at}" if at else settings.model


def _outcome(settled: tuple[str, LlmCall], outcome: str) -> tuple[str, LlmCall]:
    """What is settled, with how it ended."""
    name, row = settled
    return name, replace(row, outcome=outcome)


def _known(price: Price, usd: float, settings: ModelSettings) -> float | None:
    """The cost by a price that somebody declared, None if nobody did."""
    return usd if price.known and not settings.local else None


def _litellm() -> Any:
    """Litellm, quiet and offline.

    Costs seconds of CPU and 200 MB, so nothing else imports it.
    """
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm
    from openai import DefaultHttpxClient

    if litellm.client_session is None:
        # Each call to a server that speaks OpenAI's API is watched from its connection on.
        litellm.client_session = DefaultHttpxClient(event_hooks=WATCHES)
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def _complete(
    request: ModelRequest[AnswerT],
    settings: ModelSettings,
    sent: _Sent,
    most: int,
) -> ModelReply:
    """What the endpoint replies; EndpointTrouble if it does not."""
    litellm = _litellm()
    # The base of every error that litellm maps a provider's answer to.
    from openai import OpenAIError

    key = _key(settings)
    started = time.monotonic()
    call = partial(
        litellm.completion,
        model=settings.model,
        messages=list(sent.messages),
        api_base=settings.api_base,
        api_key=key,
        response_format=_format(request, sent.structure),
        temperature=0,
        max_tokens=most,
        timeout=settings.timeout_s,
        num_retries=0,
        max_retries=0,
        drop_params=True,
        stream=False,
    )
    try:
        reply = in_time(settings.timeout_s, call)
        return _reply_of(reply, settings, (time.monotonic() - started) * 1000)
    except OpenAIError as error:
        raise endpoint_trouble(error, _first_line(error, key)) from None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise malformed(error) from None


def _reply_of(reply: Any, settings: ModelSettings, ms: float) -> ModelReply:
    """The parts of a reply that count; LookupError and others if it has none."""
    choice = reply.choices[0]
    more = getattr(choice.message, "provider_specific_fields", None) or {}
    refusal = getattr(choice.message, "refusal", None) or more.get("refusal")
    tokens_in, tokens_out = _used(getattr(reply, "usage", None))
    return ModelReply(
        text=choice.message.content or "",
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        usd=_cost(reply, settings),
        ms=ms,
        ended="refusal" if refusal else choice.finish_reason or "stop",
    )


def _used(usage: Any) -> tuple[int, int]:
    """Tokens in and out. Some servers count what a model thought only in the total, or
    beside its answer: it is paid for like one."""

    def count(of: Any, name: str) -> int:
        return int(getattr(of, name, 0) or 0)

    tokens_in = count(usage, "prompt_tokens")
    thought = count(
        getattr(usage, "completion_tokens_details", None), "reasoning_tokens"
    )
    said = count(usage, "completion_tokens")
    return tokens_in, max(said, thought, count(usage, "total_tokens") - tokens_in)


def _key(settings: ModelSettings) -> str | None:
    """The key to send; a server of one's own gets one that is none."""
    if settings.api_key:
        return settings.api_key.get_secret_value()
    return "none" if settings.api_base or settings.local else None


def _first_line(error: Exception, key: str | None) -> str:
    """What an error says, without the key that it may repeat."""
    text = next(iter(str(error).splitlines()), "")[:300]
    if key and len(key) >= SECRET_LENGTH:
        return text.replace(key, "[key]")
    return text


def _cost(reply: Any, settings: ModelSettings) -> float | None:
    """USD, None where litellm knows no price: a server of one's own costs "0"."""
    cost = getattr(reply, "_hidden_params", {}).get("response_cost")
    if cost is None or settings.api_base or settings.price is not None:
        return None
    return float(cost)


def _format(request: ModelRequest[AnswerT], structure: Structured) -> Any:
    """What the endpoint is told of the answer's form, None if it takes nothing."""
    forms: Mapping[Structured, Any] = {
        Structured.JSON_SCHEMA: request.answer,
        Structured.JSON_OBJECT: {"type": "json_object"},
    }
    return forms.get(structure)
