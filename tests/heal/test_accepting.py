"""What a person who accepts the question of a wave decides."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import HealPolicy, Promotion
from crawloop_assets.heal.lessons import Decisions
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.store import NewQuestion, QuestionKind, QuestionState
from tests.heal.stuck import PAGES, asked, in_question, town_of_goods, wave
from tests.heal.town import GOODS, MAKERS, Town, good, new


def decisions(town: Town) -> Decisions:
    return Decisions(GOODS, town.store, "run-9")


def test_a_required_field_cannot_be_accepted_as_gone(tmp_path: Path) -> None:
    town = in_question(tmp_path)
    with pytest.raises(ConfigError, match="price is required by"):
        decisions(town).accept("ada")
    assert asked(town).state is QuestionState.OPEN


def test_a_version_that_waits_for_review_serves_once_it_is_accepted(
    tmp_path: Path,
) -> None:
    reviewed = GOODS.model_copy(update={"heal": HealPolicy(promotion=Promotion.REVIEW)})
    town = town_of_goods(tmp_path)
    pages = [new(GOODS, at, good(at)) for at in range(PAGES)]
    town.read(GOODS, pages)
    assert wave(town, family=reviewed).outcome is RegenerationOutcome.AWAITING_REVIEW
    assert asked(town).kind is QuestionKind.REVIEW
    accepted = decisions(town).accept("ada", "I looked at it")
    assert accepted.in_words == "the version that waited is accepted"
    assert asked(town).state is QuestionState.ACCEPTED
    assert not town.read(GOODS, pages).judgement.drifted
    assert town.store.questions.accepted_as_gone(GOODS.family) == []


def test_who_accepts_a_version_lets_go_what_it_misses(tmp_path: Path) -> None:
    reviewed = GOODS.model_copy(update={"heal": HealPolicy(promotion=Promotion.REVIEW)})
    town = town_of_goods(tmp_path)
    pages = list(map(maker_in_prose, range(PAGES)))
    town.read(GOODS, pages)
    made = wave(town, family=reviewed)
    assert made.scores is not None
    assert made.scores.missed == {"maker"}, made.scores
    assert asked(town).gone == ("maker",)
    assert "accept it, and `maker` as gone, or show one value" in asked(town).sentence
    accepted = decisions(town).accept("ada", "they no longer say who")
    assert accepted.in_words == "the version that waited is accepted, maker as gone"
    assert not town.read(GOODS, pages).judgement.drifted
    makers = {row.get("maker") for row in town.published(GOODS).values()}
    assert makers == {None}


def maker_in_prose(at: int) -> Page:
    """A good of the second design, whose maker only a sentence of its own names."""
    words = ("Ask", "See", "Then came", "Once", "Here", "Such is", "Well,", "Yes,")
    prose = f"<p>{words[at]} {MAKERS[at].replace('&', '&amp;')} {words[-at]}</p>"
    known = {key: value for key, value in good(at).items() if key != "maker"}
    page = new(GOODS, at, known)
    body = page.body.replace(b"<section", prose.encode() * (at % 2) + b"<section")
    body = body.replace(b"</section>", b"</section>" + prose.encode() * (1 - at % 2))
    return page.model_copy(update={"body": body})


@pytest.mark.parametrize(
    ("kind", "objection", "hint"),
    [
        (QuestionKind.NO_RECORD, "no version finds a record", "allow_empty: true"),
        (QuestionKind.REFUSED, "about no field that would be gone", "quarantine"),
    ],
)
def test_what_names_no_field_that_is_gone_is_accepted_by_nobody(
    tmp_path: Path, kind: QuestionKind, objection: str, hint: str
) -> None:
    """A page without records, or one that nothing healed, whatever fields are named."""
    town = town_of_goods(tmp_path)
    question = NewQuestion(
        family=GOODS.family,
        kind=kind,
        fields=("maker",),
        sentence="nothing healed these pages",
        since=datetime.now(UTC),
    )
    town.store.questions.ask(question)
    with pytest.raises(ConfigError, match=objection) as refused:
        decisions(town).accept("ada")
    assert hint in str(refused.value.hint)
    assert asked(town).state is QuestionState.OPEN


def test_a_version_that_waits_no_more_cannot_be_accepted(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    question = NewQuestion(
        family=GOODS.family,
        kind=QuestionKind.REVIEW,
        fields=(),
        sentence="a version waits",
        since=datetime.now(UTC),
    )
    town.store.questions.ask(question)
    with pytest.raises(ConfigError, match="waits for review any more"):
        decisions(town).accept("ada")
    assert asked(town).state is QuestionState.OPEN
