"""What a first version learns of a few pages of a site that states nothing for machines,
and reads of all others."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.proof.scores import WhyUnread
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value

NAMES = ("Umber", "Fjord", "Quartz", "Willow", "Kelp", "Onyx", "Topaz", "Maple")
TOWNS = ("York", "Bath", "Leeds", "Derby")
LINKS = "<nav><a href='/'>Home</a><a href='/people/'>People</a></nav>"


class Shown(NamedTuple):
    """The body of a page, and the value that it shows of the one field."""

    body: str
    value: Value | None


class Site(NamedTuple):
    """A field, how a page shows it, and on how many pages it is known."""

    spec: FieldSpec
    shown: Callable[[int], Shown]
    examples: int


def _page(at: int, body: str) -> Page:
    html = (
        f"<html><head><title>{NAMES[at]} | Site</title></head><body>{LINKS}<main>"
        f"<h1>{NAMES[at]} day</h1>{body}<p>More of it soon.</p></main></body></html>"
    )
    return Page(
        url=f"https://site.example/{at}",
        body=html.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def _told(site: Site, first: int = 0) -> list[tuple[Value | None, Value | None]]:
    """What is read of the pages that are no examples, and what they show."""
    shown = [site.shown(at) for at in range(first, len(NAMES))]
    pages = [_page(first + at, one.body) for at, one in enumerate(shown)]
    known = [
        Example(page=at, records=({site.spec.name: shown[at].value},))
        for at in range(site.examples)
    ]
    schema = RecordSchema(name="Event", fields=(site.spec,))
    program = compile_program(schema, pages, known).program
    assert program is not None
    read: list[Any] = []
    for page in pages[site.examples :]:
        records = run(program, Document(page)).records
        read.append(records[0].values.get(site.spec.name) if records else None)
    return list(zip(read, [one.value for one in shown[site.examples :]], strict=True))


def _text(name: str, **spec: object) -> FieldSpec:
    return FieldSpec(**{"name": name, **spec})


def _hall(at: int) -> Shown:
    town = TOWNS[at % 4]
    return Shown(f"<p class='where'>{NAMES[at]} Hall, {town}</p>", f"{NAMES[at]} Hall")


def _town(at: int) -> Shown:
    return Shown(_hall(at).body, TOWNS[at % 4])


def _heading(at: int) -> Shown:
    title = f"Looms of {NAMES[at]}"
    return Shown(f"<h2 class='course'>B-{at + 11}: {title}</h2>", title)


def _area(at: int) -> Shown:
    area = 57 + 13 * at
    rows = f"<li><b>Oppervlak:</b> {area} m²</li><li><b>Inhoud:</b> {3 * area} m³</li>"
    return Shown(f"<h3>Kenmerken</h3><ul class='facts'>{rows}</ul>", area)


def _starts(at: int) -> Shown:
    when = f"{at + 3} May 2026" if at % 2 else f"{at + 3}–{at + 5} May 2026"
    return Shown(f"<p class='when'>{when}</p>", f"2026-05-{at + 3:02}")


def _ends(at: int) -> Shown:
    last = None if at % 2 else f"2026-05-{at + 5:02}"
    return Shown(_starts(at).body, last)


def _stars(at: int) -> Shown:
    count = at % 4 + 2
    return Shown(f"<span class='stars'>{'★' * count}{'☆' * (5 - count)}</span>", count)


def _speakers(at: int) -> Shown:
    names = [f"{NAMES[(at + step) % 8]} Byron" for step in range(2 + at % 3)]
    links = [f"<a href='/people/{at}{n}'>{name}</a>" for n, name in enumerate(names)]
    line = f"With {', '.join(links[:-1])} and {links[-1]}."
    return Shown(f"<h2>Talks</h2><p>{line}</p><a href='/book/{at}'>Book</a>", names)


def _codes(at: int) -> Shown:
    codes = [f"CS-{at}{step}" for step in range(1 + at % 3)]
    return Shown(f"<p><b>Needs:</b> <span>{', '.join(codes)}</span></p>", codes)


def _term(at: int) -> Shown:
    term = ("autumn", "spring")[at % 2]
    return Shown(f"<p><b>Term:</b> <span>{term.title()} 202{at}</span></p>", term)


def _contract(at: int) -> Shown:
    full = at % 3 != 1
    line = f"{NAMES[at]} AG · {TOWNS[at % 4]} · {'Vollzeit' if full else 'Teilzeit'}"
    return Shown(f"<div class='by'>{line}</div>", "full" if full else "part")


def _level(at: int) -> Shown:
    word, level = (("Facile", "easy"), ("Difficile", "hard"))[at % 2]
    return Shown(f"<p><b>Niveau :</b> <span>{word}</span></p>", level)


def _pay(at: int) -> Shown:
    low, high = 30_000 + 1_000 * at, 48_000 + 2_000 * at
    line = f"{TOWNS[at % 4]} · Vollzeit"
    pay = f"{low:,} – {high:,} €".replace(",", ".")
    return Shown(f"<div>{line}</div><span class='lohn'>{pay}</span>", str(high))


SITES = {
    "the first part of a text": Site(_text("venue"), _hall, 2),
    "the last part of a text": Site(_text("city"), _town, 2),
    "behind a number and a colon": Site(_text("course"), _heading, 1),
    "one label of a language nobody told": Site(
        _text("living_area", kind=FieldKind.INTEGER), _area, 2
    ),
    "the same from one page": Site(
        _text("living_area", kind=FieldKind.INTEGER), _area, 1
    ),
    "the first day of a span": Site(_text("when", kind=FieldKind.DATE), _starts, 1),
    "the last day of a span": Site(_text("when", kind=FieldKind.DATE), _ends, 1),
    "as many signs": Site(_text("stars", kind=FieldKind.INTEGER), _stars, 1),
    "links in a sentence": Site(_text("speakers", shape=Shape.LIST), _speakers, 1),
    "codes of which the first page has one": Site(
        _text("needs", shape=Shape.LIST), _codes, 1
    ),
    "a choice with a capital letter beside a year": Site(
        _text("term", kind=FieldKind.CHOICE, choices=("autumn", "spring")), _term, 1
    ),
    "a choice in other words": Site(
        _text("contract", kind=FieldKind.CHOICE, choices=("full", "part")),
        _contract,
        4,
    ),
    "a choice in other words behind its label": Site(
        _text(
            "level",
            kind=FieldKind.CHOICE,
            choices=("easy", "hard"),
            aliases=("niveau",),
        ),
        _level,
        2,
    ),
    "the second of two numbers": Site(_text("pay", kind=FieldKind.NUMBER), _pay, 2),
}


@pytest.mark.parametrize("name", SITES)
def test_all_other_pages_are_read(name: str) -> None:
    told = _told(SITES[name])
    assert [read for read, _ in told] == [true for _, true in told]


def test_a_day_that_stands_alone_on_the_known_page_is_the_first_of_a_span() -> None:
    told = _told(SITES["the first day of a span"], first=1)
    assert [read for read, _ in told] == [true for _, true in told]


def test_a_choice_in_other_words_is_not_told_by_three_pages_and_what_to_do_is_said() -> (
    None
):
    """Towns and makers have as many words as choices by chance."""
    spec, shown, _ = SITES["a choice in other words"]
    pages = [_page(at, shown(at).body) for at in range(3)]
    known = [Example(page=at, records=({spec.name: shown(at).value},)) for at in (0, 1)]
    compiled = compile_program(RecordSchema(name="Job", fields=(spec,)), pages, known)
    assert compiled.program is None
    (unread,) = compiled.scores.unread
    assert (unread.field, unread.why) == (spec.name, WhyUnread.OTHER_WORDS)
    assert "aliases" in unread.write and "two examples of each" in unread.write


def test_of_a_flag_that_all_examples_say_alike_another_example_is_asked_for() -> None:
    spec = FieldSpec(name="pets", kind=FieldKind.BOOLEAN, required=True)
    signs = '<i class="dog"></i>', ""
    pages = [_page(at, signs[at % 2]) for at in range(6)]
    known = [Example(page=at, records=({"pets": True},)) for at in (0, 2)]
    compiled = compile_program(RecordSchema(name="House", fields=(spec,)), pages, known)
    assert compiled.program is None
    (unread,) = compiled.scores.unread
    assert (unread.field, unread.why) == (spec.name, WhyUnread.ALL_ALIKE)
    assert "an example of a page on which it is another one" in unread.write


def test_two_examples_tell_a_place_only_where_a_person_looks_at_it() -> None:
    spec = FieldSpec(name="age", kind=FieldKind.INTEGER, required=True)
    ages = (8, 6, 12, 14, 10, 7, 12, 9)
    pages = [_page(at, f"<p>Cards, {ages[at]} on</p>") for at in range(len(ages))]
    known = [Example(page=at, records=({"age": ages[at]},)) for at in (0, 1)]
    schema = RecordSchema(name="Game", fields=(spec,))
    assert compile_program(schema, pages, known).program is None
    program = compile_program(schema, pages, known, may_guess=True).program
    assert program is not None
    read = [run(program, Document(page)).records[0].values["age"] for page in pages]
    assert read == list(ages)


def _shoe(at: int) -> dict[str, object]:
    sizes: Sequence[dict[str, int]] = [{"stock": (at + n) % 4} for n in range(4)]
    price = {"amount": 4_778 + 311 * at, "before": 9_900}
    inventory = {"available": at % 3 != 1, "count": 7 * at}
    return {"pricing": price, "inventory": inventory, "variants": sizes}


def _shop(at: int, value: Value) -> Shown:
    island = json.dumps({"product": _shoe(at)})
    return Shown(f"<script type='application/json'>{island}</script>", value)


def test_an_amount_in_cents_is_read_from_data_of_one_page() -> None:
    price = _text("price", kind=FieldKind.NUMBER)
    told = _told(
        Site(price, lambda at: _shop(at, f"{(4_778 + 311 * at) / 100:.2f}"), 1)
    )
    assert [read for read, _ in told] == [true for _, true in told]


def test_a_flag_of_data_is_read_and_not_that_of_the_fourth_size() -> None:
    stock = _text("in_stock", kind=FieldKind.BOOLEAN)
    told = _told(Site(stock, lambda at: _shop(at, at % 3 != 1), 1))
    assert [read for read, _ in told] == [true for _, true in told]


STAYS = RecordSchema(
    name="Stay",
    fields=(
        FieldSpec(name="name", required=True),
        FieldSpec(name="stars", kind=FieldKind.INTEGER),
        FieldSpec(name="hosts", shape=Shape.LIST),
        FieldSpec(name="opens", kind=FieldKind.DATE),
        FieldSpec(name="closes", kind=FieldKind.DATE),
    ),
)


def _stay(at: int) -> tuple[str, dict[str, Value]]:
    """A row that says several things in one text each, and its record."""
    stars, name, last = at % 4 + 2, f"Inn {NAMES[at % 8]} {at}", f"2026-05-{at + 5:02}"
    hosts = [f"{NAMES[(at + step) % 8]} Byron" for step in range(1 + at % 3)]
    written = " and ".join(filter(None, (", ".join(hosts[:-1]), hosts[-1])))
    row = (
        f"<div class='card'><h2>{name} <span class='st'>{'★' * stars}</span></h2>"
        f"<p class='by'>by {written}</p><p>{at + 3}–{at + 5} May 2026</p></div>"
    )
    told: dict[str, Value] = {"name": name, "stars": stars, "hosts": hosts}
    return row, told | {"opens": f"2026-05-{at + 3:02}", "closes": last}


def test_rows_that_say_several_things_in_one_text_are_read_from_four_of_them() -> None:
    rows, records = zip(*map(_stay, range(20)), strict=True)
    page = _page(0, "".join(rows))
    known = [Example(page=0, records=records[:4])]
    program = compile_program(STAYS, [page], known, FamilyKind.LISTING).program
    assert program is not None
    read = [dict(one.values) for one in run(program, Document(page)).records]
    assert read == list(records)
