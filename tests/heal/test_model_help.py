"""What a model may be asked while a version is made: of the one that is chosen, within the family's budget."""

from pathlib import Path

import pytest

from crawloop_assets.family import Family, HealPolicy
from crawloop_assets.heal.model_help import ModelHelp
from crawloop_assets.heal.model_repair import ModelRepair
from crawloop_assets.llm.settings import ModelChoice
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import Store
from tests.heal.town import GOODS

PAID = GOODS.model_copy(update={"heal": HealPolicy(budget_usd=1)})


@pytest.fixture(autouse=True)
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CRAWLOOP_MODEL", "CRAWLOOP_API_BASE", "CRAWLOOP_MODEL_LOCAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")


def help_of(folder: Path, family: Family, model: str | None = None) -> ModelHelp:
    store = Store(folder / "var", folder / "crawloop.duckdb")
    choice = ModelChoice(wave="heal0", model=model)
    return ModelHelp.of(family, store, default_pool(), "run-1", choice)


def test_the_model_that_is_named_is_asked_for_everything(tmp_path: Path) -> None:
    help_ = help_of(tmp_path, PAID, "openai/gpt-5")
    assert isinstance(help_.repair, ModelRepair) and help_.first.oracle is not None
    repairs, reads = help_.repair.settings, help_.first.oracle.reader.settings
    assert (repairs.model, repairs.wave) == ("openai/gpt-5", "heal0")
    assert reads == repairs
    unnamed = help_of(tmp_path, PAID)
    assert isinstance(unnamed.repair, ModelRepair)
    assert unnamed.repair.settings.model == "openai/gpt-5-mini"


def test_where_none_may_be_asked_it_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = help_of(tmp_path, GOODS)
    assert free.repair is None and "budget_usd" in free.first.trouble
    monkeypatch.delenv("OPENAI_API_KEY")
    none = help_of(tmp_path, PAID)
    assert none.repair is None and "CRAWLOOP_MODEL" in none.first.trouble
