"""What models are asked, and what it costs. Money is US dollars."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmCall:
    """One model call.

    `usd` is None where the price is unknown.
    """

    family: str
    purpose: str
    model: str
    run_id: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    usd: float | None = None
    ms: float = 0.0
    prompt_sha256: str = ""
    outcome: str = "ok"


@dataclass(frozen=True, slots=True)
class Spent:
    """Money and calls since a moment; `unknown_cost_calls` are calls whose price is not
    known."""

    usd: float
    unknown_cost_calls: int
    calls: int
