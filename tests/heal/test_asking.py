"""How a wave ends that healed nothing: in one question."""

from collections import Counter
from pathlib import Path

import pytest
from pydantic import HttpUrl

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.domain import Domains
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.errors import CrawlerCrashed
from crawloop_assets.family import Family, FamilyExample, HealPolicy, Promotion
from crawloop_assets.heal import asking
from crawloop_assets.heal.asking import _Look, _sight, regenerate_or_ask
from crawloop_assets.heal.news import SaidOtherwise
from crawloop_assets.heal.past import asked_about
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.sandbox import Extracted, Limits, WorkerPool, default_pool
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.store import AuditKind, QuestionKind, QuestionState
from tests.heal.stuck import (
    PAGES,
    asked,
    redesigned,
    town_of_goods,
    unlabelled,
    wave,
)
from tests.heal.town import GOODS, MAKERS, Good, Town, _page, good, new, old


@pytest.mark.parametrize("known", [True, False], ids=["healing", "first version"])
def test_where_the_making_of_a_crawler_fails_itself_a_person_is_asked(
    tmp_path: Path, known: bool
) -> None:
    """Not a run that fails, again and again: the same pages would break it again."""
    town = redesigned(tmp_path) if known else Town(tmp_path)
    family = GOODS
    if not known:
        page = old(GOODS, 0, good(0))
        shown = FamilyExample(url=page.url, record=good(0))
        family = GOODS.model_copy(update={"examples": (shown,)})
        town.read(family, [page])
    with WorkerPool(1, Limits(long_deadline_s=0.001)) as pool:
        ended = regenerate_or_ask(
            family,
            town.store,
            pool,
            Fetcher(Domains(), town.folder),
            run_id="run-heal0",
            wave="heal0",
        )
    assert ended.outcome is RegenerationOutcome.REJECTED
    said = "the making of a crawler failed, for no fault of the file: CrawlerTimeout: "
    assert ended.reason.startswith(said)
    (failed,) = town.store.audits(GOODS.family, AuditKind.HEAL_FAILED)
    assert failed.detail["reason"] == ended.reason
    (question,) = town.store.questions.waiting(GOODS.family)
    assert question.sentence.startswith(f"{ended.reason}: report it; no version reads")


def test_a_run_whose_worker_was_killed_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = redesigned(tmp_path)

    def killed(_: object) -> None:
        raise CrawlerCrashed("the worker was killed")

    monkeypatch.setattr(default_pool(), "run", killed)
    with pytest.raises(CrawlerCrashed):
        wave(town)
    assert not town.store.questions.all(GOODS.family)


def test_a_refused_wave_ends_in_one_question_with_its_page_and_what_was_tried(
    tmp_path: Path,
) -> None:
    town = redesigned(tmp_path)
    assert wave(town).outcome is RegenerationOutcome.REJECTED
    question = asked(town)
    assert (question.kind, question.fields) == (QuestionKind.UNREAD, ("price",))
    assert question.sentence == (
        "no version reads `price` from the new pages: show one value"
    )
    assert (question.state, question.wave) == (QuestionState.OPEN, "heal0")
    page = unlabelled(0)
    assert (question.url, question.page_sha256) == (page.url, page.sha256)
    (tried,) = question.candidates
    assert tried.tried.startswith("v1 at .price-now")
    assert (tried.field, tried.value, tried.known) == ("price", "", "3.5")


def test_it_is_asked_once(tmp_path: Path) -> None:
    town = redesigned(tmp_path)
    for name in ("heal0", "heal1", "heal2"):
        wave(town, name)
    assert asked(town).wave == "heal0"
    (event,) = town.store.audits(GOODS.family, AuditKind.QUESTION_ASKED)
    assert event.detail["sentence"] == asked(town).sentence


def test_who_changes_the_file_is_no_longer_asked_what_it_said(tmp_path: Path) -> None:
    town = redesigned(tmp_path)
    wave(town)
    assert asked_about(town.store, GOODS) == asked(town).sentence
    page = unlabelled(0)
    example = FamilyExample.model_validate(
        {"url": page.url, "record": {"title": good(0)["title"]}}
    )
    corrected = GOODS.model_copy(update={"examples": (example,)})
    assert asked_about(town.store, corrected) == ""


def test_who_has_a_first_version_to_look_at_is_not_asked_why_there_is_none(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    # Nothing names a value there: what is made of that is for a person to look at.
    bare = "<main><p>{title}</p><p>{maker}</p><p>{price} EUR</p></main>"
    pages = [_page(GOODS, at, bare.format_map(good(at))) for at in range(PAGES)]
    town.read(GOODS, pages)
    wave(town, family=_with_example(pages[0].url, "Nothing of the kind"))
    assert "there is no version yet" in asked(town).sentence
    right = _with_example(pages[0].url, good(0)["title"])
    ended = wave(town, None, family=right)
    assert ended.outcome is RegenerationOutcome.AWAITING_REVIEW, ended.reason
    assert town.store.questions.waiting(GOODS.family) == []


def _with_example(url: str, title: str) -> Family:
    """The goods, with one example."""
    record = good(0) | {"title": title}
    example = FamilyExample.model_validate({"url": url, "record": record})
    return GOODS.model_copy(update={"examples": (example,)})


def test_of_pages_that_are_held_one_that_is_not_read_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unread = frozenset([unlabelled(3).url])
    monkeypatch.setattr(asking, "held_by_themselves", lambda *_: unread)
    town = redesigned(tmp_path)
    wave(town)
    assert {asked(town).url} == unread


def test_a_wave_that_heals_asks_nothing(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    assert wave(town).outcome is RegenerationOutcome.PROMOTED
    assert town.store.questions.all() == []


def test_a_wave_of_a_green_family_asks_nothing(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    assert wave(town).outcome is RegenerationOutcome.NOTHING_TO_DO
    assert town.store.questions.all() == []


def without_maker(folder: Path) -> Town:
    """Goods that are red as their makers are on no page any more."""
    town = town_of_goods(folder)
    lacking = [{**good(at), "maker": ""} for at in range(PAGES)]
    pages = [
        old(GOODS, at, {name: value for name, value in one.items() if value})
        for at, one in enumerate(lacking)
    ]
    assert town.read(GOODS, pages).judgement.drifted
    return town


def test_of_a_field_that_was_accepted_as_gone_nobody_is_asked_again(
    tmp_path: Path,
) -> None:
    town = without_maker(tmp_path)
    drift = GOODS.drift.model_copy(update={"gone": ("maker",)})
    wave(town, family=GOODS.model_copy(update={"drift": drift}))
    assert "maker" not in asked(town).fields


def test_a_field_that_is_on_no_page_is_named_with_the_day(tmp_path: Path) -> None:
    town = without_maker(tmp_path)
    wave(town)
    question = asked(town)
    day = f"{question.since:%Y-%m-%d}"
    assert (question.kind, question.fields) == (QuestionKind.GONE, ("maker",))
    assert question.sentence == (
        f"`maker` is on no page since {day}: accept it as gone, or show where it is"
    )


class Placed(Good):
    """A good that has its page's own address, which no reader reads."""

    url: HttpUrl | None = None


def test_of_the_address_of_a_page_nobody_is_asked(tmp_path: Path) -> None:
    placed = GOODS.model_copy(
        update={"record_schema": "tests.heal.test_asking:Placed"}, deep=True
    )
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in range(PAGES)]
    town.learn(placed, pages, [good(at) for at in range(3)])
    town.read(placed, pages)
    assert all(row["url"] for row in town.published(placed).values())
    others = [
        {"title": good(at)["title"], "maker": MAKERS[at - 1]} for at in range(PAGES)
    ]
    town.read(placed, [old(GOODS, at, one) for at, one in enumerate(others)])
    wave(town, family=placed)
    question = asked(town)
    assert sorted(question.fields) == ["maker", "price"]
    assert "url" not in question.sentence


@pytest.mark.parametrize("moves", [True, False])
def test_what_is_counted_of_a_field_says_whether_it_moves(moves: bool) -> None:
    look = _Look(FieldSpec(name="was", kind=FieldKind.NUMBER, volatile=moves))
    nothing = SaidOtherwise(5, Counter(), Counter(), Counter())
    assert _sight(look, 5, nothing).moves is moves


@pytest.mark.parametrize(("known", "wrong"), [("4.00", 0), ("4.5", 1)])
def test_a_number_that_is_written_otherwise_is_no_other_one(
    known: str, wrong: int
) -> None:
    record = ExtractedRecord(values={"yields": "4"})
    facts = PageFacts(stands={"#4": True, "#4.5": True})
    read = Extracted(extraction=Extraction(records=(record,)), facts=facts)
    look = _Look(FieldSpec(name="yields", kind=FieldKind.NUMBER))
    look.count([{"yields": known}], [read])
    assert (look.present, look.wrong) == (1, wrong)


def test_what_one_version_reads_right_is_not_wrong_as_another_reads_it() -> None:
    facts = PageFacts(stands={"#4": True})
    made = [ExtractedRecord(values={"yields": value}) for value in ("9", "4")]
    read = [
        Extracted(extraction=Extraction(records=(one,)), facts=facts) for one in made
    ]
    look = _Look(FieldSpec(name="yields", kind=FieldKind.NUMBER))
    look.count([{"yields": "4"}], read)
    assert look.wrong == 0
    look.count([{"yields": "4"}], read[:1])
    assert look.wrong == 1


def test_a_value_that_moved_is_not_wrong_as_other_rows_have_theirs() -> None:
    """A known price that is gone from its page, beside one that stands there, is news."""
    facts = PageFacts(stands={"#4": True, "#5": False, "#6": True})
    rows = tuple(ExtractedRecord(values={"yields": value}) for value in ("4", "9"))
    read = [Extracted(extraction=Extraction(records=rows), facts=facts)]
    look = _Look(FieldSpec(name="yields", kind=FieldKind.NUMBER))
    look.count([{"yields": "4"}, {"yields": "5"}], read)
    assert (look.present, look.wrong) == (1, 0)
    look.count([{"yields": "4"}, {"yields": "6"}], read)
    assert look.wrong == 1


def test_a_version_in_review_is_shown_with_what_it_reads(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    reviewed = HealPolicy(promotion=Promotion.REVIEW)
    wave(town, family=GOODS.model_copy(update={"heal": reviewed}))
    question = asked(town)
    assert question.kind is QuestionKind.REVIEW
    (at,) = [at for at in range(PAGES) if old(GOODS, at, good(at)).url == question.url]
    shown = {
        one.field: (one.tried, one.value, one.known) for one in question.candidates
    }
    assert shown["title"] == ("v2, row 1", good(at)["title"], good(at)["title"])
    assert shown["price"][:2] == ("v2, row 1", good(at)["price"])
