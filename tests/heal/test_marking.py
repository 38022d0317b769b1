"""Flags are looked for by their marks on more pages than a sample has."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.heal.job import _drifted_sample
from crawloop_assets.heal.marking import marked
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.versions import as_program
from tests.heal.town import NAMES, Town, new, old

PAGES = 18
SIGNED = [at % 3 == 0 or at % 4 == 1 for at in range(PAGES)]


class Signed(BaseModel):
    """What is sold, and whether its maker signed it."""

    title: str
    price: Decimal
    signed: bool | None = None


FAMILY = Family.model_validate(
    {
        "family": "town/signed",
        "schema": "tests.heal.test_marking:Signed",
        "discover": {},
    }
)
GOODS = [
    {"title": f"{NAMES[at % 8]} {at}", "price": f"{at + 3}.50"} for at in range(PAGES)
]


def redesigned(words: str) -> list[Page]:
    """The new pages, which have these words or nothing."""
    note = {"note": words} if words else {}
    return [
        new(FAMILY, at, one | (note if SIGNED[at] else {}))
        for at, one in enumerate(GOODS)
    ]


def flags(town: Town) -> list[Any]:
    published = town.published(FAMILY)
    return [published[page.url].get("signed") for page in redesigned("")]


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """The shop, which says of each good whether it is signed."""
    shop = Town(tmp_path)
    before = [
        old(FAMILY, at, one | {"signed": "yes" if SIGNED[at] else "no"})
        for at, one in enumerate(GOODS)
    ]
    known = [one | {"signed": SIGNED[at]} for at, one in enumerate(GOODS)]
    shop.learn(FAMILY, before, known[:4])
    shop.read(FAMILY, before)
    return shop


def test_a_flag_is_read_by_words_of_just_some_pages_and_by_others_after_those(
    town: Town,
) -> None:
    for words in ("Hand-numbered", "Name on the back"):
        assert town.read(FAMILY, redesigned(words)).judgement.drifted
        assert flags(town) == SIGNED  # the want of the first words is no other flag
        assert town.regenerate(FAMILY).outcome is RegenerationOutcome.PROMOTED
        assert not town.read(FAMILY, redesigned(words)).judgement.drifted
        assert flags(town) == SIGNED
    assert town.read(FAMILY, redesigned("")).judgement.drifted
    assert flags(town) == SIGNED


def test_nothing_is_looked_for_where_all_known_flags_are_proved(town: Town) -> None:
    town.read(FAMILY, redesigned("Hand-numbered"))
    active = town.store.active(FAMILY.family)
    assert active is not None
    sample, program = _drifted_sample(FAMILY, town.store), as_program(active)
    regenerator = Regenerator(FAMILY, town.store, default_pool(), "run-9", "heal0")
    proved = ScoreSheet(fields=(FieldScore(field="signed", right=9),))
    assert marked(regenerator, sample, program, proved) == program
    silent = ScoreSheet(fields=(FieldScore(field="signed", right=9, changed=3),))
    for unproved in (ScoreSheet(), silent):
        assert marked(regenerator, sample, program, unproved) != program
