from unittest.mock import patch

from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.locate import fits
from crawloop_assets.induce.locate.fits import Fits, PageFits
from crawloop_assets.schema import FieldKind, FieldSpec

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
SOLD = FieldSpec(name="sold", kind=FieldKind.BOOLEAN)


def test_the_pipe_of_a_text_is_the_same_however_often_it_is_asked_for() -> None:
    of_price = Fits("12.5", PRICE, "")
    assert of_price["12,50 €"] == of_price["12,50 €"] == ()
    first = of_price["3 for 12.50"]
    assert first is not None and first[-1].op is Op.NUMBER
    assert of_price["12.51"] is None


def test_a_text_is_fitted_once() -> None:
    with patch.object(fits, "fit", wraps=fits.fit) as fitted:
        of_price = Fits("12.5", PRICE, "")
        for text in ("12.50", "7", "12.50", "7", ""):
            of_price[text]
    assert [call.args[0] for call in fitted.call_args_list] == ["12.50", "7"]


def test_no_text_is_no_value() -> None:
    assert Fits("", FieldSpec(name="note"), "")[""] is None


def test_a_page_keeps_values_of_one_form_apart() -> None:
    of_page = PageFits("")
    assert of_page.of("1", PRICE) is of_page.of("1", PRICE)
    assert of_page.of(1, PRICE) is not of_page.of(True, PRICE)
    assert of_page.of("1", PRICE) is not of_page.of(1, PRICE)
    assert of_page.of(True, SOLD) is not of_page.of(True, PRICE)


def test_addresses_are_read_from_that_of_the_page() -> None:
    link = FieldSpec(name="link", kind=FieldKind.URL)
    of_page = PageFits("https://lamps.example/list")
    assert of_page.of("https://lamps.example/brass", link)["brass"] == ()
    elsewhere = PageFits("https://other.example/")
    assert elsewhere.of("https://lamps.example/brass", link)["brass"] is None
