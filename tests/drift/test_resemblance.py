"""Whether a page shows what is known of it: by its longest text, or by most of the values that stand there."""

from typing import Any

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.resemblance import Resemblance, proofs, resemblance_of
from crawloop_assets.drift.value_lookup import known_forms
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, schema_of
from schemas.product import Product
from tests.drift.small import PRICE, STOCK, schema

SCHEMA = schema_of(Product)
KETTLE = {
    "url": "https://shop.example/p/1",
    "title": "Copper Kettle",
    "brand": "Acme",
    "price": "12.50",
    "currency": "EUR",
}
LAMP = KETTLE | {"title": "Brass Lamp", "url": "https://shop.example/p/2"}


def resemblance(
    known: list[dict[str, Any]], read: list[dict[str, Any]], body: str = ""
) -> Resemblance:
    page = Page(url="https://shop.example/p/1", body=f"<div>{body}</div>".encode())
    asked = known_forms(known, SCHEMA.fields)
    return resemblance_of(known, read, page_facts(Document(page), page, asked), SCHEMA)


def test_a_record_is_known_by_its_longest_text() -> None:
    assert resemblance([KETTLE], [KETTLE | {"price": "9.00"}]) is Resemblance.KNOWN
    assert resemblance([KETTLE], [LAMP]) is Resemblance.OTHER, (
        "brand, price and currency"
    )


def test_one_row_of_many_is_enough() -> None:
    assert resemblance([KETTLE, LAMP], [LAMP]) is Resemblance.KNOWN
    assert (
        resemblance([KETTLE, LAMP], [KETTLE | {"title": "Tin Pot"}])
        is Resemblance.UNKNOWN
    )


@pytest.mark.parametrize("read", [[], [KETTLE]])
def test_without_anything_known_nothing_is_said(read: list[dict[str, Any]]) -> None:
    assert resemblance([], read, "Copper Kettle Acme 12.50") is Resemblance.UNKNOWN


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>Copper Kettle</h1><i>Acme</i><b>12.50</b> <i>EUR</i>", Resemblance.KNOWN),
        ("<h1>Copper Kettle</h1><i>Acme</i> No longer available", Resemblance.OTHER),
        ("<h1>Copper Kettle</h1>Log in to see it", Resemblance.OTHER),
        ("Welcome to the shop of Acme", Resemblance.ABSENT),
        ("Welcome to the shop of Acme: 12.50", Resemblance.OTHER),
    ],
)
def test_where_nothing_was_read_most_known_values_have_to_stand_there(
    body: str, expected: Resemblance
) -> None:
    assert resemblance([KETTLE], [], body) is expected


LAID_OUT_ANEW = "<p>Copper Kettle</p><p>by Acme</p><p>12.50 € only</p>"
BANNER = (
    "<div id='cookie-banner'>We ask before we keep anything. <button>OK</button></div>"
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (LAID_OUT_ANEW, Resemblance.SHOWN),
        (BANNER + LAID_OUT_ANEW, Resemblance.SHOWN),
        ("<p>Copper Kettle</p><p>by Acme</p>", Resemblance.OTHER),
        ("<p>Kettle of copper</p><p>12.50 €</p>", Resemblance.OTHER),
        (f"<div id='cookie-banner'>{LAID_OUT_ANEW}</div>", Resemblance.OTHER),
    ],
)
def test_what_tells_a_record_stands_in_the_content_where_nothing_is_read(
    body: str, expected: Resemblance
) -> None:
    known = KETTLE | {"sku": "KT-41-00", "description": "A"}
    assert resemblance([known], [], body) is expected


def test_what_tells_a_record_may_stand_in_the_json_of_an_empty_page() -> None:
    known = KETTLE | {"sku": "KT-41-00", "description": "A"}
    body = '<div id="root"></div><script type="application/json">{"a": "KT-41-00", "b": "%s"}</script>'
    assert resemblance([known], [], body % "Copper Kettle") is Resemblance.STATED
    assert resemblance([known], [], body % "Copper Pan") is Resemblance.OTHER


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>北斗観測所</h1><p>2,110</p>", Resemblance.OTHER),
        ("<title>北斗観測所</title><h1>No visits</h1>", Resemblance.OTHER),
        ("<h1>北斗観測所のすべての展示をご案内</h1>", Resemblance.ABSENT),
        ("<h1>Zqy blim</h1>", Resemblance.ABSENT),
    ],
)
def test_a_page_is_headed_by_the_name_of_its_record_however_short(
    body: str, expected: Resemblance
) -> None:
    known = KETTLE | {
        "title": "北斗観測所",
        "sku": "KT-41-00",
        "gtin": "4006381333931",
    }
    assert resemblance([known], [], body) is expected


def test_what_moves_is_no_sign_of_absence() -> None:
    """Of a record with a short name all that tells it may be a price and a count."""
    fields = schema(FieldSpec(name="title"), PRICE, STOCK)
    known = {"title": "北斗", "price": "2110.50", "stock": 31507}
    page = Page(url="https://shop.example/p/1", body=b"<div><h2>Blam</h2></div>")
    facts = page_facts(Document(page), page, known_forms([known], fields.fields))
    assert resemblance_of([known], [], facts, fields) is Resemblance.OTHER


LIST = [
    {
        "title": f"Kettle of copper {at}",
        "sku": f"KT-{4100 + at}",
        "price": f"{at + 112}.50",
    }
    for at in range(8)
]


def several(body: str) -> Resemblance:
    page = Page(url="https://shop.example/list", body=f"<body>{body}</body>".encode())
    facts = page_facts(Document(page), page, known_forms(LIST, SCHEMA.fields))
    return resemblance_of(LIST, [], facts, SCHEMA)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>Zqy blim</h1><p>Blam.</p>", Resemblance.ABSENT),
        ("<h1>Zqy</h1><b>Kettle of copper 1</b>", Resemblance.OTHER),
        ("<h1>We had the Kettle of copper 1 once.</h1>", Resemblance.OTHER),
        ("<h1>Zqy</h1><i>KT-4101</i>", Resemblance.OTHER),
    ],
)
def test_a_page_that_shows_nothing_of_its_record_is_another_one(
    body: str, expected: Resemblance
) -> None:
    page = Page(url="https://shop.example/p/1", body=f"<div>{body}</div>".encode())
    facts = page_facts(Document(page), page, known_forms(LIST[1:2], SCHEMA.fields))
    assert resemblance_of(LIST[1:2], [], facts, SCHEMA) is expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h1>Zqy blim</h1>", Resemblance.ABSENT),
        ("<ul>" + "<li>Lamp</li>" * 6 + "</ul>", Resemblance.UNKNOWN),
        ("<p>Kettle of copper 3</p>", Resemblance.UNKNOWN),
    ],
)
def test_a_list_without_a_row_or_a_place_for_rows_is_another_page(
    body: str, expected: Resemblance
) -> None:
    assert several(body) is expected


def test_a_list_whose_numbers_stand_there_is_there_with_its_names_in_longer_texts() -> (
    None
):
    """No look of its rows repeats: the class of each says how it is."""
    known = [one | {"price": f"{412 + 37 * at}.50"} for at, one in enumerate(LIST)]

    def shown(count: int) -> Resemblance:
        rows = [
            f"<li class='{['on', 'off', 'wet'][at % 3]}'><b>No. {at}: {one['title']}</b>"
            f"<i>{one['price'] if at < count else ''}</i></li>"
            for at, one in enumerate(known)
        ]
        body = f"<div><ul>{''.join(rows)}</ul></div>"
        page = Page(url="https://shop.example/p/1", body=body.encode())
        facts = page_facts(Document(page), page, known_forms(known, SCHEMA.fields))
        return resemblance_of(known, [], facts, SCHEMA)

    assert shown(len(known)) is Resemblance.UNKNOWN
    assert shown(len(known) // 2 - 1) is Resemblance.ABSENT


def test_a_record_that_says_one_thing_proves_nothing() -> None:
    only = {"url": "https://shop.example/p/1", "title": "Just a moment"}
    assert proofs([only, KETTLE], SCHEMA) == 1
