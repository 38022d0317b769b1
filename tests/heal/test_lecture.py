"""What is made of lessons, of the page that was shown or of pages as they are now."""

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.heal.lecture import Lecture
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.store import NewQuestion, QuestionKind, QuestionState
from tests.heal.stuck import (
    PAGES,
    asked,
    in_question,
    price,
    unlabelled,
)
from tests.heal.town import GOODS, MAKERS, NAMES, Town, _page, good, old


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods of which a question shows one page."""
    return in_question(tmp_path)


def shown(town: Town) -> int:
    """Which good's page the question shows."""
    return int(asked(town).url.rpartition("/")[2])


def teach(town: Town, value: str, url: str = "", at: str = "") -> Regeneration:
    said = PersonSays("price", "ada", value, at, url=url)
    return Decisions(GOODS, town.store, "run-9").teach(said, default_pool())


def with_in_place(at: int, page: Page) -> list[Page]:
    """The redesigned pages, but for one."""
    return [page if at == other else unlabelled(other) for other in range(PAGES)]


@pytest.mark.parametrize("at", ["", ".nums li:nth-child(2)"])
def test_a_page_is_taught_as_the_question_showed_it(town: Town, at: str) -> None:
    here = shown(town)
    # The site shows that page in its old design today.
    town.read(GOODS, with_in_place(here, old(GOODS, here, good(here))))
    made = teach(town, "" if at else price(here), at=at)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert asked(town).state is QuestionState.TAUGHT
    served = town.read(GOODS, list(map(unlabelled, range(PAGES))))
    assert not served.judgement.drifted
    prices = {url: row["price"] for url, row in town.published(GOODS).items()}
    assert prices == {
        unlabelled(other).url: str(float(price(other))) for other in range(PAGES)
    }


def test_of_two_layouts_at_once_the_one_that_was_shown_is_learned(town: Town) -> None:
    here = shown(town)

    def mixed(new: int) -> list[Page]:
        """Every other page in its old design."""
        olds = [old(GOODS, at, good(at)) for at in range(PAGES)]
        return [unlabelled(at) if at % 2 == new else olds[at] for at in range(PAGES)]

    town.read(GOODS, mixed(here % 2))
    made = teach(town, price(here))
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert not town.read(GOODS, mixed(1 - here % 2)).judgement.drifted
    assert not town.read(GOODS, mixed(here % 2)).judgement.drifted


def test_what_is_taught_of_a_layout_is_proved_on_its_pages_with_what_reads_it(
    town: Town,
) -> None:
    here = shown(town)
    pages = [unlabelled(at) for at in range(PAGES)]
    for at in (here + 1, here + 3):
        pages[at % PAGES] = old(GOODS, at % PAGES, good(at % PAGES))
    town.read(GOODS, pages)
    (first,) = live_versions(town.store.crawlers(GOODS.family))
    assert teach(town, price(here)).outcome is RegenerationOutcome.PROMOTED
    assert not town.read(GOODS, pages).judgement.drifted
    (lesson,) = town.store.questions.lessons(GOODS.family)
    fields = [
        FieldProgram(
            spec=GOODS.schema_spec().field(name),
            readers=(Reader(src=Source.CSS, at=at, kin=Kin.CLASS),),
        )
        for name, at in (("title", ".t1"), ("maker", ".q5"))
    ]
    other = replace(first, body=Program(fields=tuple(fields)).to_json(), version=7)
    regenerator = Regenerator(GOODS, town.store, default_pool(), "run-9")
    lecture = Lecture.of(regenerator, [first, other], lesson, ())
    assert (lecture.base, lecture.others_of_base) == (other, [first])
    made, _ = lecture.give([lesson], "price")
    assert f"proved on {PAGES - 2} page(s); price as ada taught" in made.reason


def test_what_stands_on_the_page_as_it_is_now_is_taught_of_that(town: Town) -> None:
    here = shown(town)
    moved = unlabelled(here)
    body = moved.body.replace(price(here).encode(), b"8.15")
    town.read(GOODS, with_in_place(here, moved.model_copy(update={"body": body})))
    made = teach(town, "8.15")
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    (lesson,) = town.store.questions.lessons(GOODS.family)
    entry = town.store.url(GOODS.family, lesson.url)
    assert entry is not None and lesson.page_sha256 == entry.page_sha256


def test_what_is_read_right_already_answers_no_question(town: Town) -> None:
    other = PAGES - 1
    assert other != shown(town)
    pages = with_in_place(other, old(GOODS, other, good(other)))
    town.read(GOODS, pages)
    made = teach(town, good(other)["price"], url=pages[other].url)
    assert asked(town).state is QuestionState.OPEN
    assert made.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert "published as you say: teach it of a page that is held" in made.reason


class Rate(BaseModel):
    """What a bank pays and asks for a currency."""

    VOLATILE: ClassVar = {"buy", "sell", "day"}

    code: str
    buy: Decimal
    sell: Decimal
    day: date | None = None


RATES = Family.model_validate(
    {
        "family": "town/rate",
        "schema": "tests.heal.test_lecture:Rate",
        "kind": "listing",
        "key": ["code"],
        "discover": {},
    }
)
CODES = ("AED", "AUD", "BGN", "CAD", "CHF", "CZK", "DKK", "EUR", "GBP", "HKD")


def rates(days: int) -> list[dict[str, str]]:
    """The rates of a day; all of them move every day."""
    moved = days * Decimal("0.07")
    return [
        {
            "code": code,
            "buy": f"{12 + 3 * at + moved + Decimal(at) / 100:.4f}",
            "sell": f"{Decimal('12.41') + 3 * at + moved + Decimal(at) / 50:.4f}",
            "day": f"2026-03-{4 + days:02}",
        }
        for at, code in enumerate(CODES)
    ]


def rate_table(days: int, columns: tuple[str, str] = ("buy", "sell")) -> Page:
    """The table of a day; its columns stand in this order."""
    names = ("code", *columns, "day")
    heads = "".join(f"<th>{name.title()}</th>" for name in names)
    cells = ("".join(f"<td>{row[name]}</td>" for name in names) for row in rates(days))
    lines = "".join(f"<tr>{line}</tr>" for line in cells)
    return _page(RATES, 1, f"<table><tr>{heads}</tr>{lines}</table>")


def test_two_columns_that_changed_places_are_taught_both_or_not_at_all(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    examples = (Example(page=0, records=tuple(rates(0))),)
    maker = Regenerator(RATES, town.store, default_pool(), "run-0")
    made = maker.first(HealSample((rate_table(0),), examples))
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    for days in range(3):
        assert not town.read(RATES, [rate_table(days)]).judgement.drifted
    exchanged = rate_table(3, ("sell", "buy"))
    assert town.read(RATES, [exchanged]).judgement.drifted
    true, decisions = rates(3)[0], Decisions(RATES, town.store, "run-9")

    def said(field: str) -> Regeneration:
        one = PersonSays(field, "ada", true[field], url=exchanged.url)
        return decisions.teach(one, default_pool())

    refused = said("buy")
    assert refused.outcome is RegenerationOutcome.REJECTED
    assert "sell wrong on 10 of 10" in refused.reason
    assert said("sell").outcome is RegenerationOutcome.PROMOTED
    assert not town.read(RATES, [exchanged]).judgement.drifted
    rows = town.store.known(RATES)[exchanged.url]
    read = {row["code"]: (row["buy"], row["sell"], row["day"]) for row in rows}
    assert read == {
        row["code"]: (str(float(row["buy"])), str(float(row["sell"])), row["day"])
        for row in rates(3)
    }


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [("title", "", "title is required"), ("maker", "Ada", "a value or none, not both")],
)
def test_a_record_is_without_no_required_field(
    town: Town, field: str, value: str, why: str
) -> None:
    said = PersonSays(field, "ada", value, none=True)
    with pytest.raises(ConfigError, match=why):
        _decisions(town).teach(said, default_pool())


def test_a_person_may_say_that_there_is_none(town: Town) -> None:
    teach(town, price(0))
    said = PersonSays("maker", "ada", none=True, url=unlabelled(1).url)
    made = _decisions(town).teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.REJECTED, "it is read there"
    assert "maker: " in made.reason and "where there is none" in made.reason


def _decisions(town: Town) -> Decisions:
    return Decisions(GOODS, town.store, "run-9")


class Plot(BaseModel):
    """What is let."""

    title: str
    maker: str
    rooms: int | None = None
    floors: int | None = None


PLOTS = Family.model_validate(
    {"family": "town/plot", "schema": "tests.heal.test_lecture:Plot", "discover": {}}
)


def plot(at: int) -> dict[str, str]:
    numbers = {"rooms": str(31 + 7 * at), "floors": str(112 + 9 * at)}
    return {"title": NAMES[at], "maker": MAKERS[at].replace("&", "and")} | numbers


def plot_page(at: int, *, is_new: bool = False) -> Page:
    """In the new design the rooms are the first or the second of numbers that nothing names, the floors the last."""
    shown = plot(at)
    head = f"<h1>{shown['title']}</h1><dl><dt>Maker</dt><dd>{shown['maker']}</dd></dl>"
    names = ("rooms", "floors")
    rows = (f"<p><b>{name.title()}</b> <i>{shown[name]}</i></p>" for name in names)
    if is_new:
        numbers = [shown["rooms"], str(507 + at)]
        both = numbers if at % 2 else numbers[::-1]
        cells = "".join(f"<li>{number}</li>" for number in (*both, shown["floors"]))
        rows = (f"<ul>{cells}</ul>",)
    return _page(PLOTS, at, f"<main>{head}{''.join(rows)}</main>")


@pytest.fixture
def plots(tmp_path: Path) -> Town:
    """Plots that are red in the new design, of which nobody was asked yet."""
    town = Town(tmp_path)
    before = list(map(plot_page, range(PAGES)))
    made = town.learn(PLOTS, before, list(map(plot, range(PAGES))))
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    town.read(PLOTS, before)
    pages = [plot_page(at, is_new=True) for at in range(PAGES)]
    assert town.read(PLOTS, pages).judgement.drifted
    return town


def test_a_lesson_that_was_not_enough_does_not_hold_up_the_next(plots: Town) -> None:
    decisions, url = Decisions(PLOTS, plots.store, "run-9"), plot_page(1).url

    def said(field: str) -> Regeneration:
        one = PersonSays(field, "ada", plot(1)[field], url=url)
        return decisions.teach(one, default_pool())

    assert said("rooms").outcome is RegenerationOutcome.REJECTED
    made = said("floors")
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert made.reason.endswith("floors as ada taught")
    lessons = plots.store.questions.lessons(PLOTS.family)
    versions = {one.field: one.version for one in lessons}
    assert versions == {"rooms": None, "floors": made.version}


def test_what_was_taught_before_is_no_reason_to_refuse_what_is_taught_now(
    town: Town,
) -> None:
    """The known prices, which nobody could renew since, stand elsewhere on the pages by now."""
    here = shown(town)
    assert teach(town, price(here)).outcome is RegenerationOutcome.PROMOTED

    def moved(at: int) -> Page:
        page, maker = unlabelled(at), MAKERS[at].replace("&", "&amp;")
        body = page.body.decode().replace(f"{at + 41}.10", f"{at + 3}.50")
        body = body.replace(f"<i class='q5'>{maker}</i>", f"<p>Formed by {maker}</p>")
        return page.model_copy(update={"body": body.encode()})

    town.read(GOODS, list(map(moved, range(PAGES))))
    said = PersonSays("maker", "ada", MAKERS[here], "", url=moved(here).url)
    made = Decisions(GOODS, town.store, "run-10").teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert made.scores.field("maker").right >= PAGES - 1


class Lot(BaseModel):
    """What is auctioned."""

    VOLATILE: ClassVar = {"bids"}

    title: str
    closes: date
    bids: int | None = None


LOTS = Family.model_validate(
    {"family": "town/lot", "schema": "tests.heal.test_lecture:Lot", "discover": {}}
)
BIDS = (3, 14, 17, 21, 15, 26)
DAYS = (4, 22, 9, 30, 11, 18)


def lot(at: int, risen: int, *, is_new: bool = True) -> Page:
    """A lot in the first design or the new one."""
    day, count = f"{DAYS[at]} October 2026", BIDS[at] + risen
    rows = {"Closes": day, "Bids": count}
    if is_new:
        rows = {"Gavel": day, "Zzz": count}
    said = "".join(f"<p><b>{name}</b> <i>{one}</i></p>" for name, one in rows.items())
    return _page(GOODS, at, f"<main><h1>{NAMES[at]}</h1>{said}</main>")


@pytest.mark.parametrize("said", ["3", "4"])
def test_what_may_be_another_one_is_told_by_all_pages_it_may_have_been_seen_on(
    tmp_path: Path, said: str
) -> None:
    """Four bids stand on today's page; on the one that was shown the day alone says 4."""
    shop = Town(tmp_path)
    before = [lot(at, 0, is_new=False) for at in range(PAGES)]
    known = [
        {"title": NAMES[at], "closes": f"2026-10-{DAYS[at]:02}", "bids": BIDS[at]}
        for at in range(PAGES)
    ]
    shop.learn(LOTS, before, known[:4])
    shop.read(LOTS, before)
    shop.read(LOTS, [lot(at, 0) for at in range(PAGES)])
    page = lot(0, 0)
    question = NewQuestion(
        family=LOTS.family,
        kind=QuestionKind.UNREAD,
        fields=("bids",),
        sentence="no version reads `bids`",
        since=datetime.now(UTC),
        url=page.url,
        page_sha256=page.sha256,
    )
    shop.store.questions.ask(question)
    shop.read(LOTS, [lot(at, 1) for at in range(PAGES)])
    person = PersonSays("bids", "ada", said, url=page.url)
    made = Decisions(LOTS, shop.store, "run-9").teach(person, default_pool())
    if said == "3":
        assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    else:
        assert "point at one of them" in made.reason
