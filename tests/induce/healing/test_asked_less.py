"""Known rows that a program leaves out, for want of a field that it asks of every row."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.asked_less import asking_less
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec

NAMES = ("title", "maker", "place", "until")
PROGRAM = Program(
    kind=FamilyKind.LISTING,
    record=Boundary(mode=BoundaryMode.NODES, at="li", keep_if=NAMES, half_of=NAMES),
    fields=tuple(
        FieldProgram(
            spec=FieldSpec(name=name, required=True),
            readers=(Reader(src=Source.CSS, at=f".{name}", kin="class"),),
        )
        for name in NAMES
    ),
)


def good(at: int, lacks: str = "") -> dict[str, str]:
    made = {name: f"{name} number {at}" for name in NAMES}
    return {name: made[name] for name in NAMES if name != lacks}


def document(*rows: dict[str, str]) -> Document:
    shown = "".join(
        f"<li>{''.join(f'<p class={name}>{text}</p>' for name, text in row.items())}</li>"
        for row in rows
    )
    return Document(
        Page(
            url="http://town.test/",
            body=f"<html><body><ul>{shown}</ul></body></html>".encode(),
            headers={"content-type": "text/html"},
        )
    )


def asked(*rows: dict[str, str]) -> list[str] | None:
    """What is asked of a row after a page has these, of which five are known."""
    known = [Example(page=0, records=tuple(map(good, range(5))))]
    less = asking_less(PROGRAM, [document(*rows)], known)
    return None if less is None or less.record is None else list(less.record.keep_if)


def test_what_several_known_rows_lack_is_asked_of_none() -> None:
    lacking = (good(at, "until") for at in (3, 4))
    assert asked(*map(good, range(3)), *lacking) == ["title", "maker", "place"]


@pytest.mark.parametrize(
    "rows",
    [
        [good(at) for at in range(5)],
        [good(at) for at in range(3)],
        [*map(good, range(4)), good(4, "until")],
        [*map(good, range(3)), *(good(at, "until") for at in range(7, 12))],
    ],
    ids=["all are read", "two are gone", "one lacks it", "others lack it"],
)
def test_else_it_is_asked_of_all(rows: list[dict[str, str]]) -> None:
    assert asked(*rows) is None


def test_not_where_more_others_come_in_than_known_ones() -> None:
    lacking = (good(at, "until") for at in (3, 4, 7, 8))
    assert asked(*map(good, range(3)), *lacking) is None
