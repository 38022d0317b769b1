"""Flags of which all known rows say the same."""

import json

import pytest

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.named_flags import named_flags
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import document, scope

REMOTE = FieldSpec(name="remote", kind=FieldKind.BOOLEAN)
HEAD = "<tr><th>Job</th><th>{}</th><th>{}</th></tr>"
ROW = "<tr><td>{}</td><td>{}</td><td>{}</td></tr>"


def reads(rows: list[Scope]) -> set[tuple[Value, ...]]:
    """What is read of all rows by those who know that the first two say no."""
    known = [KnownCell(row, False) for row in rows[:2]]
    found = named_flags(REMOTE, known, rows[2:])
    return {tuple(read(one.reader, row, REMOTE) for row in rows) for one in found}


def listed(*items: str) -> list[Scope]:
    body = "".join(f"<li>{item}</li>" for item in items)
    page = document(f"<ul>{body}</ul>")
    return [scope(page, "li", at) for at in range(len(items))]


def table(heads: tuple[str, str], *flags: tuple[str, str]) -> list[Scope]:
    body = "".join(ROW.format(at, *pair) for at, pair in enumerate(flags))
    page: Document = document(f"<table>{HEAD.format(*heads)}{body}</table>")
    return [scope(page, "tr", at + 1) for at in range(len(flags))]


def test_the_label_of_the_field_tells_the_place() -> None:
    shown = "<p>Parking: no</p><p>Remote: {}</p>"
    rows = listed(*map(shown.format, ("no", "no", "yes", "no")))
    assert reads(rows) == {(False, False, True, False)}
    other = listed(
        *(one.replace("Remote", "Lunch") for one in (shown.format("no"),) * 3)
    )
    assert reads(other) == set()


def test_the_header_over_a_column_tells_it() -> None:
    flags = [("no", "no"), ("no", "no"), ("yes", "no"), ("no", "yes")]
    assert reads(table(("Remote", "Paid"), *flags)) == {(False, False, True, False)}
    assert reads(table(("Paid", "Remote"), *flags)) == {(False, False, False, True)}
    assert reads(table(("Paid", "Lunch"), *flags)) == set()


@pytest.mark.parametrize("word", ["perhaps", ""])
def test_a_row_that_says_neither_tells_that_it_is_another_thing(word: str) -> None:
    flags = [("no", "no"), ("no", "no"), (word, "no")]
    assert reads(table(("Remote", "Paid"), *flags)) == set()


def test_a_key_tells_it() -> None:
    rows = [{"paid": False, "remote": one} for one in (False, False, True)]
    page = document(json.dumps(rows), kind="application/json")
    scopes = [Scope(page, (0,), row) for row in rows]
    assert reads(scopes) == {(False, False, True)}
