"""What is shown of a number that moves is heard beside what is stated of it, and read alone where
it alone has moved."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

NAMES = ("Oak bed", "Pine jar", "Elm pan", "Ash lamp", "Fir desk", "Yew stool")
THEN = ("1180.00", "245.00", "76.50", "3320.00", "512.00", "98.00")
HIGHER = ("1180.00", "251.00", "76.50", "3320.00", "512.00", "98.00")
HIGHER_TWICE = ("1180.00", "251.00", "76.50", "3320.00", "523.00", "98.00")
BOTH = ("1180.00", "251.00", "76.50", "3320.00", "499.00", "98.00")
SINGLE, ROWS = FamilyKind.DETAIL, FamilyKind.LISTING
BEFORE = "<h1>{name}</h1><p class=price>EUR {then}</p>"
AFTER = (
    "<div itemscope itemtype='https://schema.org/Product'><meta itemprop='price' content='{then}'>"
    "<h2>{name}</h2><div class='line'><span>Price</span><span>{now} EUR</span></div></div>"
)


def price(*, required: bool = True, volatile: bool = True) -> FieldSpec:
    kind = FieldKind.NUMBER
    return FieldSpec(name="price", kind=kind, required=required, volatile=volatile)


def pages(
    kind: FamilyKind, pattern: str, now: Sequence[str], known: Sequence[str]
) -> list[Page]:
    every = zip(NAMES, known, now, strict=True)
    shown = [pattern.format(name=name, then=then, now=new) for name, then, new in every]
    if kind is ROWS:
        shown = ["".join(f"<li>{one}</li>" for one in shown)]
    filler = "<p>All of it is made by hand.</p>" * 4
    return [
        Page(
            url=f"https://wares.test/{at}",
            body=f"<html><body><main>{body}</main>{filler}</body></html>".encode(),
            headers={"content-type": "text/html"},
        )
        for at, body in enumerate(shown)
    ]


def healed(
    kind: FamilyKind,
    now: Sequence[str],
    spec: FieldSpec | None = None,
    before: Sequence[str] = THEN,
) -> tuple[Program, list[ExtractedRecord]]:
    """What a family is healed to of what was known before, and the records of the pages now."""
    schema = RecordSchema(
        name="Ware", fields=(FieldSpec(name="name", required=True), spec or price())
    )
    typed = int if spec and spec.kind is FieldKind.INTEGER else str
    pairs = zip(NAMES, map(typed, before), strict=True)
    known = [{"name": name, "price": then} for name, then in pairs]
    parts = [[one] for one in known] if kind is SINGLE else [known]
    examples = [Example(page=at, records=tuple(part)) for at, part in enumerate(parts)]
    first = compile_program(schema, pages(kind, BEFORE, before, before), examples, kind)
    assert first.program is not None, first.scores.reason
    changed = pages(kind, AFTER, now, before)
    made = heal_program(schema, first.program, changed, examples).program
    assert made is not None
    records = [run(made, Document(page)).records for page in changed]
    return made, [record for several in records for record in several]


def field(program: Program) -> FieldProgram:
    found = program.field("price")
    assert found is not None
    return found


def values(records: Sequence[ExtractedRecord]) -> list[Decimal | None]:
    read = [one.values.get("price") for one in records]
    return [None if one is None else Decimal(str(one)) for one in read]


@pytest.mark.parametrize("kind", [SINGLE, ROWS])
def test_where_prices_went_up_and_down_what_is_shown_is_read(kind: FamilyKind) -> None:
    made, records = healed(kind, BOTH)
    assert values(records) == list(map(Decimal, BOTH))
    alive = [one for one in field(made).readers if one.at != ".price"]
    assert set(map(kind_of, alive)) == {Kind.SHOWN}
    assert not any(one.votes["price"].against for one in records)


@pytest.mark.parametrize("kind", [SINGLE, ROWS])
def test_where_one_price_moved_neither_is_believed(kind: FamilyKind) -> None:
    made, records = healed(kind, HIGHER)
    assert {Kind.SHOWN, Kind.STATED} <= set(map(kind_of, field(made).readers))
    split = [bool(one.votes["price"].against) for one in records]
    assert split == [False, True, False, False, False, False]
    assert records[1].votes["price"].agreement < 0.6
    assert not records[1].votes["price"].is_certain


def test_prices_that_only_rose_may_be_former_ones() -> None:
    _, records = healed(SINGLE, HIGHER_TWICE)
    split = [bool(one.votes["price"].against) for one in records]
    assert split == [False, True, False, False, True, False]


def test_counts_only_rise() -> None:
    spec = price().model_copy(update={"kind": FieldKind.INTEGER})
    now = ("1181", "245", "79", "3320", "512", "98")
    then = ("1180", "245", "76", "3320", "512", "98")
    _, records = healed(SINGLE, now, spec, then)
    assert values(records) == list(map(Decimal, now))
    assert not any(one.votes["price"].against for one in records)


def test_of_a_row_that_may_lack_it_nothing_is_read_where_they_differ() -> None:
    _, rows = healed(ROWS, HIGHER, price(required=False))
    assert values(rows) == [None if at == 1 else Decimal(THEN[at]) for at in range(6)]
    _, singles = healed(SINGLE, HIGHER, price(required=False))
    assert values(singles) == list(map(Decimal, HIGHER)), "the page is held, and kept"


def test_what_is_shown_far_from_the_known_price_is_no_rival() -> None:
    far = ("1180.00", "24.00", "76.50", "3320.00", "499.00", "98.00")
    made, records = healed(SINGLE, far)
    assert values(records) == list(map(Decimal, THEN))
    assert not records[1].votes["price"].against
    assert Kind.STATED in set(map(kind_of, field(made).readers))


def test_the_same_numbers_with_fewer_digits_have_not_moved() -> None:
    rounded = ("1200.00", "250.00", "76.50", "3300.00", "512.00", "98.00")
    _, records = healed(SINGLE, rounded)
    assert records[1].votes["price"].against, "shown, but not believed"


def test_a_steady_number_needs_no_rival() -> None:
    _, records = healed(SINGLE, HIGHER, price(volatile=False))
    assert values(records) == list(map(Decimal, THEN))
