"""What a page crosses out is no longer so."""

import pytest

from crawloop_assets.document.select import css
from tests.document.build import document


def _said(inside: str) -> str:
    page = document(f"<main><p class='cost'>{inside}</p></main>")
    return page.text(css(page, ".cost")[0])


@pytest.mark.parametrize("tag", ["s", "del", "strike"])
def test_the_price_beside_a_former_one_is_all_that_is_said(tag: str) -> None:
    assert _said(f"<{tag}>33,05 zł</{tag}> <b>26,44 zł</b>") == "26,44 zł"
    assert _said(f"<b>26,44 zł</b> <{tag}><i>33,05</i> zł</{tag}>") == "26,44 zł"
    assert _said(f"<{tag}>33</{tag}> 26") == "26"


def test_the_marks_of_arabic_and_full_width_are_of_the_number() -> None:
    assert _said("<del>١٬١٣٩٫٥٠ ر.س</del> <b>٩٧٩٫٥٠ ر.س</b>") == "٩٧٩٫٥٠ ر.س"
    assert _said("<s>１，２００円</s> <b>９８０円</b>") == "９８０円"


def test_what_is_crossed_out_says_itself() -> None:
    page = document("<p><del class='was'>33 €</del> <b>26 €</b></p>")
    assert page.text(css(page, ".was")[0]) == "33 €"


def test_a_number_of_another_kind_is_no_price_that_is_left() -> None:
    assert _said("<s>33,05 zł</s> sprzedano 3 szt.") == "33,05 zł sprzedano 3 szt."
    assert _said("<s>33,05 zł</s> brak") == "33,05 zł brak"


def test_what_is_said_in_words_once_more_goes_with_it() -> None:
    said = _said(
        "<del>$50.00</del><i>Original price was: $50.00.</i>"
        "<ins>$40.00</ins><i>Current price is: $40.00.</i>"
    )
    assert said.startswith("$40.00")
    assert "50" not in said


def test_each_of_several_goes_once() -> None:
    assert _said("<s>9 € <del>8 €</del></s> <s>7 €</s> 6 €") == "6 €"


def test_words_that_are_crossed_out_stay() -> None:
    assert _said("<s>Old mill</s> Mill 3") == "Old mill Mill 3"


def test_a_page_that_crosses_nothing_out_says_all() -> None:
    assert _said("33 € 26 €") == "33 € 26 €"


def test_the_same_number_in_another_box_is_another_thing() -> None:
    page = document("<div><p><s>50 €</s> <b>40 €</b></p><p>50 in stock</p></div>")
    assert page.text(css(page, "div")[0]) == "40 € 50 in stock"


@pytest.mark.parametrize(
    ("former", "by", "is_so"),
    [
        ("1490.00", "1290.00", True),
        ("1290.00", "1490.00", False),
        ("1490.00", "35", False),  # it is left in no element around it
        ("35", "1290.00", False),
        ("", "1290.00", False),
    ],
)
def test_a_crossed_out_number_is_replaced_by_one_beside_it(
    former: str, by: str, is_so: bool
) -> None:
    page = document(
        "<main><p>35 sold</p><aside><div><p>Price <del>1.490,00 €</del></p><b>1.290,00 €</b></div></aside></main>"
    )
    assert page.crossed_out.is_replaced(former, by) is is_so
