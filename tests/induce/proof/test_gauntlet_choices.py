"""A choice that changed on the day of a redesign, while its word stands on every page."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

NAME = FieldSpec(name="name", required=True)
STATE = FieldSpec(
    name="state",
    kind=FieldKind.CHOICE,
    choices=("open", "closed", "paused"),
    volatile=True,
    required=True,
)
SCHEMA = RecordSchema(name="Course", fields=(NAME, STATE))
KNOWN = ("open", "closed", "closed", "paused", "open")


def page(at: int, state: str, label: str) -> Page:
    body = f"<html><body><h1>Course {at}</h1><p class='s'>{state}</p><div><b>{label}</b> 4 of 9</div></body></html>"
    return Page(url=f"https://a.example/{at}", body=body.encode())


def program() -> Program:
    readers = ((NAME, "h1"), (STATE, ".s"))
    fields = tuple(
        FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=at),))
        for spec, at in readers
    )
    return Program(kind=FamilyKind.DETAIL, fields=fields)


@pytest.mark.parametrize(
    ("labels", "now", "passes"),
    [
        (("Open:",) * 5, ("paused", *KNOWN[1:]), True),
        # Where it stands on one page only, it is there to be read.
        (("Open:", *["Seats:"] * 4), ("paused", *KNOWN[1:]), False),
        # As many have another one as have what is known.
        (("Open:",) * 5, ("paused", *KNOWN[1:4], "closed"), False),
    ],
)
def test_a_word_of_every_page_says_nothing_against_another_choice(
    labels: tuple[str, ...], now: tuple[str, ...], passes: bool
) -> None:
    pages = list(map(page, range(5), now, labels))
    known = [
        Example(page=at, records=({"name": f"Course {at}", "state": state},))
        for at, state in enumerate(KNOWN)
    ]

    sheet = prove(SCHEMA, program(), pages, known, None)

    assert sheet.passed is passes, sheet.reason
