"""Amounts whose fraction is raised."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page


def text_of(inside: str) -> str:
    body = f"<html><body><p>{inside}</p></body></html>"
    page = Page(
        url="http://shop.test/1",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )
    document = Document(page)
    (number,) = document.by_tag["p"]
    return document.text(number)


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("€<b>61</b><sup>88</sup>", "€61.88"),
        ("<b>61</b><sup>88</sup> €", "61.88 €"),
        ("$5<sup> 09 </sup>", "$5.09"),
        ("<b>61</b><sup>88</sup>zł<i>/noc</i>", "61.88zł/noc"),
        ("<b>€ 1.234</b><sup>50</sup>", "€ 1.234,50"),
        ("€1,234<sup>50</sup>", "€1,234.50"),
        ("€61<sup><i>8</i>8</sup>", "€61.88"),
    ],
)
def test_raised_digits_behind_an_amount_are_its_fraction(
    inside: str, text: str
) -> None:
    assert text_of(inside) == text


@pytest.mark.parametrize(
    "inside",
    [
        "10<sup>12</sup>",
        "€61<sup>1</sup>",
        "€61<sup>123</sup>",
        "€61.50<sup>12</sup>",
        "<sup>88</sup> €",
        "It was sold for € 61 in the year of 2014<sup>12</sup>",
        "€<sup>88</sup>",
    ],
)
def test_other_raised_digits_are_left_as_they_are(inside: str) -> None:
    plain = inside
    for tag in ("sup", "i", "b"):
        plain = plain.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    assert text_of(inside) == plain
