"""A family that no model heals: what is spent stops at the budget, and what was known stays."""

import importlib
import json
from decimal import Decimal
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from crawloop_assets.llm.budget import midnight
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.store import Store
from tests.core import core
from tests.heal.town import Town
from tests.kept_stores import KeptStores
from tests.llm.scripted import Asked, Endpoint, Scripted, endpoint
from tests.serve.market import (
    KNOWN,
    OFFERS,
    Case,
    offer,
    opened,
    prose,
    published,
    served,
    settings_of,
)

MANY = Case((*KNOWN, *range(100, 192)), prose, moved="-1.50")
FEW = Case((*KNOWN, *range(100, 106)), prose, moved="-1.50")
DECLARED, UNKNOWN = (2.0, 20.0), None
"""Dollars per million tokens; a server behind an address of its own has no known one."""


def useless(_asked: Asked, exchange: Scripted) -> None:
    """Reads nothing that anything bears out."""
    exchange.writes(
        json.dumps({"records": [{"title": "Others bought", "price": "4.00"}]})
    )


def spend(
    folder: Path, url: str, case: Case, budget: float, price: tuple[float, float] | None
) -> ServedBatch:
    """One run with a budget."""
    settings = settings_of(
        url, local=False, budget_usd=budget, price=price, calls_per_day=1_000
    )
    pages = [case.page(at) for at in case.numbers]
    made, _ = served(Town(folder), pages, settings)
    return made


def spend_at_once(folder: Path, url: str, budget: float, start: Barrier) -> None:
    """The same at the same time as another process; what a process imports first is no matter of budgets."""
    importlib.import_module("litellm")
    start.wait(120)
    spend(folder, url, FEW, budget, DECLARED)


def counted(folder: Path) -> float:
    """What budgets count as spent."""
    store = Store(folder / "var", folder / "crawloop.duckdb", wait_s=10)
    return store.spent(OFFERS.family, midnight()).counted


@pytest.fixture(scope="module")
def server() -> Endpoint:
    with endpoint(useless) as server:
        yield server


@pytest.mark.parametrize(
    ("case", "price", "budget"),
    core(
        {
            "a few, unknown": (FEW, UNKNOWN, 0.16),
            "a hundred, declared": (MANY, DECLARED, 0.2),
        },
        every=2,
    ),
)
def test_pages_cost_no_more_than_the_budget(
    kept_stores: KeptStores,
    tmp_path: Path,
    server: Endpoint,
    case: Case,
    price: tuple[float, float] | None,
    budget: float,
) -> None:
    kept_stores.copied(opened, tmp_path)
    server.asked.clear()
    made = spend(tmp_path, server.url, case, budget, price)
    assert 0.8 * budget < counted(tmp_path) <= budget
    assert 5 <= len(server.asked) < len(case.numbers)
    assert "heal.budget_usd" in made.note and not published(made)
    asked = len(server.asked)
    made = spend(tmp_path, server.url, case, budget, price)
    assert len(server.asked) <= asked + 1, "nothing is left for another run"
    rows = Town(tmp_path).published(OFFERS)
    prices = [Decimal(row["price"]) for _, row in sorted(rows.items())]
    known = [Decimal(offer(at)["price"]) for at in KNOWN]
    assert prices == known, "the last good rows stay"


def test_two_processes_share_one_budget(
    kept_stores: KeptStores, tmp_path: Path, server: Endpoint
) -> None:
    kept_stores.copied(opened, tmp_path)
    server.asked.clear()
    context = get_context("spawn")
    given = (tmp_path, server.url, 0.04, context.Barrier(2))
    other = context.Process(target=spend_at_once, args=given)
    other.start()
    spend_at_once(*given)
    other.join(120)
    assert other.exitcode == 0
    assert 0.03 < counted(tmp_path) <= 0.04
    assert len(server.asked) < 2 * len(FEW.numbers)


def test_nothing_is_asked_where_nothing_may_be_spent(
    kept_stores: KeptStores, tmp_path: Path, server: Endpoint
) -> None:
    kept_stores.copied(opened, tmp_path)
    server.asked.clear()
    made = spend(tmp_path, server.url, FEW, 0.0, UNKNOWN)
    assert not server.asked and "heal.model_price" in made.note
