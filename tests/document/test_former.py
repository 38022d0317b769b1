"""Numbers that a page says to be former ones."""

from decimal import Decimal

import pytest

from crawloop_assets.document.former import former_numbers, says_former
from tests.document.build import document


def said(body: str, decimal: str = ".") -> list[Decimal]:
    page = document(f"<main>{body}</main>")
    return [
        number
        for piece in range(len(page.columns.texts))
        for number in former_numbers(page, piece, decimal)
    ]


@pytest.mark.parametrize(
    ("body", "former"),
    [
        ("<p>26 € (vorher 33 €)</p>", [33]),
        ("<p>26 €, statt 33 €</p>", [33]),
        ("<p>Now $26, was $33</p>", [33]),
        (
            "<dl><dt>Cena</dt><dd>26</dd><dt>Poprzednia cena</dt><dd>33 zł</dd></dl>",
            [33],
        ),
        ("<p>26 €</p><p>33 € before the sale</p>", [33]),
        ("<p>26 €</p><p>元値 33</p>", [33]),
        ("<dl><dt>UVP</dt><dd>33 €</dd><dt>Preis</dt><dd>26 €</dd></dl>", [33]),
        ("<p>RRP $33</p><p>$26</p>", [33]),
        (
            "<table><tr><th>Price</th><th>Was</th></tr><tr><td>26</td><td>33</td></tr></table>",
            [33],
        ),
        (
            "<table><tr><th>Was</th><th>Price</th></tr><tr><td>was</td><td>26</td></tr></table>",
            [],
        ),
        ("<p>26 €</p><p>33 €</p>", []),
        ("<p>Member price 26 €</p><p>Regular price 33 €</p>", []),
        ("<p>33 € before tax</p>", []),
        ("<p>Washed 33 times</p>", []),
        (f"<p>{'It was a long way to the harbour and back, ' * 3} 33 miles</p>", []),
    ],
)
def test_a_word_before_a_number_or_behind_the_last_one_says_it(
    body: str, former: list[int]
) -> None:
    assert said(body) == list(map(Decimal, former))


def test_the_point_is_that_of_the_field() -> None:
    assert said("<p>26,44 zł, wcześniej 33,05 zł</p>", ",") == [Decimal("33.05")]


@pytest.mark.parametrize(
    "text",
    [
        "was",
        "Old price:",
        "statt",
        "antes",
        "przed obniżką",
        "eski fiyatı",
        "πριν",
        "할인 전",
    ],
)
def test_words_of_many_languages(text: str) -> None:
    assert says_former(text)
    assert not says_former(f"{text.rstrip(':')}x") and not says_former("Price")
