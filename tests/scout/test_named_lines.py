"""Lines that name what they say are fields of the pages that have them."""

from crawloop_assets.scout.columns import columns_of
from crawloop_assets.scout.named_lines import line_places
from crawloop_assets.scout.pages import page_sheet
from tests.scout.pages_of import document

_PAGE = (
    "<html><body><header>Phone: {0}11 222</header><main><h1>Lamp {0}</h1><div class='price'>{0}9,50 €"
    " <small>VAT included</small></div><ul><li>Maker: {1}</li><li>Weight: {0},77 kg</li>{2}</ul>"
    "<p>By Ann: lamp {0} is fine.</p><p>By Ann: lamp {0} is dim.</p></main></body></html>"
)
_MAKERS = ("Otto", "Bell", "Vale")
_FRONT = ("<li>Side: left</li>", "", "<li>Side: right</li>")


def pages() -> list[object]:
    said = zip(_MAKERS, _FRONT, strict=True)
    return [
        document(_PAGE.format(number, *each)) for number, each in enumerate(said, 1)
    ]


def test_what_stands_behind_the_colon_of_a_line_is_a_field() -> None:
    found = {one.names[0]: one.cells for one in line_places(pages(), 2)}
    assert found == {
        "Maker": (("Otto",), ("Bell",), ("Vale",)),
        "Weight": (("1,77 kg",), ("2,77 kg",), ("3,77 kg",)),
        "Side": (("left",), (), ("right",)),
    }, "not what stands in the frame, nor what a page says twice"
    assert "Side" not in {one.names[0] for one in line_places(pages(), 3)}


def test_such_lines_are_columns_of_the_sheet() -> None:
    columns = {one.name: one for one in columns_of(page_sheet(pages()))}
    assert columns["maker"].values == _MAKERS
    assert columns["weight"].typed.unit == "kg"
    assert columns["side"].values == ("left", None, "right")


def test_an_amount_with_words_in_an_element_of_their_own_is_one() -> None:
    columns = {one.name: one for one in columns_of(page_sheet(pages()))}
    assert columns["price"].typed.currency == "EUR"
    assert [str(one) for one in columns["price"].values] == ["19.50", "29.50", "39.50"]
