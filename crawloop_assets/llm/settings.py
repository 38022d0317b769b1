"""Which model, where, with which key and within which limits.

Read from the family and the environment.
"""

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from crawloop_assets.errors import ConfigError, ModelUnavailable
from crawloop_assets.family import Family, HealPolicy

# provider -> (environment variables that may hold its key, model used when only the key is given)
_PROVIDERS: dict[str, tuple[tuple[str, ...], str]] = {
    "anthropic": (("ANTHROPIC_API_KEY",), "anthropic/claude-haiku-4-5"),
    "openai": (("OPENAI_API_KEY",), "openai/gpt-5-mini"),
    "gemini": (("GEMINI_API_KEY", "GOOGLE_API_KEY"), "gemini/gemini-2.5-flash"),
    "mistral": (("MISTRAL_API_KEY",), "mistral/mistral-small-latest"),
    "groq": (("GROQ_API_KEY",), ""),
    "deepseek": (("DEEPSEEK_API_KEY",), ""),
    "openrouter": (("OPENROUTER_API_KEY",), ""),
    "together_ai": (("TOGETHERAI_API_KEY", "TOGETHER_API_KEY"), ""),
    "azure": (("AZURE_API_KEY",), ""),
    "cohere": (("COHERE_API_KEY",), ""),
    "xai": (("XAI_API_KEY",), ""),
}
_LOCAL = ("ollama", "ollama_chat", "hosted_vllm", "llamafile", "lm_studio")
_SET_IT = "Set CRAWLOOP_MODEL and the provider's key, or CRAWLOOP_API_BASE for a local server."


class Structured(StrEnum):
    """How a model is held to the answer's schema; not every server takes all."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


class ModelSettings(BaseModel):
    """Everything a call needs besides the question.

    `budget_usd` is per family and day (UTC); a model that is `local` has no known price
    and is limited by `calls_per_day` instead. `cache` is a folder of answers by prompt,
    None for no cache.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    api_base: str | None = None
    api_key: SecretStr | None = None
    structured: Structured = Structured.JSON_SCHEMA
    timeout_s: float = Field(60.0, gt=0)
    max_tokens: int = Field(4_096, ge=1)
    budget_usd: float = Field(0.0, ge=0)
    calls_per_day: int = Field(500, ge=0)
    cache: Path | None = None

    @property
    def local(self) -> bool:
        """Whether the model runs on the operator's own server."""
        return _is_local(self.model, self.api_base)


def model_settings(
    family: Family | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    cache: Path | None = None,
) -> ModelSettings:
    """The model a family may use: its own, else CRAWLOOP_MODEL, else the default of a
    provider whose key is set.

    Raises ModelUnavailable with what to set if there is none.
    """
    environ = os.environ if environ is None else environ
    api_base = environ.get("CRAWLOOP_API_BASE") or None
    model = _model(family, environ)
    key = _key(model, environ)
    if key is None and not _is_local(model, api_base):
        raise ModelUnavailable(
            f"No key for the model {model!r} is in the environment. {_SET_IT}"
        )
    return ModelSettings(
        model=model,
        api_base=api_base,
        api_key=SecretStr(key) if key else None,
        structured=_structured(environ),
        budget_usd=family.heal.budget_usd if family else 0.0,
        cache=cache,
    )


def _is_local(model: str, api_base: str | None) -> bool:
    """True for a model at an address of one's own: its calls have no price."""
    return api_base is not None or model.split("/", 1)[0] in _LOCAL


def _model(family: Family | None, environ: Mapping[str, str]) -> str:
    """The name of the model; ModelUnavailable if none is set."""
    policy = family.heal if family else HealPolicy()
    model = policy.model or environ.get("CRAWLOOP_MODEL") or _default_model(environ)
    if not model:
        raise ModelUnavailable(
            "No model is configured, and none is needed for what is deterministic."
            f" {_SET_IT}"
        )
    return model


def _default_model(environ: Mapping[str, str]) -> str:
    """The model of the first provider whose key is set, "" if there is none."""
    for names, default in _PROVIDERS.values():
        if default and any(map(environ.get, names)):
            return default
    return ""


def _key(model: str, environ: Mapping[str, str]) -> str | None:
    """The key for a model, None if the environment has none."""
    provider, slash, _ = model.partition("/")
    if not slash:
        provider = _guessed_provider(model)
    usual = ((f"{provider.upper()}_API_KEY",), "")
    names, _ = _PROVIDERS.get(provider, usual)
    keys = map(environ.get, ("CRAWLOOP_API_KEY", *names))
    return next(filter(None, keys), None)


def _guessed_provider(model: str) -> str:
    """The provider of a bare model name, as litellm understands it."""
    if model.startswith("claude"):
        return "anthropic"
    if model.startswith("gemini"):
        return "gemini"
    return "openai"


def _structured(environ: Mapping[str, str]) -> Structured:
    """How the operator wants answers to be held to their schema."""
    named = environ.get("CRAWLOOP_STRUCTURED", Structured.JSON_SCHEMA.value)
    try:
        return Structured(named)
    except ValueError as error:
        raise ConfigError(
            f"{named!r} is not a way to get JSON",
            field="CRAWLOOP_STRUCTURED",
            hint=f"One of: {', '.join(Structured)}.",
        ) from error
