"""Known values that are not read any more are looked for everywhere on their page."""

import pytest

from crawloop_assets.drift.still_there import (
    is_still_there,
    not_read,
    still_form,
    still_forms,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.drift import small

PLACE = FieldSpec(name="place")
SINCE = FieldSpec(name="since", kind=FieldKind.DATE)
AGENDA = FieldSpec(name="agenda", kind=FieldKind.URL)
OPEN = FieldSpec(name="open", kind=FieldKind.BOOLEAN)
KNOWN = {
    "place": "The Old Barn",
    "since": "2025-03-04",
    "agenda": "https://club.example/agenda.pdf",
    "open": True,
}


def test_each_kind_is_looked_for_in_its_form() -> None:
    fields = (PLACE, SINCE, AGENDA, OPEN)
    assert still_forms([KNOWN, {}], fields) == {
        "inside#theoldbarn",
        "part#theoldbarn",
        "date#2025-03-04",
        "link#/agenda.pdf",
    }


def test_what_is_read_is_not_looked_for_anywhere_else(monkeypatch) -> None:
    asked = ("theoldbarn", "inside#theoldbarn", "date#2025-03-04")
    read = {"place": "The Old Barn", "since": None}
    assert not_read(asked, [read], (PLACE, SINCE)) == {"theoldbarn", "date#2025-03-04"}
    # No form is made of what a long list reads where none is asked for.
    made = "crawloop_assets.drift.still_there.still_forms"
    monkeypatch.setattr(made, lambda *_: pytest.fail("dear"))
    assert not_read(asked[:1], [KNOWN], (PLACE, SINCE)) == {"theoldbarn"}


@pytest.mark.parametrize("value", [None, "", "Barn"])
def test_what_is_not_known_or_short_is_not_looked_for(value: object) -> None:
    assert still_form(value, PLACE) == ""
    several = PLACE.model_copy(update={"shape": Shape.LIST})
    assert still_form([KNOWN["place"]], several) == ""


def test_it_is_there_as_a_whole_text_or_anywhere() -> None:
    anywhere = small.facts(stands={"theoldbarn": False, "inside#theoldbarn": True})
    assert is_still_there(KNOWN["place"], PLACE, anywhere)
    assert is_still_there(KNOWN["since"], SINCE, small.facts()) is None
    nowhere = small.facts(stands={"date#2025-03-04": False})
    assert is_still_there(KNOWN["since"], SINCE, nowhere) is False
