"""What the words of a page mean, as a model says it and code believes it."""

import pytest

from crawloop_assets.llm.evidence import PageText
from crawloop_assets.llm.meaning import how_to_quote, meant_value, quoted_parts
from crawloop_assets.llm.serve import grounded_values
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

URL = "https://shop.example/p/1"
STOCK = FieldSpec(
    name="stock", kind=FieldKind.CHOICE, choices=("InStock", "OutOfStock")
)
VEGAN = FieldSpec(name="vegan", kind=FieldKind.BOOLEAN)
DAY = FieldSpec(name="day", kind=FieldKind.DATE)
START = FieldSpec(name="start", kind=FieldKind.DATETIME)
OURS = DAY.model_copy(update={"date_order": "DMY"})
TEXT = FieldSpec(name="text")


@pytest.mark.parametrize(
    ("spec", "quote", "value"),
    [
        (STOCK, "Auf Lager => InStock", "InStock"),
        (STOCK, "in stock", "InStock"),
        (STOCK, "in stock => InStock", "InStock"),
        (STOCK, "in stock => OutOfStock", None),
        (STOCK, "Auf Lager", "InStock"),
        (STOCK, "Auf Lager => OutOfStock", None),
        (STOCK, "Im Laden", None),
        (STOCK, "Auf Lager => Perhaps", None),
        (VEGAN, "Für Veganer => true", True),
        (VEGAN, "nein => true", None),
        (DAY, "le 7 mars 2019 => 2019-03-07", "2019-03-07"),
        (DAY, "7 March | 2019 => 2019-03-07", "2019-03-07"),
        (DAY, "03/04/2019 => 2019-04-03", "2019-04-03"),
        (DAY, "03/04/19", "2019-03-04"),
        (DAY, "03/04/2019 => 2019-05-03", None),
        (DAY, "March 2019 => 2019-03-01", None),
        (DAY, "7. 2019 => 2019-03-07", None),
        (OURS, "03/04/2019 => 2019-03-04", None),
        (OURS, "03/04/2019 => 2019-04-03", "2019-04-03"),
        (START, "7 March 2019 | 7:30 pm => 2019-03-07T19:30", "2019-03-07T19:30:00"),
        (START, "7 mars 2019 | 19h => 2019-03-07T19:00", "2019-03-07T19:00:00"),
        (START, "7 mars 2019 => 2019-03-07T18:00", None),
        (TEXT, "a => b | c", "a => b | c"),
    ],
)
def test_words_mean_what_is_said_if_they_can(
    spec: FieldSpec, quote: str, value: object
) -> None:
    assert meant_value(quote, spec, URL) == value


def test_only_the_words_have_to_stand_on_the_page() -> None:
    schema = RecordSchema(name="P", fields=(STOCK, DAY))
    page = PageText([("html", "Auf Lager seit 7. März, Stand 2019")])
    said = [
        {"stock": "Auf Lager => InStock", "day": "7. März | 2019 => 2019-03-07"},
        {"stock": "Lieferbar => InStock", "day": "8. März | 2019 => 2019-03-08"},
    ]
    records, dropped = grounded_values(schema, said, page, URL)
    assert records == ({"stock": "InStock", "day": "2019-03-07"},)
    assert [one.row for one in dropped] == [1, 1]


def test_a_quote_of_a_text_is_one_part() -> None:
    assert quoted_parts("a | b => c", TEXT) == ["a | b => c"]
    assert quoted_parts("a | b => true", VEGAN) == ["a", "b"]
    assert "=>" in how_to_quote(STOCK) and not how_to_quote(TEXT)
