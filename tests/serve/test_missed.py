"""A version that never read a field cannot say that it is gone."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from crawloop_assets.drift.check import CheckName
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page, Verdict
from crawloop_assets.serve.missed import MissedFields
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import CrawlerStatus, CrawlerVersion
from tests.heal.stuck import wave
from tests.heal.town import MAKERS, NAMES, Town, _page
from tests.serve.readings import THEN, reading_of, visit_of

SCHEMA = "tests.heal.town:Good"


def missed(key: Sequence[str] = (), **drift: Any) -> MissedFields:
    """Goods of which v3 was proved to miss the stock, and v2 to read it."""
    said = {"family": "town/good", "schema": SCHEMA, "discover": {}, "drift": drift}
    family = Family.model_validate(said | ({"key": key} if key else {}))
    return MissedFields(family, [version(3, silent=4), version(2, right=4)])


def version(number: int, **counts: int) -> CrawlerVersion:
    sheet = ScoreSheet(fields=(FieldScore(field="stock", **counts),))
    return CrawlerVersion(
        family="town/good",
        body="",
        version=number,
        sha256=str(number),
        status=CrawlerStatus.RETIRED,
        created_at=THEN,
        promoted_at=THEN,
        score_sheet=sheet.model_dump(mode="json"),
    )


def read(stock: str | None = None, known: str | None = "12", **more: Any) -> Reading:
    values = {"title": "Lamp", "price": "3.50", "stock": stock}
    before = {**values, "stock": known}
    return reading_of(visit_of(1), values=(values,), previous=(before,), **more)


def test_a_known_value_that_is_missed_holds_its_page() -> None:
    (held,) = missed().against([read()])
    (found,) = held.findings
    assert (held.verdict, found.check) == (Verdict.DRIFT, CheckName.COVERAGE)
    assert (found.field, found.expected, found.got) == ("stock", "12", "nothing")
    assert missed().of(3) == {"stock"}


@pytest.mark.parametrize(
    "reading",
    [
        read(version=2),
        read(known=None),
        read(stock="11"),
        read(verdict=Verdict.CONSENT),
    ],
    ids=["read by another version", "never known", "read", "no page of it"],
)
def test_nothing_is_missed_of_other_pages(reading: Reading) -> None:
    assert missed().against([reading]) == [reading]


def test_a_known_value_of_one_row_holds_the_page_of_its_list() -> None:
    lamp, mug = ({"title": title, "price": "3.50"} for title in ("Lamp", "Mug"))
    rows = reading_of(
        visit_of(1), values=(mug, lamp), previous=({**lamp, "stock": "12"}, mug)
    )
    listed = missed(key=["title"])
    (held,) = listed.against([rows])
    (found,) = held.findings
    assert (found.field, found.expected) == ("stock", "12")
    unknown = replace(rows, previous=(lamp, mug))
    assert listed.against([unknown]) == [unknown]


def test_what_is_accepted_as_gone_is_not_missed() -> None:
    accepted = missed(gone=["stock"])
    assert accepted.against([read()]) == [read()]
    assert accepted.of(3) == frozenset()


EXAMPLE = {"url": "http://town.test/p/1", "record": {"title": "Lamp", "price": "3.50"}}


def test_what_nobody_asked_for_holds_no_page() -> None:
    family = missed().family
    shown = Family.model_validate(
        family.model_dump(by_alias=True) | {"examples": [EXAMPLE]}
    )
    unshown = MissedFields(shown, [version(3, silent=4)])
    assert unshown.against([read()]) == [read()]
    assert unshown.of(3) == unshown.unasked(3) == {"stock"}
    taught = replace(unshown, taught=frozenset({"stock"}))
    assert taught.unasked(3) == frozenset()
    assert taught.against([read()]) != [read()]


class Note(BaseModel):
    """A leaf of a gazette."""

    title: str
    maker: str
    tags: set[str] | None = None


NOTES = Family.model_validate(
    {
        "family": "town/note",
        "schema": "tests.serve.test_missed:Note",
        "discover": {},
        "examples": [
            {
                "url": "http://town.test/m/0",
                "record": {"title": NAMES[0], "maker": MAKERS[0]},
            }
        ],
    }
)


def note(*, is_new: bool) -> Page:
    """The first design states what it is about; the second says one word of it in a sentence."""
    title, maker = NAMES[0], MAKERS[0].replace("&", "&amp;")
    if is_new:
        return _page(
            NOTES,
            0,
            f"<section><h1>{title}</h1><p>Maker: <i class='q5'>{maker}</i></p>"
            "<p>Of walnut wood and patience, nothing else.</p></section>",
        )
    stated = {
        "@context": "https://schema.org",
        "@type": "Note",
        "name": title,
        "tags": ["walnut", "patience"],
    }
    return _page(
        NOTES,
        0,
        f"<script type='application/ld+json'>{json.dumps(stated)}</script>"
        f"<main><h2 class='head'>{title}</h2><dl><dt>Maker</dt><dd class='maker'>{maker}</dd></dl></main>",
    )


def test_a_heal_that_misses_what_nobody_asked_for_is_green_and_asks_nobody(
    tmp_path: Path,
) -> None:
    town, before = Town(tmp_path), [note(is_new=False)]
    town.learn(NOTES, before, [{"title": NAMES[0], "maker": MAKERS[0]}])
    town.read(NOTES, before)
    (url,) = town.published(NOTES)
    assert town.published(NOTES)[url]["tags"] == ["patience", "walnut"]
    assert town.read(NOTES, [note(is_new=True)]).judgement.drifted
    assert wave(town, family=NOTES).outcome is RegenerationOutcome.PROMOTED
    served = town.read(NOTES, [note(is_new=True)])
    assert not served.judgement.drifted and served.kept == {"tags": 1}
    assert town.published(NOTES)[url]["tags"] == ["patience", "walnut"]
    assert not town.store.questions.waiting(NOTES.family)
