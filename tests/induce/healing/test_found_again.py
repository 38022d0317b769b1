"""A program made from known records that still are on the page."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.found_again import found_again
from crawloop_assets.induce.healing.rows import rows_read
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.pages import page

CLUBS = RecordSchema(
    name="Club", fields=(FieldSpec(name="site", kind=FieldKind.URL, required=True),)
)
SITES = ("rowing", "archery", "chess", "fencing", "bowls", "judo", "polo", "golf")
BOATS = RecordSchema(
    name="Boat",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="harbour"),
        FieldSpec(name="master"),
    ),
)
BOAT: dict[str, Value] = {"name": "Kestrel", "harbour": "Cork", "master": "Ann Roe"}
OTHER: dict[str, Value] = {"name": "Tern", "harbour": "Wick", "master": "Bo Poe"}


def clubs(*names: str) -> Document:
    """A list of links of which each says nothing but where it leads."""
    items = "".join(
        f"<article class='club'><a href='https://{name}.example/'>our site</a></article>"
        for name in names
    )
    return Document(page(0, f"<html><body><main>{items}</main></body></html>"))


def boats(*rows: dict[str, Value]) -> Document:
    items = "".join(
        f"<section class='boat'><h2>{row['name']}</h2><i>{row['harbour']}</i>"
        f"<b>{row['master']}</b></section>"
        for row in rows
    )
    return Document(page(0, f"<html><body><main>{items}</main></body></html>"))


def read(
    schema: RecordSchema,
    document: Document,
    known: Sequence[dict[str, Value]],
    *,
    are_lost: bool = True,
) -> list[dict[str, Value]]:
    """What the program reads, nothing where none is proved."""
    examples = [Example(page=0, records=tuple(known))]
    made = found_again(schema, [document], examples, are_lost=are_lost)
    return [] if made is None else rows_read(made, document)


def links(*names: str) -> list[dict[str, Value]]:
    return [{"site": f"https://{name}.example/"} for name in names]


def test_two_known_records_tell_the_list_of_others() -> None:
    more = [
        OTHER | {"name": name, "master": f"{name} Loe"} for name in ("Lark", "Swan")
    ]
    assert read(BOATS, boats(BOAT, OTHER, *more), [BOAT, OTHER]) == [BOAT, OTHER, *more]


def test_rows_of_one_value_are_found_where_they_are_the_known_ones() -> None:
    assert read(CLUBS, clubs(*SITES[:5]), links(*SITES[:5])) == links(*SITES[:5])
    assert read(CLUBS, clubs(*SITES[:5]), links(*SITES[1:6])) == links(*SITES[:5])


@pytest.mark.parametrize(
    ("shown", "known"),
    [(SITES, SITES[:5]), (SITES[:5], SITES), (SITES[:5], SITES[3:]), (SITES[:2],) * 2],
    ids=["more rows", "fewer rows", "other rows", "too few rows"],
)
def test_else_they_may_be_those_of_another_list(
    shown: Sequence[str], known: Sequence[str]
) -> None:
    assert read(CLUBS, clubs(*shown), links(*known)) == []


def test_one_known_record_is_found_where_it_is_the_only_one() -> None:
    assert read(BOATS, boats(BOAT), [BOAT]) == [BOAT]
    assert read(BOATS, boats(BOAT, OTHER), [BOAT]) == []
    assert read(BOATS, boats(BOAT), [BOAT | {"master": "Cy Doe"}]) == []
    two = {name: BOAT[name] for name in ("name", "harbour")}
    assert read(BOATS, boats(BOAT), [two]) == [], "two values stand in many places"


MORE = ("owner", "built", "berth", "state", "club")
FLEET = RecordSchema(
    name="Boat", fields=(*BOATS.fields, *(FieldSpec(name=name) for name in MORE))
)


def fleet(count: int) -> list[dict[str, Value]]:
    """Boats of which more is known than three fields."""
    return [
        {"name": f"Kestrel {at}", "harbour": f"Cork {at * 7}", "master": f"Roe {at}"}
        | {name: f"{name} {at * 3}" for name in MORE}
        for at in range(count)
    ]


def left_of(rows: Sequence[dict[str, Value]]) -> list[dict[str, Value]]:
    return [{name: row[name] for name in ("name", "harbour", "master")} for row in rows]


@pytest.mark.parametrize(
    ("known", "shown"), [(8, 8), (12, 8)], ids=["all", "half and more"]
)
def test_rows_of_which_a_redesign_leaves_few_fields_are_found(
    known: int, shown: int
) -> None:
    rows = fleet(known)
    page_of_some = boats(*rows[:shown], *fleet(20)[16:])
    found = read(FLEET, page_of_some, rows)
    assert found[:shown] == left_of(rows[:shown])
    # Where the rows of the program before are there, its fields are healed one by one.
    assert read(FLEET, page_of_some, rows, are_lost=False) == []


@pytest.mark.parametrize(
    ("known", "shown"), [(7, 7), (20, 9)], ids=["few", "less than half"]
)
def test_few_of_such_rows_may_be_those_of_another_list(known: int, shown: int) -> None:
    assert read(FLEET, boats(*fleet(known)[:shown]), fleet(known)) == []


def test_rows_of_which_two_values_are_left_may_be_those_of_another_list() -> None:
    rows = fleet(12)
    shown = boats(*(row | {"master": "Ann Roe"} for row in rows))
    known = [{name: row[name] for name in row if name != "master"} for row in rows]
    assert read(FLEET, shown, known) == []
