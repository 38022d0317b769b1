"""Known records without what has moved."""

from decimal import Decimal
from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.healing.still_shown import without_moved
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.induce.listing.documents import document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
STATE = FieldSpec(
    name="state", kind=FieldKind.CHOICE, choices=("new", "used"), volatile=True
)
OPEN = FieldSpec(name="open", kind=FieldKind.BOOLEAN, volatile=True)
SCHEMA = RecordSchema(
    name="Ware", fields=(FieldSpec(name="name", required=True), PRICE, STATE, OPEN)
)
PRICES = ("12.90", "4.05", "210", "88.50")
ROWS: list[dict[str, Any]] = [
    {"name": f"Lamp {at}", "price": Decimal(price), "state": "new", "open": True}
    for at, price in enumerate(PRICES)
]


def left(*shown: str) -> list[object]:
    """The prices that are left of the rows of two pages that show these numbers."""
    bodies = (shown[:2], shown[2:])
    pages = [
        document("".join(f"<p>Lamp, neu <i>{one}</i></p>" for one in body))
        for body in bodies
    ]
    known = [
        Example(page=0, records=tuple(ROWS[:2])),
        Example(page=1, records=tuple(ROWS[2:])),
    ]
    kept = without_moved(SCHEMA, pages, known)
    assert [one.page for one in kept] == [0, 1]
    records = [record for one in kept for record in one.records]
    assert all(record["state"] == "new" for record in records), "in other words"
    assert all(record["open"] for record in records), "in other words"
    return [str(record.get("price", "")) for record in records]


def test_what_is_not_on_its_page_any_more_has_moved() -> None:
    assert left("12.90", "4.20", "210", "90.00") == ["12.90", "", "210", ""]
    assert left("13.00", "4.20", "211", "90.00") == ["", "", "", ""]


def test_what_its_page_says_to_be_former_has_moved() -> None:
    assert left("9.90 (was 12.90)", "4.05", "210", "88.50") == ["", *PRICES[1:]]
    assert left("<s>12.90</s> 9.90", "4.05", "210", "88.50") == ["", *PRICES[1:]]


def test_what_is_the_former_price_itself_is_read_where_it_is_said() -> None:
    """The higher of two amounts in each record: the other one is the price."""
    was = PRICE.model_copy(update={"name": "before"})
    schema = RecordSchema(name="Ware", fields=(*SCHEMA.fields, was))
    shown = "<p>Lamp <s>12.90</s> 9.90</p><p>Desk <s>88.50</s> 70</p>"

    def kept(*before: str) -> list[list[str]]:
        pairs = zip(("9.90", "70"), before, strict=True)
        records = tuple({"price": price, "before": was} for price, was in pairs)
        (known,) = without_moved(
            schema, [document(shown)], [Example(page=0, records=records)]
        )
        return [[*record] for record in known.records]

    assert kept("12.90", "88.50") == [["price", "before"]] * 2
    assert kept("12.90", "60.00") == [["price"]] * 2, "no law binds the two"


def test_without_another_amount_a_name_tells_the_former_price() -> None:
    shown = "<p>Lamp <s>12.90</s> 9.90</p><p>Desk <s>88.50</s> 70</p>"

    def kept(name: str) -> list[list[str]]:
        schema = RecordSchema(
            name="Ware", fields=(PRICE.model_copy(update={"name": name}),)
        )
        records = ({name: "12.90"}, {name: "88.50"})
        pages = [document(shown)]
        (known,) = without_moved(schema, pages, [Example(page=0, records=records)])
        return [[*record] for record in known.records]

    assert kept("list_price") == [["list_price"]] * 2
    assert kept("price") == [[], []]


def test_what_its_page_says_in_another_unit_has_not() -> None:
    assert left("1290", "405", "21000", "8850") == list(PRICES)
    assert left("1290", "405", "21000", "9000") == [*PRICES[:3], ""]
    assert left("1290", "405", "22000", "9000") == ["", "", "", ""], "by chance"
    assert left("0.0129", "0.00405", "0.21", "0.0885") == list(PRICES)
    assert left("1290", "4.05", "21000", "8850") == ["", "4.05", "", ""], "no unit"


def test_a_whole_number_may_be_told_in_parts_of_a_larger_unit() -> None:
    rent = FieldSpec(name="rent", kind=FieldKind.INTEGER, volatile=True)
    schema = RecordSchema(name="Flat", fields=(rent,))
    rows = tuple({"rent": rent} for rent in (88600, 73000, 91200, 65800))
    page = document("<p>88.6</p><p>73</p><p>91.2</p><p>66.1</p>")
    (left,) = without_moved(schema, [page], [Example(page=0, records=rows)])
    assert [row.get("rent") for row in left.records] == [88600, 73000, 91200, None]
