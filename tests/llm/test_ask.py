"""ask through the real litellm to a real HTTP server on loopback."""

import json
import logging
import subprocess
import sys

import pytest
from pydantic import BaseModel

from crawloop_assets.errors import ModelUnavailable, OverBudget
from crawloop_assets.llm import ModelRequest, Purpose, Structured, ask
from crawloop_assets.llm.ask import redacted
from tests.llm.conftest import KEY, MemoryLedger


class Price(BaseModel):
    amount: float
    currency: str


GOOD = '{"amount": 12.5, "currency": "EUR"}'


def question(user: str = "What does it cost?") -> ModelRequest[Price]:
    return ModelRequest(
        "shop/product", Purpose.SERVE, "Copy.", user, Price, run_id="r1"
    )


def test_a_valid_answer_is_typed_and_recorded(model, ledger, settings):
    model.says = [f"```json\n{GOOD}\n```"]
    answer = ask(question(), ledger, settings())
    assert answer.value == Price(amount=12.5, currency="EUR")
    assert (answer.tokens_in, answer.tokens_out, answer.repaired) == (11, 7, False)
    (row,) = ledger.calls
    assert (row.family, row.purpose, row.run_id, row.outcome) == (
        "shop/product",
        "serve",
        "r1",
        "ok",
    )
    assert row.usd is None, "an unknown price is not zero"
    (sent,) = model.requests
    assert sent["temperature"] == 0 and sent["response_format"]["type"] == "json_object"


def test_json_schema_is_sent_where_the_server_takes_it(model, ledger, settings):
    model.says = [GOOD]
    ask(question(), ledger, settings(structured=Structured.JSON_SCHEMA))
    wanted = model.requests[0]["response_format"]
    assert wanted["type"] == "json_schema" and "amount" in json.dumps(wanted)


def test_prompt_mode_puts_the_schema_into_the_prompt(model, ledger, settings):
    model.says = [GOOD]
    ask(question(), ledger, settings(structured=Structured.PROMPT))
    assert "response_format" not in model.requests[0]
    assert "amount" in model.requests[0]["messages"][0]["content"]


def test_one_repair_round(model, ledger, settings):
    model.says = ['{"amount": "dear"}', GOOD]
    answer = ask(question(), ledger, settings())
    assert answer.repaired and answer.tokens_in == 22
    assert [row.outcome for row in ledger.calls] == ["invalid", "repaired"]
    assert "currency" in model.requests[1]["messages"][-1]["content"]


def test_two_bad_answers_are_no_answer(model, ledger, settings):
    model.says = ["no", "still no"]
    with pytest.raises(ModelUnavailable, match="twice"):
        ask(question(), ledger, settings())
    assert len(ledger.calls) == 2


def test_the_cache_saves_the_second_call(model, ledger, settings, tmp_path):
    model.says = [GOOD]
    first = ask(question(), ledger, settings(cache=tmp_path))
    second = ask(question(), ledger, settings(cache=tmp_path))
    assert second.value == first.value and second.cached and second.usd == 0
    assert len(model.requests) == 1
    assert [row.outcome for row in ledger.calls] == ["ok", "cached"]
    model.says = [GOOD]
    ask(question("Another question"), ledger, settings(cache=tmp_path))
    assert len(model.requests) == 2


def test_a_failing_endpoint_is_named_without_the_key_and_then_left_alone(
    model, ledger, settings, caplog
):
    caplog.set_level(logging.DEBUG)
    model.says = [500, 500, 500]
    for _ in range(3):
        with pytest.raises(ModelUnavailable) as caught:
            ask(question(), ledger, settings())
        assert KEY not in str(caught.value)
    assert len(model.requests) == 3, "no hidden retries"
    with pytest.raises(OverBudget, match="3 times in a row"):
        ask(question(), ledger, settings())
    assert len(model.requests) == 3
    assert [row.outcome for row in ledger.calls] == ["failed: InternalServerError"] * 3


def test_a_spent_budget_stops_before_the_call(model, settings):
    spent = MemoryLedger(usd=0.5)
    priced = settings(api_base=None, model="openai/gpt-4o-mini", budget_usd=0.5)
    with pytest.raises(OverBudget, match=r"heal\.budget_usd"):
        ask(question(), spent, priced)
    assert not spent.calls and not model.requests


def test_a_call_that_may_exceed_the_budget_is_not_made(model, ledger, settings):
    priced = settings(api_base=None, model="openai/gpt-4o-mini", budget_usd=0.000001)
    with pytest.raises(OverBudget, match="may cost"):
        ask(question(), ledger, priced)
    assert not model.requests


def test_a_local_model_is_limited_by_calls(model, ledger, settings):
    model.says = [GOOD]
    ask(question(), ledger, settings(calls_per_day=1))
    with pytest.raises(OverBudget, match="1 model calls today"):
        ask(question("again"), ledger, settings(calls_per_day=1))


def test_secrets_of_the_environment_never_reach_the_prompt(
    model, ledger, settings, monkeypatch
):
    monkeypatch.setenv("SHOP_PASSWORD", "correct-horse-battery")
    model.says = [GOOD]
    ask(question("the page says correct-horse-battery"), ledger, settings())
    assert "correct-horse" not in json.dumps(model.requests)
    assert redacted("a short b", {"API_KEY": "short"}) == "a short b"
    assert redacted("a longer text", {"HOME": "longer text"}) == "a longer text"
    assert redacted("a 12345678 b", {"db_token": "12345678"}) == "a [secret] b"


def test_importing_the_package_does_not_import_litellm():
    code = "import sys, crawloop_assets.llm; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
