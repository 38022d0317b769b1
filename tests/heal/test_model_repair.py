"""What deterministic healing leaves open, with a model that is right, wrong, or says nonsense, behind a real endpoint."""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from crawloop_assets.family import Family, HealPolicy
from crawloop_assets.heal.asking import regenerate_or_ask
from crawloop_assets.heal.model_help import ModelHelp
from crawloop_assets.heal.model_repair import ModelRepair
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.llm.settings import ModelChoice, ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import CrawlerKind, CrawlerStatus, ledger
from crawloop_assets.store.models import LlmCall
from tests.heal.stuck import PAGES, asked, price, town_of_goods
from tests.heal.town import GOODS, Town, _page, good
from tests.llm.conftest import KEY, Model

KEPT = (2, 4)
"""Pages on which the price is the known one: one that a model is shown, and one that it is not."""
RIGHT = {"src": "css", "at": "ul.nums li:nth-child(2) b"}
WRONG = {"src": "css", "at": "ul.nums li:nth-child(3) b"}
SEEN = " or ".join(f".='{price}'" for price in ("3.75", "4.76", "5.50"))
FITTED = {"src": "xpath", "at": f"//li/b[{SEEN}]"}
CODE = """
from parsel import Selector

def crawl(html, url):
    page = Selector(text=html)
    return [{"title": page.css("h2.t1::text").get(), "price": page.css("li b::text").getall()[1]}]
"""


def amounts(at: int, kept: Collection[int] = KEPT) -> Page:
    """A good among other amounts, of which none is named; most prices have moved."""
    shown, cost = good(at), price(at)
    numbers = (f"{at + 41}.10", shown["price"] if at in kept else cost, f"{at}1.90")
    cells = "".join(f"<li><b>{number}</b></li>" for number in numbers)
    maker = shown["maker"].replace("&", "&amp;")
    body = f"<section id='top'><h2 class='t1'>{shown['title']}</h2><div><i class='q5'>{maker}</i></div>"
    return _page(GOODS, at, f"{body}<ul class='nums'>{cells}</ul></section>")


def redesigned(folder: Path, kept: Collection[int] = KEPT) -> Town:
    town = town_of_goods(folder)
    assert town.read(GOODS, [amounts(at, kept) for at in range(PAGES)]).judgement
    return town


IN_WAVE = ModelChoice(wave="heal0")


@pytest.fixture
def model(httpserver: HTTPServer) -> Model:
    return Model(httpserver)


@pytest.fixture
def wave(model: Model) -> Callable[..., Regeneration]:
    """One heal wave with the model behind it."""

    def run(town: Town, name: str = "heal0", **policy: Any) -> Regeneration:
        heal = {"budget_usd": 100, "calls_per_day": 20} | policy
        family = GOODS.model_copy(update={"heal": HealPolicy.model_validate(heal)})
        fetcher: Any = None
        return regenerate_or_ask(
            family,
            town.store,
            default_pool(),
            fetcher,
            run_id=f"run-{name}",
            wave=name,
            model=ModelHelp(repair_of(family, model)),
        )

    return run


def repair_of(family: Family, model: Model) -> ModelRepair:
    settings = ModelSettings.model_validate(
        {
            "model": "openai/any",
            "api_base": model.url,
            "api_key": KEY,
            "budget_usd": family.heal.budget_usd,
            "calls_per_day": family.heal.calls_per_day,
            "patience_s": 0,
        }
    )
    name = family.heal.escalate_to
    stronger = settings.model_copy(update={"model": name}) if name else None
    return ModelRepair(settings, stronger)


def readers(**fields: dict[str, str]) -> str:
    """An answer of one reader for each field."""
    written = [{"field": name, "readers": [one]} for name, one in fields.items()]
    return json.dumps({"record": "", "fields": written})


def calls_of(town: Town, run: str) -> list[LlmCall]:
    """What is written down of the calls of a run."""
    with town.store.publisher.database.read() as connection:
        return ledger.calls_of(connection, [run])


def test_right_readers_heal_what_nothing_else_did(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [readers(price=RIGHT)]
    made = wave(town)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert "price read as openai/any wrote" in made.reason
    town.read(GOODS, [amounts(at) for at in range(PAGES)])
    rows = town.published(GOODS)
    assert rows["http://town.test/p/0"]["price"] == price(0)
    (call,) = calls_of(town, "run-heal0")
    assert (call.purpose, call.outcome) == ("repair", "ok")
    shown = model.requests[0]["messages"][1]["content"]
    assert "- price: number; required" in shown and "maker" not in shown.split("<")[0]
    assert '{"price": "3.5"}' in shown and "css .price-now" in shown
    assert shown.count("</page-") == 3


def test_readers_that_are_wrong_everywhere_end_in_the_question(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [readers(price=WRONG)] * 3
    made = wave(town)
    assert made.outcome is RegenerationOutcome.REJECTED
    assert len(model.requests) == 3, "two rounds, and a whole program"
    assert "openai/any was asked 3 time(s)" in made.reason
    second = model.requests[1]["messages"][1]["content"]
    assert "price: 0 right, 2 wrong" in second, "it is told what the gauntlet found"
    question = asked(town)
    assert question.sentence.startswith("no version reads `price`")
    assert "openai/any was asked 3 time(s)" in question.sentence
    tried = [one for one in question.candidates if one.tried.startswith("openai/any")]
    assert {one.value for one in tried} == {"1.90"}
    active = town.store.active(GOODS.family)
    assert active is not None and active.version == 1


@pytest.mark.parametrize(
    "junk",
    [
        "I am sorry.",
        '{"fields": "none"}',
        readers(price={"src": "css", "at": "li["}),
        readers(price={"src": "python", "at": "open('/etc/passwd')"}),
        readers(nothing=RIGHT),
        readers(price=RIGHT | {"pipe": [["template", "3.50"]]}),
        readers(price=RIGHT | {"pipe": [["exec", "x"]]}),
    ],
)
def test_junk_is_no_reader_and_fails_nothing(
    junk: str, tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [junk] * 6
    made = wave(town)
    assert made.outcome is RegenerationOutcome.REJECTED
    assert made.tries and not any(one.program for one in made.tries)
    assert [one.version for one in town.store.crawlers(GOODS.family)] == [1]


def test_a_program_that_fits_the_shown_pages_alone_is_not_promoted(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [readers(price=FITTED)] * 3
    assert wave(town).outcome is RegenerationOutcome.REJECTED
    assert len(town.store.crawlers(GOODS.family)) == 1


def test_what_no_known_value_confirms_waits_for_a_person(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path, kept=())
    model.says = [readers(price=RIGHT)]
    made = wave(town)
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW, made.reason
    assert len(model.requests) == 1, "no other answer would be better confirmed"
    _, version = town.store.crawlers(GOODS.family)
    assert version.status is CrawlerStatus.AWAITING_REVIEW
    assert town.published(GOODS)["http://town.test/p/0"]["price"] == "3.5"


def test_a_second_round_may_correct_the_first(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [readers(price=WRONG), readers(price=RIGHT)]
    assert wave(town).outcome is RegenerationOutcome.PROMOTED
    assert len(model.requests) == 2


def test_a_stronger_model_is_asked_once_and_last(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [*[readers(price=WRONG)] * 3, readers(price=RIGHT)]
    made = wave(town, escalate_to="openai/dear")
    assert made.outcome is RegenerationOutcome.PROMOTED
    assert [one["model"] for one in model.requests] == ["any", "any", "any", "dear"]


def test_code_is_asked_for_where_the_family_allows_it(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [*[readers(price=WRONG)] * 3, json.dumps({"code": CODE})]
    made = wave(town, code=True)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    active = town.store.active(GOODS.family)
    assert active is not None and active.kind is CrawlerKind.CODE
    assert active.reason.startswith("code by openai/any, held by")


@pytest.mark.parametrize(
    "code",
    ["import os\n" + CODE, CODE.replace("[1]", "[2]"), "def crawl(html, url): 1 / 0"],
)
def test_code_that_is_not_proved_is_no_version(
    code: str, tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path)
    model.says = [*[readers(price=WRONG)] * 3, json.dumps({"code": code})]
    made = wave(town, code=True)
    assert made.outcome is RegenerationOutcome.REJECTED
    assert made.tries[-1].asked == "code"
    assert len(town.store.crawlers(GOODS.family)) == 1


@pytest.mark.parametrize("policy", [{"budget_usd": 0.0001}, {"calls_per_day": 0}])
def test_no_more_is_asked_than_may_be_paid(
    policy: dict[str, float],
    tmp_path: Path,
    model: Model,
    wave: Callable[..., Regeneration],
) -> None:
    town = redesigned(tmp_path)
    made = wave(town, **policy)
    assert made.outcome is RegenerationOutcome.REJECTED
    assert model.requests == []
    assert len(made.tries) == 1, "and it is said once"


def test_a_wave_that_heals_asks_nobody(
    tmp_path: Path, model: Model, wave: Callable[..., Regeneration]
) -> None:
    town = redesigned(tmp_path, kept=range(PAGES))
    assert wave(town).outcome is RegenerationOutcome.PROMOTED
    assert model.requests == []


def test_without_a_model_or_money_there_is_nobody_to_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("CRAWLOOP_MODEL", "CRAWLOOP_API_BASE", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert ModelRepair.of(GOODS, IN_WAVE) is None
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    assert ModelRepair.of(GOODS, IN_WAVE) is None, "its budget is nothing"
    heal = HealPolicy(budget_usd=1, escalate_to="openai/gpt-5")
    paid = ModelRepair.of(GOODS.model_copy(update={"heal": heal}), IN_WAVE)
    assert paid is not None and paid.stronger is not None
    assert (paid.settings.wave, paid.stronger.wave) == ("heal0", "heal0")
    assert paid.stronger.model == "openai/gpt-5"
