"""Listings whose records are still found while some fields are not: each field is healed by itself."""

import json
from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.listing import HealedListing, heal_listing
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.listing.build import induce_listing

SCHEMA = RecordSchema(
    name="Boat",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="url", kind=FieldKind.URL),
        FieldSpec(name="harbour"),
        FieldSpec(name="built", kind=FieldKind.DATE),
        FieldSpec(name="master"),
    ),
)
NAMES = (
    "Kestrel",
    "Ariadne",
    "Molly Bawn",
    "Silver Wake",
    "Tern",
    "Puffin",
    "Brisk",
    "Old Sarah",
    "Nomad",
    "Lark",
)
HARBOURS = (
    "Cork",
    "Lowestoft",
    "Bergen",
    "Brest",
    "Porto",
    "Leith",
    "Esbjerg",
    "Wick",
    "Kiel",
    "Gdynia",
)


def boats(count: int = 10) -> list[dict[str, Value]]:
    return [
        {
            "name": NAMES[at],
            "url": f"https://boats.example/boat/{at}",
            "harbour": HARBOURS[at],
            "built": f"19{60 + at}-0{1 + at % 9}-1{at % 10}",
            "master": f"Captain {HARBOURS[-at]}",
        }
        for at in range(count)
    ]


def listing(rows: Sequence[dict[str, Value]], *fields: str) -> Page:
    """`fields` is how harbour, date and master are written, with {} for the value."""
    items = "".join(
        f"<li class='boat'><a class='boat-name' href='{row['url']}'>{row['name']}</a>"
        + "".join(
            form.format(row[name])
            for name, form in zip(("harbour", "built", "master"), fields, strict=True)
        )
        + "</li>"
        for row in rows
    )
    body = f"<html><body><h1>Boats</h1><ul class='fleet'>{items}</ul></body></html>"
    return Page(
        url="https://boats.example/",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


HARBOUR, BUILT, MASTER = (
    f"<span class='{name}'>{{}}</span>"
    for name in ("home-port", "year-built", "master-aboard")
)


def heal(now: Page, known: Sequence[dict[str, Value]]) -> HealedListing:
    old = induce_listing(
        SCHEMA,
        [listing(boats(), HARBOUR, BUILT, MASTER)],
        [Example(page=0, records=tuple(boats()[:5]))],
    )
    return heal_listing(
        SCHEMA, old[0].program, [Document(now)], [Example(page=0, records=tuple(known))]
    )


def read(healed: HealedListing, now: Page) -> list[dict[str, Value]]:
    assert healed.program is not None
    return [record.values for record in run(healed.program, Document(now)).records]


def test_a_broken_field_is_read_again_beside_the_others_that_are_kept() -> None:
    moved = [
        row | {"built": f"200{at}-05-05", "master": f"Captain {HARBOURS[at]}"}
        for at, row in enumerate(boats())
    ]
    now = listing(
        moved, "<em class='q1'>{}</em>", "<i class='q2'>in the year of {}</i>", MASTER
    )
    healed = heal(now, boats())
    assert {"name", "url"} <= healed.kept
    assert {"harbour"} <= healed.fields - healed.kept
    assert [(row["name"], row["harbour"]) for row in read(healed, now)] == list(
        zip(NAMES, HARBOURS, strict=True)
    )


def test_a_field_every_row_had_to_have_hides_no_row_when_it_is_gone() -> None:
    healed = heal(listing(boats(), HARBOUR, "", MASTER), boats())
    assert healed.program is None or len(
        read(healed, listing(boats(), HARBOUR, "", MASTER))
    ) == len(NAMES)
    assert healed.fields >= {"name", "url", "harbour", "master"}


def test_fields_that_are_gone_stay_unread_and_are_not_vouched_for() -> None:
    healed = heal(listing(boats(), "", "", MASTER), boats())
    assert healed.program is None
    assert healed.fields == healed.kept == {"name", "url", "master"}


def renamed(rows: Sequence[dict[str, Value]], skip: str = "") -> Page:
    """The boats in a table, and of each what is not skipped."""
    body = ""
    for row in rows:
        cells = f"<td><a href='{row['url']}'>{row['name']}</a></td>"
        for name in ("harbour", "built", "master"):
            if name != skip:
                cells += f"<td class='k-{name}'>{row[name]}</td>"
        body += f"<tr>{cells}</tr>"
    html = f"<html><body><table>{body}</table></body></html>"
    return Page(
        url="https://boats.example/",
        body=html.encode(),
        headers={"content-type": "text/html"},
    )


def test_known_records_still_on_the_page_make_a_new_program() -> None:
    now = renamed(boats())
    healed = heal(now, boats()[:6])
    assert healed.reason == "last known records found again"
    assert healed.kept == frozenset()
    assert {"name", "harbour", "built", "master"} <= healed.fields
    assert [row["name"] for row in read(healed, now)] == list(NAMES)


def others() -> list[dict[str, Value]]:
    """Boats like the known ones, of which none is known."""
    return [
        {
            "name": NAMES[-1 - at],
            "url": f"https://boats.example/boat/{at + 40}",
            "harbour": HARBOURS[at - 3],
            "built": f"20{10 + at}-0{1 + at % 9}-1{at % 10}",
            "master": f"Captain {HARBOURS[at - 5]}",
        }
        for at in range(10)
    ]


def test_records_that_only_look_like_known_ones_are_a_guess() -> None:
    now = renamed(others())
    healed = heal(now, boats()[:6])
    if healed.program is not None:
        assert healed.reason == "rows like the known records"
        assert [row["name"] for row in read(healed, now)] == [
            row["name"] for row in others()
        ]


def test_a_page_without_repetition_heals_nothing() -> None:
    now = Page(
        url="https://boats.example/",
        body=b"<html><body><h1>Closed</h1><p>Come again</p></body></html>",
        headers={"content-type": "text/html"},
    )
    healed = heal(now, boats())
    assert healed == HealedListing(None, "no repetition looks like the known records")


def test_without_known_records_or_pages_nothing_is_healed() -> None:
    now = listing(boats(), HARBOUR, BUILT, MASTER)
    assert heal(now, []) == HealedListing(None, "no record of these pages is known")


def test_what_still_works_is_left_as_it_is() -> None:
    healed = heal(listing(boats(), HARBOUR, BUILT, MASTER), boats())
    assert (healed.program, healed.reason) == (None, "its records are still found")
    assert healed.fields == healed.kept


BERTHS = FieldSpec(name="berths", kind=FieldKind.INTEGER, volatile=True)
FERRIES = RecordSchema(name="Ferry", fields=(*SCHEMA.fields[:3], BERTHS))


def ferries(form: str, more: int = 0) -> tuple[Page, list[dict[str, Value]]]:
    """Boats with their free berths, `more` than yesterday, and what is known of them."""
    known = [
        {name: row[name] for name in ("name", "url", "harbour")}
        | {"berths": 30 + 7 * at}
        for at, row in enumerate(boats())
    ]
    rows = [row | {"berths": 30 + 7 * at + more} for at, row in enumerate(known)]
    items = "".join(
        f"<li><a href='{row['url']}'>{row['name']}</a> <i>{row['harbour']}</i>"
        f"{form.format(row['berths'])}</li>"
        for row in rows
    )
    body = f"<html><body><h1>Boats</h1><ul>{items}</ul></body></html>"
    return (
        Page(
            url="https://boats.example/",
            body=body.encode(),
            headers={"content-type": "text/html"},
        ),
        known,
    )


@pytest.mark.parametrize(
    "form",
    ["<b>Berths: {}</b>", "<p>bar, {} berths</p>", "<p><u>Berths</u> <s>{}</s></p>"],
)
def test_a_count_that_moved_on_in_all_rows_is_found_by_its_name(form: str) -> None:
    before, known = ferries("<em class='free'>{}</em>")
    (old, *_) = induce_listing(
        FERRIES, [before], [Example(page=0, records=tuple(known))]
    )
    now, _ = ferries(form, more=3)
    table = now.body.replace(b"<ul>", b"<section>").replace(b"<li>", b"<article>")
    table = table.replace(b"</ul>", b"</section>").replace(b"</li>", b"</article>")
    now = now.model_copy(update={"body": table})
    examples = [Example(page=0, records=tuple(known))]
    healed = heal_listing(FERRIES, old.program, [Document(now)], examples)
    assert healed.reason == "last known records found again"
    assert [row["berths"] for row in read(healed, now)] == [
        row["berths"] + 3 for row in known
    ]


@pytest.mark.parametrize("label", ["Kojen", "Freie Plätze"])
def test_few_known_counts_that_stand_there_by_chance_hide_no_count(label: str) -> None:
    """One label is unknown, the other a further name that the schema has, no program."""
    berths = BERTHS.model_copy(update={"aliases": ("Freie Plätze",)})
    schema = FERRIES.model_copy(update={"fields": (*FERRIES.fields[:3], berths)})
    before, known = ferries("<em class='free'>{}</em>")
    (old, *_) = induce_listing(
        schema, [before], [Example(page=0, records=tuple(known))]
    )
    program = Program.model_validate_json(old.program.to_json())
    now, _ = ferries(f"<p>{label}: {{}}</p>", more=3)
    chance = str(known[1]["berths"]), str(known[4]["berths"])
    body = now.body.decode().replace("<li>", "<article>").replace("</li>", "</article>")
    for number in chance:
        said = f": {int(number) + 3}</p>"
        body = body.replace(said, f"{said}<s>No. {number}</s>")
    now = now.model_copy(update={"body": body.encode()})
    examples = [Example(page=0, records=tuple(known))]
    healed = heal_listing(schema, program, [Document(now)], examples)
    assert "berths" in healed.fields
    assert [row["berths"] for row in read(healed, now)] == [
        row["berths"] + 3 for row in known
    ]


BIKES = FieldSpec(name="bikes", kind=FieldKind.INTEGER, volatile=True, required=True)
DOCKS = RecordSchema(
    name="Dock", fields=(FieldSpec(name="code"), FieldSpec(name="place"), BIKES)
)
BEFORE = (3, 31, 12, 0, 25, 38, 8, 19, 34, 5)
NOW = (7, 28, 15, 4, 21, 36, 12, 16, 37, 2)


def docks(key: str, counts: Sequence[int]) -> Page:
    """An API of places with bicycles, and with a number of its own in each."""
    rows = [
        {"code": f"st-{120 + at}", "place": HARBOURS[at], key: count, "broken": at % 3}
        for at, count in enumerate(counts)
    ]
    body = json.dumps({"stations" if key == "bikes" else "data": rows}).encode()
    return Page(
        url="https://bikes.example/",
        body=body,
        headers={"content-type": "application/json"},
    )


def test_small_counts_that_all_moved_are_told_row_by_row() -> None:
    """Each known one stands somewhere in the page, as another row's."""
    known: list[dict[str, Value]] = [
        {"code": f"st-{120 + at}", "place": HARBOURS[at], "bikes": count}
        for at, count in enumerate(BEFORE)
    ]
    examples = [Example(page=0, records=tuple(known))]
    (old, *_) = induce_listing(DOCKS, [docks("bikes", BEFORE)], examples)
    moved = docks("n", [*NOW[:-1], 3])
    healed = heal_listing(DOCKS, old.program, [Document(moved)], examples)
    assert [row.get("bikes") for row in read(healed, moved)] == [*NOW[:-1], 3]
