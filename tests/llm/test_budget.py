"""No call is made that could pass a budget."""

import pytest

from crawloop_assets.errors import OverBudget
from crawloop_assets.llm.budget import (
    DEAR,
    Allowance,
    BudgetInUse,
    Price,
    price_of,
    prompt_tokens,
)
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.store.models import Spent

PRICE = Price(0.0, 1e-4)


def allowed(spent: Spent, **limits) -> tuple[float, int]:
    settings = ModelSettings(model="openai/any", **({"budget_usd": 1.0} | limits))
    allowance = Allowance("a", settings, PRICE, 100)
    return allowance(spent), allowance.tokens_out


def test_an_answer_is_as_long_as_what_is_left_pays() -> None:
    assert allowed(Spent(0, 0, 0)) == (pytest.approx(0.4096), 4096)
    assert allowed(Spent(0, 0, 0, counted=0.8))[1] in (1999, 2000)
    wave = Spent(0, 0, 0, counted=0.1, of_wave=0.3)
    assert allowed(wave, wave_budget_usd=0.5)[1] in (1999, 2000)


def test_what_other_calls_hold_is_waited_for_and_what_is_spent_is_not() -> None:
    with pytest.raises(BudgetInUse):
        allowed(Spent(0, 0, 0, counted=0.95, open=0.4))
    with pytest.raises(OverBudget, match=r"heal\.budget_usd"):
        allowed(Spent(0, 0, 0, counted=0.95))
    with pytest.raises(OverBudget, match=r"heal\.wave_budget_usd"):
        allowed(Spent(0, 0, 0, of_wave=1), wave_budget_usd=1)
    with pytest.raises(OverBudget, match="calls_per_day"):
        allowed(Spent(0, 0, 500))


def test_no_more_is_held_than_such_answers_take() -> None:
    assert allowed(Spent(0, 0, 0, longest=700))[1] == 1_400
    assert allowed(Spent(0, 0, 0, longest=70))[1] == 300
    assert allowed(Spent(0, 0, 0, counted=0.95, longest=70))[1] == 300
    assert allowed(Spent(0, 0, 0, longest=9_000))[1] == 4_096
    settings = ModelSettings(model="openai/any", budget_usd=1)
    full = Allowance("a", settings, PRICE, 100, in_full=True)
    full(Spent(0, 0, 0, longest=700))
    assert (full.tokens_out, full.is_short) == (4_096, False)
    short = Allowance("a", settings, PRICE, 100)
    short(Spent(0, 0, 0, longest=700))
    assert short.is_short
    short(Spent(0, 0, 0, counted=0.88, longest=700))
    assert not short.is_short, "what is left made it shorter"


def test_letters_of_other_alphabets_are_counted_as_tokens() -> None:
    assert prompt_tokens([{"content": "価格" * 30}]) == 60
    assert prompt_tokens([{"content": "price " * 30}]) == 60


def test_a_price_is_declared_known_or_dear() -> None:
    known = {"gpt": {"input_cost_per_token": 1.0, "output_cost_per_token": 2.0}}
    settings = ModelSettings(model="openai/gpt")

    def price(**changes) -> Price:
        return price_of(settings.model_copy(update=changes), lambda: known)

    assert price() == Price(1.0, 2.0)
    assert price(api_base="http://127.0.0.1:1") == DEAR == price(model="other")
    assert price(price=(1e6, 2e6), api_base="http://x.test") == Price(1.0, 2.0)
    assert price(local=True).of(10, 10) == 0
