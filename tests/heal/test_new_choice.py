"""A status that an API has since, and that the model does not know: who is asked reads which, and whoever adds it to
the model has answered."""

import json
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, create_model

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.heal.past import asked_about
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import QuestionKind
from tests.heal.stuck import wave
from tests.heal.town import PLACES, Town

STATES = ("on time", "delayed", "on time", "cancelled", "on time")
ROWS = 24
URL = "http://rail.test/now"


class Train(BaseModel):
    """What leaves a station."""

    number: str
    line: str
    status: Literal["on time", "delayed", "cancelled"]
    VOLATILE: ClassVar = {"status"}


LaterTrain = create_model(
    "Train",
    __base__=Train,
    status=(Literal["on time", "delayed", "cancelled", "diverted"], ...),
)


def family(model: str) -> Family:
    return Family.model_validate(
        {
            "family": "rail/train",
            "schema": f"tests.heal.test_new_choice:{model}",
            "kind": "listing",
            "key": ["number"],
            "discover": {},
        }
    )


def trains(
    day: int, diverted: int = 0, rows: range = range(ROWS)
) -> list[dict[str, Any]]:
    """Those of a day, of which every so many are diverted."""
    found = []
    for at in rows:
        is_new = diverted and at % diverted == 0
        status = "diverted" if is_new else STATES[(at + day) % len(STATES)]
        line = f"Line {chr(65 + at % 9)} to {PLACES[at % 8]}"
        found.append({"number": f"RE{1000 + at}", "line": line, "status": status})
    return found


def as_json(rows: list[dict[str, Any]]) -> bytes:
    said = [{**row, "status": row["status"].upper()} for row in rows]
    return json.dumps({"trains": said}).encode()


def as_table(rows: list[dict[str, Any]]) -> bytes:
    lines = "".join(
        f"<tr>{''.join(f'<td>{text}</td>' for text in row.values())}</tr>"
        for row in rows
    )
    head = "<tr><th>Number</th><th>Line</th><th>Status</th></tr>"
    return f"<html><body><h1>Trains</h1><table>{head}{lines}</table></body></html>".encode()


@pytest.mark.parametrize(
    ("shown", "kind"), [(as_json, "application/json"), (as_table, "text/html")]
)
def test_what_no_choice_is_called_is_asked_for_and_read_once_the_model_has_it(
    tmp_path: Path, shown: Any, kind: str
) -> None:
    def page(day: int, diverted: int = 0) -> Page:
        body = shown(trains(day, diverted))
        return Page(url=URL, body=body, headers={"content-type": kind})

    def states() -> Counter[str]:
        known = town.store.known(family("Train"))[URL]
        return Counter(row["status"] for row in known)

    town, now = Town(tmp_path), family("Train")
    sample = HealSample((page(0),), (Example(page=0, records=tuple(trains(0)[:5])),))
    made = Regenerator(now, town.store, default_pool(), "first").first(sample)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert not town.refresh(now, [page(1)])
    assert town.refresh(now, [page(2, diverted=6)])
    word = "DIVERTED" if shown is as_json else "diverted"
    ((said,),) = (red.sentences for red in town.store.past.red(now.family))
    assert said.endswith(f'status is not valid: "{word}" is none of its choices')
    assert "diverted" not in states()
    said_now = {row["number"]: row["status"] for row in trains(3, diverted=6)}
    later_today = town.refresh(now, [page(3, diverted=6)])
    known = {row["number"]: row["status"] for row in town.store.known(now)[URL]}
    assert later_today and len(known) == ROWS
    assert {name for name in known if known[name] != said_now[name]} == {
        row["number"] for row in trains(3, diverted=6) if row["status"] == "diverted"
    }, "the others of its page are of today"
    wave(town, family=now)
    (question,) = town.store.questions.waiting(now.family)
    assert (question.kind, question.fields) == (QuestionKind.UNREAD, ("status",))
    assert question.sentence == (
        f'`status` says "{word}", which is none of its choices: add it to the model, or show which of them it is'
    )
    later = family("LaterTrain")
    assert asked_about(town.store, now)
    assert not asked_about(town.store, later), "whoever adds it has answered"
    assert not town.refresh(later, [page(4, diverted=6)])
    assert states()["diverted"] == len(range(0, ROWS, 6))


def test_trains_leave_and_come_beside_those_with_a_status_that_is_news(
    tmp_path: Path,
) -> None:
    """A table of departures is another one every hour; what is known of a diverted one stays."""

    def page(day: int, diverted: int = 0, rows: range = range(ROWS)) -> Page:
        body = as_json(trains(day, diverted, rows))
        return Page(url=URL, body=body, headers={"content-type": "application/json"})

    town, now = Town(tmp_path), family("Train")
    sample = HealSample((page(0),), (Example(page=0, records=tuple(trains(0)[:5])),))
    Regenerator(now, town.store, default_pool(), "first").first(sample)
    town.refresh(now, [page(1)])
    for day in (2, 3, 4):
        assert town.refresh(now, [page(day, 6, range(2, ROWS + 2))])
    known = {row["number"]: row["status"] for row in town.store.known(now)[URL]}
    today = {row["number"]: row["status"] for row in trains(4, 6, range(2, ROWS + 2))}
    new = f"RE{1000 + ROWS}"
    assert known.keys() == today.keys() - {new}, "what left is no more"
    assert today[new] == "diverted", "of which nothing is known"
    diverted = {name for name in known if today[name] == "diverted"}
    assert {name for name in known if known[name] != today[name]} == diverted
