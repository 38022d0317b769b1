"""What a call may cost, and whether that is left: decided where the call is written
down, so that no other call decides at the same time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from crawloop_assets.errors import OverBudget
from crawloop_assets.llm.question import Message
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.store.models import Spent

_PER_TOKEN = 3
"""Bytes."""
_FEWEST_OUT = 1_000
"""Tokens of an answer below which a call is not worth its prompt, where nothing is known
of such answers."""
_SHORTEST = 300
"""Tokens that every answer may have."""
_PER_MILLION = 1_000_000
UNKNOWN = " The price of the model is not known and taken for a dear one: declare it (heal.model_price)."


class BudgetInUse(Exception):
    """What is left suffices once the calls under way have said what they cost."""


@dataclass(frozen=True)
class Price:
    """Dollars for a token in and out. Where nobody knows them they are taken for those
    of a dear model, so that a budget holds all the same."""

    tokens_in: float
    tokens_out: float
    known: bool = True

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return tokens_in * self.tokens_in + tokens_out * self.tokens_out


FREE = Price(0.0, 0.0)
"""Of a model that the operator calls local."""

DEAR = Price(15 / _PER_MILLION, 75 / _PER_MILLION, known=False)
"""What is assumed of a model of which no price is known."""


def price_of(settings: ModelSettings, prices: Callable[[], Mapping[str, Any]]) -> Price:
    """The price of a model: none if it is local, the declared one, that of the price
    list (unless another server stands between), else a dear one."""
    if settings.local:
        return FREE
    if settings.price is not None:
        tokens_in, tokens_out = settings.price
        return Price(tokens_in / _PER_MILLION, tokens_out / _PER_MILLION)
    if settings.api_base:
        return DEAR
    known = prices()
    entry = known.get(settings.model) or known.get(settings.model.split("/", 1)[-1])
    if not entry or "input_cost_per_token" not in entry:
        return DEAR
    return Price(entry["input_cost_per_token"], entry.get("output_cost_per_token", 0.0))


def midnight() -> datetime:
    """When the day began, as budgets count days (UTC)."""
    return datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def prompt_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens a prompt has, rather more; a letter of other alphabets may
    be one by itself."""
    return sum(len(message["content"].encode()) for message in messages) // _PER_TOKEN


@dataclass
class Allowance:
    """Decides on one call when it is asked, inside the transaction that writes it
    down.

    `tokens_out` is how long the answer may be: shorter than wanted where no more is
    left, so that a budget is used to its end and never passed; and no longer than twice
    the longest that such questions got, so that a few calls at once do not hold a
    budget that they will not use. An answer that this cuts is asked for again `in_full`.
    """

    family: str
    settings: ModelSettings
    price: Price
    tokens_in: int
    tokens_out: int = 0
    in_full: bool = False
    is_short: bool = False
    """Whether it was what such answers are like that made it shorter than wanted."""

    def __call__(self, spent: Spent) -> float:
        """The most that the call may cost; OverBudget, or BudgetInUse where other calls
        hold what is left."""
        settings, name = self.settings, self.family
        if spent.calls >= settings.calls_per_day:
            raise OverBudget(
                f"{name}: {spent.calls} model calls today, {settings.calls_per_day} are allowed "
                "(heal.calls_per_day)."
            )
        expected = self._expected(spent)
        self.tokens_out = expected
        for limit in self._limits(spent):
            affordable = self._affordable(limit, spent.open, expected)
            self.tokens_out = min(self.tokens_out, affordable)
        self.is_short = self.tokens_out == expected < settings.max_tokens
        return self.price.of(self.tokens_in, self.tokens_out)

    def _expected(self, spent: Spent) -> int:
        """How long an answer is expected to be at most."""
        if self.in_full or not spent.longest:
            return self.settings.max_tokens
        expected = max(_SHORTEST, 2 * spent.longest)
        return min(self.settings.max_tokens, expected)

    def _limits(self, spent: Spent) -> Sequence["_Limit"]:
        """What limits the money of a model that has a price."""
        if self.settings.local:
            return ()
        day, wave = self.settings.budget_usd, self.settings.wave_budget_usd
        limits = [_Limit("today's", "heal.budget_usd", day, spent.counted)]
        if wave is not None:
            of_wave = _Limit("the wave's", "heal.wave_budget_usd", wave, spent.of_wave)
            limits.append(of_wave)
        return limits

    def _affordable(self, limit: "_Limit", held: float, expected: int) -> int:
        """How many tokens of an answer a limit leaves; `held` may be free again soon."""
        least = self.price.of(self.tokens_in, min(_FEWEST_OUT, expected))
        if limit.left < least:
            if held and limit.left + held >= least:
                raise BudgetInUse
            raise OverBudget(limit.says(self.family, least, self.price))
        if not self.price.tokens_out:
            return self.settings.max_tokens
        rest = limit.left - self.price.of(self.tokens_in, 0)
        return int(rest / self.price.tokens_out)


@dataclass(frozen=True)
class _Limit:
    """A sum of money, whose it is, and how much of it is spent."""

    whose: str
    key: str
    most: float
    used: float

    @property
    def left(self) -> float:
        """What may still be spent."""
        return self.most - self.used

    def says(self, family: str, least: float, price: Price) -> str:
        """Why a call is not made, and what to do about it."""
        unknown = "" if price.known else UNKNOWN
        return (
            f"{family}: ${self.used:.4f} of {self.whose} ${self.most:.2f} ({self.key}) is spent, "
            f"and this call may cost ${least:.4f}.{unknown}"
        )
