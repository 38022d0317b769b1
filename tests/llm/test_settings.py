"""Which model a family gets."""

import pytest

from crawloop_assets.errors import ConfigError, ModelUnavailable
from crawloop_assets.family import Discover, Family
from crawloop_assets.llm import Structured, model_settings


def family(**heal) -> Family:
    return Family.model_validate(
        {
            "family": "shop/item",
            "schema": "tests.models:Item",
            "discover": Discover(),
            "heal": heal,
        }
    )


def test_nothing_set_says_what_to_set():
    with pytest.raises(ModelUnavailable, match="CRAWLOOP_MODEL"):
        model_settings(family(), {})


def test_a_provider_key_is_enough():
    found = model_settings(family(), {"ANTHROPIC_API_KEY": "k" * 20})
    assert (
        found.model.startswith("anthropic/")
        and found.api_key is not None
        and not found.local
    )


def test_the_family_outranks_the_environment():
    environ = {"CRAWLOOP_MODEL": "openai/a", "OPENAI_API_KEY": "k" * 20}
    found = model_settings(family(model="openai/b", budget_usd=0.4), environ)
    assert (found.model, found.budget_usd) == ("openai/b", 0.4)


def test_a_model_without_its_key_is_unavailable():
    with pytest.raises(ModelUnavailable, match=r"gpt-5-mini.* Set OPENAI_API_KEY"):
        model_settings(family(model="gpt-5-mini"), {"ANTHROPIC_API_KEY": "k" * 20})
    with pytest.raises(ModelUnavailable, match=r"Set GEMINI_API_KEY, or CRAWLOOP_API"):
        model_settings(family(model="gemini/gemini-2.5-flash"), {})


def test_a_local_server_needs_no_key():
    found = model_settings(
        family(model="openai/any"), {"CRAWLOOP_API_BASE": "http://127.0.0.1:1/v1"}
    )
    assert found.api_key is None and not found.local, "it may be a proxy"
    said = {"CRAWLOOP_API_BASE": "http://127.0.0.1:1/v1", "CRAWLOOP_MODEL_LOCAL": "1"}
    assert model_settings(family(model="openai/any"), said).local
    assert model_settings(family(model="ollama_chat/llama3"), {}).local


def test_the_way_to_get_json_is_checked():
    environ = {"OPENAI_API_KEY": "k" * 20, "CRAWLOOP_STRUCTURED": "prompt"}
    assert model_settings(family(), environ).structured is Structured.PROMPT
    with pytest.raises(ConfigError, match="json_object"):
        model_settings(family(), environ | {"CRAWLOOP_STRUCTURED": "grammar"})


def test_the_key_is_not_shown():
    found = model_settings(family(), {"OPENAI_API_KEY": "sk-very-secret-0123"})
    assert (
        "secret-0123" not in repr(found)
        and "secret-0123" not in found.model_dump_json()
    )


@pytest.mark.parametrize(
    ("environ", "model"),
    [
        ({"OPENAI_API_KEY": "k"}, "openai/gpt-5-mini"),
        ({"GOOGLE_API_KEY": "k"}, "gemini/gemini-2.5-flash"),
        ({"MISTRAL_API_KEY": "k"}, "mistral/mistral-small-latest"),
        (
            {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"},
            "anthropic/claude-haiku-4-5",
        ),
        ({"CRAWLOOP_MODEL": "groq/any", "GROQ_API_KEY": "k"}, "groq/any"),
    ],
)
def test_the_environment_decides_where_the_family_does_not(
    environ: dict[str, str], model: str
) -> None:
    assert model_settings(None, environ).model == model


def test_a_provider_without_a_usual_model_needs_one_named():
    with pytest.raises(ModelUnavailable, match="No model is configured"):
        model_settings(None, {"GROQ_API_KEY": "k"})


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("claude-x", "ANTHROPIC_API_KEY"),
        ("gemini-x", "GEMINI_API_KEY"),
        ("gpt-x", "OPENAI_API_KEY"),
        ("unheard/x", "UNHEARD_API_KEY"),
        ("openai/x", "CRAWLOOP_API_KEY"),
    ],
)
def test_the_key_is_the_providers_own_or_ours(model: str, variable: str):
    found = model_settings(None, {"CRAWLOOP_MODEL": model, variable: "k"})
    assert found.api_key is not None
    assert found.api_key.get_secret_value() == "k"


def test_our_key_outranks_the_providers():
    environ = {
        "CRAWLOOP_MODEL": "gpt-x",
        "OPENAI_API_KEY": "a",
        "CRAWLOOP_API_KEY": "b",
    }
    found = model_settings(None, environ)
    assert found.api_key is not None
    assert found.api_key.get_secret_value() == "b"


def test_limits_come_from_the_family_or_are_nothing(tmp_path):
    environ = {"OPENAI_API_KEY": "k"}
    assert model_settings(None, environ).budget_usd == 0
    found = model_settings(family(budget_usd=0.5), environ, cache=tmp_path)
    assert (found.budget_usd, found.cache) == (0.5, tmp_path)
    assert found.structured is Structured.JSON_SCHEMA
