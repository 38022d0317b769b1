"""Listings whose records are still found while some fields are not: each field is healed by itself."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
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
