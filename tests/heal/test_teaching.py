"""What examples teach a family that is published already."""

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Family, Promotion
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.store import CrawlerStatus
from tests.heal.town import MAKERS, NAMES, Good, Town, good

PAGES = 8
TAGS = ("oak", "brass", "linen", "wool", "stone", "glass", "iron", "paper")


class Tagged(Good):
    """What is sold, and where it is filed: nowhere, if nothing is said."""

    tags: list[str] = Field(default_factory=list)


def tags(at: int) -> list[str]:
    return [TAGS[at], TAGS[(at + 3) % PAGES]]


def page(at: int, more: str = "") -> Page:
    """A good whose tags no word names, and that somebody else sells."""
    filed = "".join(f"<a href='/t/{tag}'>{tag}</a> " for tag in tags(at))
    body = f"""<html><head><title>The town</title></head><body><main>
    <h1 class="head-line">{NAMES[at]}</h1>
    <dl><dt>Price</dt><dd class="price-now">${at + 3}.50</dd></dl>
    <p class="maker">by <b class="who">{MAKERS[at]}</b></p>
    <p class="maker-shop">at <b class="where">{MAKERS[at - 1]}</b></p>
    <div class="zz">{filed}</div>{more}</main></body></html>"""
    return Page(
        url=f"http://town.test/p/{at}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def family(*examples: Mapping[str, Any], **more: Any) -> Family:
    """The goods; an example is of the page of its place."""
    taught = [
        {"url": page(at).url, "record": record} for at, record in enumerate(examples)
    ]
    return Family.model_validate(
        {
            "family": "town/good",
            "schema": "tests.heal.test_teaching:Tagged",
            "discover": {},
            "examples": taught,
            **more,
        }
    )


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods that are published with the shop for the maker, and with no tags."""
    town = Town(tmp_path)
    pages = [page(at) for at in range(PAGES)]
    made = town.learn(family(), pages, [_sold(at) for at in range(3)])
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    town.read(family(), pages)
    return town


def _sold(at: int) -> dict[str, str]:
    return good(at, maker=MAKERS[at - 1])


def published(town: Town, name: str) -> list[Any]:
    return [row.get(name) for _, row in sorted(town.published(family()).items())]


def read_again(town: Town, ended: Regeneration, taught: Family) -> None:
    assert (ended.outcome, ended.version) == (RegenerationOutcome.PROMOTED, 2)
    town.read(taught, [page(at) for at in range(PAGES)])


def test_examples_of_a_list_outrank_the_empty_ones_that_are_published(
    town: Town,
) -> None:
    assert not any(published(town, "tags"))
    taught = family(*(_sold(at) | {"tags": tags(at)} for at in range(3)))
    read_again(town, town.regenerate(taught, wave=None), taught)
    assert published(town, "tags") == [tags(at) for at in range(PAGES)]
    assert published(town, "maker") == [MAKERS[at - 1] for at in range(PAGES)]


def test_examples_outrank_what_was_read_of_another_place(town: Town) -> None:
    taught = family(*(good(at) for at in range(3)))
    ended = town.regenerate(taught, wave=None)
    read_again(town, ended, taught)
    assert published(town, "maker") == list(MAKERS)
    assert ended.scores is not None and ended.scores.preview
    assert "it reads what the examples say" in ended.reason


def test_examples_that_are_read_teach_nothing(town: Town) -> None:
    taught = family(*(_sold(at) for at in range(3)))
    ended = town.regenerate(taught, wave=None)
    assert ended.outcome is RegenerationOutcome.NOTHING_TO_DO


@pytest.mark.parametrize("old", [{"price": "1.00"}, {"maker": "Nordlicht"}])
def test_what_its_page_no_longer_shows_is_no_lesson(
    town: Town, old: dict[str, str]
) -> None:
    ended = town.regenerate(family(_sold(0) | old), wave=None)
    assert ended.outcome is RegenerationOutcome.NOTHING_TO_DO


def test_examples_that_no_reader_reads_say_so(town: Town) -> None:
    # It stands in the middle of a text that says much more, and other words are beside
    # it on each page.
    pages = [page(at, _story(at)) for at in range(PAGES)]
    town.read(family(), pages)
    taught = family(*(_sold(at) | {"stock": _guild(at)} for at in range(3)))
    ended = town.regenerate(taught, wave=None)
    assert ended.outcome is RegenerationOutcome.REJECTED
    assert ended.scores is not None
    assert {one.field for one in ended.scores.unread} == {"stock"}
    assert ended.scores.field("stock") is not None
    statuses = [each.status for each in town.store.crawlers(taught.family)]
    assert statuses == [CrawlerStatus.ACTIVE]


def _guild(at: int) -> str:
    return f"the {TAGS[at]} makers"


def _story(at: int) -> str:
    before = f"In the year of the great {NAMES[at - 1]} the guild of {MAKERS[at - 1]}"
    after = f"{MAKERS[at - 2]} came and asked for work, which was given to them."
    return f"<p>{before} {_guild(at)} {after}</p>"


def test_a_lesson_leaves_fields_that_are_read_as_they_are(town: Town) -> None:
    town.read(family(), [page(at, "<p>Price: <b>99</b></p>") for at in range(PAGES)])
    taught = family(*(_sold(at) | {"tags": tags(at)} for at in range(3)))
    ended = town.regenerate(taught, wave=None)
    assert ended.outcome is RegenerationOutcome.PROMOTED
    new = Program.from_json(ended.program)
    old = Program.from_json(town.store.crawlers(taught.family)[0].body)
    assert [new.field(name) for name in ("title", "price", "maker")] == [
        old.field(name) for name in ("title", "price", "maker")
    ]


def test_a_lesson_that_loses_what_other_pages_have_is_not_promoted(town: Town) -> None:
    long = [f"The long {NAMES[at]} of this town" for at in range(3)]
    pages = [page(at, f"<h2 class='full'>{long[at]}</h2>") for at in range(3)]
    town.read(family(), pages)
    taught = family(*(_sold(at) | {"title": long[at]} for at in range(3)))
    ended = town.regenerate(taught, wave=None)
    assert ended.outcome is RegenerationOutcome.REJECTED
    assert ended.reason == "what the examples teach reads other pages wrong"
    assert ended.scores is not None
    assert "required title missing" in ended.scores.reason


def test_a_lesson_waits_for_a_person_where_one_is_asked_for(town: Town) -> None:
    review = {"promotion": Promotion.REVIEW.value}
    taught = family(*(good(at) for at in range(3)), heal=review)
    ended = town.regenerate(taught, wave=None)
    assert ended.outcome is RegenerationOutcome.AWAITING_REVIEW
    active = town.store.active(taught.family)
    assert active is not None and active.version == 1


class Filed(BaseModel):
    """The goods as somebody wants them who renamed and added fields."""

    label: str
    cost: Decimal
    guild: str


def changed_before_a_row_was_published(town: Town, **more: Any) -> Family:
    """The goods with another schema and examples of it, on whose pages the version of
    the first schema reads no record."""
    pages = [page(at) for at in range(PAGES)]
    town.learn(family(), pages, [_sold(at) for at in range(3)])
    said = [
        {"label": NAMES[at], "cost": f"{at + 3}.50", "guild": MAKERS[at]}
        for at in range(3)
    ]
    changed = family(*said, schema="tests.heal.test_teaching:Filed", **more)
    town.read(changed, pages)
    assert not town.published(changed)
    return changed


def test_examples_make_a_version_where_no_row_was_published_yet(tmp_path: Path) -> None:
    town = Town(tmp_path)
    changed = changed_before_a_row_was_published(town)
    read_again(town, town.regenerate(changed), changed)
    rows = [row for _, row in sorted(town.published(changed).items())]
    assert [row["label"] for row in rows] == list(NAMES)
    assert [row["guild"] for row in rows] == list(MAKERS)


def test_it_waits_for_review_where_the_family_says_so(tmp_path: Path) -> None:
    town = Town(tmp_path)
    review = {"promotion": Promotion.REVIEW.value}
    changed = changed_before_a_row_was_published(town, heal=review)
    ended = town.regenerate(changed)
    assert ended.outcome is RegenerationOutcome.AWAITING_REVIEW
    assert [one.version for one in town.store.reviews.waiting()] == [2]


class Resold(BaseModel):
    """What is sold, whose maker is called otherwise by now."""

    title: str
    price: Decimal
    seller: str | None = Field(None, json_schema_extra={"aliases": ["who"]})


def test_a_field_that_the_model_calls_otherwise_is_learned_again(town: Town) -> None:
    said = [good(at) | {"seller": MAKERS[at]} for at in range(3)]
    for record in said:
        del record["maker"]
    taught = family(*said, schema="tests.heal.test_teaching:Resold")
    read_again(town, town.regenerate(taught, wave=None), taught)
    rows = [row for _, row in sorted(town.published(taught).items())]
    assert [row["seller"] for row in rows] == list(MAKERS)
