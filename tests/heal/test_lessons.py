"""What a person decides: accept, teach, put off, take back."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.past import asked_about
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import (
    AuditKind,
    QuestionState,
)
from tests.heal.stuck import (
    PAGES,
    asked,
    in_question,
    price,
    town_of_goods,
    unlabelled,
    wave,
)
from tests.heal.town import GOODS, MAKERS, NAMES, Town, _page, good, old


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods whose redesign ended in a question."""
    return in_question(tmp_path)


def decisions(town: Town) -> Decisions:
    return Decisions(GOODS, town.store, "run-9")


def teach(town: Town, field: str, value: str = "", at: str = "") -> Regeneration:
    said = PersonSays(field, "ada", value, at, why="I looked")
    return decisions(town).teach(said, default_pool())


def read_again(town: Town) -> dict[str, str]:
    """Read the stored pages again; the prices that are published then."""
    served = town.read(GOODS, [unlabelled(at) for at in range(PAGES)])
    assert not served.judgement.drifted
    rows = sorted(town.published(GOODS).items())
    return {url: str(row["price"]) for url, row in rows}


PRICES = {unlabelled(at).url: price(at) for at in range(PAGES)}


def test_one_value_makes_a_version_that_reads_every_page(town: Town) -> None:
    made = teach(town, "price", price(0))
    assert (made.outcome, made.version) == (RegenerationOutcome.PROMOTED, 2)
    assert made.reason.endswith("price as ada taught")
    found = read_again(town)
    assert {url: f"{float(one):.2f}" for url, one in found.items()} == PRICES
    question = asked(town)
    assert (question.state, question.decided_by) == (QuestionState.TAUGHT, "ada")
    (event,) = town.store.audits(GOODS.family, AuditKind.LESSON_TAUGHT)
    assert (event.detail["who"], event.detail["why"]) == ("ada", "I looked")


def test_a_place_is_as_good_as_a_value(town: Town) -> None:
    made = teach(town, "price", at=".nums li:nth-child(2)")
    assert made.outcome is RegenerationOutcome.PROMOTED
    (lesson,) = town.store.questions.lessons(GOODS.family)
    assert (lesson.value, lesson.version) == ("3.75", 2)


def test_a_page_that_never_was_a_record_stops_no_lesson(town: Town) -> None:
    links = "".join(f"<p><a href='/p/{at}'>Good {at}</a></p>" for at in range(PAGES))
    start = Page(
        url="http://town.test/p/",
        body=f"<html><body><nav>{links}</nav></body></html>".encode(),
        headers={"content-type": "text/html"},
    )
    town.read(GOODS, [start, *map(unlabelled, range(PAGES))])
    made = teach(town, "price", price(0))
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert f"no record of the family: {start.url}" in made.reason


def test_what_is_not_on_the_page_is_refused_and_forgotten(town: Town) -> None:
    made = teach(town, "price", "99.99")
    assert made.outcome is RegenerationOutcome.REJECTED
    assert "price: what was said does not stand in any place" in made.reason
    assert town.store.questions.lessons(GOODS.family) == []
    assert asked(town).state is QuestionState.OPEN
    active = town.store.active(GOODS.family)
    assert active is not None and active.version == 1


def test_a_refusal_names_the_field_that_is_not_read_as_taught(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Repair.proved

    def unread(self: Repair, program: Program) -> tuple[Program, ScoreSheet]:
        candidate, proof = honest(self, program)
        told = {"right": 0, "reason": "nothing is read"}
        fields = tuple(
            one.model_copy(update=told if one.field == "price" else {})
            for one in proof.fields
        )
        return candidate, proof.model_copy(update={"fields": fields})

    monkeypatch.setattr(Repair, "proved", unread)
    made = teach(town, "price", price(0))
    assert made.outcome is RegenerationOutcome.REJECTED
    assert made.reason.endswith("price is not read as taught: nothing is read")


@pytest.mark.parametrize(
    ("field", "value", "at", "why"),
    [
        ("colour", "red", "", "has no field 'colour'"),
        ("price", "", "", "nothing was taught"),
        ("price", "", "li:nth-child(", "is no place"),
        ("price", "", ".nowhere", "nothing of the kind of price"),
        ("price", "dear", "", "'dear' is no value of price: Input should be a valid"),
    ],
)
def test_what_makes_no_lesson_is_said(
    town: Town, field: str, value: str, at: str, why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        teach(town, field, value, at)
    assert town.store.questions.lessons(GOODS.family) == []


def test_who_answers_what_is_not_asked_is_sent_to_what_waits(tmp_path: Path) -> None:
    green = Decisions(GOODS, town_of_goods(tmp_path).store)
    with pytest.raises(
        ConfigError, match=r"no open question.*crawloop inbox town/good"
    ):
        green.accept("ada")
    with pytest.raises(ConfigError, match=r"no open question.*`--url`"):
        green.teach(PersonSays("price", "ada", value="1.50"), default_pool())


def test_a_lesson_is_taken_back_with_its_version(town: Town) -> None:
    teach(town, "price", price(0))
    read_again(town)
    (lesson,) = town.store.questions.lessons(GOODS.family)
    said = decisions(town).undo(lesson.id, "bob")
    assert said == f"lesson {lesson.id} is undone, v1 is active"
    assert town.store.questions.lessons(GOODS.family) == []
    prices = {row["price"] for row in town.published(GOODS).values()}
    assert prices == {str(float(good(at)["price"])) for at in range(PAGES)}
    with pytest.raises(ConfigError, match="undone already"):
        decisions(town).undo(lesson.id, "bob")


def test_a_question_that_is_put_off_stands_until_its_day(town: Town) -> None:
    until = datetime.now(UTC) + timedelta(days=3)
    decisions(town).ignore(until, "ada", "they are at it")
    assert asked(town).state is QuestionState.IGNORED
    wave(town, "heal1")
    assert asked(town).until == until, "nothing is asked in the meantime"
    assert asked_about(town.store, GOODS) == asked(town).sentence
    assert not asked(town).stands(until)


def test_what_was_accepted_as_gone_is_null_and_green_until_it_returns(
    tmp_path: Path,
) -> None:
    town = town_of_goods(tmp_path)
    bare = [
        {name: one for name, one in good(at).items() if name != "maker"}
        for at in range(PAGES)
    ]
    lacking = [old(GOODS, at, one) for at, one in enumerate(bare)]
    assert town.read(GOODS, lacking).judgement.drifted
    wave(town)
    assert decisions(town).accept("ada", "they say so").fields == ("maker",)
    for _ in range(2):
        served = town.read(GOODS, lacking)
        assert not served.judgement.drifted
        assert all(check.passed for check in served.judgement.checks)
    assert {row.get("maker") for row in town.published(GOODS).values()} == {None}
    town.read(GOODS, [old(GOODS, at, good(at)) for at in range(PAGES)])
    assert {row["maker"] for row in town.published(GOODS).values()} == set(
        MAKERS[:PAGES]
    )
    assert asked(town).state is QuestionState.WITHDRAWN
    assert asked(town).why == "maker is shown again"
    assert town.read(GOODS, lacking).judgement.drifted, "it is expected again"


SHELVES = (
    "north wall",
    "south wall",
    "east hall",
    "west hall",
    "top loft",
    "low vault",
)


AROUND = ("p", "b", "i", "u")
"""What stands in no one place is read by nobody."""


def test_another_field_that_fails_does_not_undo_what_was_taught(tmp_path: Path) -> None:
    town = Town(tmp_path)
    known = [good(at, stock=f"kept in the {SHELVES[at]}") for at in range(PAGES)]
    pages = [old(GOODS, at, known[at]) for at in range(PAGES)]
    assert town.learn(GOODS, pages, known[:3]).outcome is RegenerationOutcome.PROMOTED
    town.read(GOODS, pages)
    # The old reader of the stock finds something else, and what was known stands there.
    moved = [
        unlabelled(
            at,
            f"<dl><dt>Stock</dt><dd class='stock-now'>sent by {SHELVES[-1 - at]} {at}</dd></dl>"
            f"<{AROUND[at % 4]}>{known[at]['stock']}</{AROUND[at % 4]}>",
        )
        for at in range(PAGES)
    ]
    town.read(GOODS, moved)
    said = PersonSays("price", "ada", price(1), url=moved[1].url)
    made = Decisions(GOODS, town.store, "run-9").teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED, made
    assert "without stock, which contradicted known values" in made.reason


def test_what_is_taught_outranks_what_was_published_of_the_same_page(
    tmp_path: Path,
) -> None:
    town = town_of_goods(tmp_path)
    pages = [
        old(GOODS, at, good(at, maker=f"{MAKERS[at]} of Kiel")) for at in range(PAGES)
    ]
    assert not town.read(GOODS, pages).judgement.drifted, "it is news"
    # The version before reads more than what is said.
    said = PersonSays("maker", "ada", MAKERS[0], url=pages[0].url)
    made = Decisions(GOODS, town.store, "run-9").teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert not town.read(GOODS, pages).judgement.drifted
    rows = [row["maker"] for _, row in sorted(town.published(GOODS).items())]
    assert rows == list(MAKERS[:PAGES])


class Kit(BaseModel):
    """What is put together."""

    title: str
    parts: list[str]


KITS = Family.model_validate(
    {"family": "town/kit", "schema": "tests.heal.test_lessons:Kit", "discover": {}}
)


def kit(at: int, tag: str, cell: str) -> Page:
    """A kit; its parts stand in lists of this kind, of which only the first are
    named."""
    parts = "".join(f"<{cell}>{one}</{cell}>" for one in kit_parts(at, tag))
    links = "".join(f"<a href='/{one}'>{one}</a>" for one in ("home", "about", "help"))
    label = "<h2>Parts</h2>" if tag == "ul" else ""
    body = (
        f"<h1>{good(at)['title']}</h1><nav>{links}</nav>{label}<{tag}>{parts}</{tag}>"
    )
    return _page(KITS, at, body)


def kit_parts(at: int, tag: str) -> list[str]:
    """Other parts in every design."""
    return [f"{word} of {tag} {at}" for word in ("axle", "bolt", "cord")]


def test_a_list_is_taught_whole_an_item_per_line(tmp_path: Path) -> None:
    town = Town(tmp_path)
    pages = [kit(at, "ul", "li") for at in range(PAGES)]
    known = [
        {"title": good(at)["title"], "parts": kit_parts(at, "ul")} for at in range(3)
    ]
    made = town.learn(KITS, pages, known)
    assert made.outcome is RegenerationOutcome.PROMOTED
    town.read(KITS, pages)
    town.read(KITS, [kit(at, "section", "p") for at in range(PAGES)])
    url = kit(1, "section", "p").url
    value = "\n".join(kit_parts(1, "section"))
    said = PersonSays("parts", "ada", value, url=url)
    made = Decisions(KITS, town.store, "run-9").teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED
    town.read(KITS, [kit(at, "section", "p") for at in range(PAGES)])
    rows = [row["parts"] for _, row in sorted(town.published(KITS).items())]
    assert rows == [kit_parts(at, "section") for at in range(PAGES)]


class Ruling(BaseModel):
    """What a court has ruled."""

    name: str
    date: date
    docket: str | None = None


RULINGS = Family.model_validate(
    {
        "family": "town/rulings",
        "schema": "tests.heal.test_lessons:Ruling",
        "kind": "listing",
        "discover": {},
    }
)
# Of these numbers the first is no day, of others one is.
DOCKETS = ("20230738-CA", "20230411-CA", "20221120-CA", "20230004-CA", "20220901-CA")
MONTHS = ("November", "November", "October", "September", "May")


def rulings(numbers: range) -> list[dict[str, str]]:
    return [
        {
            "name": f"{NAMES[at % len(NAMES)]} against {MAKERS[at // 2]}",
            "date": f"{2023 + at // 5}-{(11, 11, 10, 9, 5)[at % 5]:02}-1{at % 5}",
            "docket": DOCKETS[at % 5] if at >= 5 else f"M-{at}",
        }
        for at in numbers
    ]


def court(shown: Sequence[Mapping[str, str]], row: str) -> Page:
    rows = "".join(
        row.format(**one, month=MONTHS[at], day=one["date"][-2:])
        for at, one in enumerate(shown)
    )
    return _page(RULINGS, 0, f"<section>{rows}</section>")


CASE = "<tr><td>{date}</td><td>{name}</td><td>{docket}</td></tr>"
LINE = (
    "<p><a href='/r'>{name}</a>, Case No. {docket}, Filed {month} {day}, 2024, App</p>"
)


def test_what_is_said_of_one_row_is_not_guessed_of_the_others(tmp_path: Path) -> None:
    """A number that might be a day stands before the day, in rows of which nothing was said."""
    town = Town(tmp_path)
    first, later = rulings(range(5)), rulings(range(5, 10))
    page = court(first, f"<table>{CASE}</table>")
    sample = HealSample((page,), (Example(page=0, records=tuple(first)),))
    learnt = Regenerator(RULINGS, town.store, default_pool(), "run-1").first(sample)
    assert learnt.outcome is RegenerationOutcome.PROMOTED, learnt.reason
    town.read(RULINGS, [page])
    red = court(later, LINE)
    town.read(RULINGS, [red])
    taught = Decisions(RULINGS, town.store, "run-9")
    for field, value in later[0].items():
        taught.teach(PersonSays(field, "ada", value, url=red.url), default_pool())
    town.read(RULINGS, [red])
    rows = town.store.known(RULINGS)[red.url]
    assert [{name: str(row[name]) for name in later[0]} for row in rows] == later
