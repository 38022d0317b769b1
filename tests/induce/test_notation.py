"""How a family writes numbers and dates is learned from the texts that can be read one way only."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.notation import learn_notation, noted_as_shown
from crawloop_assets.page import Page
from crawloop_assets.schema import (
    FieldKind,
    FieldSpec,
    Notation,
    RecordSchema,
    notation_of,
    noted,
)

SCHEMA = RecordSchema(
    name="Parcel",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
        FieldSpec(name="weight", kind=FieldKind.NUMBER),
        FieldSpec(name="sent", kind=FieldKind.DATE),
    ),
)


def page(
    at: int, weight: str, sent: str, price: str = "12.50 $", lang: str = "", cls: str = "v"
) -> Page:  # fmt: skip
    rows = (("title", f"Parcel no {at}"), ("price", price), ("weight", weight), ("sent", sent))  # fmt: skip
    items = "".join(
        f'<li><b>{name.title()}:</b> <span class="{cls}-{name}">{text}</span></li>'
        for name, text in rows
    )
    html = f'<html lang="{lang}"><body><h1>Parcels</h1><ul>{items}</ul></body></html>'
    return Page(url=f"https://post.example/{at}", body=html.encode())


def texts(*shown: str, lang: str = "") -> Document:
    body = "".join(f"<p>{text}</p>" for text in shown)
    html = f'<html lang="{lang}"><body>{body}</body></html>'
    return Document(Page(url="https://post.example/", body=html.encode()))


@pytest.mark.parametrize(
    ("shown", "decimal"),
    [
        (("1.299,00", "2.499,50 kg"), ","),
        (("1,299.00", "12.50 €"), "."),
        (("12,50 €", "1,00 €"), ","),
        (("12,50 €",), ""),
        (("12,50 €", "12.50 €", "1,00 €"), ""),
        (("12,50", "1,00", "12.03.2021"), ""),
        (("1.299", "1.300"), ""),
        (("v 1.2.3 $", "v 1.20.33 $"), ""),
    ],
)
def test_a_numeral_that_can_be_read_one_way_tells_the_point(
    shown: tuple[str, ...], decimal: str
) -> None:
    assert learn_notation([texts(*shown)]).decimal == decimal


@pytest.mark.parametrize(
    ("shown", "order"),
    [
        (("25/04/2021", "on 13/1/21"), "DMY"),
        (("04/25/2021", "1/31/2021"), "MDY"),
        (("25/04/2021", "04/25/2021", "26/04/2021"), None),
        (("03/04/2021", "05/06/2021"), None),
        (("25/04/2021",), None),
        (("40/04/2021", "41/04/2021"), None),
    ],
)
def test_a_day_above_twelve_tells_the_order(
    shown: tuple[str, ...], order: str | None
) -> None:
    assert learn_notation([texts(*shown)]).dates == order


def test_the_language_is_what_all_pages_say() -> None:
    croatian, polish = texts(lang="hr-HR"), texts(lang="pl")
    assert learn_notation([croatian, croatian]).language == "hr"
    assert learn_notation([croatian, polish]).language == ""
    assert learn_notation([texts(lang="en-GB")]) == Notation()
    assert learn_notation([texts(lang="?!"), texts()]) == Notation()
    json_page = Page(url="https://x.example/", body=b'{"a": 1}')
    assert learn_notation([Document(json_page)]) == learn_notation([]) == Notation()


def compiled(pages: list[Page], *records: dict[str, object]) -> Program:
    examples = [Example(page=at, records=(one,)) for at, one in enumerate(records)]
    program = compile_program(SCHEMA, pages, examples).program
    assert program is not None
    return program


PAGES = [
    page(0, "2.500 kg", "25/04/2021"),
    page(1, "3.750 kg", "28/04/2021", "8.99 $"),
    page(2, "12.001 kg", "03/04/2021", "1,299.00 $"),
]
KNOWN = {"title": "Parcel no 0", "price": "12.50", "weight": "2.500", "sent": "2021-04-25"}  # fmt: skip


def values(program: Program, one: Page) -> dict[str, object]:
    return dict(run(program, Document(one)).records[0].values)


def test_a_program_reads_by_the_notation_it_has_learned() -> None:
    program = compiled(PAGES, KNOWN)
    shown = "notation: decimal '.', dates 'DMY', currency '$', units {'weight': 'kg'}"
    assert program.notation == Notation(
        decimal=".", dates="DMY", currency="$", units={"weight": "kg"}
    )
    assert shown in program.readable()
    read = values(program, PAGES[2])
    assert (read["weight"], read["sent"], read["price"]) == ("12.001", "2021-04-03", "1299.00")  # fmt: skip
    again = Program.from_json(program.to_json())
    assert again == program and again.notation == program.notation


def test_a_page_that_contradicts_the_notation_gives_no_value() -> None:
    read = values(compiled(PAGES, KNOWN), page(3, "1,5 kg", "04/25/2021", "12,50 $"))
    assert "price" not in read
    assert "weight" not in read


def test_what_the_family_declares_goes_before_what_is_learned() -> None:
    declared = noted(SCHEMA, Notation(decimal=",", dates="MDY"))
    pages = [page(0, "2.500 kg", "03/04/2021"), *PAGES[1:]]
    known = {"title": "Parcel no 0", "weight": "2500", "sent": "2021-03-04"}
    program = compile_program(declared, pages, [Example(page=0, records=(known,))])
    assert program.program is not None
    assert program.program.notation.of_texts == Notation(decimal=",", dates="MDY")
    assert (
        values(program.program, page(3, "1.234 kg", "05/06/2021"))["weight"] == "1234"
    )


def test_a_healed_program_keeps_the_notation() -> None:
    program = compiled(PAGES, KNOWN)
    moved = [
        page(0, "2.500 kg", "05/04/2021", "9 $", cls="x"),
        page(1, "3.750 kg", "06/04/2021", "8 $", cls="x"),
    ]
    known = [
        Example(page=0, records=({"title": "Parcel no 0", "weight": "2.500", "sent": "2021-04-05"},)),
        Example(page=1, records=({"title": "Parcel no 1", "weight": "3.750", "sent": "2021-04-06"},)),
    ]  # fmt: skip
    healed = heal_program(SCHEMA, program, moved, known).program
    assert healed is not None
    assert healed.notation == program.notation
    read = values(healed, page(4, "1.005 kg", "07/04/2021", "7 $", cls="x"))
    assert (read["weight"], read["sent"]) == ("1.005", "2021-04-07")


def test_croatian_and_polish_autumns_differ() -> None:
    for language, month in (("hr", "10"), ("pl", "11")):
        pages = [
            page(0, "1 kg", "3. listopada 2024.", lang=language),
            page(1, "2 kg", "4. listopada 2024.", lang=language),
        ]
        program = compiled(pages, {**KNOWN, "weight": "1", "sent": f"2024-{month}-03"})
        assert program.notation.language == language
        assert values(program, pages[1])["sent"] == f"2024-{month}-04"


def test_a_field_may_have_a_point_of_its_own() -> None:
    """Prices of a German shop read "12,50 €", and what a script writes "4.3 of 5"."""
    shown = [
        (page(at, f"{weight} of 5", "13.02.2021", f"{euros},50 €"), euros, weight)
        for at, (euros, weight) in enumerate(((12, "4.3"), (7, "3.1"), (99, "4.9")))
    ]
    examples = [
        Example(
            page=at,
            records=(
                {"title": f"Parcel no {at}", "price": f"{euros}.50", "weight": weight},
            ),
        )
        for at, (_, euros, weight) in enumerate(shown)
    ]
    program = compile_program(SCHEMA, [one for one, _, _ in shown], examples).program
    assert program is not None and program.notation.decimal == ","
    weights = program.field("weight")
    assert weights is not None and weights.spec.decimal == "."
    another = page(4, "2.7 of 5", "14.02.2021", "31,00 €")
    (record,) = run(program, Document(another)).records
    assert (record.values["price"], record.values["weight"]) == ("31.00", "2.7")


def priced(*prices: str, weight: str = "2.5 kg", known: str = "12.50") -> Program:
    """Compiled of pages with such prices; of the first the price is known."""
    pages = [page(at, weight, "25/04/2021", price) for at, price in enumerate(prices)]
    return compiled(pages, {"title": "Parcel no 0", "price": known, "weight": "2.5"})


@pytest.mark.parametrize(
    ("prices", "currency"),
    [
        (("12.50 €", "8.99 €"), "EUR"),
        (("EUR 12.50", "8.99 €"), "EUR"),
        (("$12.50", "$8.99"), "$"),
        (("$12.50", "CAD 8.99"), "CAD"),
        (("$12.50", "8.99 €"), ""),
        (("12.50", "8.99"), ""),
        (("12.50 €", "8.99"), ""),
        (("12.50", "8.99", "$7.10", "4.40", "$3.10"), ""),
    ],
)
def test_prices_that_agree_tell_the_currency(
    prices: tuple[str, ...], currency: str
) -> None:
    program = priced(*prices)
    price, weight = program.field("price"), program.field("weight")
    assert price is not None and weight is not None
    assert (price.spec.currency, weight.spec.currency) == (currency, "")
    assert (price.spec.unit, weight.spec.unit) == ("", "kg")


def test_linked_data_tells_the_currency_and_the_unit() -> None:
    pages = []
    for at in range(3):
        data = (
            f'{{"@type": "Product", "name": "Parcel no {at}", "weight": {{"value": "{at}.5", "unitCode": "KGM"}},'
            f' "offers": {{"price": "{at + 5}.25", "priceCurrency": "SEK"}}}}'
        )
        html = f'<html><body><script type="application/ld+json">{data}</script><h1>Parcel no {at}</h1></body></html>'
        pages.append(Page(url=f"https://post.example/{at}", body=html.encode()))
    known = {"title": "Parcel no 0", "price": "5.25", "weight": "0.5"}
    notation = compiled(pages, known).notation
    assert (notation.currency, notation.units) == ("SEK", {"weight": "kg"})


def test_what_is_declared_of_currency_and_unit_goes_before_what_is_learned() -> None:
    declared = noted(SCHEMA, Notation(currency="CAD", units={"weight": "lb"}))
    program = compile_program(declared, PAGES, [Example(page=0, records=(KNOWN,))])
    assert program.program is not None
    notation = program.program.notation
    assert (notation.currency, notation.units) == ("CAD", {"weight": "lb"})


def test_a_record_with_its_own_currency_has_none_in_the_notation() -> None:
    own = SCHEMA.model_copy(
        update={"fields": (*SCHEMA.fields, FieldSpec(name="currency"))}
    )
    program = compile_program(own, PAGES, [Example(page=0, records=(KNOWN,))]).program
    assert program is not None and program.notation.currency == ""


def test_a_heal_learns_the_currency_anew_and_keeps_it_where_pages_are_silent() -> None:
    program = priced("12.50 €", "8.99 €")
    for price, currency in (("{} $", "$"), ("{}", "EUR")):
        moved = [
            page(at, "2.5 kg", "25/04/2021", price.format(f"{at + 5}.50"), cls="x")
            for at in range(2)
        ]
        known = [
            Example(page=at, records=({"title": f"Parcel no {at}", "price": f"{at + 5}.50", "weight": "2.5"},))
            for at in range(2)
        ]  # fmt: skip
        healed = heal_program(SCHEMA, program, moved, known).program
        assert healed is not None
        assert healed.notation.currency == currency
        assert healed.notation.units == {"weight": "kg"}


LATITUDE = RecordSchema(
    name="House",
    fields=(
        FieldSpec(name="price", kind=FieldKind.NUMBER),
        FieldSpec(name="rooms", kind=FieldKind.INTEGER),
        FieldSpec(name="size", kind=FieldKind.INTEGER),
        FieldSpec(name="latitude", kind=FieldKind.NUMBER),
    ),
)


def shown_as(prices: str, latitudes: str, **known: str) -> dict[str, str]:
    """The points of the fields as a known record stands on its page."""
    page = texts(f"{prices} EUR", f"at {latitudes}")
    example = Example(page=0, records=(dict(known),))
    fields = noted_as_shown(LATITUDE, [page], [example]).fields
    return {one.name: one.decimal for one in fields}


def test_a_known_value_tells_the_point_where_the_pages_tell_none() -> None:
    """A latitude of 44.141 became 44141 where prices read "1.060 EUR"."""
    points = shown_as("1.060", "44.28734", price="1060", latitude="44.28734")
    assert (points["price"], points["latitude"]) == (",", ".")
    assert points["rooms"] == "", "nothing is known of it"
    both = shown_as("1.060 EUR, 1,060", "44.5 or 44,5", price="1060", latitude="44.5")
    assert set(both.values()) == {""}
    longer = shown_as("1.060.000", "1.0601", price="1060", latitude="1.060")
    assert set(longer.values()) == {""}, "those are other numbers"


def test_the_point_of_one_field_is_not_that_of_all() -> None:
    fields = [one.model_copy() for one in LATITUDE.fields]
    fields[3] = fields[3].model_copy(update={"decimal": "."})
    assert notation_of(fields).decimal == ""
    assert notation_of(noted(LATITUDE, Notation(decimal=",")).fields).decimal == ","
