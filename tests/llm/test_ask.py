"""ask through the real litellm to a real HTTP server on loopback."""

import json
import logging
import subprocess
import sys

import pytest
from pydantic import BaseModel
from werkzeug import Response

from crawloop_assets.errors import (
    AnswerCut,
    ModelUnavailable,
    NoModelAnswer,
    OverBudget,
)
from crawloop_assets.llm import ModelRequest, Purpose, Structured, ask, trouble
from crawloop_assets.llm.prompts import Prompt
from crawloop_assets.llm.structures import forget_structures
from tests.llm.conftest import KEY, MemoryLedger
from tests.llm.scripted import completion


class Price(BaseModel):
    amount: float
    currency: str


COPY = Prompt("copy", "Copy.")
GOOD = '{"amount": 12.5, "currency": "EUR"}'


def question(user: str = "What does it cost?") -> ModelRequest[Price]:
    return ModelRequest("shop/product", Purpose.SERVE, COPY, user, Price, run_id="r1")


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
    assert row.prompt == COPY.version, "the ledger names the prompt and its version"
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
    with pytest.raises(NoModelAnswer, match="twice"):
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
        with pytest.raises(NoModelAnswer) as caught:
            ask(question(), ledger, settings(patience_s=0))
        assert KEY not in str(caught.value)
    assert len(model.requests) == 3, "no hidden retries"
    with pytest.raises(OverBudget, match="3 times in a row"):
        ask(question(), ledger, settings())
    assert len(model.requests) == 3
    assert [row.outcome for row in ledger.calls] == ["failed: InternalServerError"] * 3
    assert sum(row.usd for row in ledger.calls) == 0


@pytest.fixture
def hasty(monkeypatch):
    monkeypatch.setattr(trouble, "_FIRST_WAIT_S", 0.01)


def later(seconds: str) -> Response:
    return Response(
        '{"error": {"message": "slow down"}}', 429, {"Retry-After": seconds}
    )


@pytest.mark.parametrize("passing", [500, 502, 503, 429], ids=str)
def test_trouble_that_passes_is_waited_for(model, ledger, settings, hasty, passing):
    model.says = [passing, passing, GOOD]
    assert ask(question(), ledger, settings()).value.amount == 12.5
    assert [row.outcome for row in ledger.calls][2:] == ["ok"]


def test_a_server_says_how_long_to_wait_and_patience_how_long_that_may_be(
    model, ledger, settings
):
    model.says = [later("0"), GOOD]
    assert ask(question(), ledger, settings()).value.amount == 12.5
    model.says = [later("30")]
    with pytest.raises(NoModelAnswer, match="slow down"):
        ask(question(), ledger, settings(patience_s=5))


@pytest.mark.parametrize("status", [401, 403, 404])
def test_what_concerns_every_question_is_said_at_once(model, ledger, settings, status):
    model.says = [status]
    with pytest.raises(ModelUnavailable):
        ask(question(), ledger, settings())
    assert len(model.requests) == 1


def test_an_empty_account_is_not_waited_for(model, ledger, settings):
    model.says = [Response('{"error": {"message": "insufficient_quota"}}', 429)]
    with pytest.raises(ModelUnavailable):
        ask(question(), ledger, settings())


@pytest.mark.parametrize("body", ["{}", '{"choices": []}', "<p>We are down</p>", ""])
def test_a_reply_that_is_none_costs_its_page(model, ledger, settings, body):
    model.says = [Response(body, 200, content_type="application/json")]
    with pytest.raises(NoModelAnswer):
        ask(question(), ledger, settings())
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("ended", "why"), [("length", "cut at 4096"), ("content_filter", "refused")]
)
def test_cut_and_refused_answers_are_told_apart(model, ledger, settings, ended, why):
    model.says, model.ended = ['{"amount": 12'], ended
    with pytest.raises(NoModelAnswer, match=why) as raised:
        ask(question(), ledger, settings())
    assert isinstance(raised.value, AnswerCut) is (ended == "length")
    assert [row.outcome for row in ledger.calls] == [f"ended: {ended}"]


def test_a_server_that_takes_no_schema_is_asked_in_an_easier_way_from_then_on(
    model, ledger, settings, tmp_path
):
    model.says = [400, 400, GOOD, GOOD, GOOD]
    wanted = settings(structured=Structured.JSON_SCHEMA, cache=tmp_path)
    assert ask(question(), ledger, wanted).value.amount == 12.5
    ways = [sent.get("response_format", {}).get("type") for sent in model.requests]
    assert ways == ["json_schema", "json_object", None]
    ask(question("again"), ledger, wanted)
    forget_structures()  # as another process
    ask(question("and again"), ledger, wanted)
    assert len(model.requests) == 5 and "response_format" not in model.requests[-1]


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
    own = settings(calls_per_day=1, local=True, budget_usd=0)
    ask(question(), ledger, own)
    with pytest.raises(OverBudget, match="1 model calls today"):
        ask(question("again"), ledger, own)


@pytest.mark.parametrize("price", [None, (15, 75)])
def test_what_stands_behind_a_proxy_costs_something(model, ledger, settings, price):
    with pytest.raises(
        OverBudget,
        match="price of the model is not known" if price is None else "spent",
    ):
        ask(question(), ledger, settings(budget_usd=0.01, price=price))
    assert not model.requests and not ledger.calls


def test_a_declared_price_is_what_is_written_down(model, ledger, settings):
    model.says = [GOOD]
    answer = ask(question(), ledger, settings(price=(1, 2)))
    assert answer.usd == pytest.approx((11 + 2 * 7) / 1e6) == ledger.calls[0].usd


def test_no_answer_may_be_longer_than_what_is_left_pays(model, ledger, settings):
    model.says = [GOOD]
    ask(question(), ledger, settings(budget_usd=0.15, price=(0, 75)))
    assert model.requests[0]["max_tokens"] == 2_000


def cut(content: str) -> Response:
    body = completion(content, ended="length")
    return Response(json.dumps(body), 200, content_type="application/json")


def test_an_answer_longer_than_such_answers_are_is_asked_for_in_full(
    model, ledger, settings
):
    ledger.longest = 600
    model.says = [cut('{"amount": 12'), GOOD]
    assert ask(question(), ledger, settings()).value.amount == 12.5
    assert [sent["max_tokens"] for sent in model.requests] == [1_200, 4_096]
    assert [row.outcome for row in ledger.calls] == ["ended: length", "ok"]


def test_what_a_model_thought_is_paid_for(model, ledger, settings):
    body = completion(GOOD, tokens_out=20)
    body["usage"]["completion_tokens_details"] = {"reasoning_tokens": 3_000}
    model.says = [Response(json.dumps(body), 200, content_type="application/json")]
    answer = ask(question(), ledger, settings(price=(0, 10)))
    assert answer.usd == pytest.approx(0.03)
    body = completion(GOOD, tokens_out=20)
    body["usage"]["total_tokens"] = 900 + 5_000
    model.says = [Response(json.dumps(body), 200, content_type="application/json")]
    assert ask(question("b"), ledger, settings(price=(0, 10))).tokens_out == 5_000


def test_what_no_server_counted_or_answered_counts_as_what_it_may_have_cost(
    model, ledger, settings
):
    body = completion(GOOD)
    body["usage"] = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    model.says = [
        Response(json.dumps(body), 200, content_type="application/json"),
        Response("{}", 200, content_type="application/json"),
        500,
    ]
    ask(question(), ledger, settings())
    for _ in range(2):
        with pytest.raises(NoModelAnswer):
            ask(question("b"), ledger, settings(patience_s=0))
    uncounted, empty, refused = ledger.calls
    assert uncounted.reserved > 0.3 and empty.reserved > 0.3 and empty.usd is None
    assert (refused.usd, refused.reserved) == (0.0, 0.0)


def test_secrets_of_the_environment_never_reach_the_prompt(
    model, ledger, settings, monkeypatch
):
    monkeypatch.setenv("SHOP_PASSWORD", "correct-horse-battery")
    model.says = [GOOD]
    ask(question("the page says correct-horse-battery"), ledger, settings())
    assert "correct-horse" not in json.dumps(model.requests)


def test_importing_the_package_does_not_import_litellm():
    code = "import sys, crawloop_assets.llm; sys.exit('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
