"""A badge that is said otherwise is learned again from what is known, or asked for as what is gone."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.domain import Domains
from crawloop_assets.family import Family
from crawloop_assets.heal.asking import regenerate_or_ask
from crawloop_assets.heal.lessons import Decisions
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import NewCrawler, QuestionKind
from tests.heal.test_flag_signs import PAGES, PLUS, as_before
from tests.heal.town import Town


class Tale(BaseModel):
    """A story, and whether only those who pay may read it."""

    title: str
    author: str | None = None
    plus: bool = False


TALES = Family.model_validate(
    {
        "family": "town/tale",
        "schema": "tests.heal.test_flag_badges:Tale",
        "discover": {},
    }
)
BADGE = '<span class="badge">Subscribers only</span>'


def flags(town: Town) -> list[bool]:
    """What the table has, page by page."""
    rows = town.published(TALES)
    return [rows[as_before(at).url]["plus"] for at in range(PAGES)]


def badged(badge: str) -> list[Page]:
    """The pages with a badge on those that only who pays may read."""
    pages = []
    for at in range(PAGES):
        page = as_before(at)
        body = page.body.decode().replace('<i class="ico plus"></i>', badge)
        pages.append(page.model_copy(update={"body": body.encode()}))
    return pages


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Tales with badges that were read twice."""
    town = Town(tmp_path)
    *shown, plus = TALES.schema_spec().fields
    places = [Reader(src=Source.CSS, at=at) for at in ("h1", ".meta b")]
    fields = [
        FieldProgram(spec=spec, readers=(place,))
        for spec, place in zip(shown, places, strict=True)
    ]
    words = Step(op=Op.MAP, args=("Subscribers only", "true"))
    badge = Reader(src=Source.CSS, at=".badge", get="text", pipe=(words,))
    body = Program(fields=(*fields, FieldProgram(spec=plus, readers=(badge,))))
    version = town.store.add_crawler(
        NewCrawler(family=TALES.family, body=body.to_json())
    )
    town.store.promote(TALES.family, version, why="a test")
    for _ in range(2):
        assert not town.refresh(TALES, badged(BADGE))
    assert flags(town) == PLUS
    return town


@pytest.mark.parametrize(
    "badge",
    [
        '<em class="tag">Subscribers only</em>',
        '<i class="badge">For you</i>',
        '<img class="stamp" src="/i/stamp.png">',
    ],
)
def test_a_badge_that_is_shown_otherwise_is_learned_again(
    town: Town, badge: str
) -> None:
    assert town.refresh(TALES, badged(badge)) and flags(town) == PLUS
    made = town.regenerate(TALES)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert not town.refresh(TALES, badged(badge)) and flags(town) == PLUS


def test_many_badges_that_are_all_gone_are_asked_for_and_no_more_once_that_is_accepted(
    town: Town,
) -> None:
    assert town.refresh(TALES, badged("")) and flags(town) == PLUS
    fetcher = Fetcher(Domains(), town.folder)
    for wave in ("heal0", "heal1"):
        regenerate_or_ask(
            TALES, town.store, default_pool(), fetcher, run_id=f"run-{wave}", wave=wave
        )
    (asked,) = town.store.questions.all(TALES.family)
    assert asked.kind is QuestionKind.GONE and asked.gone == ("plus",)
    assert "no version reads `plus` any more" in asked.sentence
    Decisions(TALES, town.store, "run-9").accept("ada")
    assert not town.refresh(TALES, badged(""))
    assert not any(flags(town))
