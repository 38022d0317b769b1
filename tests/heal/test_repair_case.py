"""What is open of a family, what a model is shown of it, and what is kept of its answers."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import BaseModel
from pytest_httpserver import HTTPServer

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    Program,
)
from crawloop_assets.errors import CrawlerFault
from crawloop_assets.family import Family
from crawloop_assets.heal.job import _drifted_sample
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.repair_case import RepairCase, RepairRung
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.llm import ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerStatus, Store
from tests.heal.stuck import PAGES
from tests.heal.test_model_repair import (
    RIGHT,
    WRONG,
    amounts,
    readers,
    redesigned,
    repair_of,
)
from tests.heal.town import GOODS, Town, _page, good, old
from tests.llm.conftest import KEY, Model

TITLE = {"src": "css", "at": "h2.t1"}
ROUND = RepairRung(3)


@pytest.fixture
def model(httpserver: HTTPServer) -> Model:
    return Model(httpserver)


def case_of(folder: Path) -> RepairCase:
    """A family of which nothing is healed yet."""
    town = redesigned(folder)
    active = town.store.active(GOODS.family)
    assert active is not None
    previous = as_program(active)
    return RepairCase(
        Regenerator(GOODS, town.store, default_pool(), "run-9", "heal0"),
        previous,
        _drifted_sample(GOODS, town.store),
        previous.model_copy(update={"fields": ()}),
        ScoreSheet(),
    )


def settings_of(model: Model) -> ModelSettings:
    given = {"model": "openai/any", "api_base": model.url, "api_key": KEY}
    return ModelSettings.model_validate(given | {"budget_usd": 100})


def test_what_is_confirmed_stays_and_the_rest_is_asked_again(
    tmp_path: Path, model: Model
) -> None:
    case = case_of(tmp_path)
    model.says = [readers(title=TITLE, price=WRONG), readers(price=RIGHT)]
    case.ask(ROUND, settings_of(model))
    assert [one.spec.name for one in case.program.fields] == ["title"]
    assert not case.is_settled(RepairRung(5))
    case.ask(RepairRung(5), settings_of(model))
    asked = [one["messages"][1]["content"] for one in model.requests]
    assert "- title: text; required" in asked[0] and "- title" not in asked[1]
    helped = case.helped()
    assert helped.proof.passed and helped.program is not None
    assert "title read as openai/any wrote" in helped.proof.reason
    assert case.is_settled(RepairRung(7, whole=True))


def test_one_known_value_is_too_little_for_what_a_model_wrote(
    tmp_path: Path, model: Model
) -> None:
    case = case_of(tmp_path)
    model.says = [readers(title=TITLE, price=RIGHT)]
    case.ask(ROUND, settings_of(model))
    assert case.helped().proof.passed and not case.helped().doubtful
    scores = [
        one.model_copy(update={"right": int(one.field == "title")})
        for one in case.proof.fields
    ]
    case.proof = case.proof.model_copy(update={"fields": tuple(scores)})
    assert case.helped().doubtful, "a person has to look"
    case.authors.clear()
    assert not case.helped().doubtful, "healing alone has other witnesses"


def test_code_is_not_asked_where_records_are(tmp_path: Path, model: Model) -> None:
    case = case_of(tmp_path)
    model.says = ['{"code": "x"}']
    listing = Boundary(mode=BoundaryMode.NODES, at="li")
    case.previous = case.previous.model_copy(
        update={"kind": FamilyKind.LISTING, "record": listing}
    )
    with pytest.raises(CrawlerFault):
        case.ask(RepairRung(9, code=True), settings_of(model))
    said = model.requests[0]["messages"][1]["content"]
    assert "A page lists several.\n" in said and "`record`" not in said


def test_each_rung_shows_more_and_what_was_found_stays(
    tmp_path: Path, model: Model
) -> None:
    case, sizes = case_of(tmp_path), []
    for levels in (0, 1, 3, 9):
        model.says = ['{"fields": []}']
        case.ask(RepairRung(levels), settings_of(model))
        shown = model.requests[-1]["messages"][1]["content"]
        assert all(good(at)["title"] in shown for at in (0, 1, 2))
        assert good(3)["title"] not in shown, "three pages are shown"
        sizes.append(len(shown))
    assert sizes == sorted(sizes)
    assert case.tries[-1].came == "it wrote no reader"


def test_an_optional_field_that_healing_left_out_is_asked_for(
    tmp_path: Path, model: Model
) -> None:
    """Of the stock most values have moved: no two witnesses agree."""
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at, stock=str(70 + at))) for at in range(PAGES)]
    town.learn(GOODS, pages, [good(at, stock=str(70 + at)) for at in range(3)])
    town.read(GOODS, pages)
    assert town.read(GOODS, [stocked(at) for at in range(PAGES)]).judgement.drifted
    family = GOODS.model_copy(
        update={"heal": GOODS.heal.model_copy(update={"budget_usd": 100.0})}
    )
    regenerator = Regenerator(
        family, town.store, default_pool(), "r", "heal0", repair_of(family, model)
    )
    model.says = [readers(stock={"src": "css", "at": "ul.nums li:nth-child(2) b"})]
    made = regenerator.heal(_drifted_sample(family, town.store))
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    program = Program.from_json(made.program)
    stock = program.field("stock")
    assert stock is not None and "nth-child(2)" in stock.readers[0].at
    assert json.dumps(made.reason).count("read as openai/any wrote") == 1


def stocked(at: int) -> Page:
    """A good whose price is labelled; the stock is one of three numbers, and new on most pages."""
    shown = amounts(at).text.replace("</h2>", f"</h2><p>Price: <b>${at + 3}.50</b></p>")
    numbers = (str(at + 40), str(70 + at if at in (2, 4) else 20 + at), str(at + 90))
    cells = "".join(f"<li><b>{number}</b></li>" for number in numbers)
    body = shown.partition("<body>")[2].partition("<ul")[0]
    return _page(GOODS, at, f"{body}<ul class='nums'>{cells}</ul></section>")


def test_the_active_version_is_not_what_passes(tmp_path: Path) -> None:
    """It may pass on what little is known, but it is there, and does not read the pages."""
    town = redesigned(tmp_path)
    active = town.store.active(GOODS.family)
    assert active is not None
    previous = as_program(active)
    sheet = ScoreSheet(passed=True, fields=(FieldScore(field="title", right=1),))
    other = previous.model_copy(update={"fields": previous.fields[:1]})
    for program, passes in ((as_program(active), False), (other, True)):
        case = RepairCase(
            Regenerator(GOODS, town.store, default_pool(), "run-9", "heal0"),
            previous,
            _drifted_sample(GOODS, town.store),
            program,
            sheet,
        )
        assert case.proof.passed is passes
        assert case.is_settled(RepairRung(7, whole=True)) is passes


class Meeting(BaseModel):
    """What an office announces: nothing of it has to be there."""

    title: str | None = None
    start: datetime | None = None


MEETINGS = Family.model_validate(
    {
        "family": "office/meetings",
        "schema": "tests.heal.test_repair_case:Meeting",
        "kind": "listing",
        "discover": {},
        "heal": {"budget_usd": 100.0},
    }
)
DATED = {"src": "css", "at": "h1", "pipe": [["regex", "^[0-9/]+ (.+)$"]]}
KNOWN = {"title": "Archives Board", "start": "2018-03-29T10:00:00"}
ANNOUNCED = (
    "<blockquote><h2>Archives Board</h2><dl><dt>Start date</dt>"
    "<dd>March 29, 2018 10:00 AM</dd></dl></blockquote>"
)
NEXT = "<div class='event'><h1>07/20/23 {}</h1><p>July 20, 2023 10:00 AM<span> to </span>noon</p></div>"


def announced(body: str) -> Page:
    """The page of an office."""
    filler = "The office is open on all days of the week but Sunday. " * 12
    html = f"<html><body><main>{body}</main><p>{filler}</p></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url="http://office.test/", body=html.encode(), headers=headers)


def proposed(folder: Path, model: Model, title: str, at: str) -> tuple[Store, str]:
    """The store after a wave in which a model reads the title at a place, and what it
    proposes."""
    store = Town(folder).store
    sample = (Example(page=0, records=(KNOWN,)),)
    first = Regenerator(MEETINGS, store, default_pool(), "r")
    assert first.first(HealSample((announced(ANNOUNCED),), sample)).version == 1
    asks = repair_of(MEETINGS, model)
    last = Regenerator(MEETINGS, store, default_pool(), "r", "heal0", asks)
    fields = [
        {"field": "title", "readers": [DATED | {"at": at}]},
        {"field": "start", "readers": [{"src": "css", "at": "p", "get": "head"}]},
    ]
    model.says = [json.dumps({"record": "div.event", "fields": fields})] * 3
    made = last.heal(HealSample((announced(NEXT.format(title)),), sample))
    assert made.outcome is not RegenerationOutcome.PROMOTED
    return store, made.program


@pytest.mark.parametrize("title", ["Archives Board", "Records Commission"])
def test_what_nothing_is_against_waits_for_a_person_where_no_field_is_required(
    title: str, tmp_path: Path, model: Model
) -> None:
    store, program = proposed(tmp_path, model, title, "h1")
    assert len(model.requests) == 1, "no other answer would be better confirmed"
    assert store.crawlers(MEETINGS.family)[-1].status is CrawlerStatus.AWAITING_REVIEW
    read = {one.spec.name for one in Program.from_json(program).fields}
    assert read == {"title", "start"}


def test_what_known_values_are_against_waits_for_nobody(
    tmp_path: Path, model: Model
) -> None:
    store, program = proposed(tmp_path, model, "Archives Board", "h1 + p")
    assert not program and len(model.requests) == 3
    assert [one.version for one in store.crawlers(MEETINGS.family)] == [1]
