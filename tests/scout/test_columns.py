from crawloop_assets.schema import FieldKind
from crawloop_assets.scout.columns import columns_of, notation_of_columns, telling_key
from crawloop_assets.scout.sheet import Origin, Sheet, SheetPlace

ROWS = 4
BASES = ("http://s.test/",) * ROWS


def cells(*texts: str) -> tuple[tuple[str, ...], ...]:
    return tuple((text,) if text else () for text in texts)


TITLES = cells("Lamp A", "Lamp B", "Lamp C", "Lamp D")
PRICES = cells("€5.00", "€7.50", "€9.00", "€5.00")


def sheet(*places: SheetPlace) -> Sheet:
    return Sheet(places, BASES, (0,) * ROWS)


def test_places_that_say_the_same_are_one_field() -> None:
    columns = columns_of(
        sheet(
            SheetPlace(("title",), Origin.MARKED, TITLES),
            SheetPlace(("name",), Origin.STATED, TITLES),
            SheetPlace(("Model:",), Origin.LABELLED, TITLES),
        )
    )
    assert [column.name for column in columns] == ["name"]
    field = columns[0].field
    assert field.sources == ("data of the page", "a label", "markup")
    assert field.spec.aliases == ("Model",)
    assert field.spec.required


def test_numbers_have_bounds_and_prices_are_news() -> None:
    price, rating = columns_of(
        sheet(
            SheetPlace(("price",), Origin.MARKED, PRICES),
            SheetPlace(("rating",), Origin.MARKED, cells("4.5", "3.0", "1.5", "5.0")),
        )
    )
    assert (price.field.least, price.field.most, price.field.spec.volatile) == (
        0,
        None,
        True,
    )
    assert (rating.field.least, rating.field.most) == (0, 5)
    assert notation_of_columns([price, rating]).currency == "EUR"


def test_what_is_everywhere_the_same_or_hardly_anywhere_is_no_field() -> None:
    columns = columns_of(
        sheet(
            SheetPlace(("button",), Origin.MARKED, cells(*["Buy"] * ROWS)),
            SheetPlace(("extra",), Origin.MARKED, cells("x", "", "", "")),
            SheetPlace(("currency",), Origin.STATED, cells(*["EUR"] * ROWS)),
        )
    )
    assert [column.name for column in columns] == ["currency"]


def test_records_are_told_apart_by_their_address_else_by_what_differs() -> None:
    link = SheetPlace(
        ("url",), Origin.MARKED, cells("/a", "/b", "/c", "/d"), is_link=True
    )
    title = SheetPlace(("title",), Origin.MARKED, TITLES)
    price = SheetPlace(("price",), Origin.MARKED, PRICES)
    assert telling_key(columns_of(sheet(title, price, link))) == ("url",)
    assert telling_key(columns_of(sheet(price, title))) == ("title",)
    assert telling_key(columns_of(sheet(price))) == ("price",)
    assert columns_of(sheet(link))[0].values[0] == "http://s.test/a"
    assert columns_of(sheet(link))[0].field.spec.kind is FieldKind.URL


def test_the_right_column_of_a_table_is_no_list() -> None:
    labelled = [
        SheetPlace(("Price:",), Origin.LABELLED, PRICES),
        SheetPlace(("Watt:",), Origin.LABELLED, cells("5", "7", "9", "11")),
        SheetPlace(("Made in:",), Origin.LABELLED, cells("Oslo", "Bern", "Oslo", "")),
    ]
    rows = zip(*(place.cells for place in labelled), strict=True)
    column = tuple(tuple(text for cell in row for text in cell) for row in rows)
    listed = SheetPlace(("facts",), Origin.MARKED, column, several=True)
    names = {one.name for one in columns_of(sheet(*labelled, listed))}
    assert names == {"price", "watt", "made_in"}
    tags = tuple((*row, f"tag {at}", "lamp") for at, row in enumerate(column))
    tagged = SheetPlace(("facts",), Origin.MARKED, tags, several=True)
    names = {one.name for one in columns_of(sheet(*labelled, tagged))}
    assert "facts" in names, "it says more than the labels do"
