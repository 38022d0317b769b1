"""Which model, where, with which key and within which limits.

Read from the family and the environment.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from crawloop_assets.errors import ConfigError, ModelUnavailable
from crawloop_assets.family import Family, HealPolicy, Structured

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
_SET_IT = "Set CRAWLOOP_MODEL and the provider's key, or CRAWLOOP_API_BASE for another server (docs/model.md)."


class ModelSettings(BaseModel):
    """Everything a call needs besides the question.

    `budget_usd` is per family and day (UTC), `wave_budget_usd` for the heal `wave`, `price` in
    dollars per million tokens in and out; a model that is `local` costs nothing and is
    limited by `calls_per_day` alone. `patience_s` is how long trouble that passes is
    waited for, `cache` a folder of answers by prompt, None for no cache.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    api_base: str | None = None
    api_key: SecretStr | None = None
    structured: Structured = Structured.JSON_SCHEMA
    timeout_s: float = Field(60.0, gt=0)
    patience_s: float = Field(120.0, ge=0)
    max_tokens: int = Field(4_096, ge=1)
    budget_usd: float = Field(0.0, ge=0)
    wave_budget_usd: float | None = Field(None, ge=0)
    calls_per_day: int = Field(500, ge=0)
    price: tuple[float, float] | None = None
    local: bool = False
    wave: str | None = None
    cache: Path | None = None


def model_settings(
    family: Family | None = None,
    environ: Mapping[str, str] | None = None,
    *,
    cache: Path | None = None,
    model: str | None = None,
) -> ModelSettings:
    """The model a family may use: the one given here, its own, else CRAWLOOP_MODEL, else
    the default of a provider whose key is set.

    Raises ModelUnavailable with what to set if there is none.
    """
    environ = os.environ if environ is None else environ
    policy = family.heal if family else HealPolicy()
    api_base = environ.get("CRAWLOOP_API_BASE") or None
    model = model or _model(policy, environ)
    key = _key(model, environ)
    is_own = is_own_server(model, api_base)
    if key is None and api_base is None and not is_own:
        raise ModelUnavailable(
            f"No key for the model {model!r} is in the environment. "
            f"Set {_key_names(model)[0]}, or CRAWLOOP_API_BASE for another server "
            "(docs/model.md)."
        )
    return ModelSettings(
        model=model,
        api_base=api_base,
        api_key=SecretStr(key) if key else None,
        structured=policy.model_structured or _structured(environ),
        timeout_s=policy.model_timeout.total_seconds(),
        max_tokens=policy.model_max_tokens,
        budget_usd=policy.budget_usd,
        wave_budget_usd=policy.wave_budget_usd,
        calls_per_day=policy.calls_per_day,
        price=policy.model_price or _price(environ),
        local=is_own or environ.get("CRAWLOOP_MODEL_LOCAL", "") == "1",
        cache=cache,
    )


class ModelChoice(BaseModel):
    """Which model is asked, if another one than is set; for which heal wave; and where
    its answers are kept."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cache: Path | None = None
    wave: str | None = None
    model: str | None = None

    def settings(self, family: Family | None = None) -> ModelSettings:
        """Those of a call for a family; ModelUnavailable if there is no model."""
        settings = model_settings(family, cache=self.cache, model=self.model)
        return settings.model_copy(update={"wave": self.wave})


def is_own_server(model: str, api_base: str | None) -> bool:
    """True for a model that only ever runs on the operator's own machine. What answers
    at another address may be a proxy, whose model costs what it costs."""
    return api_base is None and model.split("/", 1)[0] in _LOCAL


def _model(policy: HealPolicy, environ: Mapping[str, str]) -> str:
    """The name of the model; ModelUnavailable if none is set."""
    model = policy.model or environ.get("CRAWLOOP_MODEL") or _default_model(environ)
    if not model:
        raise ModelUnavailable(
            "No model is configured, and none is needed for what is deterministic."
            f" {_SET_IT}"
        )
    return model


def _price(environ: Mapping[str, str]) -> tuple[float, float] | None:
    """The declared price, dollars per million tokens in and out, None if there is
    none."""
    said = environ.get("CRAWLOOP_MODEL_PRICE", "")
    if not said:
        return None
    try:
        tokens_in, tokens_out = map(float, said.split("/"))
    except ValueError as error:
        raise ConfigError(
            f"{said!r} is no price",
            field="CRAWLOOP_MODEL_PRICE",
            hint="Dollars per million tokens in and out, such as 0.25/2.",
        ) from error
    return tokens_in, tokens_out


def _default_model(environ: Mapping[str, str]) -> str:
    """The model of the first provider whose key is set, "" if there is none."""
    for names, default in _PROVIDERS.values():
        if default and any(map(environ.get, names)):
            return default
    return ""


def _key(model: str, environ: Mapping[str, str]) -> str | None:
    """The key for a model, None if the environment has none."""
    keys = map(environ.get, ("CRAWLOOP_API_KEY", *_key_names(model)))
    return next(filter(None, keys), None)


def _key_names(model: str) -> tuple[str, ...]:
    """The variables that may hold the key of a model's provider."""
    provider, slash, _ = model.partition("/")
    if not slash:
        provider = _guessed_provider(model)
    usual = ((f"{provider.upper()}_API_KEY",), "")
    names, _ = _PROVIDERS.get(provider, usual)
    return names


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
