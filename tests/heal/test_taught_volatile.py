"""What may be another one every day is taught of rows of which the one that was shown still says what was known."""

from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from tests.heal.town import Town, _page

TOWNS = ("Aveiro", "Beja", "Braga", "Chaves", "Coimbra", "Elvas", "Faro", "Guarda")


class Train(BaseModel):
    """A train that leaves."""

    VOLATILE: ClassVar = {"status"}

    service: str
    to: str
    status: str


TRAINS = Family.model_validate(
    {
        "family": "town/train",
        "schema": "tests.heal.test_taught_volatile:Train",
        "kind": "listing",
        "key": ["service"],
        "discover": {},
    }
)


def trains(day: int) -> list[dict[str, str]]:
    """Those of a day: from the third one on most are late that were not before."""
    late = (0, 5, 10)[day % 3] if day > 1 else 0
    return [
        {
            "service": f"IC {120 + 7 * at}",
            "to": town,
            "status": f"Late by {late + at} min"
            if (at % 3 and late) or at == 5
            else "On time",
        }
        for at, town in enumerate(TOWNS)
    ]


def board(day: int, *, is_new: bool = False, wrong: bool = False) -> Page:
    cells = [tuple(row.values()) for row in trains(day)]
    if is_new:
        rows = "".join(
            f"<div><p>{service} <b>{to}</b></p><i>x{at}</i><em>{status}</em></div>"
            for at, (service, to, status) in enumerate(cells)
        )
        return _page(TRAINS, 1, f"<main><section>{rows}</section></main>")
    rows = "".join(
        f"<tr>{''.join(map('<td>{}</td>'.format, row))}</tr>" for row in cells
    )
    heads = "<th>Service</th><th>To</th><th>Status</th>"
    return _page(TRAINS, 1, f"<table><tr>{heads}</tr>{rows}</table>")


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Trains that are red in a new design."""
    made = Town(tmp_path)
    examples = (Example(page=0, records=tuple(trains(0))),)
    maker = Regenerator(TRAINS, made.store, default_pool(), "run-0")
    first = maker.first(HealSample((board(0),), examples))
    assert first.outcome is RegenerationOutcome.PROMOTED, first.reason
    for day in range(2):
        assert not made.read(TRAINS, [board(day)]).judgement.drifted
    assert made.read(TRAINS, [board(2, is_new=True)]).judgement.drifted
    return made


def test_that_a_row_is_as_it_was_does_not_say_it_of_the_others(town: Town) -> None:
    page, true = board(2, is_new=True), trains(2)
    assert true[0]["status"] == trains(1)[0]["status"]
    decisions = Decisions(TRAINS, town.store, "run-9")
    said = PersonSays("status", "ada", true[0]["status"], url=page.url)
    made = decisions.teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    assert not town.read(TRAINS, [page]).judgement.drifted
    rows = town.store.known(TRAINS)[page.url]
    assert [{name: row[name] for name in true[0]} for row in rows] == true
