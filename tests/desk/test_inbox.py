"""Everything that waits, with the very commands that settle it."""

import json
import re
import shlex
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from pydantic import create_model
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.desk.inbox import (
    InboxItem,
    InboxStep,
    WaitingKind,
    inbox_items,
    inbox_markdown,
    row_in_words,
)
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import BrokenFamily
from crawloop_assets.serve.comeback import bring_back
from crawloop_assets.store import AuditKind, ShadowRow, Store
from crawloop_assets.store.engine import Connection, Engine
from crawloop_assets.store.families import KnownFamilies
from crawloop_assets.store.questions import Questions
from crawloop_assets.store.reviews import Reviews
from tests.desk.conftest import NAME, Office
from tests.heal.stuck import PAGES, unlabelled, wave
from tests.heal.town import GOODS


def items(office: Office) -> dict[WaitingKind, InboxItem]:
    return {one.kind: one for one in inbox_items(office.store, [office.family])}


def commands(item: InboxItem) -> list[str]:
    return [step.command for step in item.steps]


def test_a_version_that_waits_is_shown_with_what_it_would_change(
    office: Office,
) -> None:
    item = items(office)[WaitingKind.REVIEW]
    assert item.family == NAME and item.id == f"review:{NAME}:v2"
    assert "v2 waits for review: proved on 6 page(s)" in item.says
    assert (
        f"v2 beside v1 on {PAGES} stored pages: {PAGES} records the same" in item.says
    )
    assert commands(item)[:2] == [
        f"crawloop approve {NAME} 2",
        f"crawloop decline {NAME} 2",
    ]
    assert WaitingKind.QUESTION not in items(office), "it is not told twice"


def test_the_store_is_opened_once_however_many_families_there_are(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, real = [], Engine.opened

    def counted(engine: Engine, *how: Any) -> AbstractContextManager[Connection]:
        opened.append(how)
        return real(engine, *how)

    monkeypatch.setattr(Engine, "opened", counted)
    others = [
        office.family.model_copy(update={"family": f"shop/{number}"})
        for number in range(9)
    ]
    assert inbox_items(office.store, [office.family])
    before = len(opened)
    assert inbox_items(office.store, [office.family, *others])
    assert len(opened) == before + 1


def test_each_command_of_the_inbox_works_as_it_stands(office: Office) -> None:
    for kind, at in (
        (WaitingKind.HELD, 1),
        (WaitingKind.REVIEW, 2),
        (WaitingKind.REVIEW, 0),
    ):
        command = commands(items(office)[kind])[at]
        words = shlex.split(command.replace("crawloop ", "", 1))
        done = CliRunner().invoke(app, [*words, "--who", "ada"])
        assert done.exit_code == 0, (command, done.output, done.exception)
    assert items(office) == {}


def test_held_pages_come_with_their_ids(office: Office) -> None:
    held = {one.id: one for one in office.store.quarantine(NAME)}
    item = items(office)[WaitingKind.HELD]
    assert set(item.ids) <= set(held) and item.ids
    assert commands(item)[0] == f"crawloop release {NAME} {' '.join(item.ids)}"
    assert item.since == min(held[id_].held_at for id_ in item.ids)
    assert item.note


def test_nobody_is_asked_to_publish_what_the_schema_does_not_take(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, *_ = office.store.quarantine(NAME)
    reason = held.reasons[0].model_copy(update={"check": "schema"})
    for one in (replace(held, reasons=(reason,)), replace(held, values=())):
        monkeypatch.setattr(Store, "quarantine", lambda *_, one=one: [one])
        first, *_ = commands(items(office)[WaitingKind.HELD])
        assert first == f"crawloop reject {NAME} {held.id}"


def test_who_looks_during_a_heal_is_told_to_wait(office: Office) -> None:
    assert "wait for its end" not in items(office)[WaitingKind.HELD].note
    states = office.store.families.overviews
    red = {"000001": "history: other values"}
    began = replace(states([office.family])[0], red=red, wave_at=datetime.now(UTC))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KnownFamilies, "overviews", lambda *_: [began])
        assert items(office)[WaitingKind.HELD].note.startswith("A heal of these pages")


def test_who_has_no_version_yet_is_told_what_its_pages_wait_for(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state,) = office.store.families.overviews([office.family])
    new = replace(state, version=None)
    monkeypatch.setattr(KnownFamilies, "overviews", lambda *_: [new])
    note = items(office)[WaitingKind.HELD].note
    assert note.startswith("They are read as soon as the family has a version")


def test_of_a_version_in_review_what_is_doubted_is_shown_first(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    (version,) = office.store.reviews.waiting()
    run = office.store.reviews.shadow(NAME, version.version)
    assert run is not None
    rows = tuple(
        ShadowRow(url="http://town.test/p/1", field=name, before="a", after="b")
        for name in ("title", "price", "maker")
    )
    shadow = run.model_copy(update={"rows": rows})
    monkeypatch.setattr(Reviews, "shadow", lambda *_: shadow)
    assert _shown(office) == ["title", "price"]
    doubted = {**(version.score_sheet or {}), "unnamed": ["maker"]}
    in_doubt = replace(version, score_sheet=doubted)
    monkeypatch.setattr(Reviews, "waiting", lambda *_: [in_doubt])
    assert _shown(office) == ["maker", "title"]


def _shown(office: Office) -> list[str]:
    """The fields of the version in review whose values are shown."""
    return [row.field for row in items(office)[WaitingKind.REVIEW].rows]


def test_held_pages_are_shown_by_what_that_check_holds_them_for(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, *_ = office.store.quarantine(NAME)
    values = ({"title": "Oak shelf", "price": "3.50", "url": held.url},)
    said = [("consistency", "title", "is not"), ("consistency", "title", "has no")]
    said += [("history", "url", "is different"), ("history", "price", "moved")]
    reasons = tuple(
        held.reasons[0].model_copy(
            update={"check": check, "field": name, "message": why}
        )
        for check, name, why in said
    )
    page = replace(held, reasons=reasons, values=values)
    monkeypatch.setattr(Store, "quarantine", lambda *_: [page])
    item = items(office)[WaitingKind.HELD]
    assert [(row.field, row.after) for row in item.rows] == [("title", "Oak shelf")]


def test_a_question_is_shown_with_its_answers(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.do("decline")
    office.town.read(GOODS, [unlabelled(at) for at in range(PAGES)])
    wave(office.town, "heal5", office.family)
    item = items(office)[WaitingKind.QUESTION]
    (question,) = office.store.questions.waiting(NAME)
    assert item.says == question.sentence
    assert commands(item)[0] == f"crawloop teach {NAME} --field price --value VALUE"
    assert commands(item)[-1] == f"crawloop question show {question.id}"
    assert [row.field for row in item.rows] == ["price"]
    # Another version that reads the same says nothing more.
    (tried,) = question.candidates
    both = (tried, tried.model_copy(update={"tried": "v0 at .price"}))
    asked = question.model_copy(update={"candidates": both})
    monkeypatch.setattr(Questions, "waiting", lambda *_: [asked])
    assert items(office)[WaitingKind.QUESTION].rows == item.rows


def test_a_wave_that_made_nothing_and_asks_nothing_is_stuck(office: Office) -> None:
    office.do("decline")
    item = items(office)[WaitingKind.STUCK]
    assert item.says.startswith(
        "1 batch(es) are red and the last heal made nothing that serves"
    )
    assert commands(item)[:2] == [
        f"crawloop heal {NAME} --dry-run",
        f"crawloop heal {NAME}",
    ]


def test_what_stood_against_the_last_heal_is_said_of_who_is_stuck(
    office: Office,
) -> None:
    office.do("decline")
    why = ["price: nothing reads it", "stock: neither"]
    office.store.audit(AuditKind.HEAL_FAILED, NAME, "run-1", {"why": why})
    item = items(office)[WaitingKind.STUCK]
    said, _, again = item.note.rpartition("; ")
    assert said == "price: nothing reads it; stock: neither"
    assert again == "tried again by itself once a refresh brings other pages"


def test_an_older_version_whose_layout_is_back_waits_until_somebody_decides(
    office: Office,
) -> None:
    office.do("approve")
    why = bring_back(office.family, office.store, "run-1", 2, {1: 5})
    assert "waits for a person to promote it" in why
    item = items(office)[WaitingKind.REVIEW]
    assert item.says == (
        "a known layout is back: served 5 pages, v2 none: shall v1 be the active one?"
    )
    assert f"crawloop promote {NAME} 1" in commands(item)
    office.do("promote", version=1)
    assert WaitingKind.REVIEW not in items(office)


def test_a_broken_file_is_the_first_thing(office: Office) -> None:
    error = ConfigError("no such field", file="families/x.yaml", line=3)
    first, *others = inbox_items(
        office.store, [office.family], [BrokenFamily("shop/x", error)]
    )
    assert (first.kind, first.family) == (WaitingKind.BROKEN, "shop/x")
    assert "families/x.yaml:3" in first.says
    assert commands(first) == ["crawloop family check"] and others


def test_a_family_that_is_gone_waits_for_nobody(office: Office) -> None:
    assert inbox_items(office.store, []) == []


def test_a_table_that_refuses_its_model_is_as_urgent_as_a_broken_file(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = create_model("Good", title=(int, ...), price=(Decimal, ...))
    monkeypatch.setattr("tests.heal.town.Good", other)
    first, *_ = inbox_items(office.store, [office.family])
    assert (first.kind, first.id) == (WaitingKind.BROKEN, f"table:{NAME}")
    assert "Good.title is stored as VARCHAR and now declared as" in first.says
    assert commands(first) == ["crawloop upgrade --dry-run"]


def test_it_can_be_read_by_programs(office: Office) -> None:
    (one,) = [
        item.as_json()
        for item in inbox_items(office.store, [office.family])
        if item.kind is WaitingKind.REVIEW
    ]
    read = json.loads(json.dumps(one))
    assert datetime.fromisoformat(read["since"]) < datetime.now(UTC)
    assert read["steps"][0] == {
        "verb": "approve",
        "said": {"family": NAME, "version": 2},
        "command": f"crawloop approve {NAME} 2",
    }
    assert read["kind"] == "review" and read["rows"] == []


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (
            ShadowRow(url="u", field="f", before="1", after="2"),
            "f: 1 is read as 2 on u",
        ),
        (ShadowRow(url="u", field="f", after="2"), "f: 2 on u"),
        (ShadowRow(url="u", field="f", before="1"), "f: 1 is read as nothing on u"),
        (
            ShadowRow(url="u", field="", before="at least 1", after="0"),
            "records: at least 1 is read as 0 on u",
        ),
    ],
)
def test_a_row_in_words(row: ShadowRow, says: str) -> None:
    assert row_in_words(row) == says


def test_what_a_page_says_makes_no_picture_and_no_end_of_a_block() -> None:
    evil = "![x](http://evil.test/?who) <img src=http://evil.test>\n```\n# yes"
    row = ShadowRow(url=evil, field="f", after=evil)
    step = InboxStep(by_hand="crawloop x ```\n![x](y)")
    item = InboxItem(WaitingKind.HELD, "a", "i", evil, None, evil, (row,), (), (step,))
    said = inbox_markdown([item])
    outside = said.partition("````sh")[0]
    assert not re.search(r"(?<!\\)[\[<`]", outside)
    assert said.count("````") == 2
