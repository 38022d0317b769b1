"""`crawloop model`: which model, by whom, and does it answer."""

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from typer.testing import CliRunner, Result

from crawloop_assets.cli.app import app
from tests.cli.conftest import PRODUCT
from tests.world import World

VARIABLES = ("MODEL", "API_BASE", "API_KEY", "MODEL_LOCAL", "MODEL_PRICE", "STRUCTURED")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(f"CRAWLOOP_{name}", raising=False)
    for name in ("ANTHROPIC", "OPENAI", "GEMINI", "GOOGLE", "MISTRAL"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)


def said(*words: str) -> Result:
    return CliRunner().invoke(app, ["model", *words])


def test_without_a_model_one_sentence_says_what_to_set(home: Path) -> None:
    found = said()
    assert found.exit_code == 1
    assert "No model is configured" in found.output
    assert "Set CRAWLOOP_MODEL" in found.output
    shown = CliRunner().invoke(app, ["family", "show", PRODUCT])
    assert "Model: No model is configured" in " ".join(shown.output.split())


def test_a_key_that_is_missing_and_a_budget_that_is_none_are_said(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_MODEL", "anthropic/claude-haiku-4-5")
    assert "No key for the model" in said().output
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-0123456789")
    found = said(PRODUCT, "--no-call")
    assert found.exit_code == 1 and "`heal: {budget_usd: 0.5}`" in found.output
    assert "by CRAWLOOP_MODEL, asked by json_schema" in found.output
    other = said("--no-call", "--model", "anthropic/claude-opus-4-1")
    assert other.exit_code == 0 and "by --model" in other.output


@pytest.mark.parametrize(
    ("word", "code", "says"),
    [("kettle", 0, "It answers."), ("teapot", 1, "wrote 'teapot'")],
)
def test_one_test_call_shows_whether_it_copies(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    httpserver: HTTPServer,
    word: str,
    code: int,
    says: str,
) -> None:
    message = {"role": "assistant", "content": json.dumps({"word": word})}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "any"}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(
        body | {"choices": [choice], "usage": usage}
    )
    monkeypatch.setenv("CRAWLOOP_MODEL", "openai/any")
    monkeypatch.setenv("CRAWLOOP_API_BASE", httpserver.url_for("/v1"))
    found = said()
    assert (found.exit_code, says in found.output) == (code, True), found.output


def test_a_dry_run_prints_the_prompt_and_asks_nothing(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_MODEL", "openai/any")
    monkeypatch.setenv("CRAWLOOP_API_BASE", "http://127.0.0.1:1/v1")
    found = said(PRODUCT, "--dry-run")
    assert found.exit_code == 0, found.output
    assert "[system]" in found.output and "Fields:" in found.output
    assert "0 page(s) that no version reads" in found.output
    assert "declare it (heal.model_price)" in " ".join(found.output.split())
    monkeypatch.setenv("CRAWLOOP_MODEL_PRICE", "0.25/2")
    assert "heal.model_price" not in said(PRODUCT, "--dry-run").output
    assert (
        "Nothing was asked."
        in json.loads(said(PRODUCT, "--dry-run", "--json").output)["says"]
    )
    assert said("--dry-run").exit_code == 2
